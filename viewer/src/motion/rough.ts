// Coordinates of a long run without unpacking its samples: the middle of what each coordinate does in each bucket of
// samples, as the overviews of its columns tell. Good enough to draw a way; where an angle goes far within a bucket,
// or an attitude turns far, the middle means nothing and all coordinates are NaN.
import type { Run } from "../run";
import { columnsOf } from "./interpolate";
import type { Kinematics } from "./kinematics";

const FAR = 0.3; // [rad], or of a quaternion's component

export class RoughCoordinates {
  readonly bucket: number; // samples
  readonly count: number; // buckets
  private readonly middles: (Float64Array | null)[];
  private readonly values: Float64Array;
  private readonly neutral: Float64Array;

  constructor(run: Run, private readonly motion: Kinematics, points: number) {
    this.values = new Float64Array(motion.room);
    this.neutral = new Float64Array(motion.room);
    for (const at of motion.quaternions) this.neutral[at] = 1;
    const times = run.time.overview(0, run.samples, points);
    this.count = times.index.length;
    this.bucket = this.count > 1 ? times.index[1] : Math.max(1, run.samples);
    this.middles = columnsOf(run, motion).map((column) => {
      if (!column) return null;
      const { min, max } = column.values.overview(0, run.samples, points);
      return min.map((low, k) => (column.isLength || max[k] - low <= FAR ? (low + max[k]) / 2 : NaN));
    });
  }

  // In the middle of bucket k.
  at(k: number): Float64Array {
    const { motion } = this;
    let known = true;
    for (let i = 0; i < this.values.length; i++) {
      const middles = this.middles[i];
      this.values[i] = middles ? middles[k] : this.neutral[i];
      known &&= i < motion.nq || Number.isFinite(this.values[i]);
    }
    // Coordinates of bodies that have parted are not missed.
    motion.bodies.forEach((_, i) => {
      const next = i + 1 < motion.bodies.length ? motion.first[i + 1] : motion.nq;
      for (let k = motion.first[i]; k < next; k++) {
        known &&= Number.isFinite(this.values[k]) || motion.hasParted(i, this.values);
      }
    });
    if (!known) this.values.fill(NaN);
    return this.values;
  }
}
