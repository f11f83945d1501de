// What surrounds the robot: sky and stars or a plain backdrop, the sun with its shadows, a fill light, the ground.
import * as THREE from "three";
import type { PlaneInfo, Quat, Vec3, ViewInfo } from "../format";
import type { Kinematics } from "../motion/kinematics";
import { multiply } from "../motion/rotation";
import type { Run } from "../run";
import type { Extent } from "./extent";
import { Ground, cellFor } from "./ground";
import { setBackdropDark } from "./on_dark";
import { DARK, LIGHT, SPACE, Sky } from "./sky";
import { inSpace } from "./space";
import { makeStars } from "./stars";
import { isPlane, type Surfaces } from "./surfaces";
import { surroundings } from "./textures";

const SHADOW_SHAPES = 150; // with more, shadows cost too much
const SHADOW_REACH = 1e5; // sizes of the robot from the origin: farther out the card's digits do not suffice for them

export class World {
  readonly root = new THREE.Group();
  readonly space: boolean;
  readonly hasSurfaces: boolean;
  private readonly grounds: Ground[]; // the level, and planes that are touched
  private readonly planes: { ground: Ground; info: PlaneInfo }[];
  private readonly sky = new Sky();
  private readonly stars = makeStars();
  private readonly sun = new THREE.DirectionalLight("#fff6e8", 3);
  private readonly fill = new THREE.HemisphereLight();
  readonly toSun: THREE.Vector3; // of length 1
  private readonly size: number;
  private environment: THREE.Texture | null = null;
  shadows = false; // small robots cast them

  constructor({ header }: Run, extent: Extent, private readonly surfaces: Surfaces) {
    const { view, bodies } = header;
    this.space = inSpace(view, bodies);
    this.size = extent.size;
    this.toSun = new THREE.Vector3(...(view.sun ?? (this.space ? [0.4, -0.85, 0.62] : [0.45, -0.5, 0.95])));
    if (!(this.toSun.length() > 0)) this.toSun.set(0, 0, 1);
    this.toSun.normalize();
    this.planes = (header.surfaces ?? []).filter(isPlane)
      .map((info) => ({ ground: new Ground(this.size, true, info.color), info }));
    for (const { ground, info } of this.planes) ground.place(info.at, info.quat);
    this.hasSurfaces = (header.surfaces?.length ?? 0) > 0;
    this.grounds = this.planes.map(({ ground }) => ground);
    if (view.ground !== undefined || !this.planes.some(({ info }) => info.body < 0)) {
      const level = new Ground(this.size, view.ground !== undefined);
      level.place([0, 0, levelOf(view, extent, this.space)], [1, 0, 0, 0]);
      this.grounds.push(level);
    }
    this.stars.visible = this.space;
    this.root.add(this.sky.mesh, this.stars, this.sun, this.sun.target, this.fill, surfaces.root);
    for (const ground of this.grounds) this.root.add(ground.root);
    this.setDark(false);
  }

  setDark(dark: boolean): void {
    this.sky.set(this.space ? SPACE : dark ? DARK : LIGHT);
    for (const ground of this.grounds) ground.setDark(dark, this.space);
    setBackdropDark(dark || this.space);
    this.sun.intensity = this.space ? 3.6 : 2.4;
    if (this.space) {
      this.fill.color.set("#8094b8");
      this.fill.groundColor.set("#3d5f96");
      this.fill.intensity = 0.55;
    } else {
      this.fill.color.set(dark ? "#b8c6dd" : "#ffffff");
      this.fill.groundColor.set(dark ? "#3b424e" : "#a7aab0");
      this.fill.intensity = dark ? 0.8 : 1.1;
    }
  }

  get groundRadius(): number {
    return this.grounds[0].radius;
  }

  showGrid(on: boolean): void {
    for (const ground of this.grounds) ground.showGrid(on);
  }

  showSurfaces(on: boolean): void {
    this.surfaces.root.visible = on;
    for (const { ground } of this.planes) ground.root.visible = on;
  }

  showStars(on: boolean): void {
    this.stars.visible = on && this.space;
  }

  // Reflections and shadows need the renderer.
  prepare(renderer: THREE.WebGLRenderer, scene: THREE.Scene, shapes: number): void {
    const maker = new THREE.PMREMGenerator(renderer);
    const picture = surroundings(this.toSun, this.space);
    this.environment?.dispose();
    this.environment = maker.fromEquirectangular(picture).texture;
    scene.environment = this.environment;
    scene.environmentIntensity = this.space ? 1.1 : 0.6;
    picture.dispose();
    maker.dispose();
    if (shapes > SHADOW_SHAPES) return;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.shadows = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.004 * this.size;
    const half = this.size * 0.75;
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -half;
    camera.right = camera.top = half;
    camera.near = 0.1 * this.size;
    camera.far = 6 * this.size;
  }

  // Where the light falls and the ground lies, for this view.
  update(middle: THREE.Vector3, target: THREE.Vector3, motion: Kinematics): void {
    this.sun.castShadow = this.shadows && middle.length() < SHADOW_REACH * this.size;
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(this.toSun, 3 * this.size);
    for (const { ground, info } of this.planes) if (info.body >= 0) carry(ground, info, motion);
    for (const ground of this.grounds) ground.follow(target);
  }
}

// Puts a plane where the body that carries it is.
function carry(ground: Ground, { body, at, quat }: PlaneInfo, motion: Kinematics): void {
  const p: Vec3 = [0, 0, 0];
  const turned: Quat = [0, 0, 0, 0];
  motion.point(body, at, p);
  multiply(turned, 0, motion.quat, 4 * body, quat, 0);
  ground.place(p, turned);
}

// Height of the grid: the ground; or z = 0, or under what hangs below it where there is weight.
function levelOf(view: ViewInfo, extent: Extent, space: boolean): number {
  if (view.ground !== undefined) return view.ground;
  const low = extent.all.isEmpty() ? 0 : extent.all.min.z;
  if (space || low > -0.02 * extent.size) return 0;
  const cell = cellFor(extent.size);
  return Math.floor(low / cell) * cell;
}
