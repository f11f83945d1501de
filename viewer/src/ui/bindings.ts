// The page's keys, bound to what they do.
import type { App } from "./app";
import { inDegrees, setDegrees } from "./angles";
import { announce } from "./banner";
import { OVERLAY_KEYS, type Binding } from "./keys";
import { toggleTheme } from "./theme";

function overlayKeys(app: App): Binding[] {
  const there = new Map(app.view.overlays().map((overlay) => [overlay.name, overlay]));
  return OVERLAY_KEYS.filter(([, name]) => there.get(name)?.available).map(([key, name, words]) => ({
    keys: [key], shown: key, does: words, overlay: true,
    run: () => {
      const on = !app.view.overlays().find((overlay) => overlay.name === name)?.on;
      app.view.setOverlay(name, on);
      app.options.fill();
      app.player.changed();
      announce(`${words}: ${on ? "shown" : "hidden"}`);
    },
  }));
}

export function bindings(app: App): Binding[] {
  const { player } = app;
  const tabs = app.tabs.tabs;
  return [
    { keys: [" "], shown: "space", does: "play or pause", run: () => app.transport.toggle() },
    { keys: ["ArrowLeft", "ArrowRight"], shown: "\u2190 \u2192", does: "one sample back or forward; ten with shift",
      run: (event) => app.transport.step((event.key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1)) },
    { keys: ["Home"], shown: "Home", does: "to the start", run: () => player.seek(player.first) },
    { keys: ["End"], shown: "End", does: "to the end", run: () => player.seek(player.last) },
    { keys: ["[", "]"], shown: "[ ]", does: "slower, faster",
      run: (event) => app.transport.faster(event.key === "]" ? 1 : -1) },
    { keys: ["l"], shown: "l", does: "repeat", run: () => {
      player.loop = !player.loop;
      player.changed();
    } },
    { keys: tabs.map((_, i) => String(i + 1)), shown: `1 \u2026 ${tabs.length}`,
      does: tabs.map((tab) => tab.label).join(", "),
      run: (event) => app.tabs.open(Number(event.key) - 1) },
    { keys: ["a"], shown: "a", does: "add a plot", run: () => {
      app.tabs.openById("plots");
      app.plots.add();
    } },
    { keys: ["0"], shown: "0", does: "show the whole run in the plots", run: () => app.plots.whole() },
    { keys: ["f"], shown: "f", does: "follow the next body or frame", run: () => app.options.followNext() },
    { keys: ["z"], shown: "z", does: "show everything", run: () => app.options.camera("fit") },
    ...overlayKeys(app),
    { keys: ["Escape"], shown: "Esc", does: "choose no body", run: () => app.context.selection.set(-1) },
    { keys: ["o"], shown: "o", does: "degrees or radians", run: () => {
      setDegrees(!inDegrees());
      announce(`Angles are in ${inDegrees() ? "degrees" : "radians"}`);
    } },
    { keys: ["d"], shown: "d", does: "dark or light", run: toggleTheme },
    { keys: ["?"], shown: "?", does: "this help", run: () => app.help.open() },
  ];
}
