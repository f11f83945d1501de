// Where the sun is: an arrow from the centre of mass towards it.
import type * as THREE from "three";
import type { Actor } from "./actor";
import { Arrow, arrowMaterial } from "./arrows";
import { GroupLayer, type Stage } from "./layer";
import { THICK } from "./vectors";

const COLOR = "#ffe066";
const LENGTH = 0.28; // of the robot's size

export class SunArrow extends GroupLayer {
  readonly name = "sun";
  readonly label = "Sun direction";
  override readonly available: boolean;
  private readonly arrow: Arrow;
  private readonly from = new Float64Array(3);

  constructor(actor: Actor, stage: Stage, private readonly toSun: THREE.Vector3) {
    super(actor, stage, stage.over);
    this.available = actor.motion.bodies.length > 0;
    this.arrow = new Arrow(arrowMaterial(COLOR), THICK * stage.size);
  }

  protected fill(): void {
    this.root.add(this.arrow.root);
  }

  update(): void {
    if (!this.actor.motion.centreOfMass(this.from)) this.from.set(this.actor.motion.p.subarray(0, 3));
    const { x, y, z } = this.toSun.clone().multiplyScalar(LENGTH * this.stage.size);
    this.arrow.set(this.from, x, y, z);
  }
}
