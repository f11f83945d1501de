// The overlays of a view: which there are, which are on, and what they need to be told.
import * as THREE from "three";
import type { Actor } from "./actor";
import { Contacts } from "./contacts";
import { Labels } from "./labels";
import type { Layer, Stage } from "./layer";
import { Ellipsoids, Frames } from "./marks";
import { floats } from "./space";
import { SunArrow } from "./sun_arrow";
import { TrailSet, type TrailSpan } from "./trails";
import { CentreOfMass, Momentum, Torques } from "./vectors";
import type { Overlay } from "./view";
import type { World } from "./world";
import { Forces, Reactions } from "./wrenches";

const LIGHTER = 0.18;

// A layer that is only a switch.
class Switch implements Layer {
  on = false;

  constructor(
    readonly name: Overlay, readonly label: string, readonly available: boolean,
    private readonly turned: (on: boolean) => void, readonly update: () => void = () => undefined,
  ) {}

  setOn(on: boolean): void {
    this.on = on && this.available;
    this.turned(this.on);
  }
}

export class Overlays {
  readonly labels: Labels;
  private readonly layers: Layer[];
  private readonly trails: TrailSet[];
  private readonly ghosts: readonly Actor[];

  constructor(actors: readonly Actor[], stage: Stage, private readonly world: World, redraw: () => void) {
    const [actor] = actors;
    this.ghosts = actors.slice(1);
    this.labels = new Labels(actor.motion);
    this.trails = actors.map((one) => new TrailSet(one, stage, redraw));
    this.layers = [
      new Switch("trails", "Trails", this.trails.some((set) => set.available), () => this.tellTrails(),
        () => this.trails.forEach((set) => set.update())),
      new Frames(actor, stage),
      new Switch("names", "Names", actor.motion.bodies.length > 0, (on) => this.labels.setOn(on)),
      new CentreOfMass(actor, stage),
      new Momentum(actor, stage),
      new Forces(actor, stage),
      new Torques(actor, stage),
      new Reactions(actor, stage),
      new Contacts(actor, stage),
      new Ellipsoids(actor, stage),
      new SunArrow(actor, stage, world.toSun),
      new Switch("attitude", "Attitude", actor.motion.bodies.length > 0, () => undefined),
      new Switch("surfaces", "Surfaces", world.hasSurfaces, (on) => world.showSurfaces(on)),
      new Switch("grid", "Grid", true, (on) => world.showGrid(on)),
      new Switch("stars", "Stars", world.space, (on) => world.showStars(on)),
      new Switch("ghost", "Other runs", this.ghosts.length > 0, () => this.tellTrails()),
    ];
    const first: Overlay[] = ["trails", "forces", "contacts", "surfaces", "stars", "ghost"];
    if (world.space && actor.run.header.bodies.some(floats)) first.push("attitude");
    for (const layer of this.layers) layer.setOn(first.includes(layer.name) || (layer.name === "grid" && !world.space));
  }

  list(): { name: Overlay; label: string; on: boolean; available: boolean }[] {
    return this.layers.map(({ name, label, on, available }) => ({ name, label, on, available }));
  }

  private isOn(name: Overlay): boolean {
    return this.layers?.find((layer) => layer.name === name)?.on ?? false;
  }

  set(name: Overlay, on: boolean): void {
    this.layers.find((layer) => layer.name === name)?.setOn(on);
  }

  get trailNames(): readonly string[] {
    return this.trails[0].names;
  }

  setTrail(name: string, on: boolean): void {
    const names = this.trailNames.filter((other) => other !== name);
    for (const set of this.trails) set.show(on ? [...names, name] : names);
    if (on) this.set("trails", true);
  }

  setTrailSpan(span: TrailSpan): void {
    for (const set of this.trails) set.setSpan(span);
  }

  // The other runs' trails go with their robots.
  private tellTrails(): void {
    this.trails.forEach((set, k) => set.setOn(this.isOn("trails") && (k === 0 || this.isOn("ghost"))));
    for (const { robot } of this.ghosts) robot.root.visible = this.isOn("ghost");
  }

  setDark(dark: boolean, colors: readonly string[]): void {
    const { space } = this.world;
    // Colours for a light page are too dark for space: there they are lighter, of the same hue.
    const shown = colors.map((color) => new THREE.Color(color).offsetHSL(0, 0, space && !dark ? LIGHTER : 0));
    if (this.ghosts.length > 0) this.trails.forEach((set, k) => set.setColor(shown[k]));
    this.ghosts.forEach((ghost, k) => ghost.setColor(shown[k + 1]));
    const backdrop = new THREE.Color(space ? "#05070d" : dark ? "#232a36" : "#eef2f6");
    for (const set of this.trails) set.setBackdrop(backdrop, !dark && !space);
  }

  // Everything that is worked out bit by bit, now; for pictures.
  finish(): void {
    if (this.isOn("trails")) for (const set of this.trails) set.work(Infinity);
  }

  update(): void {
    for (const layer of this.layers) if (layer.on) layer.update();
  }
}
