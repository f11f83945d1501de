// Signals that become arrows: three columns x y z, or one, and the largest size they reach, by which arrows are scaled.
import type { Column, Run } from "../run";

const POINTS = 256; // buckets looked at for the largest value
const GROWTH = 1.1; // of a live run the largest is looked up again when it has grown so much

// The middle one by size; 0 of none.
export const middleOf = (numbers: number[]): number => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

export class Signal {
  private readonly columns: Column[];
  private known = 0; // samples
  private top = 0;

  private constructor(private readonly run: Run, names: string[]) {
    this.columns = names.map((name) => run.column(run.find(name)));
  }

  // Null where one of the columns was not logged.
  static find(run: Run, names: string[]): Signal | null {
    return names.every((name) => run.find(name) >= 0) ? new Signal(run, names) : null;
  }

  static vector(run: Run, stem: string): Signal | null {
    return Signal.find(run, [`${stem}.x`, `${stem}.y`, `${stem}.z`]);
  }

  read(sample: number, out: Float64Array): void {
    for (let i = 0; i < this.columns.length; i++) out[i] = sample < 0 ? 0 : this.columns[i].at(sample);
  }

  // The largest length over the run, or a little more: the largest of each component need not fall together.
  largest(): number {
    if (this.run.samples > GROWTH * this.known || (this.known === 0 && this.run.samples > 0)) {
      this.known = this.run.samples;
      this.top = Math.hypot(...this.columns.map((column) => this.largestOf(column)));
    }
    return this.top;
  }

  // The middle one of the lengths that are not 0, over the run: what is usual, whatever the peaks.
  typical(): number {
    const parts = this.columns.map((column) => column.overview(0, this.run.samples, POINTS));
    const lengths: number[] = [];
    for (let i = 0; i < parts[0].min.length; i++) {
      const length = Math.hypot(...parts.map(({ min, max }) => Math.max(Math.abs(min[i]), Math.abs(max[i]))));
      if (length > 0 && Number.isFinite(length)) lengths.push(length);
    }
    return middleOf(lengths);
  }

  private largestOf(column: Column): number {
    const { min, max } = column.overview(0, this.run.samples, POINTS);
    let top = 0;
    for (let i = 0; i < min.length; i++) {
      const value = Math.max(Math.abs(min[i]), Math.abs(max[i]));
      if (value > top && Number.isFinite(value)) top = value;
    }
    return top;
  }
}
