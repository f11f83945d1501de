// One overlay: something that can be switched on over the robot.
import * as THREE from "three";
import type { Actor } from "./actor";
import type { Overlay } from "./view";

// What an overlay is drawn into, and how large it should be.
export interface Stage {
  scene: THREE.Scene; // with the bodies, hidden by them
  over: THREE.Scene; // drawn over everything
  size: number; // of the robot [m]
}

export interface Layer {
  readonly name: Overlay;
  readonly label: string;
  readonly available: boolean;
  on: boolean;
  setOn(on: boolean): void;
  update(): void; // after the actors were posed; only called while on
}

// The common part: a group that is filled when first switched on.
export abstract class GroupLayer implements Layer {
  abstract readonly name: Overlay;
  abstract readonly label: string;
  readonly available: boolean = true;
  on = false;
  protected readonly root = new THREE.Group();
  private filled = false;

  constructor(protected readonly actor: Actor, protected readonly stage: Stage, parent: THREE.Scene) {
    this.root.visible = false;
    parent.add(this.root);
  }

  setOn(on: boolean): void {
    this.on = on && this.available;
    this.root.visible = this.on;
    if (!this.on || this.filled) return;
    this.filled = true;
    this.fill();
  }

  protected abstract fill(): void;
  abstract update(): void;
}
