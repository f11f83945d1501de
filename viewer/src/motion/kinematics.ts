// Where bodies and frames are for given coordinates q. In world axes, for a body b on its parent a with the joint frame
// j placed in a:  q_wb = q_wa q_aj q_jb(q),  p_wb = p_wa + R_wa (p_aj + R_aj p_jb(q)).
// The motion q_jb, p_jb of a joint is that of its links, one after the other. One pass, parents first; double precision
// throughout, for the card draws in single. A capture may have left a place o of the body frame after that motion, and
// joints that are written from the body to its parent: then T_ab is T_aj T_jb(q) T_o, or its inverse.
// A body whose joint was parted during the run has no coordinates from then on (NaN): it is placed by its own pose in
// the world, seven numbers behind those of q.
import type { BodyInfo, JointInfo, LinkInfo, LinkKind, Quat, Vec3 } from "../format";
import { multiply, normalise, place, turn } from "./rotation";

const COUNT: Record<LinkKind, number> = { fixed: 0, revolute: 1, prismatic: 1, helical: 1, spherical: 4, free: 7 };
// Where the quaternion begins among a link's coordinates.
const QUATERNION: Partial<Record<LinkKind, number>> = { spherical: 0, free: 3 };
const ORIGIN: Vec3 = [0, 0, 0];
const UPRIGHT: Quat = [1, 0, 0, 0];
const UP: Vec3 = [0, 0, 1];

// A body, or a frame on it: frame -1 is the body's own.
export interface Place {
  body: number;
  frame: number;
}

// Bodies with their parents before them. One whose parents lead nowhere is left out, and stays at the origin.
function parentsFirst(bodies: readonly BodyInfo[]): Int32Array {
  const children: number[][] = bodies.map(() => []);
  const order: number[] = [];
  bodies.forEach((body, i) => (body.parent < 0 ? order : children[body.parent] ?? []).push(i));
  for (let next = 0; next < order.length; next++) for (const child of children[order[next]]) order.push(child);
  return Int32Array.from(order);
}

export class Kinematics {
  readonly nq: number;
  readonly room: number; // of q with the poses of bodies that may part behind it
  readonly first: Int32Array; // of each body, where its coordinates begin in q
  readonly quaternions: Int32Array; // where quaternions begin in q
  readonly p: Float64Array; // [3n] origins of the bodies in the world
  readonly quat: Float64Array; // [4n] body axes to world axes
  private readonly order: Int32Array;
  private readonly pose7: Int32Array; // of each body, where its own pose begins in q; -1: it has none
  private readonly places = new Map<string, Place>();
  private readonly turned = new Float64Array(4); // q_jb
  private readonly next = new Float64Array(4);
  private readonly moved = new Float64Array(3); // p_jb
  private readonly step = new Float64Array(3);
  private readonly jointQuat = new Float64Array(4); // q_wj
  private readonly jointP = new Float64Array(3);

  // `parting`: bodies whose poses in the world are logged.
  constructor(readonly bodies: readonly BodyInfo[], readonly parting: readonly number[] = []) {
    this.order = parentsFirst(bodies);
    this.first = new Int32Array(bodies.length);
    this.p = new Float64Array(3 * bodies.length);
    this.quat = new Float64Array(4 * bodies.length);
    const quaternions: number[] = [];
    let nq = 0;
    bodies.forEach((body, i) => {
      this.first[i] = nq;
      this.quat[4 * i] = 1;
      for (const { kind } of body.joint.links) {
        const at = QUATERNION[kind];
        if (at !== undefined) quaternions.push(nq + at);
        nq += COUNT[kind];
      }
      this.places.set(body.name, { body: i, frame: -1 });
    });
    bodies.forEach((body, i) => body.frames.forEach((f, k) => this.places.set(f.name, { body: i, frame: k })));
    this.nq = nq;
    this.room = nq + 7 * parting.length;
    this.pose7 = new Int32Array(bodies.length).fill(-1);
    parting.forEach((i, k) => {
      this.pose7[i] = nq + 7 * k;
      quaternions.push(nq + 7 * k + 3);
    });
    this.quaternions = Int32Array.from(quaternions);
  }

  find(name: string): Place | null {
    return this.places.get(name) ?? null;
  }

  names(): string[] {
    return [...this.places.keys()];
  }

  update(q: Float64Array): void {
    const { p, quat, jointP, jointQuat } = this;
    for (let k = 0; k < this.order.length; k++) {
      const i = this.order[k];
      const { parent, joint } = this.bodies[i];
      if (this.hasParted(i, q)) {
        this.takePose(i, q);
        continue;
      }
      const op = parent < 0 ? 0 : 3 * parent;
      const oq = parent < 0 ? 0 : 4 * parent;
      const parentP = parent < 0 ? ORIGIN : p;
      const parentQuat = parent < 0 ? UPRIGHT : quat;
      this.move(i, q);
      if (joint.child || joint.reversed) {
        this.captured(joint);
        place(p, 3 * i, parentP, op, parentQuat, oq, this.moved, 0);
        multiply(quat, 4 * i, parentQuat, oq, this.turned, 0);
        normalise(quat, 4 * i);
        continue;
      }
      place(jointP, 0, parentP, op, parentQuat, oq, joint.at, 0);
      multiply(jointQuat, 0, parentQuat, oq, joint.quat, 0);
      place(p, 3 * i, jointP, 0, jointQuat, 0, this.moved, 0);
      multiply(quat, 4 * i, jointQuat, 0, this.turned, 0);
      normalise(quat, 4 * i);
    }
  }

