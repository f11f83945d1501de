// Trails: the way of each chosen frame over the whole run, faint, and bright up to the time shown. Points are samples a
// whole number of samples apart, at most ROOM of them, worked out a few milliseconds at a time so that the page opens
// at once; while a live run grows and the room is full, every second point is dropped. A way that is long for the
// robot's size and does not lead away would be a tangle: only the part behind the frame is drawn, and fades; so it is
// where that is asked for, for a number of seconds. Of a long run the points are taken from the overviews of its
// coordinates, so that its samples stay packed.
import * as THREE from "three";
import { Coordinates, motionOf } from "../motion/interpolate";
import type { Kinematics, Place } from "../motion/kinematics";
import { RoughCoordinates } from "../motion/rough";
import type { Actor } from "./actor";
import type { Stage } from "./layer";
import { Trail } from "./trail_line";

const ROOM = 2000;
const CHUNK = 6; // [ms]
const MOST = 24; // trails
const UNASKED = 4; // trails that nobody asked for; where there would be more, there are none
const LONG = 20; // sizes of the robot: a way that is longer and stays in a small space is a tangle
const SMALL = 5; // the space is small when the way is so many times longer
const RECENT = 3; // sizes of the robot: how much of a tangle is drawn
const ROOM_RECENT = 200;
export const LONG_RUN = 32768; // samples: of more, looking at all parts would unpack everything
const COLORS = ["#ffb340", "#5fd0ff", "#9be564", "#ff7ab8", "#c79bff", "#f2e86d"];

export type TrailSpan = "auto" | "whole" | number; // [s]

// The frames whose way is drawn at first: those the scenario names; else a few, those whose position is logged, or the
// last frame of each chain; where no chain has one, its last body.
export function trailNames(actor: Actor): string[] {
  const { header } = actor.run;
  const known = (name: string): boolean => actor.motion.find(name) !== null;
  if (header.view.trails) return header.view.trails.filter(known).slice(0, MOST);
  const logged = header.signals.map((s) => s.name).filter((n) => n.startsWith("p.") && n.endsWith(".x"));
  const names = logged.map((n) => n.slice(2, -2)).filter(known);
  if (names.length > 0) return names.length > UNASKED ? [] : names;
  const parents = new Set(header.bodies.map((body) => body.parent));
  const ends = header.bodies.filter((body, i) => !parents.has(i) && body.parent >= 0);
  const framed = ends.filter((body) => body.frames.length > 0);
  const last = framed.length > 0 ? framed : ends;
  if (last.length > UNASKED) return [];
  return last.map((body) => (body.frames.length > 0 ? body.frames[body.frames.length - 1].name : body.name));
}

const here = new Float64Array(3);
const axes = new Float64Array(4);

// All trails of one run.
export class TrailSet {
  private readonly root = new THREE.Group();
  private trails: Trail[] = [];
  // Its own, so that working ahead does not disturb what is shown.
  private readonly motion: Kinematics;
  private readonly coordinates: Coordinates;
  private rough: RoughCoordinates | null = null; // of a long run
  private unknown = 0; // points that the overviews do not tell
  private readonly anchor = new Float64Array(3); // points are kept relative to it: it may be far from the origin
  private readonly box = new THREE.Box3(); // where the trails were
  private readonly corner = new THREE.Vector3();
  private readonly size: number;
  private color: THREE.Color | null = null; // of the run; null: each trail has its own
  private readonly backdrop = new THREE.Color();
  private light = false;
  private span: TrailSpan = "auto";
  private shown: string[] = [];
  private stride = 1; // samples from point to point
  private count = 0; // points
  private step = 1; // samples from point to point of the recent part, which are
  private recentFirst = 0; // points number first ..
  private recentEnd = 0; // .. end - 1 times step
  private tangled = false;
  private timer = 0;
  private on = false;

  constructor(private readonly actor: Actor, stage: Stage, private readonly redraw: () => void) {
    this.size = stage.size;
    this.motion = motionOf(actor.run);
    this.coordinates = new Coordinates(actor.run, this.motion);
    this.root.visible = false;
    stage.scene.add(this.root);
    this.show(trailNames(actor));
    actor.run.onGrow(() => this.schedule());
  }

  get available(): boolean {
    const { mode } = this.actor.run.header; // what is moved by hand leaves none
    return this.actor.motion.bodies.length > 0 && mode !== "pose";
  }

  get names(): readonly string[] {
    return this.shown;
  }

  // Trails of these bodies and frames, as far as the run has them.
  show(names: readonly string[]): void {
    this.shown = names.slice(0, MOST);
    this.root.clear();
    this.trails = this.shown.flatMap((name, i) => {
      const at: Place | null = this.actor.motion.find(name);
      const dash = this.actor.ghost ? 0.012 * this.size : 0;
      return at ? [new Trail(at, this.color ?? COLORS[i % COLORS.length], ROOM, ROOM_RECENT, dash)] : [];
    });
    for (const trail of this.trails) {
      trail.setBackdrop(this.backdrop, this.light);
      this.root.add(trail.root);
    }
    this.again();
  }

  setSpan(span: TrailSpan): void {
    this.span = span;
    this.again();
  }

  // Works out everything from the beginning.
  private again(): void {
    this.count = this.unknown = this.recentFirst = this.recentEnd = 0;
    this.tangled = false;
    this.box.makeEmpty();
    this.schedule();
  }

  setOn(on: boolean): void {
    this.on = on && this.available;
    this.root.visible = this.on;
    this.schedule();
  }

  // Of the run, where there are several.
  setColor(color: THREE.Color): void {
    this.color = color;
    for (const trail of this.trails) trail.setColor(color);
  }

