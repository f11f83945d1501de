// Arrows: straight ones from a point along a vector, with one head or, for moments, two; and curved ones about an axis.
// Unit geometries along z, scaled; the head keeps its shape whatever the length.
import * as THREE from "three";

const SHAFT = new THREE.CylinderGeometry(0.5, 0.5, 1, 12).translate(0, 0.5, 0).rotateX(Math.PI / 2);
const HEAD = new THREE.ConeGeometry(1.25, 3.2, 16).translate(0, -1.6, 0).rotateX(Math.PI / 2);
const HEAD_LENGTH = 3.2;
const Z = new THREE.Vector3(0, 0, 1);

export function arrowMaterial(color: string): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color, emissive: color, emissiveIntensity: 0.45, roughness: 0.5 });
}

export class Arrow {
  readonly root = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly heads: THREE.Mesh[] = [];
  private readonly direction = new THREE.Vector3();

  // `thick`: diameter of the shaft [m].
  constructor(material: THREE.Material, private readonly thick: number, double = false) {
    this.shaft = new THREE.Mesh(SHAFT, material);
    this.root.add(this.shaft);
    for (let i = 0; i < (double ? 2 : 1); i++) {
      const head = new THREE.Mesh(HEAD, material);
      this.heads.push(head);
      this.root.add(head);
    }
  }

  paint(material: THREE.Material): void {
    for (const mesh of [this.shaft, ...this.heads]) mesh.material = material;
  }

  // From a point along x y z, whose length is that of the arrow. Hidden when too short to have a direction.
  set(from: ArrayLike<number>, x: number, y: number, z: number): void {
    const length = Math.hypot(x, y, z);
    const shown = Number.isFinite(length) && length > 0.2 * this.thick;
    this.root.visible = shown;
    if (!shown) return;
    this.direction.set(x / length, y / length, z / length);
    this.root.position.set(from[0], from[1], from[2]);
    this.root.quaternion.setFromUnitVectors(Z, this.direction);
    // Short arrows are thinner, so that they stay arrows.
    const full = HEAD_LENGTH * this.thick * (this.heads.length + 0.2);
    const thick = this.thick * Math.min(1, length / full);
    const head = HEAD_LENGTH * thick;
    this.shaft.scale.set(thick, thick, Math.max(length - head, 1e-6 * length));
    this.heads.forEach((mesh, i) => {
      mesh.scale.setScalar(thick);
      mesh.position.z = length - 0.75 * i * head;
    });
  }
}

const TURN = 1.5 * Math.PI;
const RING = new THREE.TorusGeometry(1, 0.045, 8, 40, TURN);
const TIP = new THREE.ConeGeometry(0.14, 0.36, 14).translate(0, 0.1, 0);

// A curved arrow of radius 1 about z; to turn it the other way, it is turned over.
export class CurvedArrow {
  readonly root = new THREE.Group();
  private readonly turned = new THREE.Group();

  constructor(material: THREE.Material, axis: ArrayLike<number>) {
    const tip = new THREE.Mesh(TIP, material);
    tip.position.set(Math.cos(TURN), Math.sin(TURN), 0);
    tip.rotation.z = TURN;
    this.turned.add(new THREE.Mesh(RING, material), tip);
    this.root.add(this.turned);
    this.root.quaternion.setFromUnitVectors(Z, new THREE.Vector3(axis[0], axis[1], axis[2]).normalize());
  }

  // `share`: -1 .. 1 of the largest.
  set(share: number, radius: number): void {
    const amount = Math.abs(share);
    this.root.visible = amount > 0.004;
    if (!this.root.visible) return;
    this.turned.rotation.x = share < 0 ? Math.PI : 0;
    this.turned.scale.setScalar(radius * (0.3 + 0.7 * Math.sqrt(Math.min(amount, 1))));
  }
}
