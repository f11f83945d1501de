// The level, or another plane: a grid that fades with distance, and where there is a ground a surface under it. Both
// follow the camera by whole cells, so they have no edge.
import * as THREE from "three";
import type { Quat, Vec3 } from "../format";

const CELLS = 60; // from the middle to the edge

const VERTEX = `
varying vec2 vAt;
uniform float cell;
void main() {
  vAt = position.xy / cell;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines one pixel wide at any distance; every tenth is stronger.
const FRAGMENT = `
varying vec2 vAt;
uniform vec3 color;
uniform float strength;
uniform vec2 offset;
float lines(vec2 at) {
  vec2 width = fwidth(at);
  vec2 d = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
  float fade = 1.0 - smoothstep(0.15, 0.7, max(width.x, width.y));
  return (1.0 - min(min(d.x, d.y), 1.0)) * fade;
}
void main() {
  float edge = 1.0 - smoothstep(0.15, 0.95, length(vAt) / ${CELLS.toFixed(1)});
  vec2 at = vAt + offset;
  float alpha = max(lines(at) * 0.4, lines(at / 10.0)) * strength * edge;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}`;

// Fades a disc out towards its edge.
function fading(): THREE.DataTexture {
  const size = 64;
  const data = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const r = Math.hypot((i % size) - size / 2 + 0.5, Math.floor(i / size) - size / 2 + 0.5) / (size / 2);
    const value = 255 * THREE.MathUtils.smoothstep(1 - r, 0.04, 0.85);
    data.set([value, value, value, 255], 4 * i);
  }
  const texture = new THREE.DataTexture(data, size, size);
  texture.magFilter = texture.minFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

// 1, 2 or 5 times a power of ten, near a tenth of the size.
export function cellFor(size: number): number {
  const raw = size / 8;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

export class Ground {
  readonly root = new THREE.Group();
  readonly radius: number;
  private readonly grid: THREE.Mesh;
  private readonly floor: THREE.Mesh | null = null;
  private readonly cell: number;
  private readonly uniforms;
  private readonly at = new THREE.Vector3();
  private readonly local = new THREE.Vector3();
  private readonly back = new THREE.Quaternion();

  // `solid`: a surface, not only lines; `color`: its own.
  constructor(size: number, solid: boolean, private readonly color?: string) {
    this.cell = cellFor(size);
    this.radius = CELLS * this.cell;
    this.uniforms = {
      cell: { value: this.cell },
      color: { value: new THREE.Color() },
      strength: { value: 0.5 },
      offset: { value: new THREE.Vector2() },
    };
    const sheet = new THREE.PlaneGeometry(2 * this.radius, 2 * this.radius);
    this.grid = new THREE.Mesh(sheet, new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, transparent: true, depthWrite: false,
      side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    }));
    this.grid.renderOrder = -7;
    this.root.add(this.grid);
    if (solid) {
      this.floor = new THREE.Mesh(sheet, new THREE.MeshLambertMaterial({ alphaMap: fading(), transparent: true }));
      this.floor.receiveShadow = true;
      this.floor.renderOrder = -8;
      this.root.add(this.floor);
    }
  }

  // Through `at`, with `quat` from its axes to those of the world; z is its normal.
  place(at: Vec3, quat: Quat): void {
    this.at.set(...at);
    this.root.quaternion.set(quat[1], quat[2], quat[3], quat[0]);
    this.back.copy(this.root.quaternion).invert();
  }

  setDark(dark: boolean, space: boolean): void {
    this.uniforms.color.value.set(dark || space ? "#8fa3bf" : "#5b6b80");
    this.uniforms.strength.value = space ? 0.45 : dark ? 0.5 : 0.6;
    const color = this.color ?? (dark || space ? "#59636f" : "#e4e9ee");
    if (this.floor) (this.floor.material as THREE.MeshLambertMaterial).color.set(color);
  }

  showGrid(on: boolean): void {
    this.grid.visible = on;
  }

  // Under the camera's target, moved by whole cells; lines stay where they are in the world.
  follow(target: THREE.Vector3): void {
    const { cell, root, local } = this;
    local.copy(target).sub(this.at).applyQuaternion(this.back);
    const i = Math.round(local.x / cell);
    const j = Math.round(local.y / cell);
    local.set(i * cell, j * cell, 0).applyQuaternion(root.quaternion);
    root.position.copy(this.at).add(local);
    this.uniforms.offset.value.set(i % 10, j % 10);
  }
}
