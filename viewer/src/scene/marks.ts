// Overlays that sit on bodies: axes of bodies and frames, and ellipsoids of inertia.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { GroupLayer, type Stage } from "./layer";
import type { Actor } from "./actor";
import { OnBodies, type Part } from "./instances";
import { placed } from "./shapes";

const RED = "#ff4b4b";
const GREEN = "#3ddc66";
const BLUE = "#4d8dff";

// One arm of a triad along y, coloured at its corners.
function arm(color: string): THREE.BufferGeometry {
  const shaft = new THREE.CylinderGeometry(0.022, 0.022, 0.85, 8).translate(0, 0.425, 0);
  const tip = new THREE.ConeGeometry(0.065, 0.18, 12).translate(0, 0.91, 0);
  const both = mergeGeometries([shaft, tip]);
  const count = both.getAttribute("position").count;
  const { r, g, b } = new THREE.Color(color);
  const colors = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colors.set([r, g, b], 3 * i);
  both.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return both;
}

// x red, y green, z blue, each of length 1.
function triad(): THREE.BufferGeometry {
  return mergeGeometries([arm(RED).rotateZ(-Math.PI / 2), arm(GREEN), arm(BLUE).rotateX(Math.PI / 2)]);
}

export class Frames extends GroupLayer {
  readonly name = "frames";
  readonly label = "Frames";
  private readonly drawn = new OnBodies();

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.over);
  }

  protected fill(): void {
    const part = (body: number, at: readonly number[], quat: readonly number[], size: number): Part => {
      const scale = size * this.stage.size;
      return { body, local: placed(at, quat, [scale, scale, scale]) };
    };
    const parts = this.actor.motion.bodies.flatMap((body, i) => [
      part(i, [0, 0, 0], [1, 0, 0, 0], 0.06),
      ...body.frames.map((frame) => part(i, frame.at, frame.quat, 0.045)),
    ]);
    this.drawn.add(triad(), new THREE.MeshBasicMaterial({ vertexColors: true }), parts);
    this.root.add(this.drawn.root);
  }

  update(): void {
    this.drawn.pose(this.actor.placing, this.actor.robot.hidden);
  }
}

export class Ellipsoids extends GroupLayer {
  readonly name = "ellipsoids";
  readonly label = "Inertia ellipsoids";
  override readonly available: boolean;
  private readonly drawn = new OnBodies();

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.scene);
    this.available = actor.motion.bodies.some((body) => Math.max(...body.ellipsoid.radii) > 0);
  }

  protected fill(): void {
    const ball = new THREE.SphereGeometry(1, 32, 20);
    const material = new THREE.MeshStandardMaterial({
      color: "#ff9d3c", emissive: "#ff9d3c", emissiveIntensity: 0.2, transparent: true, opacity: 0.3, roughness: 0.7,
      depthWrite: false,
    });
    const parts = this.actor.motion.bodies.flatMap(({ ellipsoid: { at, quat, radii } }, body): Part[] => {
      const largest = Math.max(...radii);
      if (!(largest > 0)) return [];
      // A rod's ellipsoid is flat to nothing; a little thickness keeps it visible.
      return [{ body, local: placed(at, quat, radii.map((r) => Math.max(r, 0.01 * largest))) }];
    });
    this.drawn.add(ball, material, parts, 3);
    this.root.add(this.drawn.root);
  }

  update(): void {
    this.drawn.pose(this.actor.placing, this.actor.robot.hidden);
  }
}
