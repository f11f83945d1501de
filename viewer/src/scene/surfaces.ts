// What contacts touch and is fixed to the world, drawn from the geometry of the contacts themselves: terrain, rocks,
// walls. Planes are drawn as grounds are (world.ts), and what bodies carry with the bodies.
import * as THREE from "three";
import type { PlaneInfo, SurfaceInfo } from "../format";
import type { Run } from "../run";
import { Shapes } from "./shapes";

const MANY = 400; // surfaces: from here on round ones have fewer faces

export const isPlane = (surface: SurfaceInfo): surface is PlaneInfo => surface.kind === "plane";

export class Surfaces {
  readonly root = new THREE.Group();
  readonly boxes: THREE.Box3[] = []; // in the world

  constructor(run: Run) {
    const surfaces = run.header.surfaces ?? [];
    const shapes = new Shapes(run, surfaces.length < MANY);
    for (const surface of surfaces) {
      const made = isPlane(surface) ? null : shapes.build(surface);
      if (!made || isPlane(surface)) continue;
      const mesh = new THREE.Mesh(made.geometry, shapes.paint(surface));
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(made.local);
      mesh.receiveShadow = true;
      mesh.castShadow = true;
      this.root.add(mesh);
      if (!made.geometry.boundingBox) made.geometry.computeBoundingBox();
      if (made.geometry.boundingBox) this.boxes.push(made.geometry.boundingBox.clone().applyMatrix4(made.local));
    }
  }
}
