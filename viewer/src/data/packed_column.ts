// A column that lies packed in the page. Nothing is read before it is looked at; then one block at a time.
import type { BlockCache } from "./cache";
import { unpackNumbers } from "./codec";
import { levelsOver, type Level } from "./pyramid";
import { reasonOf } from "./reason";
import { lastAtOrBefore, SampledColumn, type Span } from "./sampled";

export interface Packing {
  samples: number;
  block: number;
  bucket: number;
}

// The lines of an element's text, found when one after the first is asked for.
class Lines {
  private starts: Float64Array | null = null;

  constructor(private readonly text: string, private readonly count: number) {}

  line(n: number): string {
    if (n === 0) {
      const end = this.text.indexOf("\n");
      return (end < 0 ? this.text : this.text.slice(0, end)).trim();
    }
    this.starts ??= this.find();
    const start = this.starts[n];
    if (start < 0) throw new Error(`line ${n + 1} is missing`);
    const end = this.text.indexOf("\n", start);
    return (end < 0 ? this.text.slice(start) : this.text.slice(start, end)).trim();
  }

  private find(): Float64Array {
    const starts = new Float64Array(this.count).fill(-1);
    starts[0] = 0;
    for (let n = 1, at = this.text.indexOf("\n"); n < this.count && at >= 0; n++) {
      starts[n] = at + 1;
      at = this.text.indexOf("\n", at + 1);
    }
    return starts;
  }
}

export class PackedColumn extends SampledColumn {
  readonly length: number;
  protected readonly bucket: number;
  private readonly block: number;
  private readonly blocks: number;
  private readonly key: number;
  private lines: Lines | null = null;
  private told = false; // that it is damaged
  private pyramid: Level[] | null = null;

  // `read` gives the element's text, or throws; `damaged` is told once what is wrong. Samples that cannot be unpacked
  // read as NaN.
  constructor(
    packing: Packing,
    private readonly cache: BlockCache,
    private readonly read: () => string,
    private readonly damaged: (what: string) => void,
  ) {
    super();
    this.length = packing.samples;
    this.block = packing.block;
    this.bucket = packing.bucket;
    this.blocks = Math.ceil(packing.samples / packing.block);
    this.key = cache.register();
  }

  // For a column of times: the last sample at or before t.
  indexAt(t: number): number {
    const first = this.levels()[0];
    if (!first) return lastAtOrBefore(this, t);
    let low = 0;
    let high = first.min.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (first.min[middle] <= t) low = middle;
      else high = middle;
    }
    return lastAtOrBefore(this, t, low * this.bucket, Math.min(this.length, (low + 1) * this.bucket));
  }

  protected span(i: number): Span {
    const number = Math.floor(i / this.block);
    const first = number * this.block;
    const end = Math.min(first + this.block, this.length);
    const make = (): Float64Array =>
      this.unpack(number + 1, end - first, `samples ${first} to ${end - 1}`) ?? new Float64Array(end - first).fill(NaN);
    return { data: this.cache.get(this.key, number, make), first, end };
  }

  protected levels(): Level[] {
    if (this.pyramid) return this.pyramid;
    if (this.blocks <= 1) return (this.pyramid = []);
    const count = Math.ceil(this.length / this.bucket);
    const both = this.unpack(0, 2 * count, "the overview");
    if (!both) return (this.pyramid = []);
    const first = { size: this.bucket, min: both.subarray(0, count), max: both.subarray(count) };
    return (this.pyramid = levelsOver(first));
  }

  private unpack(line: number, count: number, what: string): Float64Array | null {
    const lines = this.open();
    if (!lines) return null;
    try {
      return unpackNumbers(lines.line(line), count);
    } catch (error) {
      this.tell(`${what}: ${reasonOf(error)}`);
      return null;
    }
  }

  // Reads the element, once.
  private open(): Lines | null {
    if (this.lines || this.told) return this.lines;
    try {
      return (this.lines = new Lines(this.read(), this.blocks + 1));
    } catch (error) {
      this.tell(reasonOf(error));
      return null;
    }
  }

  private tell(what: string): void {
    if (!this.told) this.damaged(what);
    this.told = true;
  }
}
