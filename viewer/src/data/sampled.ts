// What columns have in common, wherever their numbers lie: samples in blocks, and levels of a pyramid over them.
import type { Column } from "../run";
import { FOLD, widen, type Level, type Range } from "./pyramid";

// A stretch of samples that lies in memory: sample i is data[i - first], for first <= i < end.
export interface Span {
  data: Float64Array;
  first: number;
  end: number;
}

// Samples a bucket for a stretch of n, drawn with this many points: one, any number below the smallest bucket of the
// pyramid, else a multiple of a level's buckets.
export function bucketFor(n: number, points: number, smallest: number): number {
  const wanted = Math.ceil(n / Math.max(1, points));
  if (wanted <= smallest / 2) return Math.max(1, wanted);
  let unit = smallest;
  while (unit * FOLD <= wanted) unit *= FOLD;
  return Math.ceil(wanted / unit) * unit;
}

export abstract class SampledColumn implements Column {
  abstract readonly length: number;
  protected abstract readonly bucket: number; // samples a bucket of the first level
  protected abstract span(i: number): Span; // 0 <= i < length
  protected abstract levels(): Level[]; // may be none

  private last: Span = { data: new Float64Array(0), first: 0, end: 0 };

  at(i: number): number {
    if (!(i >= 0 && i < this.length)) return NaN;
    const last = this.last;
    if (i >= last.first && i < last.end) return last.data[i - last.first];
    this.last = this.span(i);
    return this.last.data[i - this.last.first];
  }

  overview(from: number, to: number, points: number): { index: Float64Array; min: Float64Array; max: Float64Array } {
    from = Math.max(0, Math.floor(from));
    to = Math.min(this.length, Math.ceil(to));
    const n = Math.max(0, to - from);
    const bucket = bucketFor(n, points, this.bucket);
    if (bucket === 1) return this.samples(from, n);
    const first = Math.floor(from / bucket);
    const count = Math.ceil(to / bucket) - first;
    const result = { index: new Float64Array(count), min: new Float64Array(count), max: new Float64Array(count) };
    const range = { min: NaN, max: NaN };
    for (let k = 0; k < count; k++) {
      const begin = Math.max(from, (first + k) * bucket);
      this.reduce(begin, Math.min(to, (first + k + 1) * bucket), range);
      result.index[k] = begin;
      result.min[k] = range.min;
      result.max[k] = range.max;
    }
    return result;
  }

  // The samples themselves; least and greatest are then one array.
  private samples(from: number, n: number): { index: Float64Array; min: Float64Array; max: Float64Array } {
    const index = new Float64Array(n);
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      index[i] = from + i;
      values[i] = this.at(from + i);
    }
    return { index, min: values, max: values };
  }

  // Least and greatest of samples from .. to-1: whole buckets from the highest level they fill, the rest one by one.
  private reduce(from: number, to: number, range: Range): void {
    range.min = range.max = NaN;
    const levels = to - from < this.bucket ? [] : this.levels();
    let i = from;
    while (i < to) {
      let best: Level | null = null;
      for (const level of levels) {
        if (i % level.size !== 0 || Math.min(i + level.size, this.length) > to) break;
        best = level;
      }
      if (best) {
        const bucket = i / best.size;
        widen(range, best.min[bucket], best.max[bucket]);
        i += best.size;
      } else {
        const stop = Math.min(to, (Math.floor(i / this.bucket) + 1) * this.bucket);
        for (; i < stop; i++) {
          const value = this.at(i);
          widen(range, value, value);
        }
      }
    }
  }
}

// The last sample at or before t in times that do not fall; 0 before the first; -1 without samples.
export function lastAtOrBefore(time: Column, t: number, from = 0, to = time.length): number {
  if (time.length === 0) return -1;
  let low = from; // its time is at or before t, or it is the first
  let high = to;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time.at(middle) <= t) low = middle;
    else high = middle;
  }
  return low;
}
