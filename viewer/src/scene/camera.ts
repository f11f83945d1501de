// The camera: orbits around a target with z up, fits what there is to see, stands where asked, and goes along with a
// body or frame. Near and far planes follow its distance, so that a robot of a centimetre and one of ten kilometres
// both work.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { CameraPlace } from "./view";
import type { Extent } from "./extent";

const FIELD = 38; // vertical field of view [deg]
const TURN = Math.PI / 24; // a press of a key
const ZOOM = 1.15;
const MARGIN = 1.12; // room around what is fitted

const DIRECTIONS: Record<Exclude<CameraPlace, "fit">, [number, number, number]> = {
  iso: [1, -1.25, 0.75],
  x: [1, 0, 0],
  y: [0, 1, 0],
  z: [0, -1e-4, 1],
};

// Coordinates of points along an axis.
function along(points: Float64Array, axis: THREE.Vector3, middle: THREE.Vector3): Float64Array {
  const result = new Float64Array(points.length / 3);
  for (let k = 0; k < result.length; k++) {
    const [x, y, z] = [points[3 * k] - middle.x, points[3 * k + 1] - middle.y, points[3 * k + 2] - middle.z];
    result[k] = x * axis.x + y * axis.y + z * axis.z;
  }
  return result;
}

// Where to aim so that points at x, z are as far from the one edge of the picture as from the other; by halving.
function balance(x: Float64Array, z: Float64Array, distance: number, size: number): number {
  let low = -4 * size;
  let high = 4 * size;
  for (let step = 0; step < 24; step++) {
    const aim = (low + high) / 2;
    let most = -Infinity;
    let least = Infinity;
    for (let k = 0; k < x.length; k++) {
      const tangent = (x[k] - aim) / (distance - z[k]);
      if (tangent > most) most = tangent;
      if (tangent < least) least = tangent;
    }
    if (most + least > 0) low = aim;
    else high = aim;
  }
  return (low + high) / 2;
}

export class CameraRig {
  readonly camera = new THREE.PerspectiveCamera(FIELD, 1, 0.1, 1000);
  readonly controls: OrbitControls;
  private readonly offset = new THREE.Vector3();
  private readonly spherical = new THREE.Spherical();
  private readonly followed = new THREE.Vector3();
  private follows = false;
  private taken: () => void = () => undefined;

  constructor(canvas: HTMLElement, private readonly reach: number, size: number, calm: boolean) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !calm;
    this.controls.dampingFactor = 0.14;
    this.controls.minDistance = 0.03 * size;
    this.controls.maxDistance = Math.max(60 * size, 3 * reach);
    this.controls.zoomSpeed = 1.2;
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  // Arrow keys turn, plus and minus zoom; other keys belong to the page.
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case "ArrowLeft":
        this.turn(-TURN, 0, 1);
        break;
      case "ArrowRight":
        this.turn(TURN, 0, 1);
        break;
      case "ArrowUp":
        this.turn(0, -TURN, 1);
        break;
      case "ArrowDown":
        this.turn(0, TURN, 1);
        break;
      case "+":
      case "=":
        this.turn(0, 0, 1 / ZOOM);
        break;
      case "-":
        this.turn(0, 0, ZOOM);
        break;
      default:
        return;
    }
    this.taken();
    event.preventDefault();
    event.stopPropagation();
  }

  // Tells when the user has taken the camera.
  onHand(taken: () => void): void {
    this.taken = taken;
    this.controls.addEventListener("start", taken);
  }

  // Around the target; the polar axis is z.
  private turn(around: number, down: number, zoom: number): void {
    const { offset, spherical } = this;
    const { target, minDistance, maxDistance } = this.controls;
    offset.copy(this.camera.position).sub(target);
    // Spherical's axis is y, so the vector goes in turned.
    spherical.setFromCartesianCoords(offset.y, offset.z, offset.x);
    spherical.theta += around;
    spherical.phi += down;
    spherical.makeSafe();
    spherical.radius = Math.min(Math.max(spherical.radius * zoom, minDistance), maxDistance);
    offset.setFromSpherical(spherical);
    this.camera.position.set(target.x + offset.z, target.y + offset.x, target.z + offset.y);
    this.controls.update();
  }

  // Looks at a box from a direction; "fit" keeps the one it has. `steady`: straight at the middle.
  look(place: CameraPlace, extent: Extent, middle: THREE.Vector3, steady: boolean, closer: number): void {
    const { target } = this.controls;
    if (place === "fit") this.offset.copy(this.camera.position).sub(target);
    else this.offset.set(...DIRECTIONS[place]);
    if (!(this.offset.lengthSq() > 0)) this.offset.set(...DIRECTIONS.iso);
    this.offset.normalize();
    const aim = target.copy(middle);
    const distance = this.frame(this.offset, extent, steady ? aim.clone() : aim) / closer;
    this.camera.position.copy(target).addScaledVector(this.offset, distance);
    this.controls.update();
  }

  // How far to stand, seen from a direction, so that all points are just in the picture; moves the target sideways to
  // where they leave the same margin on both sides. In the camera's axes (x right, y up, z towards it) a point is in a
  // picture of width tangent w at distance D, aimed at c, when |x - c| <= w (D - z); so
  // D >= (max(x + w z) - min(x - w z)) / 2 w.
  private frame(towards: THREE.Vector3, extent: Extent, target: THREE.Vector3): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new THREE.Vector3().crossVectors(towards, right);
    const middle = extent.fit.getCenter(new THREE.Vector3());
    const high = Math.tan((FIELD * Math.PI) / 360) / MARGIN;
    const depths = along(extent.points, towards, middle);
    const sides = [
      { axis: right, w: high * this.camera.aspect, x: along(extent.points, right, middle) },
      { axis: up, w: high, x: along(extent.points, up, middle) },
    ];
    let distance = 0.6 * extent.size;
    for (const { w, x } of sides) {
      let most = -Infinity;
      let least = Infinity;
      for (let k = 0; k < x.length; k++) {
        most = Math.max(most, x[k] + w * depths[k]);
        least = Math.min(least, x[k] - w * depths[k]);
      }
      if (most > least) distance = Math.max(distance, (most - least) / (2 * w));
    }
    for (const { axis, x } of sides) target.addScaledVector(axis, balance(x, depths, distance, extent.size));
    return distance;
  }

  // Looks at a point, and from now on keeps its place relative to it as it moves; null: it stays.
  follow(at: ArrayLike<number> | null): void {
    this.follows = at !== null && Number.isFinite(at[0] + at[1] + at[2]);
    if (!at || !this.follows) return;
    this.followed.set(at[0], at[1], at[2]);
    this.camera.position.add(this.offset.copy(this.followed).sub(this.controls.target));
    this.controls.target.copy(this.followed);
  }

  // Moves along to where the point is now.
  along(at: ArrayLike<number>): void {
    if (!Number.isFinite(at[0] + at[1] + at[2])) return;
    if (!this.follows) {
      this.follow(at);
      return;
    }
    this.offset.set(at[0], at[1], at[2]).sub(this.followed);
    this.followed.add(this.offset);
    this.camera.position.add(this.offset);
    this.controls.target.add(this.offset);
  }

  setAspect(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  // Planes for what lies around, before drawing.
  update(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = 0.02 * distance;
    this.camera.far = 4 * distance + 2 * this.reach;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }
}
