// A run whose samples lie in the page.
import { columnId, type RunHeader } from "../format";
import type { Column, Run } from "../run";
import type { BlockCache } from "./cache";
import { NamedRun, type Report } from "./named_run";
import { PackedColumn } from "./packed_column";
import type { Parts } from "./parts";

export class PageRun extends NamedRun implements Run {
  readonly samples: number;
  readonly time: Column;
  private readonly times: PackedColumn;
  private readonly columns: (PackedColumn | undefined)[] = [];

  constructor(
    parts: Parts, index: number, header: RunHeader, private readonly cache: BlockCache, report: Report,
  ) {
    super(parts, index, header, report);
    this.samples = header.samples;
    this.times = this.open(0, "time");
    this.time = this.times;
  }

  get unpacked(): number {
    return this.cache.unpacked;
  }

  column(signal: number): Column {
    const info = this.header.signals[signal];
    if (!info) throw new Error(`there is no signal ${signal}`);
    return (this.columns[signal] ??= this.open(signal + 1, info.name));
  }

  indexAt(t: number): number {
    return this.times.indexAt(t);
  }

  onGrow(): void {
    // it never does
  }

  private open(column: number, name: string): PackedColumn {
    const id = columnId(this.index, column);
    return new PackedColumn(this.header, this.cache, () => this.parts.text(id), (what) => {
      this.report(`“${id}” (${name}): ${what}`);
    });
  }
}
