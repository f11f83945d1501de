// Trails: the way of each chosen frame over the whole run, faint, and bright up to the time shown. Points are samples a
// whole number of samples apart, at most ROOM of them, worked out a few milliseconds at a time so that the page opens
// at once; while a live run grows and the room is full, every second point is dropped.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { Coordinates } from "../motion/interpolate";
import { Kinematics, type Place } from "../motion/kinematics";
import type { Actor } from "./actor";
import { GHOST_COLOR } from "./actor";
import type { Stage } from "./layer";

const ROOM = 2000;
const CHUNK = 6; // [ms]
const MOST = 24; // trails
const COLORS = ["#ffb340", "#5fd0ff", "#9be564", "#ff7ab8", "#c79bff", "#f2e86d"];

// The frames whose way is drawn: those the scenario names, those whose position is logged, or the last frame
// of each chain; where no chain has one, its last body.
export function trailNames(actor: Actor): string[] {
  const { header } = actor.run;
  const known = (name: string): boolean => actor.motion.find(name) !== null;
  if (header.view.trails) return header.view.trails.filter(known).slice(0, MOST);
  const logged = header.signals.map((s) => s.name).filter((n) => n.startsWith("p.") && n.endsWith(".x"));
  const names = logged.map((n) => n.slice(2, -2)).filter(known);
  if (names.length > 0) return names.slice(0, MOST);
  const parents = new Set(header.bodies.map((body) => body.parent));
  const ends = header.bodies.filter((body, i) => !parents.has(i) && body.parent >= 0);
  const framed = ends.filter((body) => body.frames.length > 0);
  return (framed.length > 0 ? framed : ends)
    .map((body) => (body.frames.length > 0 ? body.frames[body.frames.length - 1].name : body.name))
    .slice(0, MOST);
}

// The line of one trail. Segment i goes from point i to point i + 1; the last bright one ends where the frame is now.
// Both lines are opaque, drawn after the ground: short segments overlap, and would add up where they let light through.
class Trail {
  readonly root = new THREE.Group();
  readonly points = new Float64Array(3 * ROOM);
  private readonly color: THREE.Color;
  private readonly buffer = segments(ROOM);
  private readonly tipBuffer = segments(1);
  private readonly strong: LineMaterial;
  private readonly weak: LineMaterial;
  private readonly faint: LineGeometry;
  private readonly bright: LineGeometry;
  private readonly tip: LineGeometry;

  // `dash`: length of dashes [m]; 0: none.
  constructor(readonly at: Place, color: string, dash: number) {
    this.color = new THREE.Color(color);
    const style = { transparent: true, depthWrite: false, dashed: dash > 0, dashSize: dash, gapSize: dash };
    this.strong = new LineMaterial({ ...style, linewidth: 2.2 });
    this.weak = new LineMaterial({ ...style, linewidth: 1.4 });
    this.faint = this.line(this.weak, this.buffer, 1);
    this.bright = this.line(this.strong, this.buffer, 2);
    this.tip = this.line(this.strong, this.tipBuffer, 2);
  }

  private line(material: LineMaterial, buffer: THREE.InstancedInterleavedBuffer, order: number): LineGeometry {
    const geometry = new LineGeometry();
    const part = (name: string, size: number, at: number): unknown =>
      geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(buffer, size, at));
    part("instanceStart", 3, 0);
    part("instanceEnd", 3, 3);
    part("instanceDistanceStart", 1, 6);
    part("instanceDistanceEnd", 1, 7);
    geometry.instanceCount = 0;
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    line.renderOrder = order;
    this.root.add(line);
    return geometry;
  }

  setBackdrop(backdrop: THREE.Color, light: boolean): void {
    this.strong.color.copy(this.color).lerp(BLACK, light ? 0.3 : 0);
    this.weak.color.copy(this.strong.color).lerp(backdrop, light ? 0.5 : 0.65);
  }

  // The first `count` points into segments; those before `since` are there already.
  write(since: number, count: number): void {
    const data = this.buffer.array;
    for (let i = Math.max(0, since - 1); i + 1 < count; i++) {
      const a = 8 * i;
      for (let j = 0; j < 6; j++) data[a + j] = this.points[3 * i + j];
      data[a + 6] = i > 0 ? data[a - 1] : 0;
      const along = Math.hypot(data[a + 3] - data[a], data[a + 4] - data[a + 1], data[a + 5] - data[a + 2]);
      data[a + 7] = data[a + 6] + along;
    }
    this.buffer.needsUpdate = true;
    this.faint.instanceCount = Math.max(0, count - 1);
  }

  // Bright through `done` points, then to where the frame is.
  reach(done: number, x: number, y: number, z: number): void {
    this.bright.instanceCount = Math.max(0, done - 1);
    this.tip.instanceCount = done > 0 ? 1 : 0;
    if (done <= 0) return;
    const tip = this.tipBuffer.array;
    for (let j = 0; j < 3; j++) tip[j] = this.points[3 * (done - 1) + j];
    tip[3] = x;
    tip[4] = y;
    tip[5] = z;
    tip[6] = tip[7] = 0;
    this.tipBuffer.needsUpdate = true;
  }

  // Every second point stays.
  thin(count: number): void {
    for (let i = 0; 2 * i < count; i++) {
      for (let j = 0; j < 3; j++) this.points[3 * i + j] = this.points[6 * i + j];
    }
  }
}

