// The bar at the top: what is shown, how it stands, and the buttons for all of the page.
import { LiveRun } from "../data";
import type { Run } from "../run";
import type { LiveControl } from "./live_control";
import { runKey, runName, type Context } from "./context";
import { el, iconButton, setIcon, setText, textButton } from "./dom";
import { shorten } from "../text";
import { inDegrees, onAngles, setDegrees } from "./angles";
import { isDark, onTheme, toggleTheme } from "./theme";

const WORDS: Record<string, string> = {
  finished: "The run is complete", stopped: "An event stopped the run", interrupted: "The run was interrupted",
  failed: "The run failed", running: "The run is in progress",
  model: "A model without a run: move its joints by the sliders",
  paused: "The simulation is paused; Resume run continues it",
};

export class Bar {
  readonly element: HTMLElement;
  private readonly badges: { run: Run; element: HTMLElement }[] = [];

  constructor(context: Context, live: LiveControl | null, help: () => void) {
    const theme = iconButton("moon", "Dark or light (d)", toggleTheme);
    const showTheme = (): void => setIcon(theme, isDark() ? "sun" : "moon");
    onTheme(showTheme);
    showTheme();
    const angles = textButton("", () => setDegrees(!inDegrees()), {
      class: "angle-button", title: "Degrees or radians (o)",
    });
    const showAngles = (): void => {
      setText(angles, inDegrees() ? "deg" : "rad");
      angles.setAttribute("aria-label", `Angles are in ${inDegrees() ? "degrees" : "radians"}; change`);
    };
    onAngles(showAngles);
    showAngles();
    const several = context.runs.length > 1;
    const names = el("div", { class: "run-names" }, ...context.runs.map((run) => this.run(run, several)));
    this.element = el("header", { class: "bar" },
      el("span", { class: "mark", "aria-hidden": "true" }, "Freebody"),
      names,
      live?.element ?? null,
      el("div", { class: "bar-buttons" },
        iconButton("print", "Print", () => window.print(), { class: "icon-button wide-only" }), angles, theme,
        iconButton("help", "Help (?)", help)));
    this.update();
  }

  private run(run: Run, several: boolean): HTMLElement {
    const badge = el("span", { class: "badge" });
    this.badges.push({ run, element: badge });
    const name = runName(run);
    const { model } = run.header;
    return el("div", { class: "run-name" },
      several ? runKey(run) : null,
      el(run.index === 0 ? "h1" : "h2", { class: "cut", title: shorten(name, 3000) }, shorten(name, 1000)),
      model && model !== name && !several
        ? el("span", { class: "model cut muted", title: shorten(model, 3000) }, shorten(model, 500)) : null,
      badge);
  }

  update(): void {
    for (const { run, element } of this.badges) {
      const held = run instanceof LiveRun && run.paused && run.header.status === "running";
      const status = held ? "paused" : run.header.mode === "pose" ? "model" : run.header.status || "unknown";
      setText(element, shorten(status, 30));
      element.dataset.status = status;
      element.title = WORDS[status] ?? shorten(status, 200);
    }
  }
}
