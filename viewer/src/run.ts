// A run as the rest of the page sees it, whether it lies in the page or is still coming in.
import type { RunHeader } from "./format";

// One column of numbers, one for each sample.
export interface Column {
  readonly length: number;
  at(i: number): number; // exact; NaN outside
  // Samples from .. to-1, for drawing: at most about `points` buckets, each with the least and the greatest value.
  // Where there are few enough samples, the samples themselves.
  overview(from: number, to: number, points: number): { index: Float64Array; min: Float64Array; max: Float64Array };
}

export interface Run {
  readonly index: number; // 0, or 1 and more for those compared with
  readonly header: RunHeader;
  readonly samples: number; // grows when live
  readonly time: Column;
  readonly unpacked: number; // blocks of samples unpacked so far, of all runs on the page; 0 when live
  column(signal: number): Column;
  find(name: string): number; // index of a signal, or -1
  indexAt(t: number): number; // the last sample at or before t; 0 before the first; -1 without samples
  mesh(n: number): { positions: Float32Array; triangles: Uint32Array };
  onGrow(listener: () => void): void; // more samples, events or another status
}
