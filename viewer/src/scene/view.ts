// What the page wants of the 3-D view.
import type { Quat, Vec3 } from "../format";

export type Overlay =
  | "frames" | "names" | "com" | "momentum" | "ellipsoids" | "forces" | "torques"
  | "trails" | "grid" | "stars" | "ghost";

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
  setDark(dark: boolean): void;
  // Where a body or frame of a run is in what is shown now, in the world.
  pose(run: number, name: string): { p: Vec3; quat: Quat } | null;
  // The picture as a PNG data URL, drawn at this size in pixels, with nothing but the scene in it.
  picture(t: number, width: number, height: number): string;
}
