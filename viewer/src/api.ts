// What the page offers to scripts, as window.freebody: tests, and the command when it makes pictures.
import type { Quat, Vec3 } from "./format";

export interface Api {
  ready: Promise<void>; // drawn for the first time
  time(): number;
  seek(t: number): void; // returns when it is drawn
  play(on: boolean): void;
  playing(): boolean;
  range(): [number, number]; // first and last time
  pose(name: string, run?: number): { p: Vec3; quat: Quat } | null;
  value(signal: string, t: number, run?: number): number; // of the sample at or before t
  picture(t: number, width: number, height: number): string; // PNG data URL of the 3-D view
  // Settings for pictures and tests: overlays, camera, follow, theme, plotted signals.
  set(options: Record<string, unknown>): void;
  stepTime(): number; // script time of the last seek [ms]
}

declare global {
  interface Window {
    freebody?: Api;
  }
}
