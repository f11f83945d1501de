// How large things are: the box that the moving bodies fill over a run, and the box of everything. The camera, arrows
// and marks are sized by them.
import * as THREE from "three";
import type { BodyInfo } from "../format";
import { RoughCoordinates } from "../motion/rough";
import type { Actor } from "./actor";
import { LONG_RUN } from "./trails";

const LOOKS = 48; // samples looked at, spread over the run
const FAR = 6; // a box so many times larger than the robot is beyond reason to look at
const LARGE = 5; // what is fixed to the world and so many times larger is scenery

export interface Extent {
  size: number; // of the robot as it stands [m]
  home: THREE.Box3; // the robot as it stands first
  fit: THREE.Box3; // what the camera should see
  points: Float64Array; // x y z of corners in it, which the picture must hold
  homePoints: Float64Array; // the same of the robot as it stands first
  all: THREE.Box3; // everything, scenery included
  roams: boolean; // it goes farther than one view can show
}

// Bodies that never move: fixed joints all the way to the world.
export function standing(bodies: readonly BodyInfo[]): boolean[] {
  const known = new Map<number, boolean>([[-1, true]]);
  return bodies.map((_, i) => {
    const path: number[] = [];
    let k = i;
    while (!known.has(k) && bodies[k].joint.type === "fixed" && path.length <= bodies.length) {
      path.push(k);
      k = bodies[k].parent;
    }
    const result = known.get(k) ?? false;
    for (const j of path) known.set(j, result);
    return result;
  });
}

const corner = new THREE.Vector3();
const spread = new THREE.Vector3();
const point = new Float64Array(3);

// A box with the points that made it.
class Cloud {
  readonly box = new THREE.Box3();
  readonly points: number[] = [];

  add(): void {
    if (!Number.isFinite(point[0] + point[1] + point[2])) return;
    this.box.expandByPoint(corner.set(point[0], point[1], point[2]));
    this.points.push(point[0], point[1], point[2]);
  }

  join(other: Cloud): void {
    this.box.union(other.box);
    for (const x of other.points) this.points.push(x);
  }

  get length(): number {
    return this.box.isEmpty() ? 0 : this.box.getSize(spread).length();
  }
}

// The boxes of what moves and of what stands, as the kinematics has them now; origins and frames count too.
function addBodies(actor: Actor, still: boolean[], moving: Cloud, scenery: Cloud): void {
  const { motion, robot } = actor;
  motion.bodies.forEach((body, i) => {
    const cloud = still[i] ? scenery : moving;
    for (const { min, max } of robot.boxes[i]) {
      for (let k = 0; k < 8; k++) {
        motion.point(i, [k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z], point);
        cloud.add();
      }
    }
    motion.point(i, [0, 0, 0], point);
    cloud.add();
    for (const frame of body.frames) {
      motion.point(i, frame.at, point);
      cloud.add();
    }
  });
}

// `around`: boxes of ground and terrain, which the camera need not see whole.
export function extentOf(actors: readonly Actor[], around: readonly THREE.Box3[]): Extent {
  const moving = new Cloud();
  const scenery = new Cloud();
  const first = new Cloud();
  const nowhere = new Cloud();
  actors.forEach((actor) => {
    const { run, motion, coordinates } = actor;
    const still = standing(motion.bodies);
    const samples = run.samples;
    const rough = samples > LONG_RUN && !run.header.live ? new RoughCoordinates(run, motion, LOOKS) : null;
    const looks = rough?.count ?? Math.max(1, Math.min(samples, LOOKS));
    for (let k = 0; k < looks; k++) {
      const sample = Math.round((k * (samples - 1)) / Math.max(1, looks - 1));
      if (samples > 0) motion.update(rough && k > 0 ? rough.at(k) : coordinates.sample(sample));
      if (k === 0) addBodies(actor, still, first, nowhere);
      addBodies(actor, still, moving, k === 0 ? scenery : nowhere);
    }
  });
  const all = moving.box.clone().union(scenery.box);
  for (const box of around) all.union(box);
  // What stands counts as part of the robot unless it is scenery.
  if (scenery.length < LARGE * first.length || moving.length === 0) {
    first.join(scenery);
    moving.join(scenery);
  }
  const size = first.length || 1;
  const roams = moving.length > FAR * size;
  const seen = roams ? first : moving;
  const [points, homePoints] = [seen, first].map((cloud) => Float64Array.from(cloud.points));
  return { size, home: first.box, fit: seen.box, points, homePoints, all, roams };
}
