// What the page wants of the 3-D view.
import type { Quat, Vec3 } from "../format";
import type { TrailSpan } from "./trails";

export type Overlay =
  | "frames" | "names" | "com" | "momentum" | "ellipsoids" | "forces" | "torques" | "reactions"
  | "contacts" | "surfaces"
  | "trails" | "grid" | "stars" | "ghost" | "attitude" | "sun";

export type CameraPlace = "fit" | "iso" | "x" | "y" | "z";

export interface View3D {
  readonly element: HTMLElement; // holds the canvas; fills its parent
  // Poses everything as it is at t and draws. Synchronous; script time counts.
  show(t: number): void;
  resize(): void;
  overlays(): { name: Overlay; label: string; on: boolean; available: boolean }[];
  setOverlay(name: Overlay, on: boolean): void;
  followable(): string[]; // bodies and frames
  follow(name: string | null): void;
  following(): string | null;
  camera(place: CameraPlace): void;
  zoom(closer: number): void; // so many times closer than what fits
  setDark(dark: boolean, colors: readonly string[]): void; // the theme, and the colours that runs have in it
  // Where a body or frame of a run is in what is shown now, in the world.
  pose(run: number, name: string): { p: Vec3; quat: Quat } | null;
  poseOf(body: number): { p: Vec3; quat: Quat } | null; // of a body of the first run, by its number
  jointOf(body: number): number[]; // the coordinates of its joint
  // In the first run; the same body of other runs goes with it.
  hide(body: number, hidden: boolean): void;
  isHidden(body: number): boolean;
  select(body: number): void; // frames it; -1: none
  onPick(picked: (body: number) => void): void; // it was clicked; -1: nothing was
  trails(): readonly string[]; // bodies and frames whose way is drawn
  setTrail(name: string, on: boolean): void;
  setTrailSpan(span: TrailSpan): void;
  readonly size: number; // of the robot [m]
  readonly sun: Vec3; // towards it, in the world
  readonly base: number; // the body whose attitude is told; -1: none
  coordinatesChanged(): void; // of a model whose joints are moved by hand
  // The picture as a PNG data URL, drawn at this size in pixels, with nothing but the scene in it.
  picture(t: number, width: number, height: number): string;
}
