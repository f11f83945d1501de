// Makes the 3-D view of one run, or of two laid over each other.
import * as THREE from "three";
import type { Quat, Vec3 } from "../format";
import type { Place } from "../motion/kinematics";
import type { Run } from "../run";
import { shorten } from "../text";
import { Actor } from "./actor";
import { CameraRig } from "./camera";
import { extentOf, standing, type Extent } from "./extent";
import { Overlays } from "./overlays";
import { Screen } from "./screen";
import type { CameraPlace, Overlay, View3D } from "./view";
import { World } from "./world";

export interface ViewOptions {
  dark?: boolean; // the theme to begin with
}

class SceneView implements View3D {
  readonly element: HTMLElement;
  private readonly screen: Screen;
  private readonly scene = new THREE.Scene();
  private readonly over = new THREE.Scene();
  private readonly actors: Actor[];
  private extent: Extent;
  private readonly still: boolean[]; // bodies that never move
  private readonly world: World;
  private readonly rig: CameraRig;
  private readonly parts: Overlays;
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
    this.actors = runs.slice(0, 2).map((run, i) => new Actor(run, i > 0));
    const [{ run }] = this.actors;
    const { header } = run;
    this.extent = extentOf(this.actors);
    this.still = standing(header.bodies);
    const { size } = this.extent;
    for (const actor of this.actors) actor.behind.value = 0.006 * size;
    this.world = new World(header.view, header.bodies, this.extent);
    this.scene.add(this.world.root);
    for (const actor of this.actors) this.scene.add(actor.robot.root);
    this.over.add(new THREE.HemisphereLight("#ffffff", "#9aa4b5", 2.2));

    this.screen = new Screen(describe(runs), () => this.redraw(), () => this.prepare());
    this.element = this.screen.element;
    const whole = Math.max(this.extent.all.getSize(this.middle).length(), this.world.ground.radius);
    const calm = window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    this.rig = new CameraRig(this.screen.canvas, whole, size, calm);
    const stage = { scene: this.scene, over: this.over, size };
    this.parts = new Overlays(this.actors, stage, this.world, () => this.redraw());
    if (this.screen.renderer) this.element.append(this.parts.labels.element);
    this.setDark(options.dark ?? false);
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
    const name = run.header.view.follow ?? (this.extent.roams ? this.mainBody() : undefined);
    if (name !== undefined) this.follow(name);
    this.camera("iso");
  }

  // The heaviest of what stands on the world by a joint that moves.
  private mainBody(): string | undefined {
    const roots = this.actors[0].motion.bodies.filter((body) => body.parent < 0 && body.joint.type !== "fixed");
    return roots.sort((a, b) => b.mass - a.mass)[0]?.name;
  }

  // The first samples of a live run tell where things are; until the user takes the camera, it then sees to it now and
  // again that they stay in the picture.
  private grown(): void {
    const [{ run }] = this.actors;
    if (run.samples < this.nextFit || this.moved) return;
    const first = this.nextFit === 1;
    this.nextFit = Math.max(64, 2 * run.samples);
    this.extent = extentOf(this.actors);
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
  }

  private draw(): void {
    this.rig.update();
    this.world.update(this.whereabouts(), this.rig.controls.target);
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

  setDark(dark: boolean): void {
    this.world.setDark(dark);
    this.parts.setDark(dark);
    this.redraw();
  }

  pose(run: number, name: string): { p: Vec3; quat: Quat } | null {
    return this.actors[run]?.pose(name) ?? null;
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

// For those who do not see it.
function describe(runs: readonly Run[]): string {
  const { model, bodies } = runs[0].header;
  const second = runs.length > 1 ? ", with a second run as a ghost" : "";
  const count = bodies.length === 1 ? "1 body" : `${bodies.length} bodies`;
  return `3-D view of ${shorten(model, 80)}: ${count}${second}. Arrow keys turn the view, plus and minus zoom.`;
}

export function createView(runs: Run[], options: ViewOptions = {}): View3D {
  return new SceneView(runs, options);
}
