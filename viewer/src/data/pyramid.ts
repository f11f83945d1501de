// Least and greatest values of buckets of samples, in levels: each level's buckets hold eight of those below. A curve
// of a million samples is drawn from a level with about as many buckets as there are pixels.

export const FOLD = 8;

export interface Level {
  size: number; // samples a bucket
  min: Float64Array; // NaN: none in the bucket is a number
  max: Float64Array;
}

export interface Range {
  min: number;
  max: number;
}

// Takes a value into a range; NaN changes nothing.
export function widen(range: Range, min: number, max: number): void {
  if (!(range.min <= min) && min === min) range.min = min;
  if (!(range.max >= max) && max === max) range.max = max;
}

function fold(below: Level): Level {
  const count = Math.ceil(below.min.length / FOLD);
  const above = { size: below.size * FOLD, min: new Float64Array(count), max: new Float64Array(count) };
  const range = { min: NaN, max: NaN };
  for (let i = 0; i < count; i++) {
    range.min = range.max = NaN;
    const end = Math.min((i + 1) * FOLD, below.min.length);
    for (let j = i * FOLD; j < end; j++) widen(range, below.min[j], below.max[j]);
    above.min[i] = range.min;
    above.max[i] = range.max;
  }
  return above;
}

// The first level and all above it, up to one of at most eight buckets.
export function levelsOver(first: Level): Level[] {
  const levels = [first];
  while (levels[levels.length - 1].min.length > FOLD) levels.push(fold(levels[levels.length - 1]));
  return levels;
}
