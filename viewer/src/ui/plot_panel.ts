// One panel of plots: some signals or expressions over time, or over another one, of all runs. Numbers beside it are
// the samples themselves.
import { runName, sampleAt, type Context } from "./context";
import type { Chart } from "./chart";
import { el, iconButton, setText, svg, textButton } from "./dom";
import { shownAs } from "./angles";
import type { ComponentNames } from "./component_names";
import { ExpressionError } from "../expression/parse";
import { seriesOf, type Series } from "../expression/series";
import { curveColor, curveDash, lineSample } from "./line_style";
import { shownValue, type Curve } from "./plot_data";
import { saveCsv, savePicture } from "./plot_export";
import { MOST_AXES, unitLabel, unitsOf } from "./plot_style";
import { commonName } from "./signals";
import { number, shorten, withUnit } from "../text";
import { TimeChart } from "./time_chart";
import { XyChart } from "./xy_chart";
import type uPlot from "uplot";

// What a panel asks of the tab it stands in.
export interface PlotHost {
  readonly context: Context;
  readonly names: readonly string[]; // that expressions may use
  readonly components: ComponentNames;
  range(): [number, number]; // of time, that all panels show
  zoom(from: number, to: number): void;
  whole(): void;
  hover(t: number | null): void;
  shownTime(): number; // under the cursor, else the player's
  remove(panel: PlotPanel): void;
  edit(panel: PlotPanel): void;
}

// What is plotted: signals, vectors or expressions, over time or over another.
export interface PlotWish {
  names: string[];
  over?: string | undefined; // not given: time
  more?: string[]; // that belong to them and are not shown
}

const LONGEST = 24; // characters of a name that the legend has room for

export class PlotPanel {
  readonly element: HTMLElement;
  readonly curves: Curve[] = [];
  readonly box = el("div", { class: "plot" });
  readonly several: boolean; // runs
  over: Curve[] = []; // of each run that has it, what the curves are drawn over; none: time
  labels: string[] = [];
  log = false;
  private chart: Chart | null = null;
  private wish: PlotWish = { names: [] };
  private readonly title = el("h3", { class: "cut" });
  private readonly legend = el("ul", { class: "legend" });
  private readonly note = el("p", { class: "plot-note muted", hidden: true });
  private readonly values: HTMLElement[] = [];
  private readonly logButton: HTMLButtonElement;

  constructor(readonly host: PlotHost, wish: PlotWish) {
    this.several = host.context.runs.length > 1;
    this.logButton = textButton("log", () => this.toggleLog(), {
      class: "small", "aria-pressed": "false", title: "Logarithmic axis",
    });
    this.element = el("section", { class: "plot-panel" },
      el("header", {},
        this.title,
        this.logButton,
        textButton("CSV", () => saveCsv(this), {
          class: "small", title: "Save the samples in view as CSV, in the units of the log",
        }),
        textButton("PNG", () => savePicture(this), { class: "small", title: "Save the picture as PNG" }),
        iconButton("edit", "Choose the signals of this plot", () => this.host.edit(this)),
        iconButton("close", "Remove this plot", () => this.host.remove(this))),
      this.legend, this.note, this.box);
    this.setWish(wish);
  }

  get asked(): PlotWish {
    return this.wish;
  }

  get label(): string {
    const names = commonName(this.labels) || this.labels.join(", ");
    return this.wish.over ? `${names} over ${this.wish.over}` : names;
  }

  get plot(): uPlot | null {
    return this.chart?.plot ?? null;
  }

  setWish(wish: PlotWish): void {
    this.wish = wish;
    this.curves.length = 0;
    this.over = [];
    this.labels = [];
    for (const run of this.host.context.runs) {
      const [over] = wish.over ? this.series(run.index, wish.over) : [];
      if (wish.over && !over) continue;
      if (over) this.over.push({ ...over, run, order: 0 });
      for (const name of wish.names) for (const one of this.series(run.index, name)) this.push(run.index, one);
    }
    setText(this.title, shorten(this.label, 300));
    this.title.title = this.labels.map((label) => this.host.components.full(label)).join("\n").slice(0, 2000);
    this.element.setAttribute("aria-label", `Plot of ${shorten(this.label, 100)}`);
    this.fillLegend();
    this.chart?.destroy();
    this.chart = wish.over ? new XyChart(this) : new TimeChart(this);
    this.rebuild();
  }

