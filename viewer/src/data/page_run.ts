// A run whose samples lie in the page.
import { columnId, meshId, type RunHeader } from "../format";
import type { Column, Run } from "../run";
import type { BlockCache } from "./cache";
import { unpackBytes } from "./codec";
import { PackedColumn } from "./packed_column";
import type { Parts } from "./parts";
import { reasonOf } from "./reason";

export type Report = (message: string) => void;

// Index of each signal by its name.
export function signalIndex(header: RunHeader): Map<string, number> {
  return new Map(header.signals.map((signal, i) => [signal.name, i]));
}

// Vertices and triangles of a mesh in the page; none when it cannot be read, which is reported.
export function readMesh(
  parts: Parts, run: number, n: number, report: Report,
): { positions: Float32Array; triangles: Uint32Array } {
  try {
    const [vertices, corners] = parts.text(meshId(run, n)).split("\n").map((line) => unpackBytes(line));
    const positions = new Float32Array(vertices.slice().buffer);
    const triangles = new Uint32Array(corners.slice().buffer);
    if (triangles.some((corner) => corner * 3 >= positions.length)) throw new Error("a triangle has no such corner");
    return { positions, triangles };
  } catch (error) {
    report(`“${meshId(run, n)}” (a mesh): ${reasonOf(error)}`);
    return { positions: new Float32Array(0), triangles: new Uint32Array(0) };
  }
}

export class PageRun implements Run {
  readonly samples: number;
  readonly time: Column;
  private readonly times: PackedColumn;
  private readonly columns: (PackedColumn | undefined)[] = [];
  private readonly names: Map<string, number>;

  constructor(
    private readonly parts: Parts,
    readonly index: number,
    readonly header: RunHeader,
    private readonly cache: BlockCache,
    private readonly report: Report,
  ) {
    this.samples = header.samples;
    this.names = signalIndex(header);
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

  find(name: string): number {
    return this.names.get(name) ?? -1;
  }

  indexAt(t: number): number {
    return this.times.indexAt(t);
  }

  mesh(n: number): { positions: Float32Array; triangles: Uint32Array } {
    return readMesh(this.parts, this.index, n, this.report);
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
