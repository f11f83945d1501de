// Stands in for the 3-D view where there is none: plots and tables work without.
import type { View3D } from "../scene/view";
import { el } from "./dom";

export function noView(why: string): View3D {
  const element = el("div", { class: "no-view" },
    el("p", {}, "The 3-D view cannot be shown in this browser."), el("p", { class: "muted" }, why));
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
    zoom: () => undefined,
    setDark: () => undefined,
    pose: () => null,
    poseOf: () => null,
    jointOf: () => [],
    hide: () => undefined,
    isHidden: () => false,
    select: () => undefined,
    onPick: () => undefined,
    trails: () => [],
    setTrail: () => undefined,
    setTrailSpan: () => undefined,
    sun: [0, 0, 1],
    base: -1,
    coordinatesChanged: () => undefined,
    size: 1,
    picture: () => "",
  };
}