  setBackdrop(backdrop: THREE.Color, light: boolean): void {
    this.backdrop.copy(backdrop);
    this.light = light;
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
    const { samples } = this.actor.run;
    if (samples === 0 || this.trails.length === 0) return;
    if (this.count === 0) this.begin(samples);
    const end = performance.now() + limit;
    let since = this.count;
    while (!this.done() && performance.now() < end) {
      if (this.count === ROOM) {
        this.thin();
        since = 0;
      }
      if (this.rough) this.motion.update(this.rough.at(this.count));
      else this.pose(this.count * this.stride);
      for (const trail of this.trails) this.put(trail, trail.whole.points, this.count);
      if (!Number.isFinite(here[0])) this.unknown++;
      this.count++;
    }
    for (const trail of this.trails) trail.whole.write(since, this.count);
    this.tangled = this.isTangled();
  }

  private begin(samples: number): void {
    const { run } = this.actor;
    this.rough = samples > LONG_RUN && !run.header.live ? new RoughCoordinates(run, this.motion, ROOM) : null;
    this.stride = this.rough?.bucket ?? Math.ceil(samples / ROOM);
    this.pose(0);
    this.motion.pose(this.trails[0].at, here, axes);
    for (let j = 0; j < 3; j++) this.anchor[j] = Number.isFinite(here[j]) ? here[j] : 0;
    this.root.position.set(this.anchor[0], this.anchor[1], this.anchor[2]);
  }

  private pose(sample: number): void {
    this.motion.update(this.coordinates.sample(sample));
  }

  // Where a trail's frame is, as point k.
  private put(trail: Trail, points: Float64Array, k: number): void {
    this.motion.pose(trail.at, here, axes);
    for (let j = 0; j < 3; j++) points[3 * k + j] = here[j] - this.anchor[j];
    if (Number.isFinite(here[0] + here[1] + here[2])) this.box.expandByPoint(this.corner.fromArray(points, 3 * k));
  }

  // Every second point stays.
  private thin(): void {
    for (const { whole: { points } } of this.trails) {
      for (let i = 0; 2 * i < this.count; i++) {
        for (let j = 0; j < 3; j++) points[3 * i + j] = points[6 * i + j];
      }
    }
    this.count = Math.ceil(this.count / 2);
    this.stride *= 2;
  }

  private isTangled(): boolean {
    if (this.span === "whole") return false;
    if (typeof this.span === "number") {
      this.step = this.spanStep(this.span);
      return true;
    }
    let length = 0;
    for (const trail of this.trails) length = Math.max(length, trail.whole.length(this.count));
    const tangled = this.unknown > this.count / 2
      || (length > LONG * this.size && length > SMALL * this.box.getSize(this.corner).length());
    if (tangled && !this.tangled) this.step = this.recentStep();
    return tangled;
  }

  // Samples from point to point for so many seconds.
  private spanStep(seconds: number): number {
    return Math.max(1, Math.ceil(seconds / this.spacing() / ROOM_RECENT) || 1);
  }

  // Seconds from sample to sample, on average.
  private spacing(): number {
    const { samples, time } = this.actor.run;
    return (time.at(samples - 1) - time.at(0)) / Math.max(1, samples - 1);
  }

  // Points that a part of so many seconds has.
  private room(): number {
    if (typeof this.span !== "number") return ROOM_RECENT;
    return Math.min(ROOM_RECENT, Math.max(2, Math.round(this.span / this.spacing() / this.step) || 2));
  }

  // So that the recent part is about as long as it should be, as fast as things go at the beginning.
  private recentStep(): number {
    this.recent(ROOM_RECENT - 1);
    let length = 0;
    for (const trail of this.trails) length = Math.max(length, trail.recent.length(this.recentEnd - this.recentFirst));
    this.recentFirst = this.recentEnd = 0;
    const most = this.rough ? Math.floor(this.actor.run.header.block / ROOM_RECENT) : this.stride; // within two blocks
    return Math.max(1, Math.min(this.stride, most, Math.floor((RECENT * this.size) / length) || 1));
  }

  // Works out the points up to the sample, those that are not there yet; how many there are.
  private recent(sample: number): number {
    const end = Math.floor(Math.min(sample, this.actor.run.samples - 1) / this.step) + 1;
    const first = Math.max(0, end - this.room());
    if (end === this.recentEnd && first === this.recentFirst) return end - first;
    const kept = first >= this.recentFirst && first < this.recentEnd ? Math.min(this.recentEnd, end) - first : 0;
    for (const { recent: { points } } of this.trails) {
      points.copyWithin(0, 3 * (first - this.recentFirst), 3 * (first - this.recentFirst + kept));
    }
    for (let k = first + kept; k < end; k++) {
      this.pose(k * this.step);
      for (const trail of this.trails) this.put(trail, trail.recent.points, k - first);
    }
    for (const trail of this.trails) trail.recent.write(0, end - first);
    this.recentFirst = first;
    this.recentEnd = end;
    return end - first;
  }

  update(): void {
    if (!this.on) return;
    const { sample, motion } = this.actor;
    const recent = this.tangled && sample >= 0 ? this.recent(sample) : 0;
    // Until the points have come this far, no straight line across the gap.
    const gap = sample < 0 || sample >= this.count * this.stride;
    const done = gap ? 0 : Math.floor(sample / this.stride) + 1;
    const { anchor } = this;
    for (const trail of this.trails) {
      motion.pose(trail.at, here, axes);
      const [x, y, z] = [here[0] - anchor[0], here[1] - anchor[1], here[2] - anchor[2]];
      if (this.tangled) trail.showRecent(recent, x, y, z);
      else trail.showWhole(this.count, done, x, y, z);
    }
  }
}
