// Overlays of forces and moments, in world axes, as arrows at the points where they act: external ones on frames
// (force.FRAME, torque.FRAME), and what joints transmit to their children (reaction.JOINT) and loops to their frames b
// (loop.NAME).
import type { Actor } from "./actor";
import { Arrow, arrowMaterial } from "./arrows";
import { GroupLayer, type Stage } from "./layer";
import { Signal } from "./signals";
import { LONGEST, ROUNDING, THICK } from "./vectors";
import type { Overlay } from "./view";

const from = new Float64Array(3);
const quat = new Float64Array(4);
const value = new Float64Array(3);

type Locate = (p: Float64Array) => void; // where the arrow begins, now
type Found = { signal: Signal; locate: Locate }[];
type Drawn = { signal: Signal; locate: Locate; arrow: Arrow }[];

// Forces and moments each have one scale. Values up to `least` are rounding, and no arrows.
abstract class Wrenches extends GroupLayer {
  override readonly available: boolean;
  private readonly kinds: Drawn[];

  constructor(
    readonly name: Overlay, readonly label: string, actor: Actor, stage: Stage,
    found: { force: Found; torque: Found }, colors: { force: string; torque: string }, private readonly least: number,
  ) {
    super(actor, stage, stage.over);
    const arrows = (list: Found, color: string, double: boolean): Drawn => {
      const material = arrowMaterial(color);
      return list.map((one) => ({ ...one, arrow: new Arrow(material, THICK * stage.size, double) }));
    };
    this.kinds = [arrows(found.force, colors.force, false), arrows(found.torque, colors.torque, true)];
    this.available = this.kinds.some((kind) => kind.length > 0);
  }

  protected fill(): void {
    for (const kind of this.kinds) for (const one of kind) this.root.add(one.arrow.root);
  }

  update(): void {
    for (const kind of this.kinds) {
      let largest = 0;
      for (const one of kind) largest = Math.max(largest, one.signal.largest());
      const scale = largest > this.least ? (LONGEST * this.stage.size) / largest : 0;
      for (const { signal, locate, arrow } of kind) {
        signal.read(this.actor.sample, value);
        locate(from);
        arrow.set(from, scale * value[0], scale * value[1], scale * value[2]);
      }
    }
  }
}

function onFrames({ run, motion }: Actor, stem: string): Found {
  const found: Found = [];
  for (const { name } of run.header.signals) {
    if (!name.startsWith(`${stem}.`) || !name.endsWith(".x")) continue;
    const at = motion.find(name.slice(stem.length + 1, -2));
    const signal = Signal.vector(run, name.slice(0, -2));
    if (at && signal) found.push({ signal, locate: (p) => motion.pose(at, p, quat) });
  }
  return found;
}

export class Forces extends Wrenches {
  constructor(actor: Actor, stage: Stage) {
    const found = { force: onFrames(actor, "force"), torque: onFrames(actor, "torque") };
    super("forces", "Forces", actor, stage, found, { force: "#ff5a36", torque: "#b86bff" }, 0);
  }
}

function inJoints({ run, motion }: Actor, part: string): Found {
  const found: Found = [];
  motion.bodies.forEach(({ joint }, i) => {
    const signal = Signal.vector(run, `reaction.${joint.name}.${part}`);
    if (signal) found.push({ signal, locate: (p) => motion.joint(i, p) });
  });
  return found;
}

function inLoops({ run, motion }: Actor, part: string): Found {
  const found: Found = [];
  for (const { name, b } of run.header.loops ?? []) {
    const at = typeof b === "string" ? motion.find(b) : undefined; // a gear has joints, and no force
    const signal = Signal.vector(run, `loop.${name}.${part}`);
    if (at && signal) found.push({ signal, locate: (p) => motion.pose(at, p, quat) });
  }
  return found;
}

export class Reactions extends Wrenches {
  constructor(actor: Actor, stage: Stage) {
    const all = (part: string): Found => [...inJoints(actor, part), ...inLoops(actor, part)];
    const found = { force: all("force"), torque: all("torque") };
    const mass = actor.motion.bodies.reduce((sum, body) => sum + body.mass, 0);
    const least = ROUNDING * mass * stage.size;
    super("reactions", "Joint reactions", actor, stage, found, { force: "#2fd67a", torque: "#c3e03a" }, least);
  }
}
