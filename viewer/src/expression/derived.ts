// A column that is computed from others: one value at a time where one is asked for, all of them when it is drawn.
import { LiveColumn } from "../data";
import type { Column, Run } from "../run";

const CHUNK = 4096;

export class DerivedColumn implements Column {
  private readonly values = new LiveColumn();

  constructor(private readonly run: Run, readonly at: (i: number) => number) {}

  get length(): number {
    return this.run.samples;
  }

  overview(from: number, to: number, points: number): ReturnType<Column["overview"]> {
    const end = this.run.samples;
    for (let first = this.values.length; first < end; first = this.values.length) {
      const part = new Float64Array(Math.min(CHUNK, end - first));
      for (let i = 0; i < part.length; i++) part[i] = this.at(first + i);
      this.values.append(part, first);
    }
    return this.values.overview(from, to, points);
  }
}
