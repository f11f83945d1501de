// Undoes what the command did to numbers: base64, zlib, byte planes, XOR with the word before (../format.ts).
import { unzlibSync } from "fflate";

type FromBase64 = { fromBase64?: (text: string) => Uint8Array };

export function bytesOfBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as FromBase64).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// The check sum at the end of a zlib stream, which fflate passes over.
function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; ) {
    const stop = Math.min(i + 3800, bytes.length); // as far as 32 bits hold the sums
    for (; i < stop; i++) b += a += bytes[i];
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}

// Unpacks a zlib stream; with `size`, into exactly so many bytes.
export function unpackBytes(text: string, size?: number): Uint8Array {
  const packed = bytesOfBase64(text);
  if (packed.length < 6) throw new Error(`${packed.length} bytes are too few for a zlib stream`);
  const bytes = size === undefined ? unzlibSync(packed) : unzlibSync(packed, { out: new Uint8Array(size) });
  if (size !== undefined && bytes.length !== size) throw new Error(`${bytes.length} bytes instead of ${size}`);
  const end = packed.subarray(packed.length - 4);
  if (adler32(bytes) !== ((end[0] << 24) | (end[1] << 16) | (end[2] << 8) | end[3]) >>> 0) {
    throw new Error("the check sum does not match");
  }
  return bytes;
}

// `count` float64 numbers of one line of a column.
export function unpackNumbers(text: string, count: number): Float64Array {
  const b = unpackBytes(text, count * 8);
  const numbers = new Float64Array(count);
  const words = new Uint32Array(numbers.buffer); // little-endian, as every machine that runs a browser
  const p1 = count, p2 = 2 * count, p3 = 3 * count, p4 = 4 * count, p5 = 5 * count, p6 = 6 * count, p7 = 7 * count;
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    low ^= b[i] | (b[p1 + i] << 8) | (b[p2 + i] << 16) | (b[p3 + i] << 24);
    high ^= b[p4 + i] | (b[p5 + i] << 8) | (b[p6 + i] << 16) | (b[p7 + i] << 24);
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  return numbers;
}
