// The lines of one trail: the whole way faint, the part that is past bright, a last piece to where the frame is now;
// and the last part of the way alone, fading into the backdrop. All are opaque and drawn after the ground: short
// segments overlap, and would add up where they let light through. Colours are not tone-mapped, like those of the
// sky, so that a trail has the colour of its run and ends in that of the backdrop.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Place } from "../motion/kinematics";

const BLACK = new THREE.Color(0);
const WIDE = 8; // numbers a segment: start, end, distance along the line at both

// Points that become segments from each to the next.
class Strip {
  readonly points: Float64Array;
  readonly buffer: THREE.InstancedInterleavedBuffer;

  constructor(private readonly room: number) {
    this.points = new Float64Array(3 * room);
    this.buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(WIDE * room), WIDE, 1);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
  }

  // The first `count` points into segments; those before `since` are there already.
  write(since: number, count: number): void {
    const data = this.buffer.array;
    for (let i = Math.max(0, since - 1); i + 1 < count; i++) {
      const a = WIDE * i;
      for (let j = 0; j < 6; j++) data[a + j] = this.points[3 * i + j];
      data[a + 6] = i > 0 ? data[a - 1] : 0;
      const along = Math.hypot(data[a + 3] - data[a], data[a + 4] - data[a + 1], data[a + 5] - data[a + 2]);
      data[a + 7] = data[a + 6] + (Number.isFinite(along) ? along : 0);
    }
    this.buffer.needsUpdate = true;
  }

  // Along the first `count` points.
  length(count: number): number {
    return count > 1 ? this.buffer.array[WIDE * (count - 2) + 7] : 0;
  }

  // Colours of the first `count` points, from the one to the other.
  fade(geometry: LineGeometry, count: number, from: THREE.Color, to: THREE.Color): void {
    const colors = geometry.getAttribute("instanceColorStart") as THREE.InterleavedBufferAttribute;
    const data = colors.data.array;
    for (let i = 0; i + 1 < count; i++) {
      for (const [end, at] of [[i, 6 * i], [i + 1, 6 * i + 3]]) {
        const share = end / (count - 1);
        data[at] = from.r + share * (to.r - from.r);
        data[at + 1] = from.g + share * (to.g - from.g);
        data[at + 2] = from.b + share * (to.b - from.b);
      }
    }
    colors.data.needsUpdate = true;
  }

  line(material: LineMaterial, order: number): Line2 {
    const geometry = new LineGeometry();
    const part = (name: string, size: number, at: number): unknown =>
      geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(this.buffer, size, at));
    part("instanceStart", 3, 0);
    part("instanceEnd", 3, 3);
    part("instanceDistanceStart", 1, 6);
    part("instanceDistanceEnd", 1, 7);
    if (material.vertexColors) {
      const colors = new THREE.InstancedInterleavedBuffer(new Float32Array(6 * this.room), 6, 1);
      geometry.setAttribute("instanceColorStart", new THREE.InterleavedBufferAttribute(colors, 3, 0));
      geometry.setAttribute("instanceColorEnd", new THREE.InterleavedBufferAttribute(colors, 3, 3));
    }
    geometry.instanceCount = 0;
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    line.renderOrder = order;
    return line;
  }
}

const show = (line: Line2, segments: number): void => {
  line.geometry.instanceCount = Math.max(0, segments);
};

export class Trail {
  readonly root = new THREE.Group();
  readonly whole: Strip;
  readonly recent: Strip;
  private readonly end = new Strip(2);
  private readonly color: THREE.Color;
  private readonly strong: LineMaterial;
  private readonly weak: LineMaterial;
  private readonly backdrop = new THREE.Color();
  private faded = -1; // points of the recent part that have their colours
  private readonly lines: { faint: Line2; bright: Line2; recent: Line2; end: Line2 };

  constructor(readonly at: Place, color: THREE.ColorRepresentation, room: number, roomRecent: number, dash: number) {
    this.whole = new Strip(room);
    this.recent = new Strip(roomRecent);
    this.color = new THREE.Color(color);
    const style = {
      transparent: true, depthWrite: false, dashed: dash > 0, dashSize: dash, gapSize: dash, toneMapped: false,
    };
    this.strong = new LineMaterial({ ...style, linewidth: 2.2 });
    this.weak = new LineMaterial({ ...style, linewidth: 1.4 });
    this.lines = {
      faint: this.whole.line(this.weak, 1),
      bright: this.whole.line(this.strong, 2),
      recent: this.recent.line(new LineMaterial({ ...style, linewidth: 2.2, vertexColors: true }), 2),
      end: this.end.line(this.strong, 2),
    };
    this.root.add(...Object.values(this.lines));
  }

  setColor(color: THREE.Color): void {
    this.color.copy(color);
  }

  setBackdrop(backdrop: THREE.Color, light: boolean): void {
    this.strong.color.copy(this.color).lerp(BLACK, light ? 0.3 : 0);
    this.weak.color.copy(this.strong.color).lerp(backdrop, light ? 0.5 : 0.65);
    this.backdrop.copy(backdrop);
    this.faded = -1;
  }

  // The whole way of `count` points faint, bright through `done` of them, then to where the frame is.
  showWhole(count: number, done: number, x: number, y: number, z: number): void {
    show(this.lines.faint, count - 1);
    show(this.lines.bright, done - 1);
    show(this.lines.recent, 0);
    this.showEnd(this.whole, done, x, y, z);
  }

  // Only the last `count` points, then to where the frame is.
  showRecent(count: number, x: number, y: number, z: number): void {
    show(this.lines.faint, 0);
    show(this.lines.bright, 0);
    show(this.lines.recent, count - 1);
    if (this.faded !== count) {
      this.recent.fade(this.lines.recent.geometry as LineGeometry, count, this.backdrop, this.strong.color);
      this.faded = count;
    }
    this.showEnd(this.recent, count, x, y, z);
  }

  private showEnd(strip: Strip, count: number, x: number, y: number, z: number): void {
    show(this.lines.end, count > 0 ? 1 : 0);
    if (count <= 0) return;
    const { points } = this.end;
    for (let j = 0; j < 3; j++) points[j] = strip.points[3 * (count - 1) + j];
    points[3] = x;
    points[4] = y;
    points[5] = z;
    this.end.write(0, 2);
  }
}