  // From the motion of a joint that a capture left to the pose of the body in its parent, in moved and turned. The
  // coordinates of a reversed attitude are those of the inverse motion.
  private captured(joint: JointInfo): void {
    const { jointP, jointQuat, moved, turned } = this;
    if (joint.reversed && joint.links.some(({ kind }) => QUATERNION[kind] !== undefined)) this.invert();
    place(jointP, 0, joint.at, 0, joint.quat, 0, moved, 0);
    multiply(jointQuat, 0, joint.quat, 0, turned, 0);
    place(moved, 0, jointP, 0, jointQuat, 0, joint.child?.at ?? ORIGIN, 0);
    multiply(turned, 0, jointQuat, 0, joint.child?.quat ?? UPRIGHT, 0);
    if (joint.reversed) this.invert();
  }

  private invert(): void {
    const { moved, turned } = this;
    for (let j = 1; j < 4; j++) turned[j] = -turned[j];
    for (let j = 0; j < 3; j++) this.step[j] = -moved[j];
    place(moved, 0, ORIGIN, 0, turned, 0, this.step, 0);
  }

  // Whether body i is to be placed by its own pose: its coordinates have gone, or it never had any.
  hasParted(i: number, q: Float64Array): boolean {
    const end = i + 1 < this.bodies.length ? this.first[i + 1] : this.nq;
    return this.pose7[i] >= 0 && (end === this.first[i] || !Number.isFinite(q[this.first[i]]));
  }

  private takePose(i: number, q: Float64Array): void {
    const at = this.pose7[i];
    for (let j = 0; j < 3; j++) this.p[3 * i + j] = q[at + j];
    for (let j = 0; j < 4; j++) this.quat[4 * i + j] = q[at + 3 + j];
    normalise(this.quat, 4 * i);
  }

  // The motion of body i in its joint frame.
  private move(i: number, q: Float64Array): void {
    let at = this.first[i];
    this.turned.set(UPRIGHT);
    this.moved.fill(0);
    for (const link of this.bodies[i].joint.links) {
      this.moveLink(link, q, at);
      at += COUNT[link.kind];
    }
  }

  // By one link more, whose coordinates begin at q[a].
  private moveLink(link: LinkInfo, q: Float64Array, a: number): void {
    const axis = link.axis ?? UP;
    switch (link.kind) {
      case "fixed":
        break;
      case "revolute":
        this.turn(axis, q[a]);
        break;
      case "prismatic":
        this.slide(axis, q[a]);
        break;
      case "helical":
        this.slide(axis, (link.pitch ?? 0) * q[a]);
        this.turn(axis, q[a]);
        break;
      case "spherical":
        this.take(q, a);
        break;
      case "free":
        place(this.moved, 0, this.moved, 0, this.turned, 0, q, a);
        this.take(q, a + 3);
        break;
    }
  }

  private turn(axis: Vec3, angle: number): void {
    turn(this.next, 0, axis, 0, angle);
    multiply(this.turned, 0, this.turned, 0, this.next, 0);
  }

  private slide(axis: Vec3, distance: number): void {
    for (let j = 0; j < 3; j++) this.step[j] = axis[j] * distance;
    place(this.moved, 0, this.moved, 0, this.turned, 0, this.step, 0);
  }

  private take(q: Float64Array, at: number): void {
    for (let j = 0; j < 4; j++) this.next[j] = q[at + j];
    normalise(this.next, 0);
    multiply(this.turned, 0, this.turned, 0, this.next, 0);
  }

  // Origin and axes of a body or frame in the world.
  pose(at: Place, p: Float64Array | number[], quat: Float64Array | number[]): void {
    const frame = at.frame < 0 ? null : this.bodies[at.body].frames[at.frame];
    place(p, 0, this.p, 3 * at.body, this.quat, 4 * at.body, frame ? frame.at : ORIGIN, 0);
    multiply(quat, 0, this.quat, 4 * at.body, frame ? frame.quat : UPRIGHT, 0);
    normalise(quat, 0);
  }

  // A point of body i in the world.
  point(i: number, at: Vec3, out: Float64Array | number[], o = 0): void {
    place(out, o, this.p, 3 * i, this.quat, 4 * i, at, 0);
  }

  // The origin of the joint frame of body i in the world.
  joint(i: number, out: Float64Array | number[]): void {
    const { parent, joint } = this.bodies[i];
    if (parent < 0) for (let k = 0; k < 3; k++) out[k] = joint.at[k];
    else this.point(parent, joint.at, out);
  }

  // Centre of mass of everything, bodies fixed to the world included; false without mass.
  centreOfMass(out: Float64Array): boolean {
    let mass = 0;
    let x = 0, y = 0, z = 0;
    for (let i = 0; i < this.bodies.length; i++) {
      const body = this.bodies[i];
      if (!(body.mass > 0)) continue;
      this.point(i, body.com, out);
      mass += body.mass;
      x += body.mass * out[0];
      y += body.mass * out[1];
      z += body.mass * out[2];
    }
    out[0] = x / mass;
    out[1] = y / mass;
    out[2] = z / mass;
    return mass > 0;
  }
}
