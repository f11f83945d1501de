// CRC-32 as zlib has it, of the UTF-8 bytes of a text. Four bytes at a time: a column of a million samples has some
// megabytes.

function makeTables(): Int32Array[] {
  const tables = [0, 1, 2, 3].map(() => new Int32Array(256));
  for (let i = 0; i < 256; i++) {
    let rest = i;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    tables[0][i] = rest;
  }
  for (let i = 0; i < 256; i++) {
    for (let k = 1; k < 4; k++) tables[k][i] = (tables[k - 1][i] >>> 8) ^ tables[0][tables[k - 1][i] & 255];
  }
  return tables;
}

const [t0, t1, t2, t3] = makeTables();

// Eight hexadecimal digits.
export function crc32(text: string): string {
  const b = new TextEncoder().encode(text);
  let crc = -1;
  let i = 0;
  for (; i + 4 <= b.length; i += 4) {
    const word = crc ^ (b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24));
    crc = t3[word & 255] ^ t2[(word >>> 8) & 255] ^ t1[(word >>> 16) & 255] ^ t0[word >>> 24];
  }
  for (; i < b.length; i++) crc = t0[(crc ^ b[i]) & 255] ^ (crc >>> 8);
  return (~crc >>> 0).toString(16).padStart(8, "0");
}
