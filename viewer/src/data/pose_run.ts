// A model without a run: one sample, which is set by hand. Its signals are its coordinates.
import type { RunHeader } from "../format";
import type { Column, Run } from "../run";
import { readMesh, signalIndex, type Report } from "./page_run";
import type { Parts } from "./parts";

const single = (value: () => number): Column => ({
  length: 1,
  at: (i) => (i === 0 ? value() : NaN),
  overview: (from, to) => {
    const values = Float64Array.from(from <= 0 && to > 0 ? [value()] : []);
    return { index: new Float64Array(values.length), min: values, max: values };
  },
});

export class PoseRun implements Run {
  readonly index = 0;
  readonly samples = 1;
  readonly unpacked = 0;
  readonly time = single(() => 0);
  readonly values: Float64Array;
  private readonly columns: Column[];
  private readonly names: Map<string, number>;

  constructor(private readonly parts: Parts, readonly header: RunHeader, private readonly report: Report) {
    this.values = new Float64Array(header.signals.length);
    this.columns = header.signals.map((_, i) => single(() => this.values[i]));
    this.names = signalIndex(header);
  }

  column(signal: number): Column {
    const column = this.columns[signal];
    if (!column) throw new Error(`there is no signal ${signal}`);
    return column;
  }

  find(name: string): number {
    return this.names.get(name) ?? -1;
  }

  indexAt(): number {
    return 0;
  }

  mesh(n: number): { positions: Float32Array; triangles: Uint32Array } {
    return readMesh(this.parts, this.index, n, this.report);
  }

  onGrow(): void {
    // it never does
  }
}
