// A run on the stage: its coordinates at the time shown, where that puts its bodies, and how they look.
import * as THREE from "three";
import type { Quat, Vec3 } from "../format";
import { Coordinates, motionOf } from "../motion/interpolate";
import type { Kinematics } from "../motion/kinematics";
import type { Run } from "../run";
import { Placing } from "./placing";
import { Robot } from "./robot";

export class Actor {
  readonly motion: Kinematics;
  readonly coordinates: Coordinates;
  readonly robot: Robot;
  readonly placing: Placing;
  readonly ghost: boolean;
  private readonly material: THREE.MeshStandardMaterial | null; // of a ghost
  readonly behind = { value: 0 }; // of a ghost [m]
  sample = -1; // at or before the time shown

  constructor(readonly run: Run, ghost: boolean) {
    this.ghost = ghost;
    this.motion = motionOf(run);
    this.coordinates = new Coordinates(run, this.motion);
    this.material = ghost ? ghostMaterial(this.behind) : null;
    this.robot = new Robot(run, this.material);
    this.placing = new Placing(run.header.bodies.length);
    this.motion.update(this.coordinates.values);
  }

  // Of the run, in badge, curves and ghost.
  setColor(color: THREE.ColorRepresentation): void {
    this.material?.color.set(color);
    this.material?.emissive.set(color);
  }

  show(t: number): void {
    this.sample = this.run.indexAt(t);
    this.motion.update(this.coordinates.at(t));
    this.placing.update(this.motion);
    this.robot.stand(this.placing);
  }

  pose(name: string): { p: Vec3; quat: Quat } | null {
    const at = this.motion.find(name);
    if (!at) return null;
    const p: Vec3 = [0, 0, 0];
    const quat: Quat = [1, 0, 0, 0];
    this.motion.pose(at, p, quat);
    return { p, quat };
  }
}

// Where runs nearly agree, the first is seen: a ghost is tested a little farther away than it is.
function ghostMaterial(behind: THREE.IUniform<number>): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({
    emissiveIntensity: 0.35, transparent: true, opacity: 0.36,
    depthWrite: false, roughness: 0.6,
  });
  material.onBeforeCompile = (shader): void => {
    shader.uniforms.behind = behind;
    shader.vertexShader = `uniform float behind;\n${shader.vertexShader}`.replace("#include <project_vertex>", `
      #include <project_vertex>
      vec4 farther = projectionMatrix * (mvPosition - vec4(0.0, 0.0, behind, 0.0));
      gl_Position.z = farther.z / farther.w * gl_Position.w;`);
  };
  return material;
}
