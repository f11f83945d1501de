// Where the bodies are, as matrices for the graphics card, worked out once a step for all that is drawn on bodies. The
// card has single precision: places are relative to an anchor among the bodies, which stays in double precision.
import * as THREE from "three";
import type { Kinematics } from "../motion/kinematics";

export const WIDE = 12; // numbers a body: three columns of its axes, its place

export class Placing {
  readonly anchor = new THREE.Matrix4(); // for the roots of what is drawn
  readonly data: Float64Array;

  constructor(count: number) {
    this.data = new Float64Array(WIDE * count);
  }

  update({ p, quat }: Kinematics): void {
    const { data } = this;
    const n = data.length / WIDE;
    let a = 0;
    while (a < n && !Number.isFinite(p[3 * a] + p[3 * a + 1] + p[3 * a + 2])) a++;
    const [ax, ay, az] = a < n ? [p[3 * a], p[3 * a + 1], p[3 * a + 2]] : [0, 0, 0];
    this.anchor.makeTranslation(ax, ay, az);
    for (let i = 0, k = 0; i < n; i++, k += WIDE) {
      const w = quat[4 * i], x = quat[4 * i + 1], y = quat[4 * i + 2], z = quat[4 * i + 3];
      data[k] = 1 - 2 * (y * y + z * z);
      data[k + 1] = 2 * (x * y + w * z);
      data[k + 2] = 2 * (x * z - w * y);
      data[k + 3] = 2 * (x * y - w * z);
      data[k + 4] = 1 - 2 * (x * x + z * z);
      data[k + 5] = 2 * (y * z + w * x);
      data[k + 6] = 2 * (x * z + w * y);
      data[k + 7] = 2 * (y * z - w * x);
      data[k + 8] = 1 - 2 * (x * x + y * y);
      data[k + 9] = p[3 * i] - ax;
      data[k + 10] = p[3 * i + 1] - ay;
      data[k + 11] = p[3 * i + 2] - az;
    }
  }

  // out[o ..] = the matrix of a thing placed by `local` (4 x 4, column by column) on body i.
  compose(i: number, local: ArrayLike<number>, out: Float32Array | number[], o: number): void {
    const { data } = this;
    const k = WIDE * i;
    for (let c = 0; c < 16; c += 4) {
      const x = local[c], y = local[c + 1], z = local[c + 2];
      const at = c === 12 ? 1 : 0;
      out[o + c] = data[k] * x + data[k + 3] * y + data[k + 6] * z + at * data[k + 9];
      out[o + c + 1] = data[k + 1] * x + data[k + 4] * y + data[k + 7] * z + at * data[k + 10];
      out[o + c + 2] = data[k + 2] * x + data[k + 5] * y + data[k + 8] * z + at * data[k + 11];
      out[o + c + 3] = at;
    }
  }
}
