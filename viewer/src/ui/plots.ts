// The tab of plots: panels that share one stretch of time and one cursor.
import { ExpressionError } from "../expression/parse";
import { expressionNames, seriesOf } from "../expression/series";
import { onAngles } from "./angles";
import type { Plotted } from "./compare";
import { ComponentNames } from "./component_names";
import { runKey, runName, type Context, type Tab } from "./context";
import { el, iconButton, setText, textButton } from "./dom";
import { watchWheel } from "./plot_mouse";
import { PlotPanel, type PlotHost, type PlotWish } from "./plot_panel";
import { SignalPicker } from "./signal_picker";
import { allSignals, firstPanels, matching } from "./signals";
import { number, shorten } from "../text";
import { onTheme } from "./theme";

export class Plots implements Tab, PlotHost {
  readonly id = "plots";
  readonly label = "Plots";
  readonly element: HTMLElement;
  readonly names: string[];
  readonly components: ComponentNames;
  private readonly panels: PlotPanel[] = [];
  private readonly list = el("div", { class: "plot-list" });
  private readonly where = el("output", { class: "muted where" });
  private readonly empty = el("p", { class: "muted hint" });
  private picker: SignalPicker | null = null;
  private zoomed: [number, number] | null = null;
  private hovered: number | null = null;
  private stale = true;
  private seen = false;

  constructor(readonly context: Context, private readonly changed: () => void) {
    this.names = expressionNames(context.runs);
    this.components = new ComponentNames(context.runs.map((run) => run.header));
    const none = context.runs.every((run) => run.header.signals.length === 0);
    setText(this.empty,
      none ? "This run has no signals in its log." : "No plot is open. Add one with the button above.");
    this.element = el("div", { class: "plots" },
      el("div", { class: "toolbar", role: "group", "aria-label": "Plots" },
        textButton("Add plot", () => this.add(), { class: "primary", disabled: none }),
        iconButton("zoomIn", "Zoom in", () => this.scale(0.5)),
        iconButton("zoomOut", "Zoom out", () => this.scale(2)),
        iconButton("fit", "Show the whole run", () => this.whole()),
        context.runs.length > 1 ? this.runKeys() : null,
        this.where),
      this.empty, this.list);
    watchWheel(this.element);
    for (const wish of firstPanels(context.runs[0])) this.push(wish);
    new ResizeObserver(() => this.resized()).observe(this.list);
    onTheme(() => this.panels.forEach((panel) => panel.plot?.redraw(false)));
    onAngles(() => {
      this.stale = !this.seen;
      this.panels.forEach((panel) => panel.rebuild());
    });
  }

  // ---- what panels ask ----

  range(): [number, number] {
    if (this.zoomed) return this.zoomed;
    const { first, last } = this.context.player;
    return last > first ? [first, last] : [first - 0.5, first + 0.5];
  }

  zoom(from: number, to: number): void {
    const { first, last } = this.context.player;
    const least = Math.max(1e-9, Math.abs(last) * 1e-12);
    if (!(to - from > least)) return;
    const span = Math.min(to - from, last - first);
    const begin = Math.min(Math.max(from, first), last - span);
    this.zoomed = begin <= first && begin + span >= last ? null : [begin, begin + span];
    this.refresh();
  }

  whole(): void {
    this.zoomed = null;
    this.refresh();
  }

  hover(t: number | null): void {
    this.hovered = t;
    this.update();
  }

  shownTime(): number {
    return this.hovered ?? this.context.player.time;
  }

  remove(panel: PlotPanel): void {
    const at = this.panels.indexOf(panel);
    this.panels.splice(at, 1);
    panel.destroy();
    this.empty.hidden = this.panels.length > 0;
    const next = this.panels[Math.min(at, this.panels.length - 1)];
    (next?.element.querySelector("button") ?? this.element.querySelector("button"))?.focus();
    this.changed();
  }

