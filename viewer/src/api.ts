// What the page offers to scripts, as window.freebody: tests, and the command when it makes pictures.
import type { Quat, Vec3 } from "./format";
import type { CameraPlace, Overlay } from "./scene/view";
import type { App } from "./ui/app";
import { setDegrees } from "./ui/angles";
import { setTheme } from "./ui/theme";

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
  // Settings for pictures and tests; what is not known is passed over.
  //   overlays {name: true|false}, camera "fit"|"iso"|"x"|"y"|"z", zoom (times closer than what fits),
  //   follow name|null, theme "light"|"dark"|"auto",
  //   plot [for each panel a name, an expression, a list of them, or { y: those, over: one }], degrees true|false,
  //   tab "plots"|..., speed, still true: the 3-D view alone
  set(options: Record<string, unknown>): void;
  stepTime(): number; // script time of the last seek [ms]
  unpacked(): number; // blocks of samples unpacked so far
}

declare global {
  interface Window {
    freebody?: Api;
  }
}

const PLACES: readonly unknown[] = ["fit", "iso", "x", "y", "z"];

function setOptions(app: App, options: Record<string, unknown>): void {
  const { overlays, camera, zoom, follow, theme, plot, tab, speed, still, degrees } = options;
  if (theme === "light" || theme === "dark" || theme === "auto") setTheme(theme, false);
  if (typeof degrees === "boolean") setDegrees(degrees, false);
  if (still !== undefined) {
    document.documentElement.classList.toggle("still", still === true);
    app.view.resize();
  }
  if (typeof overlays === "object" && overlays !== null) {
    const known = new Set<string>(app.view.overlays().map((overlay) => overlay.name));
    for (const [name, on] of Object.entries(overlays)) {
      if (known.has(name)) app.view.setOverlay(name as Overlay, on === true);
    }
  }
  if (follow === null) app.view.follow(null);
  if (typeof follow === "string" && app.view.followable().includes(follow)) app.view.follow(follow);
  if (PLACES.includes(camera)) app.view.camera(camera as CameraPlace);
  if (typeof zoom === "number") app.view.zoom(zoom);
  if (Array.isArray(plot)) app.plots.setPanels(plot);
  if (typeof tab === "string") app.tabs.openById(tab);
  if (typeof speed === "number") app.transport.setSpeed(speed);
  app.options.fill();
  app.player.changed();
}

// When the second picture of the screen begins, the first is there. A page that nobody sees has no pictures.
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    setTimeout(resolve, 3000);
  });

export function offerApi(app: App): void {
  const { player, view, runs } = app;
  window.freebody = {
    ready: drawn(),
    time: () => player.time,
    seek: (t) => player.seek(t),
    play: (on) => player.play(on),
    playing: () => player.playing,
    range: () => [player.first, player.last],
    pose: (name, run = 0) => view.pose(run, name),
    value: (signal, t, run = 0) => {
      const from = runs[run];
      const index = from ? from.find(signal) : -1;
      return index < 0 ? NaN : from.column(index).at(from.indexAt(t));
    },
    picture: (t, width, height) => view.picture(t, width, height),
    set: (options) => setOptions(app, options),
    stepTime: () => player.cost,
    unpacked: () => runs[0].unpacked,
  };
}
