// Makes the 3-D view of one run, or of several laid over each other.
import * as THREE from "three";
import type { BodyInfo, Quat, Vec3 } from "../format";
import type { Place } from "../motion/kinematics";
import type { Run } from "../run";
import { shorten } from "../text";
import { Actor } from "./actor";
import { CameraRig } from "./camera";
import { extentOf, standing, type Extent } from "./extent";
import { Overlays } from "./overlays";
import { Screen } from "./screen";
import { onClick, SelectionFrame } from "./selection";
import { floats } from "./space";
import { Surfaces } from "./surfaces";
import type { TrailSpan } from "./trails";
import type { CameraPlace, Overlay, View3D } from "./view";
import { World } from "./world";

export interface ViewOptions {
  dark: boolean; // the theme to begin with
  colors: readonly string[]; // of the runs
}

class SceneView implements View3D {
  readonly element: HTMLElement;
  private readonly screen: Screen;
  private readonly scene = new THREE.Scene();
  private readonly over = new THREE.Scene();
  private readonly actors: Actor[];
  private readonly surfaces: Surfaces;
  private extent: Extent;
  private readonly still: boolean[]; // bodies that never move
  private readonly world: World;
  private readonly rig: CameraRig;
  private readonly parts: Overlays;
  private readonly frame: SelectionFrame;
  private readonly ray = new THREE.Raycaster();
  readonly base: number;
  private readonly middle = new THREE.Vector3();
  private readonly lead = new THREE.Vector3(); // from the whereabouts to the robot's middle, as it stands first
  private readonly at = new Float64Array(3);
  private readonly axes = new Float64Array(4);
  private followed: { name: string; place: Place } | null = null;
  private time = NaN;
  private waiting = 0; // of the next drawing that was asked for
  private moved = false; // the camera, by hand
  private closer = 1; // than what fits
  private nextFit = 1; // samples of a live run

  constructor(runs: Run[], options: ViewOptions) {
    this.actors = runs.map((run, i) => new Actor(run, i > 0));
    const [{ run }] = this.actors;
    const { header } = run;
    this.surfaces = new Surfaces(run);
    this.extent = extentOf(this.actors, this.surfaces.boxes);
    this.still = standing(header.bodies);
    const { size } = this.extent;
    for (const actor of this.actors) actor.behind.value = 0.006 * size;
    this.world = new World(run, this.extent, this.surfaces);
    this.scene.add(this.world.root);
    for (const actor of this.actors) this.scene.add(actor.robot.root);
    this.over.add(new THREE.HemisphereLight("#ffffff", "#9aa4b5", 2.2));

    this.screen = new Screen(describe(runs), () => this.redraw(), () => this.prepare());
    this.element = this.screen.element;
    const whole = Math.max(this.extent.all.getSize(this.middle).length(), this.world.groundRadius);
    const calm = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    this.rig = new CameraRig(this.screen.canvas, whole, size, calm);
    const stage = { scene: this.scene, over: this.over, size };
    this.parts = new Overlays(this.actors, stage, this.world, () => this.redraw());
    this.frame = new SelectionFrame(this.actors[0], this.over, size);
    this.base = baseOf(header.bodies);
    if (this.screen.renderer) this.element.append(this.parts.labels.element);
    this.setDark(options.dark, options.colors);
    this.prepare();
    this.settle();
    this.rig.controls.addEventListener("change", () => this.redraw());
    this.rig.onHand(() => (this.moved = true));
    if (header.live) run.onGrow(() => this.grown());
    void this.screen.warm(this.scene, this.over, this.rig.camera);
  }

  // Reflections and shadows, where there is something to draw them with.
  private prepare(): void {
    const { renderer } = this.screen;
    if (!renderer) return;
    const [{ robot }] = this.actors;
    this.world.prepare(renderer, this.scene, robot.shapes);
    if (this.world.shadows) robot.castShadows();
  }

  // Puts everything at the beginning, and the camera in front of it.
  private settle(): void {
    const [{ run }] = this.actors;
    this.stand(run.samples > 0 ? run.time.at(0) : 0);
    this.extent.home.getCenter(this.lead).sub(this.whereabouts());
    const { view, bodies } = run.header;
    const name = view.follow ?? (this.extent.roams ? bodies[this.base]?.name : undefined);
    if (name !== undefined) this.follow(name);
    this.camera("iso");
  }

