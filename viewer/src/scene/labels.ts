// Names of bodies and frames, as elements over the canvas; as text, so that any name is only a name. Pictures get them
// drawn.
import * as THREE from "three";
import type { Kinematics, Place } from "../motion/kinematics";

const MOST = 60;
const LONGEST = 40; // characters shown

interface Label {
  text: string;
  at: Place;
  element: HTMLElement;
  x: number; // on the canvas, 0 .. 1
  y: number;
  shown: boolean;
}

const shorten = (name: string): string => {
  const all = [...name.slice(0, 4 * LONGEST)];
  return all.length > LONGEST ? all.slice(0, LONGEST - 1).join("") + "\u2026" : all.join("");
};

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
    element.textContent = shorten(name);
    // Dark on light with a rim: readable over black sky, gold foil and a white page alike.
    element.style.cssText =
      "position:absolute;left:0;top:0;white-space:nowrap;font:500 12px/1.3 system-ui,sans-serif;padding:0 .35em;" +
      "border-radius:.3em;color:#10151d;background:rgba(255,255,255,.86);box-shadow:0 0 0 1px rgba(16,21,29,.55)";
    this.element.append(element);
    const at = this.motion.find(name) as Place;
    this.labels.push({ text: shorten(name), at, element, x: 0, y: 0, shown: true });
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

  place(width: number, height: number): void {
    if (!this.on) return;
    for (const { element, x, y, shown } of this.labels) {
      element.style.visibility = shown ? "visible" : "hidden";
      if (shown) element.style.transform = `translate(${(x * width + 8).toFixed(1)}px,${(y * height - 8).toFixed(1)}px)`;
    }
  }

  // The same into a picture of this size.
  draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (!this.on) return;
    const size = Math.max(11, Math.round(height / 60));
    context.font = `500 ${size}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    for (const { text, x, y, shown } of this.labels) {
      if (!shown) continue;
      const left = x * width + 0.7 * size;
      const middle = y * height - 0.1 * size;
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
