// The drawing of a panel over another signal: the ways in the plane, between the times that all panels show, with a dot
// at the time shown. Where both axes have one unit, they have one scale.
import uPlot from "uplot";
import { Chart } from "./chart";
import { sampleAt } from "./context";
import { curvePaint } from "./line_style";
import { shownValue, type Curve } from "./plot_data";
import type { PlotPanel } from "./plot_panel";
import { XY_HEIGHT, xyOptions } from "./xy_style";

const MOST = 4000; // points of a way
const NEAR = 30; // pixels: a click this close to a way goes to its time

interface Way {
  curve: Curve;
  x: Float64Array;
  y: Float64Array;
  t: Float64Array;
}

export class XyChart extends Chart {
  private ways: Way[] = [];
  private hover: number | null = null;

  constructor(panel: PlotPanel) {
    super(panel, XY_HEIGHT);
  }

  protected numbers(): uPlot.AlignedData {
    this.ways = this.panel.curves.map((curve) => this.way(curve));
    return [null, ...this.ways.map(({ x, y }) => [x, y])] as unknown as uPlot.AlignedData;
  }

  protected make(width: number, data: uPlot.AlignedData): uPlot {
    const plot = new uPlot(xyOptions(this.panel, width, (drawn) => this.dots(drawn)), data, this.panel.box);
    this.listen(plot);
    return plot;
  }

  private way(curve: Curve): Way {
    const { run } = curve;
    const [from, to] = this.panel.host.range();
    const over = this.panel.over.find((one) => one.run === run) as Curve;
    const begin = Math.max(0, run.indexAt(from));
    const end = run.samples === 0 ? 0 : run.indexAt(to) + 1;
    const stride = Math.max(1, Math.ceil((end - begin) / MOST));
    const count = Math.max(0, Math.ceil((end - begin) / stride));
    const sample = (k: number): number => begin + k * stride;
    return {
      curve,
      x: Float64Array.from({ length: count }, (_, k) => shownValue(over, sample(k))),
      y: Float64Array.from({ length: count }, (_, k) => this.drawable(shownValue(curve, sample(k)))),
      t: Float64Array.from({ length: count }, (_, k) => run.time.at(sample(k))),
    };
  }

  private drawable(value: number): number {
    return this.panel.log && value <= 0 ? NaN : value;
  }

  private listen(plot: uPlot): void {
    const { host } = this.panel;
    plot.over.addEventListener("click", (event) => {
      const t = this.nearest(plot, event);
      if (t !== null) host.context.player.seek(t);
    });
    plot.over.addEventListener("mousemove", (event) => host.hover(this.nearest(plot, event)));
    plot.over.addEventListener("mouseleave", () => host.hover(null));
    plot.over.addEventListener("dblclick", () => host.whole());
  }

  // The time of the point next to the mouse; null where none is near.
  private nearest(plot: uPlot, event: MouseEvent): number | null {
    const box = plot.over.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    let best = { distance: NEAR, t: NaN };
    this.ways.forEach(({ x, y, t }) => {
      for (let k = 0; k < t.length; k++) {
        const distance = Math.hypot(plot.valToPos(x[k], "x") - px, plot.valToPos(y[k], "y") - py);
        if (distance < best.distance) best = { distance, t: t[k] };
      }
    });
    return Number.isNaN(best.t) ? null : best.t;
  }

  // Where each way is at the time shown, and under the cursor.
  private dots(plot: uPlot): void {
    const { panel } = this;
    for (const curve of panel.curves) {
      const over = panel.over.find((one) => one.run === curve.run) as Curve;
      for (const t of [panel.host.context.player.time, this.hover]) {
        const sample = t === null ? -1 : sampleAt(curve.run, t);
        const [x, y] = [shownValue(over, sample), this.drawable(shownValue(curve, sample))];
        if (!Number.isFinite(x + y)) continue;
        plot.ctx.beginPath();
        plot.ctx.arc(plot.valToPos(x, "x", true), plot.valToPos(y, "y", true), 4 * uPlot.pxRatio, 0, 2 * Math.PI);
        plot.ctx.fillStyle = curvePaint(curve, panel.several);
        plot.ctx.fill();
      }
    }
  }

  update(hover: number | null): void {
    this.hover = hover;
    this.plot?.redraw(false, false);
  }
}
