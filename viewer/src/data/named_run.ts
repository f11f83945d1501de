// What runs have in common, wherever their samples are: signals by name, and the meshes in the page.
import type { RunHeader } from "../format";
import { meshId } from "../format";
import { unpackBytes } from "./codec";
import type { Parts } from "./parts";
import { reasonOf } from "./reason";

export type Report = (message: string) => void;

export interface Mesh {
  positions: Float32Array;
  triangles: Uint32Array;
}

export abstract class NamedRun {
  private readonly names: Map<string, number>;

  constructor(
    protected readonly parts: Parts,
    readonly index: number,
    readonly header: RunHeader,
    protected readonly report: Report,
  ) {
    this.names = new Map(header.signals.map((signal, i) => [signal.name, i]));
  }

  find(name: string): number {
    return this.names.get(name) ?? -1;
  }

  // Vertices and triangles of a mesh in the page; none when it cannot be read, which is reported.
  mesh(n: number): Mesh {
    const id = meshId(this.index, n);
    try {
      const [vertices, corners] = this.parts.text(id).split("\n").map((line) => unpackBytes(line));
      const positions = new Float32Array(vertices.slice().buffer);
      const triangles = new Uint32Array(corners.slice().buffer);
      if (triangles.some((corner) => corner * 3 >= positions.length)) throw new Error("a triangle has no such corner");
      return { positions, triangles };
    } catch (error) {
      this.report(`“${id}” (a mesh): ${reasonOf(error)}`);
      return { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    }
  }

  // One of the columns by the index of its signal.
  protected static pick<T>(columns: readonly (T | undefined)[], signal: number): T {
    const column = columns[signal];
    if (!column) throw new Error(`there is no signal ${signal}`);
    return column;
  }
}
