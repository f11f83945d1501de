// The data in the page, as the command writes it (src/picture/page; docs/viewer.md). SI units; rotations
// are quaternions w x y z that take the axes of the thing placed to those of what it is placed in.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

// The simple motions of which a joint is a chain (src/model/link_kind.h).
export type LinkKind = "fixed" | "revolute" | "prismatic" | "helical" | "spherical" | "free";

export interface LinkInfo {
  kind: LinkKind;
  axis?: Vec3; // in the frame after the links before it, of length 1
  pitch?: number; // helical [m/rad]
}

export interface JointInfo {
  name: string;
  type: string; // "universal"
  at: Vec3; // joint frame in the parent's body frame
  quat: Quat;
  links: LinkInfo[];
  child?: { at: Vec3; quat: Quat }; // after a capture: the body frame in the moved joint frame
  reversed?: boolean; // after a capture: all of this is written from the body to its parent
  limits?: [number | null, number | null][]; // of each velocity coordinate; null: none. Not given: none at all
  q: number[]; // for each coordinate the index of its signal; -1: not logged
}

export type ShapeKind = "box" | "sphere" | "ellipsoid" | "cylinder" | "capsule" | "mesh";

export interface ShapeInfo {
  kind: ShapeKind;
  // box: full edges; sphere: [radius]; ellipsoid: radii; cylinder and capsule: [radius, length], along z; mesh: scale
  size: number[];
  at: Vec3;
  quat: Quat;
  color: string; // "#rrggbb"
  opacity: number;
  guessed: boolean; // the model gave no shape: made from inertia, joints and frames
  mesh: number; // element freebody-R-mesh-N; -1: none
}

export interface FrameInfo {
  name: string;
  at: Vec3;
  quat: Quat;
}

export interface LoopInfo {
  name: string;
  type: string;
  a: string; // frames; of a gear the names of joints
  b: string | string[];
}

// What contacts touch, besides shapes of bodies: shapes that are fixed to the world, and planes.
export interface PlaneInfo {
  kind: "plane"; // through `at`, outwards along z
  body: number; // that carries it; -1: the world
  at: Vec3;
  quat: Quat;
  color?: string; // not given: that of the ground
}

export type SurfaceInfo = ShapeInfo | PlaneInfo;

export interface BodyInfo {
  name: string;
  parent: number; // index in bodies; -1: the world. Parents may come after their children.
  joint: JointInfo;
  mass: number;
  com: Vec3;
  ellipsoid: { at: Vec3; quat: Quat; radii: Vec3 }; // of equal mass and inertia, uniform density; radii 0: no mass
  shapes: ShapeInfo[];
  frames: FrameInfo[];
}

export interface SignalInfo {
  name: string; // "p.hand.x"
  unit: string; // "m"; "1" without unit
  axes: string; // "world", "joint", ""
  meaning: string;
}

export interface EventInfo {
  t: number;
  name: string;
  text: string; // what it did
}

export interface ViewInfo {
  gravity: Vec3; // world axes [m/s^2]
  background?: "space" | "plain"; // not given: space where something floats without gravity
  sun?: Vec3; // direction towards it, world axes
  ground?: number; // a level plane at this z [m]
  follow?: string; // a body or frame
  contacts?: string[]; // names, as in their signals
  trails?: string[]; // frames; not given: frames whose position is logged, else the last frame of each arm
}

export interface RunHeader {
  format: "freebody-page";
  version: 1;
  mode?: "pose"; // a model without a run: its signals are its coordinates, in order, and there are no samples
  name: string;
  folder: string; // of the run, without what is above it
  model: string; // its name
  freebody: string; // version of the program that ran it
  status: string; // "finished", "stopped", "interrupted", "failed", "running"
  integrator: string;
  duration: number; // that was asked for [s]
  file: string; // the scenario file, as it was named
  scenario: string; // its text
  overrides: string[]; // --set
  summary: Record<string, unknown> | null; // summary.json
  view: ViewInfo;
  bodies: BodyInfo[];
  loops?: LoopInfo[]; // missing where the model is a tree
  surfaces?: SurfaceInfo[]; // missing where contacts name none
  signals: SignalInfo[];
  events: EventInfo[];
  notes: string[]; // what could not be shown as the model has it
  samples: number;
  block: number; // samples a block; the last may hold fewer
  bucket: number; // samples a bucket of the pyramid
  live?: { path: string }; // samples come by WebSocket from this path; `samples` is 0
}

// Elements that the command puts into the page, for run R = 0 and, when several are compared, 1, 2 and so on:
//   freebody-R            application/json: a RunHeader
//   freebody-R-C          text/plain, lines of base64; column C = 0 is time, C = i + 1 signal i. Line 0: the pyramid
//                         (empty where the run fits into one block), then a line for each block.
//   freebody-R-mesh-N     text/plain: line 0 vertices (float32 x y z), line 1 triangles (uint32 a b c)
// A line of a column, undone: base64, zlib, byte planes (all least significant bytes first, ... the most significant
// last) to little-endian 64-bit words, each XORed with the word before it, float64. The pyramid's numbers: the least
// value of each bucket, then the greatest of each; NaN where a bucket has none. Lines of meshes are base64 of zlib.
//   freebody-sums         application/json, behind all others: { id: CRC-32 of the element's text, as 8 hex digits }
export const headerId = (run: number): string => `freebody-${run}`;
export const columnId = (run: number, column: number): string => `freebody-${run}-${column}`;
export const SUMS_ID = "freebody-sums";
export const meshId = (run: number, mesh: number): string => `freebody-${run}-mesh-${mesh}`;
