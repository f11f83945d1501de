// Numbers for a panel: of what is seen, as many as there are pixels to see them. Where many samples fall on a pixel,
// the least and the greatest of them, so that nothing that sticks out is lost.
import type { Series } from "../expression/series";
import type { Run } from "../run";
import { shownAs } from "./angles";

export interface Curve extends Series {
  run: Run;
  order: number; // of its label among those of the panel
}

export interface Table {
  x: Float64Array;
  columns: (number | null)[][]; // null: a gap
}

const drawable = (value: number, log: boolean): number | null =>
  Number.isFinite(value) && (!log || value > 0) ? value : null;

// A value as the page shows it, in the units chosen.
export const shownValue = (curve: Curve, sample: number): number =>
  curve.column.at(sample) * shownAs(curve.unit).factor;

// A run's curves between two times, with about one bucket a point.
export function gather(run: Run, curves: Curve[], from: number, to: number, points: number, log: boolean): Table {
  if (run.samples === 0) return { x: new Float64Array(0), columns: curves.map(() => []) };
  const begin = Math.max(0, run.indexAt(from));
  const end = Math.min(run.samples, run.indexAt(to) + 2);
  const time = run.time.overview(begin, end, points);
  const exact = time.min === time.max;
  const count = time.index.length;
  if (exact) {
    const columns = curves.map(({ column, unit }) => {
      const { factor } = shownAs(unit);
      return Array.from(column.overview(begin, end, points).min, (value) => drawable(factor * value, log));
    });
    return { x: time.min, columns };
  }
  const x = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    x[2 * i] = time.min[i];
    x[2 * i + 1] = time.max[i];
  }
  const columns = curves.map(({ column, unit }) =>
    envelope(column.overview(begin, end, points), shownAs(unit).factor, log));
  return { x, columns };
}

// Two points a bucket: the one nearer to the bucket before comes first, so that a slope is drawn as a slope.
function envelope(
  overview: { min: Float64Array; max: Float64Array }, factor: number, log: boolean,
): (number | null)[] {
  const { min, max } = overview;
  const points: (number | null)[] = new Array(2 * min.length);
  let before = 0;
  for (let i = 0; i < min.length; i++) {
    const middle = min[i] + max[i];
    const falls = middle < before;
    points[2 * i] = drawable(factor * (falls ? max[i] : min[i]), log);
    points[2 * i + 1] = drawable(factor * (falls ? min[i] : max[i]), log);
    before = middle;
  }
  return points;
}

// Tables of several runs on one axis; where a run has no sample, undefined stands, which is no gap.
export function merge(tables: Table[]): { x: Float64Array; columns: (number | null | undefined)[][] } {
  if (tables.length === 1) return tables[0];
  const total = tables.reduce((sum, table) => sum + table.x.length, 0);
  const x = new Float64Array(total);
  const columns: (number | null | undefined)[][] = tables.flatMap((table) => table.columns.map(() => new Array(total)));
  const at = tables.map(() => 0);
  for (let i = 0; i < total; i++) {
    let next = -1;
    tables.forEach((table, k) => {
      if (at[k] < table.x.length && (next < 0 || table.x[at[k]] < tables[next].x[at[next]])) next = k;
    });
    x[i] = tables[next].x[at[next]];
    let c = tables.slice(0, next).reduce((sum, table) => sum + table.columns.length, 0);
    for (const column of tables[next].columns) columns[c++][i] = column[at[next]];
    at[next]++;
  }
  return { x, columns };
}
