// Small pictures made here: crinkles of foil, solar cells, the checkered mark of a centre of mass, and the surroundings
// that metal mirrors. Made when first asked for, and kept.
import * as THREE from "three";
import { randomFrom } from "./random";

function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

type Pixel = (x: number, y: number) => [number, number, number];

// A picture from a function of column and row; red, green, blue 0 .. 255.
function paint(width: number, height: number, pixel: Pixel): THREE.DataTexture {
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([...pixel(x, y), 255], 4 * (y * width + x));
  }
  const texture = new THREE.DataTexture(data, width, height);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.magFilter = THREE.LinearFilter;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

// Facets: the height is the distance to the nearest of scattered points, which repeats at the edges.
export const foilTexture = once(() => {
  const size = 128;
  const random = randomFrom(7);
  const points = Array.from({ length: 60 }, () => [random() * size, random() * size]);
  const away = (a: number, b: number): number => {
    const d = Math.abs(a - b);
    return Math.min(d, size - d);
  };
  return paint(size, size, (x, y) => {
    let nearest = size;
    for (const [px, py] of points) nearest = Math.min(nearest, Math.hypot(away(x, px), away(y, py)));
    const height = Math.min(255, nearest * 16);
    return [height, height, height];
  });
});

// Cells with fine bright lines between them, and a thin seam in each.
export const cellTexture = once(() => {
  const cells = 8;
  const size = 256;
  const texture = paint(size, size, (x, y) => {
    const step = size / cells;
    const [u, v] = [x % step, y % step];
    if (u < 1.5 || v < 1.5) return [205, 214, 226];
    if (Math.abs(u - step / 2) < 0.6) return [120, 132, 160];
    const tone = 74 + ((Math.floor(x / step) * 5 + Math.floor(y / step) * 3) % 4) * 6;
    return [tone, tone + 8, tone + 26];
  });
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
});

// Eight octants in turn, as draughtsmen mark a centre of mass.
export const checkerTexture = once(() => {
  const texture = paint(64, 32, (x, y) => {
    return (Math.floor(x / 16) + Math.floor(y / 16)) % 2 ? [20, 20, 24] : [250, 214, 40];
  });
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
});

// What metal mirrors, all around: a bright sun, a pale glow from one side as from a planet, and a dark rest.
export function surroundings(sun: THREE.Vector3, dark: boolean): THREE.DataTexture {
  const [width, height] = [128, 64];
  const data = new Float32Array(4 * width * height);
  const direction = new THREE.Vector3();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // As three reads such a picture: the world's y is its height, whatever is up for us.
      const phi = (x / width - 0.5) * 2 * Math.PI;
      const theta = ((y + 0.5) / height - 0.5) * Math.PI;
      direction.set(Math.cos(theta) * Math.cos(phi), Math.sin(theta), Math.cos(theta) * Math.sin(phi));
      const glow = Math.pow(Math.max(0, direction.dot(sun)), 24) * 9;
      const below = 0.5 - 0.5 * direction.z;
      const sky = dark ? 0.06 + 0.5 * Math.pow(below, 3) : 0.55 + 0.35 * (1 - below);
      const blue = dark ? 1.5 : 1.1;
      data.set([glow + sky * 0.9, glow + sky, glow * 0.9 + sky * blue, 1], 4 * (y * width + x));
    }
  }
  const texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
  texture.mapping = THREE.EquirectangularReflectionMapping;
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
