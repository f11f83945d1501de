// Names of bodies and frames, as elements over the canvas; as text, so that any name is only a name. Pictures get them
// drawn.
import * as THREE from "three";
import type { Kinematics, Place } from "../motion/kinematics";
import { shorten } from "../text";

const MOST = 200;
const FARTHEST = 4; // lines that a label is moved down at most
const LONGEST = 40; // characters shown
const SIZE = 12; // of letters [CSS pixels]
const LINE = 1.45; // from one label to the next below, in letters
const ASIDE = 0.7; // of a label's left edge from its point, in letters

interface Label {
  text: string;
  at: Place;
  element: HTMLElement;
  lead: HTMLElement; // the line to its point, where it was moved away from it
  x: number; // on the canvas, 0 .. 1
  y: number;
  left: number; // in pixels
  top: number;
  shown: boolean; // its point is in view
  fits: boolean; // and there is room for it
}

export class Labels {
  readonly element = document.createElement("div");
  private readonly labels: Label[] = [];
  private on = false;
  private readonly at = new Float64Array(3);
  private readonly quat = new Float64Array(4);
  private readonly point = new THREE.Vector3();

  constructor(private readonly motion: Kinematics) {
    this.element.setAttribute("aria-hidden", "true");
    this.element.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none;display:none";
    for (const name of motion.names().slice(0, MOST)) this.add(name);
  }

  private add(name: string): void {
    const element = document.createElement("span");
    const text = shorten(name, LONGEST);
    element.textContent = text;
    // Dark on light with a rim: readable over black sky, gold foil and a white page alike.
    element.style.cssText =
      `position:absolute;left:0;top:0;white-space:nowrap;font:500 ${SIZE}px/1.3 system-ui,sans-serif;padding:0 .35em;` +
      "border-radius:.3em;color:#10151d;background:rgba(255,255,255,.86);box-shadow:0 0 0 1px rgba(16,21,29,.55)";
    const lead = document.createElement("i");
    lead.style.cssText =
      `position:absolute;right:100%;bottom:50%;width:${ASIDE * SIZE}px;border:solid rgba(255,255,255,.8);` +
      "border-width:0 0 1px 1px;filter:drop-shadow(0 0 1px #10151d)";
    element.append(lead);
    this.element.append(element);
    const at = this.motion.find(name) as Place;
    this.labels.push({ text, at, element, lead, x: 0, y: 0, left: 0, top: 0, shown: true, fits: true });
  }

  setOn(on: boolean): void {
    this.on = on;
    this.element.style.display = on ? "block" : "none";
  }

  // Where they are for this camera; call after its matrices are up to date.
  project(camera: THREE.Camera): void {
    if (!this.on) return;
    for (const label of this.labels) {
      this.motion.pose(label.at, this.at, this.quat);
      this.point.set(this.at[0], this.at[1], this.at[2]).project(camera);
      label.shown = Math.abs(this.point.x) < 1.1 && Math.abs(this.point.y) < 1.1 && Math.abs(this.point.z) < 1;
      label.x = (this.point.x + 1) / 2;
      label.y = (1 - this.point.y) / 2;
    }
  }

  // Moves labels down until they do not cover each other; where that is too far, a label is left out. `size` is that of
  // the letters [pixels].
  private spread(width: number, height: number, size: number): void {
    const { labels } = this;
    for (let i = 0; i < labels.length; i++) {
      const one = labels[i];
      one.left = one.x * width + ASIDE * size;
      one.top = one.y * height - 0.7 * size;
      one.fits = one.shown;
      const lowest = one.top + FARTHEST * LINE * size;
      for (let k = 0; one.fits && k < i; k++) {
        const other = labels[k];
        if (!other.fits || Math.abs(one.top - other.top) >= LINE * size - 0.5) continue;
        const [first, second] = one.left < other.left ? [one, other] : [other, one];
        if (second.left - first.left > (0.58 * first.text.length + 1) * size) continue;
        one.top = other.top + LINE * size;
        one.fits = one.top <= lowest;
        k = -1; // it may lie on an earlier one now
      }
    }
  }

  place(width: number, height: number): void {
    if (!this.on) return;
    this.spread(width, height, SIZE);
    for (const { element, lead, y, left, top, fits } of this.labels) {
      element.style.visibility = fits ? "visible" : "hidden";
      if (!fits) continue;
      element.style.transform = `translate(${left.toFixed(1)}px,${top.toFixed(1)}px)`;
      const drop = top + 0.7 * SIZE - y * height;
      lead.style.display = drop > 1 ? "block" : "none";
      lead.style.height = `${drop.toFixed(1)}px`;
    }
  }

  // The same into a picture of this size.
  draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.on) return;
    const size = Math.max(11, Math.round(height / 60));
    context.font = `500 ${size}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    this.spread(width, height, size);
    context.strokeStyle = "rgba(255,255,255,0.8)";
    for (const { text, x, y, left, top, fits } of this.labels) {
      if (!fits) continue;
      const middle = top + 0.7 * size;
      context.beginPath();
      context.moveTo(x * width, y * height);
      context.lineTo(x * width, middle);
      context.lineTo(left - 0.35 * size, middle);
      context.stroke();
      context.fillStyle = "rgba(255,255,255,0.86)";
      context.beginPath();
      const wide = context.measureText(text).width + 0.7 * size;
      context.roundRect(left - 0.35 * size, middle - 0.7 * size, wide, 1.4 * size, 0.3 * size);
      context.fill();
      context.fillStyle = "#10151d";
      context.fillText(text, left, middle);
    }
  }
}
