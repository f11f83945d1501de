// Names of the components of a signal: x y z of a position, qw qx qy qz of a quaternion, and for the numbered
// coordinates of joints what their joint makes of them.
import type { LinkKind, RunHeader } from "../format";

const Q: Record<LinkKind, string[]> = {
  fixed: [], revolute: ["turn"], prismatic: ["slide"], helical: ["turn"], spherical: ["qw", "qx", "qy", "qz"],
  free: ["x", "y", "z", "qw", "qx", "qy", "qz"],
};
const V: Record<LinkKind, string[]> = {
  fixed: [], revolute: ["turn"], prismatic: ["slide"], helical: ["turn"], spherical: ["rx", "ry", "rz"],
  free: ["x", "y", "z", "rx", "ry", "rz"],
};
const BY_TYPE: Record<string, string[]> = { planar: ["x", "y", "turn"], universal: ["first", "second"] };
const NUMBERED = /^(q|v|a|tau|work)\.(.+)\.(\d+)$/;
const COMPONENT = /^(\w+)\..+\.(w|x|y|z|roll|pitch|yaw)$/;

export class ComponentNames {
  private readonly joints = new Map<string, { type: string; links: LinkKind[] }>();

  constructor(headers: readonly RunHeader[]) {
    for (const { bodies } of headers) {
      for (const { joint } of bodies) {
        this.joints.set(joint.name, { type: joint.type, links: joint.links.map(({ kind }) => kind) });
      }
    }
  }

  // Of a signal; "" where it has no components or they are not known.
  of(name: string): string {
    const numbered = NUMBERED.exec(name);
    if (numbered) {
      const joint = this.joints.get(numbered[2]);
      const table = numbered[1] === "q" ? Q : V;
      const names = joint && (BY_TYPE[joint.type] ?? joint.links.flatMap((kind) => table[kind]));
      return names?.[Number(numbered[3])] ?? "";
    }
    const component = COMPONENT.exec(name);
    return component ? `${component[1] === "quat" ? "q" : ""}${component[2]}` : "";
  }

  // "q.base.3 (qw)" for a number that says nothing by itself.
  full(name: string): string {
    const part = this.of(name);
    return part && /\.\d+$/.test(name) ? `${name} (${part})` : name;
  }
}
