// What the parts of the page share.
import type { Player } from "../player";
import type { Run } from "../run";
import type { View3D } from "../scene/view";
import { el } from "./dom";
import { runColor } from "./line_style";
import type { Selection } from "./selection";
import { shorten } from "../text";

export interface Context {
  readonly runs: Run[];
  readonly player: Player;
  readonly view: View3D;
  readonly selection: Selection;
}

// One of the tabs beside the 3-D view.
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly element: HTMLElement;
  show?(): void; // it is seen from now on
  hide?(): void;
  update?(): void; // another time is shown; only called while it is seen
  grew?(): void; // more samples or events; also while it is not seen
  print?(): void; // it will be printed, seen or not
}

const ROUNDING = 1e-9; // relative: two runs that end together may differ by so much

// The sample of a run at or before a time; -1 after its end, for it tells nothing of what came then.
export function sampleAt(run: Run, t: number): number {
  const i = run.indexAt(t);
  return i === run.samples - 1 && t > run.time.at(i) + ROUNDING * Math.max(1, Math.abs(t)) ? -1 : i;
}

export const runName = (run: Run): string => run.header.name || run.header.model || "run";

// The colour by which runs are told apart.
export function runKey(run: Run): HTMLElement {
  const key = el("span", { class: "key", title: shorten(runName(run), 200) });
  key.style.setProperty("--run", runColor(run.index));
  return key;
}

export const runTitle = (run: Run): HTMLElement =>
  el("h3", { class: "run-title" }, runKey(run), shorten(runName(run), 200));
