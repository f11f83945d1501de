// What is behind everything: a sphere around the camera, coloured by direction. In space nearly black with the faint
// band of a galaxy; on the ground a gradient from the horizon up and down, in the colours of the theme.
import * as THREE from "three";
import { GALAXY } from "./stars";

export interface SkyColors {
  up: string;
  horizon: string;
  down: string;
  band: string; // added along the galactic band
}

export const SPACE: SkyColors = { up: "#05070d", horizon: "#070a13", down: "#05070d", band: "#10162a" };
export const LIGHT: SkyColors = { up: "#dbe6f2", horizon: "#f7f9fb", down: "#e3e8ee", band: "#000000" };
export const DARK: SkyColors = { up: "#171c26", horizon: "#2b3342", down: "#1b202b", band: "#000000" };

const VERTEX = `
varying vec3 vDirection;
void main() {
  vDirection = position;
  vec4 p = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
  gl_Position = p.xyww;
}`;

const FRAGMENT = `
varying vec3 vDirection;
uniform vec3 up;
uniform vec3 horizon;
uniform vec3 down;
uniform vec3 band;
uniform vec3 galaxy;
void main() {
  vec3 d = normalize(vDirection);
  vec3 c = mix(horizon, d.z > 0.0 ? up : down, smoothstep(0.0, 0.6, abs(d.z)));
  float h = dot(d, galaxy);
  c += band * exp(-h * h * 9.0) * (0.6 + 0.4 * sin(5.0 * d.x + 3.0 * d.y));
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly uniforms = {
    up: { value: new THREE.Color() },
    horizon: { value: new THREE.Color() },
    down: { value: new THREE.Color() },
    band: { value: new THREE.Color() },
    galaxy: { value: GALAXY },
  };

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: THREE.BackSide,
      depthTest: false, depthWrite: false,
    });
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  set(colors: SkyColors): void {
    this.uniforms.up.value.set(colors.up);
    this.uniforms.horizon.value.set(colors.horizon);
    this.uniforms.down.value.set(colors.down);
    this.uniforms.band.value.set(colors.band);
  }
}
