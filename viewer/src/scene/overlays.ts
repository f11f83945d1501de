// The overlays of a view: which there are, which are on, and what they need to be told.
import * as THREE from "three";
import type { Actor } from "./actor";
import { Labels } from "./labels";
import type { Layer, Stage } from "./layer";
import { Ellipsoids, Frames } from "./marks";
import { TrailSet } from "./trails";
import { CentreOfMass, Forces, Momentum, Torques } from "./vectors";
import type { Overlay } from "./view";
import type { World } from "./world";

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
  private readonly ghost: Actor | null;

  constructor(actors: readonly Actor[], stage: Stage, private readonly world: World, redraw: () => void) {
    const [actor] = actors;
    this.ghost = actors[1] ?? null;
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
      new Ellipsoids(actor, stage),
      new Switch("grid", "Grid", true, (on) => world.ground.showGrid(on)),
      new Switch("stars", "Stars", world.space, (on) => world.showStars(on)),
      new Switch("ghost", "Second run", this.ghost !== null, () => this.tellTrails()),
    ];
    const first: Overlay[] = ["trails", "forces", "stars", "ghost"];
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

  // The second run's trails go with its robot.
  private tellTrails(): void {
    const [first, second] = this.trails;
    first.setOn(this.isOn("trails"));
    second?.setOn(this.isOn("trails") && this.isOn("ghost"));
    if (this.ghost) this.ghost.robot.root.visible = this.isOn("ghost");
  }

  setDark(dark: boolean): void {
    const { space } = this.world;
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
