// What is known of a body at the time shown: mass, joint with its coordinates, where it is.
import { rollPitchYaw } from "../motion/attitude";
import { shownAs } from "./angles";
import type { ComponentNames } from "./component_names";
import type { Context } from "./context";
import { el, setText } from "./dom";
import { number, shorten, steady, withUnit } from "../text";

const ROUNDING = 1e-12; // smaller parts of a place or an angle are rounding, and shown as 0

const clean = (x: number): number => (Math.abs(x) < ROUNDING ? 0 : x);

export class BodyDetails {
  readonly element = el("dl", { class: "body-details" });
  private readonly values = new Map<string, HTMLElement>();
  private body = -1;

  constructor(private readonly context: Context, private readonly components: ComponentNames) {}

  show(body: number): void {
    this.body = body;
    this.values.clear();
    this.element.replaceChildren();
    const { bodies } = this.context.runs[0].header;
    const info = bodies[body];
    if (!info) return;
    const parent = info.parent < 0 ? "the world" : bodies[info.parent]?.name ?? "";
    this.row("Mass", withUnit(number(info.mass, 6), "kg"));
    this.row("Joint", `${shorten(info.joint.name, 60)}, ${info.joint.type}`);
    this.row("Carried by", shorten(parent, 80));
    if (info.joint.type !== "free") info.joint.q.forEach((_, k) => this.row(this.coordinateName(k), ""));
    this.row("Position", "");
    this.row("Attitude", "");
    this.row("Quaternion", "");
    if (info.frames.length > 0) this.row("Frames", shorten(info.frames.map((frame) => frame.name).join(", "), 120));
    this.update();
  }

  private coordinateName(k: number): string {
    const { joint } = this.context.runs[0].header.bodies[this.body];
    if (joint.q.length === 1) return "Value";
    return this.components.of(`q.${joint.name}.${k}`) || `q[${k}]`;
  }

  private row(label: string, text: string): void {
    const value = el("dd", {}, text);
    this.values.set(label, value);
    this.element.append(el("dt", {}, label), value);
  }

  private set(label: string, text: string, title = ""): void {
    const value = this.values.get(label);
    if (!value) return;
    setText(value, text);
    if (value.title !== title) value.title = title;
  }

  update(): void {
    const { view, runs } = this.context;
    const info = runs[0].header.bodies[this.body];
    const pose = info && view.poseOf(this.body);
    if (!pose) return;
    view.jointOf(this.body).forEach((value, k) => {
      const { unit, factor } = shownAs(this.unitOf(k));
      this.set(this.coordinateName(k), withUnit(steady(clean(value) * factor, 7), unit));
    });
    const { unit, factor } = shownAs("rad");
    const angles = rollPitchYaw(pose.quat).map((x) => steady(clean(x) * factor, 5));
    this.set("Position", withUnit(pose.p.map((x) => steady(clean(x), 5)).join("  "), "m"), pose.p.join(" "));
    this.set("Attitude", withUnit(angles.join("  "), unit), "roll, pitch, yaw");
    this.set("Quaternion", pose.quat.map((x) => clean(x).toFixed(4).replace("-", "\u2212")).join("  "), "w x y z");
  }

  // Of a coordinate: a length, an angle, or part of a quaternion.
  private unitOf(k: number): string {
    const { bodies, signals } = this.context.runs[0].header;
    const { joint } = bodies[this.body];
    const signal = signals[joint.q[k]];
    if (signal) return signal.unit;
    const name = this.components.of(`q.${joint.name}.${k}`) || joint.links[0]?.kind;
    if (name.startsWith("q")) return "1";
    return ["x", "y", "z", "slide", "prismatic"].includes(name) ? "m" : "rad";
  }
}
