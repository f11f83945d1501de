// Makes the 3-D view of one run, or of two laid over each other.
import type { Run } from "../run";
import type { View3D } from "./view";

export interface ViewOptions {
  dark?: boolean; // the theme to begin with
}

export function createView(_runs: Run[], _options: ViewOptions = {}): View3D {
  const element = document.createElement("div");
  return {
    element,
    show: () => undefined,
    resize: () => undefined,
    overlays: () => [],
    setOverlay: () => undefined,
    followable: () => [],
    follow: () => undefined,
    following: () => null,
    camera: () => undefined,
    setDark: () => undefined,
    pose: () => null,
    picture: () => "",
  };
}
