// How large things are: the box that the moving bodies fill over a run, and the box of everything. The camera, arrows and
// marks are sized by them.
import * as THREE from "three";
import type { BodyInfo } from "../format";
import type { Actor } from "./actor";

const LOOKS = 48; // samples looked at, spread over the run
const LONG = 20000; // in a run of more samples each look unpacks a block, so there are few
const LONG_LOOKS = 8;
const FAR = 6; // a box so many times larger than the robot is beyond reason to look at
const LARGE = 5; // what is fixed to the world and so many times larger is scenery

export interface Extent {
  size: number; // of the robot as it stands [m]
  fit: THREE.Box3; // what the camera should see
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

const centre = new THREE.Vector3();
const spread = new THREE.Vector3();
const point = new Float64Array(3);

function addBall(box: THREE.Box3, x: number, y: number, z: number, r: number): void {
  if (!Number.isFinite(x + y + z + r)) return;
  box.expandByPoint(centre.set(x - r, y - r, z - r));
  box.expandByPoint(centre.set(x + r, y + r, z + r));
}

// The boxes of what moves and of what stands, as the kinematics has them now; centres and frames count too.
function addBodies(actor: Actor, still: boolean[], moving: THREE.Box3, scenery: THREE.Box3): void {
  const { motion, robot } = actor;
  motion.bodies.forEach((body, i) => {
    const box = still[i] ? scenery : moving;
    const balls = robot.balls[i];
    for (let k = 0; k < balls.length; k += 4) {
      motion.point(i, [balls[k], balls[k + 1], balls[k + 2]], point);
      addBall(box, point[0], point[1], point[2], balls[k + 3]);
    }
    addBall(box, motion.p[3 * i], motion.p[3 * i + 1], motion.p[3 * i + 2], 0);
    for (const frame of body.frames) {
      motion.point(i, frame.at, point);
      addBall(box, point[0], point[1], point[2], 0);
    }
  });
}

const length = (box: THREE.Box3): number => (box.isEmpty() ? 0 : box.getSize(spread).length());

export function extentOf(actors: readonly Actor[]): Extent {
  const moving = new THREE.Box3();
  const scenery = new THREE.Box3();
  const first = new THREE.Box3();
  actors.forEach((actor, n) => {
    const { run, motion, coordinates } = actor;
    const still = standing(motion.bodies);
    const samples = run.samples;
    const looks = Math.max(1, Math.min(samples, samples > LONG ? LONG_LOOKS : LOOKS));
    for (let k = 0; k < looks; k++) {
      if (samples > 0) motion.update(coordinates.sample(Math.round((k * (samples - 1)) / Math.max(1, looks - 1))));
      if (k === 0 && n === 0) addBodies(actor, still, first, scenery);
      addBodies(actor, still, moving, scenery);
    }
  });
  const all = moving.clone().union(scenery);
  if (first.isEmpty()) first.copy(all);
  // What stands counts as part of the robot unless it is scenery.
  if (length(scenery) < LARGE * length(moving) || moving.isEmpty()) {
    first.union(scenery);
    moving.union(scenery);
  }
  const size = length(first) || length(all) || 1;
  const roams = length(moving) > FAR * size;
  return { size, fit: roams ? first : moving, all: all.isEmpty() ? first : all, roams };
}
