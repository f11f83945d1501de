// The bar at the top: what is shown, how it stands, and the buttons for all of the page.
import { LiveRun } from "../data";
import type { Run } from "../run";
import type { LiveControl } from "./live_control";
import { runName, type Context } from "./context";
import { el, iconButton, setIcon, setText } from "./dom";
import { shorten } from "../text";
import { isDark, onTheme, toggleTheme } from "./theme";

const WORDS: Record<string, string> = {
  finished: "The run is complete", stopped: "An event stopped the run", interrupted: "The run was interrupted",
  failed: "The run failed", running: "The run is in progress",
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
    const two = context.runs.length > 1;
    const names = el("div", { class: "run-names" }, ...context.runs.map((run) => this.run(run, two)));
    this.element = el("header", { class: "bar" },
      el("span", { class: "mark", "aria-hidden": "true" }, "Freebody"),
      names,
      live?.element ?? null,
      el("div", { class: "bar-buttons" },
        iconButton("print", "Print", () => window.print(), { class: "icon-button wide-only" }), theme,
        iconButton("help", "Help (?)", help)));
    this.update();
  }

  private run(run: Run, two: boolean): HTMLElement {
    const badge = el("span", { class: "badge" });
    this.badges.push({ run, element: badge });
    const name = runName(run);
    const { model } = run.header;
    return el("div", { class: "run-name" },
      two ? el("span", { class: `key key-${run.index}` }) : null,
      el(run.index === 0 ? "h1" : "h2", { class: "cut", title: shorten(name, 3000) }, shorten(name, 1000)),
      model && model !== name && !two
        ? el("span", { class: "model cut muted", title: shorten(model, 3000) }, shorten(model, 500)) : null,
      badge);
  }

  update(): void {
    for (const { run, element } of this.badges) {
      const held = run instanceof LiveRun && run.paused && run.header.status === "running";
      const status = held ? "paused" : run.header.status || "unknown";
      setText(element, shorten(status, 30));
      element.dataset.status = status;
      element.title = WORDS[status] ?? shorten(status, 200);
    }
  }
}
