// The attitude of the base over the 3-D view: roll, pitch and yaw, its quaternion, and where the sun is from it.
import { rollPitchYaw, seenFrom } from "../motion/attitude";
import { shownAs } from "./angles";
import type { Context } from "./context";
import { el, setText } from "./dom";
import { shorten } from "../text";

export class AttitudeReadout {
  readonly element: HTMLElement;
  private readonly angles = el("span");
  private readonly quaternion = el("span");
  private readonly sun = el("span");

  constructor(private readonly context: Context) {
    const name = context.runs[0].header.bodies[context.view.base]?.name ?? "";
    const row = (label: string, title: string, value: HTMLElement): HTMLElement =>
      el("div", { title }, el("span", { class: "readout-label" }, label), value);
    this.element = el("div", { class: "readout attitude", role: "group", "aria-label": "Attitude" },
      el("div", { class: "cut readout-name", title: shorten(name, 300) }, shorten(name, 60)),
      row("rpy", "Roll, pitch and yaw", this.angles),
      row("q", "Quaternion w x y z", this.quaternion),
      row("sun", "Direction of the sun in the axes of this body", this.sun));
    this.update();
  }

  update(): void {
    const { view } = this.context;
    const on = view.base >= 0 && view.overlays().some(({ name, on }) => name === "attitude" && on);
    this.element.hidden = !on;
    const pose = on ? view.poseOf(view.base) : null;
    if (!pose) return;
    const { unit, factor } = shownAs("rad");
    const fixed = (digits: number) => (x: number): string => {
      const text = x.toFixed(digits).replace(/^-(0\.0*)$/, "$1");
      return (x < 0 && text.startsWith("-") ? "" : " ") + text.replace("-", "\u2212");
    };
    const digits = unit === "deg" ? 2 : 4;
    setText(this.angles, `${rollPitchYaw(pose.quat).map((x) => fixed(digits)(x * factor)).join(" ")} ${unit}`);
    setText(this.quaternion, pose.quat.map(fixed(4)).join(" "));
    setText(this.sun, seenFrom(pose.quat, view.sun).map(fixed(4)).join(" "));
  }
}
