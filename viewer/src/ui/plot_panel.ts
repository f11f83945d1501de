// One panel of plots: some signals over time, of one run or two. Numbers under the cursor are the samples themselves.
import uPlot from "uplot";
import type { Run } from "../run";
import { runName, sampleAt, type Context } from "./context";
import { el, iconButton, setText, textButton } from "./dom";
import { gather, merge, type Curve } from "./plot_data";
import { saveCsv, savePicture } from "./plot_export";
import { listenToPlot } from "./plot_mouse";
import { drawEvents, plotOptions } from "./plot_style";
import { commonName } from "./signals";
import { number, shorten, withUnit } from "../text";

// What a panel asks of the tab it stands in.
export interface PlotHost {
  readonly context: Context;
  range(): [number, number]; // of time, that all panels show
  zoom(from: number, to: number): void;
  whole(): void;
  hover(t: number | null): void;
  shownTime(): number; // under the cursor, else the player's
  remove(panel: PlotPanel): void;
  edit(panel: PlotPanel): void;
}

export const PLOT_HEIGHT = 156;
const LONGEST = 24; // characters of a name that the legend has room for

export class PlotPanel {
  readonly element: HTMLElement;
  readonly curves: Curve[] = [];
  plot: uPlot | null = null;
  log = false;
  private readonly box = el("div", { class: "plot" });
  private readonly title = el("h3", { class: "cut" });
  private readonly legend = el("ul", { class: "legend" });
  private readonly values: HTMLElement[] = [];
  private readonly logButton: HTMLButtonElement;
  private readonly playhead = el("div", { class: "playhead" });
  private readonly pointer = el("div", { class: "pointer", hidden: true });

  constructor(readonly host: PlotHost, public names: string[]) {
    this.logButton = textButton("log", () => this.toggleLog(), {
      class: "small", "aria-pressed": "false", title: "Logarithmic axis",
    });
    this.element = el("section", { class: "plot-panel" },
      el("header", {},
        this.title,
        this.logButton,
        textButton("CSV", () => saveCsv(this), { class: "small", title: "Save the samples in view as CSV" }),
        textButton("PNG", () => savePicture(this), { class: "small", title: "Save the picture as PNG" }),
        iconButton("edit", "Choose the signals of this plot", () => this.host.edit(this)),
        iconButton("close", "Remove this plot", () => this.host.remove(this))),
      this.legend,
      this.box);
    this.setNames(names);
  }

  get label(): string {
    return commonName(this.names) || this.names.join(", ");
  }

  setNames(names: string[]): void {
    this.names = names;
    this.curves.length = 0;
    for (const run of this.host.context.runs) {
      for (const name of names) {
        const signal = run.find(name);
        if (signal >= 0) this.curves.push({ run, signal, name, unit: run.header.signals[signal].unit });
      }
    }
    setText(this.title, shorten(this.label, 300));
    this.title.title = names.join("\n").slice(0, 2000);
    this.element.setAttribute("aria-label", `Plot of ${shorten(this.label, 100)}`);
    this.fillLegend();
    this.rebuild();
  }

  private shortName(name: string): string {
    const common = commonName(this.names);
    if (this.names.length === 1 || !common || !name.startsWith(`${common}.`)) return name;
    const rest = name.slice(common.length + 1);
    return /^\d+$/.test(rest) ? `[${rest}]` : rest; // a number alone reads like a value
  }

  private fillLegend(): void {
    this.legend.classList.toggle("two", this.host.context.runs.length > 1);
    this.values.length = 0;
    for (const _ of this.curves) this.values.push(el("span", { class: "value" }));
    this.legend.replaceChildren(...this.names.map((name) => this.legendItem(name)));
    const longest = Math.max(...this.names.map((name) => this.shortName(name).length));
    this.legend.style.setProperty("--name", `${Math.min(longest, LONGEST)}ch`);
  }

  // One name, with its value in each run that has it.
  private legendItem(name: string): HTMLElement {
    const item = el("li");
    const label = el("span", { class: "name" }, shorten(this.shortName(name), 200));
    item.style.setProperty("--curve", `var(--curve-${this.colorIndex(name)})`);
    this.curves.forEach((curve, k) => {
      if (curve.name !== name) return;
      const { meaning } = curve.run.header.signals[curve.signal];
      item.title ||= shorten(`${name}${meaning ? `: ${meaning}` : ""}`, 500);
      const swatch = el("span", {
        class: curve.run.index === 0 ? "swatch" : "swatch dashed", title: shorten(runName(curve.run), 200),
      });
      item.append(swatch, ...(item.contains(label) ? [] : [label]), this.values[k]);
    });
    return item;
  }

  // Curves of one name have one colour, in both runs.
  colorIndex(name: string): number {
    return this.names.indexOf(name) % 8;
  }

  toggleLog(): void {
    this.log = !this.log;
    this.logButton.setAttribute("aria-pressed", String(this.log));
    this.rebuild();
  }

  // Makes the plot anew; needed when its curves or its axes are others.
  rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    this.refresh();
  }

  // Numbers for what is seen now. Does nothing while nobody sees the panel.
  refresh(): void {
    const width = this.box.clientWidth;
    if (width === 0 || this.curves.length === 0) return;
    const data = this.numbers(width);
    if (!this.plot) {
      this.plot = new uPlot(plotOptions(this, width), data, this.box);
      this.plot.over.append(this.playhead, this.pointer);
      listenToPlot(this, this.plot);
    } else {
      if (this.plot.width !== width) this.plot.setSize({ width, height: PLOT_HEIGHT });
      this.plot.setData(data);
    }
    this.update();
  }

  private numbers(points: number): uPlot.AlignedData {
    const [from, to] = this.host.range();
    const signals = (run: Run): number[] => this.curves.filter((c) => c.run === run).map((c) => c.signal);
    const runs = this.host.context.runs.filter((run) => signals(run).length > 0);
    const table = merge(runs.map((run) => gather(run, signals(run), from, to, points, this.log)));
    return [table.x, ...table.columns] as uPlot.AlignedData;
  }

  // Another time is shown: lines and numbers move, the curves stay.
  update(hover: number | null = null): void {
    this.place(this.playhead, this.host.context.player.time);
    if (hover === null) this.pointer.hidden = true;
    else this.place(this.pointer, hover);
    const t = this.host.shownTime();
    for (let k = 0; k < this.curves.length; k++) {
      const { run, signal, unit } = this.curves[k];
      const value = run.column(signal).at(sampleAt(run, t));
      setText(this.values[k], withUnit(number(value, 8), unit));
      this.values[k].title = withUnit(String(value), unit); // all digits
      this.values[k].dataset.value = String(value);
    }
  }

  private place(line: HTMLElement, t: number): void {
    const [from, to] = this.host.range();
    line.hidden = !(t >= from && t <= to);
    line.style.transform = `translateX(${(((t - from) / (to - from)) * 100).toFixed(4)}%)`; // it is as wide as the plot
  }

  drawEvents(plot: uPlot): void {
    drawEvents(plot, this.host.context.runs);
  }

  destroy(): void {
    this.plot?.destroy();
    this.element.remove();
  }
}
