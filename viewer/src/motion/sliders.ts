// What can be moved by hand in a model: a slider for each coordinate of its joints, between its limits; turns in space
// are three, roll, pitch and yaw. Coordinates are those of a pose, in the order of its signals.
import type { BodyInfo, LinkInfo, Vec3 } from "../format";
import { fromRollPitchYaw } from "./attitude";

const TURN = Math.PI; // where there is no limit [rad]

export interface Slider {
  joint: string;
  part: string; // of a joint with several: "x", "roll"; else ""
  unit: "rad" | "m";
  min: number;
  max: number;
  start: number; // 0, or the limit next to it
  set(value: number): void;
}

const ROLL: readonly string[] = ["roll", "pitch", "yaw"];
const XYZ: readonly string[] = ["x", "y", "z"];

// The sliders of one joint, whose coordinates begin at q[at]; `reach`: how far something slides without a limit [m].
class JointSliders {
  readonly sliders: Slider[] = [];
  private velocity = 0; // coordinates of velocity so far

  constructor(private readonly body: BodyInfo, private readonly q: Float64Array, private at: number,
    private readonly reach: number) {
    body.joint.links.forEach((link) => this.add(link));
  }

  private add(link: LinkInfo): void {
    switch (link.kind) {
      case "fixed":
        return;
      case "revolute":
      case "helical":
        return this.plain(this.part("turn"), "rad");
      case "prismatic":
        return this.plain(this.part("slide"), "m");
      case "spherical":
        return this.turns();
      case "free":
        for (const axis of XYZ) this.plain(axis, "m");
        return this.turns();
    }
  }

  // Joints of one coordinate need no more than their name; of several, a number distinguishes equal ones.
  private part(word: string): string {
    const { links } = this.body.joint;
    if (links.length === 1) return "";
    const alike = links.filter(({ kind }) => (kind === "prismatic") === (word === "slide")).length;
    return alike > 1 ? `${word} ${this.velocity + 1}` : word;
  }

  private plain(part: string, unit: "rad" | "m"): void {
    const { q, at } = this;
    this.push(part, unit, (value) => (q[at] = value));
    this.at++;
  }

  private turns(): void {
    const { q, at } = this;
    const angles: Vec3 = [0, 0, 0];
    ROLL.forEach((part, k) => this.push(part, "rad", (value) => {
      angles[k] = value;
      q.set(fromRollPitchYaw(angles), at);
    }));
    this.at += 4;
  }

  private push(part: string, unit: "rad" | "m", set: (value: number) => void): void {
    const [low, high] = this.body.joint.limits?.[this.velocity] ?? [null, null];
    this.velocity++;
    const wide = unit === "rad" ? TURN : this.reach;
    const min = low ?? Math.min(-wide, (high ?? 0) - wide);
    const max = Math.max(high ?? Math.max(wide, min + wide), min);
    this.sliders.push({
      joint: this.body.joint.name, part, unit, min, max, start: Math.min(Math.max(0, min), max), set,
    });
  }
}

export function slidersOf(bodies: readonly BodyInfo[], q: Float64Array, reach: number): Slider[] {
  return bodies.flatMap((body) => new JointSliders(body, q, body.joint.q[0] ?? 0, reach).sliders);
}
