// A model without a run: one sample, which is set by hand. Its signals are its coordinates.
import type { RunHeader } from "../format";
import type { Column, Run } from "../run";
import { NamedRun, type Report } from "./named_run";
import type { Parts } from "./parts";

const single = (value: () => number): Column => ({
  length: 1,
  at: (i) => (i === 0 ? value() : NaN),
  overview: (from, to) => {
    const values = Float64Array.from(from <= 0 && to > 0 ? [value()] : []);
    return { index: new Float64Array(values.length), min: values, max: values };
  },
});

export class PoseRun extends NamedRun implements Run {
  readonly samples = 1;
  readonly unpacked = 0;
  readonly time = single(() => 0);
  readonly values: Float64Array;
  private readonly columns: Column[];

  constructor(parts: Parts, header: RunHeader, report: Report) {
    super(parts, 0, header, report);
    this.values = new Float64Array(header.signals.length);
    this.columns = header.signals.map((_, i) => single(() => this.values[i]));
  }

  column(signal: number): Column {
    return NamedRun.pick(this.columns, signal);
  }

  indexAt(): number {
    return 0;
  }

  onGrow(): void {
    // it never does
  }
}
