// Shapes of the model as meshes of three: unit geometries that are shared and scaled, a material for each colour. What
// a satellite is made of is guessed from colours: gold becomes foil, dark blue sheets become solar panels.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeInfo } from "../format";
import type { Run } from "../run";
import { cellTexture, foilTexture } from "./textures";

const CREASE = 0.6; // [rad]: an edge between faces that differ by more
const MOST_CREASED = 30000; // triangles

export type MaterialFor = (shape: ShapeInfo) => THREE.Material;

export function place(object: THREE.Object3D, at: readonly number[], quat: readonly number[]): void {
  object.position.set(at[0], at[1], at[2]);
  object.quaternion.set(quat[1], quat[2], quat[3], quat[0]);
}

export class Shapes {
  private readonly geometries = new Map<string, THREE.BufferGeometry>();
  private readonly materials = new Map<string, THREE.Material>();

  constructor(private readonly run: Run) {}

  // The geometry and how it is scaled; null for one that is empty or damaged.
  geometry(shape: ShapeInfo): { geometry: THREE.BufferGeometry; scale: [number, number, number] } | null {
    const [a, b = a, c = a] = shape.size;
    switch (shape.kind) {
      case "box":
        return { geometry: this.once("box", () => new THREE.BoxGeometry(1, 1, 1)), scale: [a, b, c] };
      case "sphere":
        return { geometry: this.ball(), scale: [a, a, a] };
      case "ellipsoid":
        return { geometry: this.ball(), scale: [a, b, c] };
      case "cylinder":
        return {
          geometry: this.once("cylinder", () => new THREE.CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2)),
          scale: [a, a, b],
        };
      case "capsule":
        if (!(a > 0)) return null;
        return {
          geometry: this.once(`capsule ${b / a}`, () =>
            new THREE.CapsuleGeometry(1, b / a, 10, 28).rotateX(Math.PI / 2)),
          scale: [a, a, a],
        };
      case "mesh": {
        if (shape.mesh < 0) return null;
        return { geometry: this.once(`mesh ${shape.mesh}`, () => this.mesh(shape.mesh)), scale: [a, b, c] };
      }
    }
  }

  private ball(): THREE.BufferGeometry {
    return this.once("ball", () => new THREE.SphereGeometry(1, 36, 24).rotateX(Math.PI / 2));
  }

  // Edges stay sharp and curves smooth; large meshes are mostly curved, and sorting them out would take long.
  private mesh(n: number): THREE.BufferGeometry {
    const { positions, triangles } = this.run.mesh(n);
    const shared = new THREE.BufferGeometry();
    shared.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    shared.setIndex(new THREE.BufferAttribute(triangles, 1));
    if (triangles.length <= 3 * MOST_CREASED) return toCreasedNormals(shared, CREASE);
    shared.computeVertexNormals();
    return shared;
  }

  private once(key: string, make: () => THREE.BufferGeometry): THREE.BufferGeometry {
    let geometry = this.geometries.get(key);
    if (!geometry) {
      geometry = make();
      this.geometries.set(key, geometry);
    }
    return geometry;
  }

  // The look of a shape.
  material(shape: ShapeInfo): THREE.Material {
    const stuff = stuffOf(shape);
    const key = `${stuff} ${shape.color} ${shape.opacity} ${shape.kind === "mesh"}`;
    let material = this.materials.get(key);
    if (!material) {
      material = makeMaterial(shape, stuff);
      this.materials.set(key, material);
    }
    return material;
  }

  build(shape: ShapeInfo, materialFor: MaterialFor): THREE.Mesh | null {
    const made = this.geometry(shape);
    if (!made) return null;
    const mesh = new THREE.Mesh(made.geometry, materialFor(shape));
    place(mesh, shape.at, shape.quat);
    mesh.scale.set(...made.scale);
    mesh.updateMatrix();
    mesh.matrixAutoUpdate = false;
    return mesh;
  }
}

type Stuff = "foil" | "cells" | "metal" | "paint";

// Hue, saturation and lightness tell; only boxes carry textures well.
function stuffOf(shape: ShapeInfo): Stuff {
  const { h, s, l } = new THREE.Color(shape.color).getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  if (h > 0.09 && h < 0.16 && s > 0.4 && l > 0.25 && l < 0.75) return "foil";
  if (shape.kind === "box" && h > 0.53 && h < 0.72 && s > 0.25 && l < 0.42) {
    const edges = shape.size.slice().sort((a, b) => a - b);
    if (edges[0] < 0.15 * edges[1]) return "cells";
  }
  return s < 0.15 && l > 0.35 && l < 0.8 ? "metal" : "paint";
}

const LOOK: Record<Stuff, { metalness: number; roughness: number }> = {
  foil: { metalness: 0.5, roughness: 0.3 },
  cells: { metalness: 0.35, roughness: 0.3 },
  metal: { metalness: 0.25, roughness: 0.42 },
  paint: { metalness: 0.05, roughness: 0.62 },
};

function makeMaterial(shape: ShapeInfo, stuff: Stuff): THREE.Material {
  const material = new THREE.MeshStandardMaterial({ color: shape.color, ...LOOK[stuff] });
  if (shape.opacity < 1) {
    material.transparent = true;
    material.opacity = shape.opacity;
    material.depthWrite = shape.opacity > 0.9;
  }
  if (stuff === "foil" && shape.kind !== "mesh") {
    material.bumpMap = foilTexture();
    material.bumpScale = 3.5;
  }
  if (stuff === "cells") {
    material.map = cellTexture();
    material.color.lerp(new THREE.Color("#ffffff"), 0.25);
  }
  // Meshes from elsewhere may have faces turned inside out.
  if (shape.kind === "mesh") material.side = THREE.DoubleSide;
  return material;
}
