// A column that grows while a run goes on; its pyramid grows with it.
import { FOLD, type Level } from "./pyramid";
import { SampledColumn, type Span } from "./sampled";

const grown = (old: Float64Array, count: number): Float64Array => {
  const next = new Float64Array(Math.max(1024, count, old.length * 2)).fill(NaN);
  next.set(old);
  return next;
};

export class LiveColumn extends SampledColumn {
  length = 0;
  protected readonly bucket = 64;
  private data = new Float64Array(0);
  private pyramid: Level[] = [];

  // Puts values at samples first ..; those that are there already are not counted twice.
  append(values: Float64Array, first: number): void {
    if (first > this.length) throw new Error(`samples ${this.length} to ${first - 1} are missing`);
    const fresh = values.subarray(this.length - first);
    if (this.length + fresh.length > this.data.length) this.data = grown(this.data, this.length + fresh.length);
    this.data.set(fresh, this.length);
    for (let i = 0; i < fresh.length; i++) this.note(this.length + i, fresh[i]);
    this.length += fresh.length;
  }

  protected span(): Span {
    return { data: this.data, first: 0, end: this.length };
  }

  protected levels(): Level[] {
    return this.pyramid;
  }

  // Enters a value into its bucket of every level; a level above comes when the one below has more than one bucket.
  private note(i: number, value: number): void {
    for (let k = 0, size = this.bucket; k === 0 || i >= size / FOLD; k++, size *= FOLD) {
      const level = (this.pyramid[k] ??= this.begin(k, size));
      const bucket = Math.floor(i / size);
      if (bucket >= level.min.length) {
        level.min = grown(level.min, bucket + 1);
        level.max = grown(level.max, bucket + 1);
      }
      if (value !== value) continue;
      if (!(level.min[bucket] <= value)) level.min[bucket] = value;
      if (!(level.max[bucket] >= value)) level.max[bucket] = value;
    }
  }

  private begin(k: number, size: number): Level {
    const level = { size, min: grown(new Float64Array(0), 1), max: grown(new Float64Array(0), 1) };
    const below = this.pyramid[k - 1];
    if (below) {
      level.min[0] = below.min[0];
      level.max[0] = below.max[0];
    }
    return level;
  }
}
