// The bodies of one run: shapes of the same geometry and material are drawn together, wherever they are.
import * as THREE from "three";
import type { Run } from "../run";
import { OnBodies, type Part } from "./instances";
import type { Placing } from "./placing";
import { Shapes } from "./shapes";

const NOWHERE = new THREE.Box3();
const MOST_BOXES = 12; // of a body; more shapes are put together
const MANY = 400; // shapes: from here on round ones have fewer faces

export class Robot extends OnBodies {
  readonly boxes: THREE.Box3[][] = []; // for each body those that hold its shapes, in its own axes
  readonly shapes: number; // that are drawn
  readonly hidden: Uint8Array; // of each body: 1 when it is not drawn

  // `ghost`: all in one translucent colour.
  constructor(run: Run, ghost: THREE.Material | null) {
    super();
    const { bodies } = run.header;
    this.hidden = new Uint8Array(bodies.length);
    this.shapes = bodies.reduce((sum, body) => sum + body.shapes.length, 0);
    const shapes = new Shapes(run, this.shapes < MANY);
    const kinds = new Map<string, { geometry: THREE.BufferGeometry; material: THREE.Material; parts: Part[] }>();
    bodies.forEach((body, i) => {
      const boxes: THREE.Box3[] = [];
      for (const shape of body.shapes) {
        const made = shapes.build(shape);
        if (!made) continue;
        const { geometry, local } = made;
        const material = ghost ?? shapes.material(shape, body);
        const key = `${geometry.id} ${material.id}`;
        const kind = kinds.get(key) ?? { geometry, material, parts: [] };
        kinds.set(key, kind);
        kind.parts.push({ body: i, local });
        if (!geometry.boundingBox) geometry.computeBoundingBox();
        const box = new THREE.Box3().copy(geometry.boundingBox ?? NOWHERE).applyMatrix4(local);
        if (boxes.length < MOST_BOXES) boxes.push(box);
        else boxes[0].union(box);
      }
      this.boxes.push(boxes);
    });
    for (const { geometry, material, parts } of kinds.values()) this.add(geometry, material, parts, ghost ? 2 : 0);
  }

  // Shadows cost a second drawing of everything, so only small robots cast them.
  castShadows(): void {
    for (const { object } of this.drawn) {
      const solid = !(object.material as THREE.Material).transparent;
      object.castShadow = solid;
      object.receiveShadow = solid;
    }
  }

  stand(placing: Placing): void {
    this.pose(placing, this.hidden);
  }

  // The body that a ray meets first, or -1. The matrices in the world must be those of the last drawing.
  pick(ray: THREE.Raycaster): number {
    if (!this.root.visible) return -1;
    let nearest = { distance: Infinity, body: -1 };
    for (const drawn of this.drawn) {
      for (const hit of ray.intersectObject(drawn.object, false)) {
        const body = drawn.bodyOf(hit);
        if (body >= 0 && !this.hidden[body] && hit.distance < nearest.distance) {
          nearest = { distance: hit.distance, body };
        }
      }
    }
    return nearest.body;
  }
}
