// Stars: points on a sphere around the camera, always the same ones. Most are faint, some have a tint, and many lie
// along a band as those of our galaxy do.
import * as THREE from "three";
import { randomFrom } from "./random";

const COUNT = 3200;
// Pole of the galactic band, in world axes; any will do.
export const GALAXY = new THREE.Vector3(0.45, 0.35, 0.82).normalize();

const TINTS = ["#ffffff", "#ffffff", "#cfe0ff", "#a9c4ff", "#fff0d8", "#ffd9b0"].map((c) => new THREE.Color(c));

// A direction, evenly spread or near the band.
function direction(random: () => number, banded: boolean): THREE.Vector3 {
  const z = 2 * random() - 1;
  const angle = 2 * Math.PI * random();
  const r = Math.sqrt(1 - z * z);
  const d = new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), z);
  if (!banded) return d;
  const height = d.dot(GALAXY);
  return d.addScaledVector(GALAXY, height * (0.25 * random() - 0.85)).normalize();
}

const VERTEX = `
attribute float size;
attribute vec3 tint;
varying vec3 vTint;
uniform float pixels;
void main() {
  vTint = tint;
  vec4 p = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
  gl_Position = p.xyww;
  gl_PointSize = size * pixels;
}`;

const FRAGMENT = `
varying vec3 vTint;
void main() {
  vec2 d = gl_PointCoord - 0.5;
  float glow = smoothstep(0.5, 0.0, length(d));
  gl_FragColor = vec4(vTint * glow * glow, glow);
  #include <colorspace_fragment>
}`;

export function makeStars(): THREE.Points {
  const random = randomFrom(20240229);
  const geometry = new THREE.BufferGeometry();
  const positions = new Float32Array(3 * COUNT);
  const tints = new Float32Array(3 * COUNT);
  const sizes = new Float32Array(COUNT);
  for (let i = 0; i < COUNT; i++) {
    direction(random, i % 5 < 2).toArray(positions, 3 * i);
    // Few are bright: each step of brightness has several times more stars than the one above it.
    const bright = Math.pow(random(), 6);
    const tint = TINTS[Math.floor(random() * TINTS.length)];
    const light = 0.3 + 0.7 * bright;
    tints.set([tint.r * light, tint.g * light, tint.b * light], 3 * i);
    sizes[i] = 1.9 + 3.4 * bright;
  }
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("tint", new THREE.BufferAttribute(tints, 3));
  geometry.setAttribute("size", new THREE.BufferAttribute(sizes, 1));
  const material = new THREE.ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { pixels: { value: 1 } }, transparent: true,
    depthWrite: false, blending: THREE.AdditiveBlending,
  });
  const stars = new THREE.Points(geometry, material);
  stars.frustumCulled = false;
  stars.renderOrder = -9;
  stars.onBeforeRender = (renderer) => {
    material.uniforms.pixels.value = renderer.getPixelRatio() * Math.max(1, renderer.domElement.height / 1400);
  };
  return stars;
}