  edit(panel: PlotPanel): void {
    this.choose(panel.asked, (wish) => {
      panel.setWish(wish);
      this.changed();
    });
  }

  // ---- what the page asks ----

  add(): void {
    if (allSignals(this.context.runs).length === 0) return;
    this.choose({ names: [] }, (wish) => {
      const panel = this.push(wish);
      panel.refresh();
      panel.element.scrollIntoView({ block: "nearest" });
      this.changed();
    });
  }

  // Panels of these and no others: signals, expressions, or a name that stands for all that it is the beginning of;
  // { y, over } over another.
  setPanels(wanted: (string | string[] | { y: string | string[]; over: string })[]): void {
    const signals = allSignals(this.context.runs);
    const named = (name: string): string[] => {
      const found = matching(signals, name);
      return found.length > 0 || this.check(name) !== "" ? found : [name];
    };
    for (const panel of this.panels.splice(0)) panel.destroy();
    for (const entry of wanted) {
      const { y, over } = typeof entry === "string" || Array.isArray(entry) ? { y: entry, over: undefined } : entry;
      const names = [...new Set([y].flat().flatMap((name) => named(String(name))))];
      if (names.length > 0 && (over === undefined || this.check(String(over), true) === "")) this.push({ names, over });
    }
    this.empty.hidden = this.panels.length > 0;
    this.refresh();
    this.changed();
  }

  // What is plotted, each label once.
  get plotted(): Plotted[] {
    const all = new Map<string, Plotted>();
    for (const curve of this.panels.flatMap((panel) => [...panel.over, ...panel.curves])) {
      const { label } = curve;
      const entry = all.get(label) ?? { label, curves: this.context.runs.map(() => undefined) };
      all.set(label, entry);
      entry.curves[curve.run.index] = curve;
    }
    return [...all.values()];
  }

  // Why a text is no expression in any run; "" where it is one. `single`: it must not be a vector.
  check(text: string, single = false): string {
    let why = "";
    for (const run of this.context.runs) {
      try {
        if (seriesOf(run, text, this.names).length === 1 || !single) return "";
        why = `“${text}” is a vector; name a component, or take its length: |${text}|.`;
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        why ||= error.message;
      }
    }
    return why;
  }

  show(): void {
    this.seen = true;
    if (this.stale) this.refresh();
  }

  hide(): void {
    this.seen = false;
    this.hovered = null;
  }

  update(): void {
    const t = this.shownTime();
    setText(this.where, `${this.hovered === null ? "now" : "cursor"} ${number(t, 7)} s`);
    for (const panel of this.panels) panel.update(this.hovered);
  }

  grew(): void {
    this.refresh();
  }

  print(): void {
    this.refresh(true);
  }

  refresh(now = this.seen): void {
    this.stale = !now;
    if (now) for (const panel of this.panels) panel.refresh();
    if (now) this.update();
  }

  // Which curves are whose.
  private runKeys(): HTMLElement {
    return el("div", { class: "run-keys" }, ...this.context.runs.map((run) =>
      el("span", { class: "cut", title: shorten(runName(run), 500) }, runKey(run), shorten(runName(run), 100))));
  }

  private resized(): void {
    if (this.seen) this.refresh();
  }

  private push(wish: PlotWish): PlotPanel {
    const panel = new PlotPanel(this, wish);
    this.panels.push(panel);
    this.list.append(panel.element);
    this.empty.hidden = true;
    return panel;
  }

  private choose(wish: PlotWish, finish: (wish: PlotWish) => void): void {
    this.picker ??= new SignalPicker(
      allSignals(this.context.runs), this.components, this.names, (text, single) => this.check(text, single));
    this.picker.open(wish, finish);
  }

  // Zooms about the time that is shown, or the middle where that is not in view.
  private scale(factor: number): void {
    const [from, to] = this.range();
    const now = this.context.player.time;
    const at = now >= from && now <= to ? now : (from + to) / 2;
    this.zoom(at - (at - from) * factor, at + (to - at) * factor);
  }
}
