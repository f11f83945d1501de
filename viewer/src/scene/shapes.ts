// Shapes of the model for three: unit geometries that are shared and scaled, a material for each colour. What a
// satellite is made of is guessed: a gold bus is wrapped in foil, dark blue sheets are solar panels.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { BodyInfo, ShapeInfo } from "../format";
import type { Run } from "../run";
import { seenOnDark } from "./on_dark";
import { inSpace } from "./space";
import { cellTexture, foilTexture } from "./textures";

const CREASE = 0.6; // [rad]: an edge between faces that differ by more
const MOST_CREASED = 30000; // triangles

// The matrix of a thing at a place, turned and scaled.
export function placed(at: readonly number[], quat: readonly number[], scale: readonly number[]): THREE.Matrix4 {
  return new THREE.Matrix4().compose(
    new THREE.Vector3(...at), new THREE.Quaternion(quat[1], quat[2], quat[3], quat[0]), new THREE.Vector3(...scale));
}

export class Shapes {
  private readonly geometries = new Map<string, THREE.BufferGeometry>();
  private readonly materials = new Map<string, THREE.Material>();

  private readonly space: boolean;
  private readonly faces: number; // around

  // `fine`: round shapes have many faces.
  constructor(private readonly run: Run, fine: boolean) {
    this.space = inSpace(run.header.view, run.header.bodies);
    this.faces = fine ? 36 : 12;
  }

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
          geometry: this.once("cylinder", () => new THREE.CylinderGeometry(1, 1, 1, this.faces).rotateX(Math.PI / 2)),
          scale: [a, a, b],
        };
      case "capsule":
        if (!(a > 0)) return null;
        return {
          geometry: this.once(`capsule ${b / a}`, () =>
            new THREE.CapsuleGeometry(1, b / a, Math.round(this.faces / 4), this.faces).rotateX(Math.PI / 2)),
          scale: [a, a, a],
        };
      case "mesh": {
        if (shape.mesh < 0) return null;
        return { geometry: this.once(`mesh ${shape.mesh}`, () => this.mesh(shape.mesh)), scale: [a, b, c] };
      }
    }
  }

  private ball(): THREE.BufferGeometry {
    const rings = Math.round((2 * this.faces) / 3);
    return this.once("ball", () => new THREE.SphereGeometry(1, this.faces, rings).rotateX(Math.PI / 2));
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
  material(shape: ShapeInfo, body: BodyInfo): THREE.Material {
    const stuff = stuffOf(shape, this.space && body.parent < 0);
    const key = `${stuff} ${shape.color} ${shape.opacity} ${shape.kind === "mesh"}`;
    let material = this.materials.get(key);
    if (!material) {
      material = makeMaterial(shape, stuff);
      this.materials.set(key, material);
    }
    return material;
  }

  // The look of what is no part of a body.
  paint(shape: ShapeInfo): THREE.Material {
    return makeMaterial(shape, "paint");
  }

  build(shape: ShapeInfo): { geometry: THREE.BufferGeometry; local: THREE.Matrix4 } | null {
    const made = this.geometry(shape);
    return made && { geometry: made.geometry, local: placed(shape.at, shape.quat, made.scale) };
  }
}

type Stuff = "foil" | "cells" | "metal" | "paint";

// As thick as it is wide, more or less: a sheet or a rod is not wrapped.
function isBulky({ kind, size }: ShapeInfo): boolean {
  const edges = kind === "box" ? size : kind === "cylinder" ? [2 * size[0], 2 * size[0], size[1]] : [0, 1];
  return Math.min(...edges) > 0.25 * Math.max(...edges);
}

// Hue, saturation and lightness tell; only boxes and drums carry textures well. `bus`: a base in space, floating or
// held, which alone is wrapped in foil.
function stuffOf(shape: ShapeInfo, bus: boolean): Stuff {
  const { h, s, l } = new THREE.Color(shape.color).getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  const gold = h > 0.09 && h < 0.16 && s > 0.4 && l > 0.25 && l < 0.75;
  if (gold && bus && !shape.guessed && isBulky(shape)) return "foil";
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
  seenOnDark(material);
  if (shape.opacity < 1) {
    material.transparent = true;
    material.opacity = shape.opacity;
    material.depthWrite = shape.opacity > 0.9;
  }
  if (stuff === "foil") {
    material.bumpMap = foilTexture();
    material.bumpScale = 1.4;
  }
  if (stuff === "cells") {
    material.map = cellTexture();
    material.color.lerp(new THREE.Color("#ffffff"), 0.25);
  }
  // Meshes from elsewhere may have faces turned inside out.
  if (shape.kind === "mesh") material.side = THREE.DoubleSide;
  return material;
}
