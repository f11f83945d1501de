// The bodies of one run as groups of three, posed by the kinematics. The groups stand side by side, not in each other:
// the kinematics has put them into the world already.
import * as THREE from "three";
import type { Kinematics } from "../motion/kinematics";
import type { Run } from "../run";
import { Shapes, type MaterialFor } from "./shapes";

// One group for each body, under one root.
export class Posed {
  readonly root = new THREE.Group();
  readonly bodies: THREE.Group[] = [];

  constructor(count: number) {
    for (let i = 0; i < count; i++) {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.bodies.push(group);
      this.root.add(group);
    }
    this.root.matrixAutoUpdate = false;
  }

  pose(motion: Kinematics): void {
    const { p, quat } = motion;
    for (let i = 0; i < this.bodies.length; i++) {
      const w = quat[4 * i], x = quat[4 * i + 1], y = quat[4 * i + 2], z = quat[4 * i + 3];
      const m = this.bodies[i].matrix.elements;
      m[0] = 1 - 2 * (y * y + z * z);
      m[1] = 2 * (x * y + w * z);
      m[2] = 2 * (x * z - w * y);
      m[4] = 2 * (x * y - w * z);
      m[5] = 1 - 2 * (x * x + z * z);
      m[6] = 2 * (y * z + w * x);
      m[8] = 2 * (x * z + w * y);
      m[9] = 2 * (y * z - w * x);
      m[10] = 1 - 2 * (x * x + y * y);
      m[12] = p[3 * i];
      m[13] = p[3 * i + 1];
      m[14] = p[3 * i + 2];
      this.bodies[i].matrixWorldNeedsUpdate = true;
    }
  }
}

const NOWHERE = new THREE.Box3();
const MOST_BOXES = 12; // of a body; more shapes are put together

export class Robot extends Posed {
  readonly boxes: THREE.Box3[][] = []; // for each body those that hold its shapes, in its own axes
  readonly meshes: THREE.Mesh[] = [];

  // `ghost`: all in one translucent colour.
  constructor(run: Run, ghost: THREE.Material | null) {
    super(run.header.bodies.length);
    const shapes = new Shapes(run);
    const materialFor: MaterialFor = ghost ? () => ghost : (shape) => shapes.material(shape);
    run.header.bodies.forEach((body, i) => {
      const boxes: THREE.Box3[] = [];
      for (const shape of body.shapes) {
        const mesh = shapes.build(shape, materialFor);
        if (!mesh) continue;
        if (ghost) mesh.renderOrder = 2;
        this.bodies[i].add(mesh);
        this.meshes.push(mesh);
        if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
        const box = new THREE.Box3().copy(mesh.geometry.boundingBox ?? NOWHERE).applyMatrix4(mesh.matrix);
        if (boxes.length < MOST_BOXES) boxes.push(box);
        else boxes[0].union(box);
      }
      this.boxes.push(boxes);
    });
  }

  // Shadows cost a second drawing of everything, so only small robots cast them.
  castShadows(): void {
    for (const mesh of this.meshes) {
      const solid = !(mesh.material as THREE.Material).transparent;
      mesh.castShadow = solid;
      mesh.receiveShadow = solid;
    }
  }
}
