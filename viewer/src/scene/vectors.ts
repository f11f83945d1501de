// Overlays drawn as marks and arrows: the centre of mass, momentum, torques of joints.
import * as THREE from "three";
import type { Actor } from "./actor";
import { Arrow, CurvedArrow, arrowMaterial } from "./arrows";
import { GroupLayer, type Stage } from "./layer";
import { Posed } from "./posed";
import { Signal } from "./signals";
import { checkerTexture } from "./textures";

const COLORS = { linear: "#2fd0ff", angular: "#ff5fd2", torque: "#ffc400" };
export const LONGEST = 0.32; // of the robot's size: the arrow of the largest value
export const THICK = 0.0065; // of the robot's size
// Momentum and forces that are only rounding are no arrows: less than this, relative to what the robot's mass makes
// of its own size in a second.
export const ROUNDING = 1e-9;

const from = new Float64Array(3);
const value = new Float64Array(3);

export class CentreOfMass extends GroupLayer {
  readonly name = "com";
  readonly label = "Centre of mass";
  override readonly available: boolean;

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.over);
    this.available = actor.motion.bodies.some((body) => body.mass > 0);
  }

  protected fill(): void {
    const material = new THREE.MeshBasicMaterial({ map: checkerTexture() });
    const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16).rotateX(Math.PI / 2), material);
    ball.scale.setScalar(0.012 * this.stage.size);
    this.root.add(ball);
  }

  update(): void {
    this.actor.motion.centreOfMass(from);
    this.root.position.set(from[0], from[1], from[2]);
  }
}

export class Momentum extends GroupLayer {
  readonly name = "momentum";
  readonly label = "Momentum";
  override readonly available: boolean;
  private readonly parts: { signal: Signal; arrow: Arrow; least: number }[] = [];

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.over);
    const mass = actor.motion.bodies.reduce((sum, body) => sum + body.mass, 0);
    const add = (name: string, color: string, least: number, double: boolean): void => {
      const signal = Signal.vector(actor.run, name);
      if (!signal) return;
      this.parts.push({ signal, arrow: new Arrow(arrowMaterial(color), THICK * stage.size, double), least });
    };
    add("momentum.linear", COLORS.linear, ROUNDING * mass * stage.size, false);
    add("momentum.angular", COLORS.angular, ROUNDING * mass * stage.size * stage.size, true);
    this.available = this.parts.length > 0;
  }

  protected fill(): void {
    for (const part of this.parts) this.root.add(part.arrow.root);
  }

  update(): void {
    this.actor.motion.centreOfMass(from);
    for (const { signal, arrow, least } of this.parts) {
      signal.read(this.actor.sample, value);
      const largest = signal.largest();
      const scale = largest > least ? (LONGEST * this.stage.size) / largest : 0;
      arrow.set(from, scale * value[0], scale * value[1], scale * value[2]);
    }
  }
}

interface Torque {
  signal: Signal;
  show(share: number): void;
}

// What drives joints of one degree: tau.JOINT as a curved arrow about its axis, of a prismatic one a straight arrow
// along it. Turns and slides each have one scale. The axis is the same in the child's frame as in the joint's.
export class Torques extends GroupLayer {
  readonly name = "torques";
  readonly label = "Joint torques";
  override readonly available: boolean;
  private readonly turns: Torque[] = [];
  private readonly slides: Torque[] = [];
  private readonly posed = new Posed();

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.over);
    const material = arrowMaterial(COLORS.torque);
    actor.motion.bodies.forEach(({ joint }, i) => {
      const [link, more] = joint.links;
      if (more || !link.axis) return;
      const signal = Signal.find(actor.run, [`tau.${joint.name}`]);
      if (!signal) return;
      if (link.kind === "prismatic") this.slides.push({ signal, show: this.sliding(i, material, link.axis) });
      else this.turns.push({ signal, show: this.turning(i, material, link.axis) });
    });
    this.available = this.turns.length + this.slides.length > 0;
  }

  private turning(body: number, material: THREE.Material, axis: ArrayLike<number>): (share: number) => void {
    const arrow = new CurvedArrow(material, axis);
    this.posed.on(body).add(arrow.root);
    return (share) => arrow.set(share, 0.055 * this.stage.size);
  }

  private sliding(body: number, material: THREE.Material, axis: ArrayLike<number>): (share: number) => void {
    const arrow = new Arrow(material, THICK * this.stage.size);
    this.posed.on(body).add(arrow.root);
    const origin = [0, 0, 0];
    return (share) => {
      const length = 0.6 * LONGEST * this.stage.size * share;
      arrow.set(origin, length * axis[0], length * axis[1], length * axis[2]);
    };
  }

  protected fill(): void {
    this.root.add(this.posed.root);
  }

  update(): void {
    this.posed.pose(this.actor.placing);
    for (const kind of [this.turns, this.slides]) {
      let largest = 0;
      for (const one of kind) largest = Math.max(largest, one.signal.largest());
      for (const one of kind) {
        one.signal.read(this.actor.sample, value);
        one.show(largest > 0 ? value[0] / largest : 0);
      }
    }
  }
}
