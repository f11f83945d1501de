// The drawing of a panel over time, with a line at the time shown and one under the cursor.
import uPlot from "uplot";
import type { Run } from "../run";
import { Chart } from "./chart";
import { el } from "./dom";
import { gather, merge, type Curve } from "./plot_data";
import { listenToPlot } from "./plot_mouse";
import type { PlotPanel } from "./plot_panel";
import { drawEvents, PLOT_HEIGHT, timeOptions } from "./plot_style";

export class TimeChart extends Chart {
  private readonly playhead = el("div", { class: "playhead" });
  private readonly pointer = el("div", { class: "pointer", hidden: true });

  constructor(panel: PlotPanel) {
    super(panel, PLOT_HEIGHT);
  }

  protected make(width: number, data: uPlot.AlignedData): uPlot {
    const { panel } = this;
    const events = (plot: uPlot): void => drawEvents(plot, panel.host.context.runs);
    const plot = new uPlot(timeOptions(panel, width, events), data, panel.box);
    plot.over.append(this.playhead, this.pointer);
    listenToPlot(panel, plot);
    return plot;
  }

  protected numbers(points: number): uPlot.AlignedData {
    const { curves, host, log } = this.panel;
    const [from, to] = host.range();
    const of = (run: Run): Curve[] => curves.filter((curve) => curve.run === run);
    const runs = host.context.runs.filter((run) => of(run).length > 0);
    const table = merge(runs.map((run) => gather(run, of(run), from, to, points, log)));
    return [table.x, ...table.columns] as uPlot.AlignedData;
  }

  update(hover: number | null): void {
    this.place(this.playhead, this.panel.host.context.player.time);
    if (hover === null) this.pointer.hidden = true;
    else this.place(this.pointer, hover);
  }

  private place(line: HTMLElement, t: number): void {
    const [from, to] = this.panel.host.range();
    line.hidden = !(t >= from && t <= to);
    line.style.transform = `translateX(${(((t - from) / (to - from)) * 100).toFixed(4)}%)`; // it is as wide as the plot
  }
}