  // What a name means in a run; nothing where the run does not have it.
  private series(run: number, name: string): Series[] {
    try {
      return seriesOf(this.host.context.runs[run], name, this.host.names);
    } catch (error) {
      if (error instanceof ExpressionError) return [];
      throw error;
    }
  }

  private push(run: number, one: Series): void {
    if (!this.labels.includes(one.label)) this.labels.push(one.label);
    this.curves.push({ ...one, run: this.host.context.runs[run], order: this.labels.indexOf(one.label) });
  }

  private shortName(name: string): string {
    const common = commonName(this.labels);
    const part = this.host.components.of(name);
    if (this.labels.length === 1 || !common || !name.startsWith(`${common}.`)) return this.host.components.full(name);
    const rest = name.slice(common.length + 1);
    if (part) return rest.replace(/[^.]*$/, () => part);
    return /^\d+$/.test(rest) ? `[${rest}]` : rest; // a number alone reads like a value
  }

  private fillLegend(): void {
    this.legend.classList.toggle("several", this.several);
    this.values.length = 0;
    for (const _ of this.curves) this.values.push(el("span", { class: "value" }));
    this.legend.replaceChildren(...this.labels.map((label) => this.legendItem(label)));
    const longest = Math.max(...this.labels.map((label) => this.shortName(label).length));
    this.legend.style.setProperty("--name", `${Math.min(longest, LONGEST)}ch`);
  }

  // One name, with its value in each run that has it.
  private legendItem(label: string): HTMLElement {
    const name = el("span", { class: "name" }, shorten(this.shortName(label), 200));
    const pairs = el("span", { class: "pairs" });
    const item = el("li", {}, ...(this.several ? [name, pairs] : []));
    this.curves.forEach((curve, k) => {
      if (curve.label !== label) return;
      const meaning = curve.run.header.signals[curve.signal]?.meaning;
      item.title ||= shorten(`${this.host.components.full(label)}${meaning ? `: ${meaning}` : ""}`, 500);
      const swatch = lineSample(curveColor(curve, this.several), curveDash(curve, this.several));
      if (this.several) swatch.append(svg("title", {}, shorten(runName(curve.run), 200)));
      if (this.several) pairs.append(el("span", { class: "pair" }, swatch, this.values[k]));
      else item.append(swatch, name, this.values[k]);
    });
    return item;
  }

  private fillNote(): void {
    const { names, more = [] } = this.wish;
    const without = this.wish.over ? [] : unitsOf(this).slice(MOST_AXES)
      .map((unit) => (unit === "1" ? "numbers without unit" : unitLabel(unit)));
    this.note.hidden = more.length + without.length === 0;
    this.note.replaceChildren(without.length === 0 ? "" : `There is no axis for ${without.join(", ")}. `);
    if (more.length === 0) return;
    this.note.append(`${names.length} of ${names.length + more.length} are shown. `,
      textButton("Show all", () => {
        this.setWish({ ...this.wish, names: [...names, ...more], more: [] });
        this.element.querySelector("button")?.focus();
      }, { class: "small" }));
  }

  toggleLog(): void {
    this.log = !this.log;
    this.logButton.setAttribute("aria-pressed", String(this.log));
    this.rebuild();
  }

  // Makes the plot anew; needed when its curves or its axes are others.
  rebuild(): void {
    this.fillNote();
    this.chart?.rebuild();
    this.update();
  }

  // Numbers for what is seen now. Does nothing while nobody sees the panel.
  refresh(): void {
    this.chart?.refresh();
    this.update();
  }

  // Another time is shown: lines and numbers move, the curves stay.
  update(hover: number | null = null): void {
    this.chart?.update(hover);
    const t = this.host.shownTime();
    this.curves.forEach((curve, k) => {
      const sample = sampleAt(curve.run, t);
      const { unit } = shownAs(curve.unit);
      const value = shownValue(curve, sample);
      setText(this.values[k], withUnit(number(value, this.several ? 6 : 8), unit));
      this.values[k].title = withUnit(String(value), unit); // all digits
      this.values[k].dataset.value = String(curve.column.at(sample));
    });
  }

  destroy(): void {
    this.chart?.destroy();
    this.element.remove();
  }
}