  // The first samples of a live run tell where things are; until the user takes the camera, it then sees to it now and
  // again that they stay in the picture.
  private grown(): void {
    const [{ run }] = this.actors;
    if (run.samples < this.nextFit || this.moved) return;
    const first = this.nextFit === 1;
    this.nextFit = Math.max(64, 2 * run.samples);
    this.extent = extentOf(this.actors, this.surfaces.boxes);
    if (first) this.settle();
    else {
      this.stand(this.time);
      if (!this.followed) this.camera("fit");
    }
  }

  // Poses everything as it is at t.
  private stand(t: number): void {
    this.time = t;
    for (const actor of this.actors) actor.show(t);
    if (this.followed) {
      this.actors[0].motion.pose(this.followed.place, this.at, this.axes);
      this.rig.along(this.at);
    }
    this.parts.update();
    this.frame.update();
  }

  private draw(): void {
    this.rig.update();
    this.world.update(this.whereabouts(), this.rig.controls.target, this.actors[0].motion);
    this.screen.draw(this.scene, this.over, this.rig.camera);
    this.parts.labels.project(this.rig.camera);
  }

  // The middle of the bodies' origins now.
  private whereabouts(): THREE.Vector3 {
    const { p, bodies } = this.actors[0].motion;
    const sum = this.middle.set(0, 0, 0);
    let count = 0;
    for (let i = 0; i < bodies.length; i++) {
      if (this.still[i] || !Number.isFinite(p[3 * i] + p[3 * i + 1] + p[3 * i + 2])) continue;
      sum.x += p[3 * i];
      sum.y += p[3 * i + 1];
      sum.z += p[3 * i + 2];
      count++;
    }
    return count > 0 ? sum.divideScalar(count) : this.extent.fit.getCenter(sum);
  }