const BLACK = new THREE.Color(0);

// Start, end and distance along the line, of each segment.
function segments(count: number): THREE.InstancedInterleavedBuffer {
  const buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(8 * count), 8, 1);
  buffer.setUsage(THREE.DynamicDrawUsage);
  return buffer;
}

// All trails of one run.
export class TrailSet {
  private readonly root = new THREE.Group();
  private readonly trails: Trail[];
  // Its own, so that working ahead does not disturb what is shown.
  private readonly motion: Kinematics;
  private readonly coordinates: Coordinates;
  private readonly anchor = new Float64Array(3); // points are kept relative to it: it may be far from the origin
  private stride = 1;
  private count = 0; // points
  private timer = 0;
  private on = false;

  constructor(private readonly actor: Actor, stage: Stage, private readonly redraw: () => void) {
    this.motion = new Kinematics(actor.run.header.bodies);
    this.coordinates = new Coordinates(actor.run, this.motion);
    this.trails = trailNames(actor).map((name, i) => {
      const color = actor.ghost ? GHOST_COLOR : COLORS[i % COLORS.length];
      return new Trail(actor.motion.find(name) as Place, color, actor.ghost ? 0.012 * stage.size : 0);
    });
    for (const trail of this.trails) this.root.add(trail.root);
    this.root.visible = false;
    stage.scene.add(this.root);
    actor.run.onGrow(() => this.schedule());
  }

  get available(): boolean {
    return this.trails.length > 0;
  }

  setOn(on: boolean): void {
    this.on = on;
    this.root.visible = on;
    this.schedule();
  }

  setBackdrop(backdrop: THREE.Color, light: boolean): void {
    for (const trail of this.trails) trail.setBackdrop(backdrop, light);
  }

  private schedule(): void {
    if (!this.on || this.timer || this.done()) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.work(CHUNK);
      this.redraw();
      this.schedule();
    }, 4);
  }

  private done(): boolean {
    return this.trails.length === 0 || this.count * this.stride >= this.actor.run.samples;
  }

  // Works out points until all are there or the time [ms] is over.
  work(limit: number): void {
    const samples = this.actor.run.samples;
    if (this.count === 0) this.begin(samples);
    const end = performance.now() + limit;
    let since = this.count;
    while (!this.done() && performance.now() < end) {
      if (this.count === ROOM) {
        this.thin();
        since = 0;
      }
      this.motion.update(this.coordinates.sample(this.count * this.stride));
      for (const trail of this.trails) this.add(trail);
      this.count++;
    }
    for (const trail of this.trails) trail.write(since, this.count);
  }

  private begin(samples: number): void {
    if (samples === 0 || this.trails.length === 0) return;
    this.stride = Math.ceil(samples / ROOM);
    this.motion.update(this.coordinates.sample(0));
    this.motion.pose(this.trails[0].at, here, axes);
    for (let j = 0; j < 3; j++) this.anchor[j] = Number.isFinite(here[j]) ? here[j] : 0;
    this.root.position.set(this.anchor[0], this.anchor[1], this.anchor[2]);
  }

  private thin(): void {
    for (const trail of this.trails) trail.thin(this.count);
    this.count = Math.ceil(this.count / 2);
    this.stride *= 2;
  }

  private add(trail: Trail): void {
    this.motion.pose(trail.at, here, axes);
    for (let j = 0; j < 3; j++) trail.points[3 * this.count + j] = here[j] - this.anchor[j];
  }

  update(): void {
    if (!this.on) return;
    const done = Math.min(this.count, this.actor.sample < 0 ? 0 : Math.floor(this.actor.sample / this.stride) + 1);
    // Until the points have come this far, no straight line across the gap.
    const gap = this.actor.sample - (this.count - 1) * this.stride >= this.stride;
    for (const trail of this.trails) {
      this.actor.motion.pose(trail.at, here, axes);
      const { anchor } = this;
      trail.reach(gap ? 0 : done, here[0] - anchor[0], here[1] - anchor[1], here[2] - anchor[2]);
    }
  }
}

const here = new Float64Array(3);
const axes = new Float64Array(4);
