// Equal things on many bodies, drawn by one call: one geometry, one material, a buffer of matrices. What lets light
// through must be sorted by distance, and what is mirrored is turned inside out: such things stay meshes of their own.
import * as THREE from "three";
import type { Placing } from "./placing";

export interface Part {
  body: number;
  local: THREE.Matrix4; // on the body
}

export interface Drawn {
  readonly object: THREE.Mesh;
  pose(placing: Placing, hidden: Uint8Array | null): void;
  bodyOf(hit: THREE.Intersection): number; // whose part was hit
}

export class Instances implements Drawn {
  readonly object: THREE.InstancedMesh;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, private readonly parts: readonly Part[]) {
    this.object = new THREE.InstancedMesh(geometry, material, parts.length);
    this.object.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.object.frustumCulled = false; // its bounds would have to be made anew every step
    this.object.matrixAutoUpdate = false;
  }

  pose(placing: Placing, hidden: Uint8Array | null): void {
    const { instanceMatrix } = this.object;
    const array = instanceMatrix.array as Float32Array;
    this.parts.forEach(({ body, local }, k) => {
      if (hidden?.[body]) array.fill(0, 16 * k, 16 * k + 16);
      else placing.compose(body, local.elements, array, 16 * k);
    });
    instanceMatrix.needsUpdate = true;
    this.object.boundingSphere = null;
  }

  bodyOf({ instanceId }: THREE.Intersection): number {
    return instanceId === undefined ? -1 : this.parts[instanceId].body;
  }
}

export class Single implements Drawn {
  readonly object: THREE.Mesh;

  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, private readonly part: Part) {
    this.object = new THREE.Mesh(geometry, material);
    this.object.matrixAutoUpdate = false;
  }

  pose(placing: Placing, hidden: Uint8Array | null): void {
    const { body, local } = this.part;
    this.object.visible = !hidden?.[body];
    placing.compose(body, local.elements, this.object.matrix.elements, 0);
    this.object.matrixWorldNeedsUpdate = true;
  }

  bodyOf(): number {
    return this.part.body;
  }
}

// A group of such things, under one root that stands at the anchor.
export class OnBodies {
  readonly root = new THREE.Group();
  readonly drawn: Drawn[] = [];

  constructor() {
    this.root.matrixAutoUpdate = false;
  }

  add(geometry: THREE.BufferGeometry, material: THREE.Material, parts: readonly Part[], order = 0): void {
    if (parts.length === 0) return;
    const alone = material.transparent && material.depthWrite;
    const apart = (part: Part): boolean => alone || part.local.determinant() < 0;
    const together = parts.filter((part) => !apart(part));
    if (together.length > 0) this.push(new Instances(geometry, material, together), order);
    for (const part of parts) if (apart(part)) this.push(new Single(geometry, material, part), order);
  }

  private push(drawn: Drawn, order: number): void {
    drawn.object.renderOrder = order;
    this.drawn.push(drawn);
    this.root.add(drawn.object);
  }

  pose(placing: Placing, hidden: Uint8Array | null): void {
    this.root.matrix.copy(placing.anchor);
    this.root.matrixWorldNeedsUpdate = true;
    for (const drawn of this.drawn) drawn.pose(placing, hidden);
  }
}