  // Draws once more, soon: the camera, the size or an overlay has changed.
  private redraw(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.rig.controls.update();
      if (Number.isFinite(this.time)) this.show(this.time);
    });
  }

  show(t: number): void {
    if (this.waiting) {
      // This drawing stands for the one that was asked for.
      cancelAnimationFrame(this.waiting);
      this.waiting = 0;
      this.rig.controls.update();
    }
    this.fitScreen();
    this.stand(t);
    this.draw();
    this.parts.labels.place(this.screen.width, this.screen.height);
  }

  private fitScreen(): void {
    this.screen.measure();
    const aspect = this.screen.width / this.screen.height;
    if (aspect === this.rig.camera.aspect) return;
    this.rig.setAspect(aspect);
    // Until the user has chosen, what fits depends on the shape of the window.
    if (!this.moved) this.camera("fit");
  }

  resize(): void {
    if (this.screen.measure()) this.redraw();
  }

  overlays(): { name: Overlay; label: string; on: boolean; available: boolean }[] {
    return this.parts.list();
  }

  setOverlay(name: Overlay, on: boolean): void {
    this.parts.set(name, on);
    this.redraw();
  }

  followable(): string[] {
    return this.actors[0].motion.names();
  }

  follow(name: string | null): void {
    const place = name === null ? null : this.actors[0].motion.find(name);
    this.followed = name !== null && place ? { name, place } : null;
    if (place) this.actors[0].motion.pose(place, this.at, this.axes);
    this.rig.follow(place ? this.at : null);
    this.redraw();
  }

  following(): string | null {
    return this.followed?.name ?? null;
  }

  camera(place: CameraPlace): void {
    const { extent } = this;
    if (this.followed) {
      const seen = { ...extent, fit: extent.home, points: extent.homePoints };
      this.actors[0].motion.pose(this.followed.place, this.at, this.axes);
      this.rig.look(place, seen, this.middle.set(this.at[0], this.at[1], this.at[2]), true, this.closer);
    } else {
      const middle = extent.roams ? this.whereabouts().add(this.lead) : extent.fit.getCenter(this.middle);
      this.rig.look(place, extent, middle, false, this.closer);
    }
    this.redraw();
  }

  zoom(closer: number): void {
    if (!(closer > 0) || !Number.isFinite(closer)) return;
    this.closer = closer;
    this.camera("fit");
  }

  setDark(dark: boolean, colors: readonly string[]): void {
    this.world.setDark(dark);
    this.parts.setDark(dark, colors);
    this.redraw();
  }

  pose(run: number, name: string): { p: Vec3; quat: Quat } | null {
    return this.actors[run]?.pose(name) ?? null;
  }

  poseOf(body: number): { p: Vec3; quat: Quat } | null {
    const [{ motion }] = this.actors;
    if (!motion.bodies[body]) return null;
    const p: Vec3 = [0, 0, 0];
    const quat: Quat = [1, 0, 0, 0];
    motion.pose({ body, frame: -1 }, p, quat);
    return { p, quat };
  }

  jointOf(body: number): number[] {
    const [{ motion, coordinates }] = this.actors;
    const first = motion.first[body];
    return [...coordinates.values.subarray(first, first + motion.bodies[body].joint.q.length)];
  }

  hide(body: number, hidden: boolean): void {
    const name = this.actors[0].motion.bodies[body]?.name;
    for (const { motion, robot } of this.actors) {
      const place = name === undefined ? null : motion.find(name);
      if (place && place.frame < 0) robot.hidden[place.body] = hidden ? 1 : 0;
    }
    this.redraw();
  }

  isHidden(body: number): boolean {
    return this.actors[0].robot.hidden[body] === 1;
  }

  select(body: number): void {
    this.frame.set(body);
    this.redraw();
  }

  onPick(picked: (body: number) => void): void {
    onClick(this.screen.canvas, (x, y) => {
      const box = this.screen.canvas.getBoundingClientRect();
      const at = new THREE.Vector2(2 * ((x - box.left) / box.width) - 1, 1 - 2 * ((y - box.top) / box.height));
      this.rig.update();
      this.scene.updateMatrixWorld();
      this.ray.setFromCamera(at, this.rig.camera);
      picked(this.actors[0].robot.pick(this.ray));
    });
  }

  trails(): readonly string[] {
    return this.parts.trailNames;
  }

  setTrail(name: string, on: boolean): void {
    this.parts.setTrail(name, on);
    this.redraw();
  }

  setTrailSpan(span: TrailSpan): void {
    this.parts.setTrailSpan(span);
    this.redraw();
  }

  get size(): number {
    return this.extent.size;
  }

  get sun(): Vec3 {
    return this.world.toSun.toArray();
  }

  coordinatesChanged(): void {
    for (const { coordinates } of this.actors) coordinates.forget();
    this.redraw();
  }

  picture(t: number, width: number, height: number): string {
    const before = this.time;
    const aspect = this.rig.camera.aspect;
    this.parts.finish();
    const data = this.screen.picture(
      width, height,
      () => {
        this.rig.setAspect(width / height);
        if (!this.moved) this.camera("fit");
        this.stand(t);
        this.draw();
      },
      (context, w, h) => this.parts.labels.draw(context, w, h),
    );
    this.rig.setAspect(aspect);
    if (!this.moved) this.camera("fit");
    if (Number.isFinite(before)) this.stand(before);
    this.redraw();
    return data;
  }
}

// The heaviest of what floats, or else of what stands on the world by a joint that moves; -1: none.
function baseOf(bodies: readonly BodyInfo[]): number {
  const roots = bodies.map((_, i) => i).filter((i) => bodies[i].parent < 0 && bodies[i].joint.type !== "fixed");
  const [base = -1] = roots.sort((a, b) =>
    Number(floats(bodies[b])) - Number(floats(bodies[a])) || bodies[b].mass - bodies[a].mass);
  return base;
}

// For those who do not see it.
function describe(runs: readonly Run[]): string {
  const { model, bodies } = runs[0].header;
  const others = runs.length - 1;
  const ghosts = others === 0 ? "" : others === 1 ? ", with another run as a ghost" : `, with ${others} runs as ghosts`;
  const count = bodies.length === 1 ? "1 body" : `${bodies.length} bodies`;
  return `3-D view of ${shorten(model, 80)}: ${count}${ghosts}. Arrow keys turn the view, plus and minus zoom.`;
}

export function createView(runs: Run[], options: ViewOptions): View3D {
  return new SceneView(runs, options);
}
