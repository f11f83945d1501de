// The drawing in a panel of plots: made when somebody sees it, made anew when its curves or axes are others.
import type uPlot from "uplot";
import type { PlotPanel } from "./plot_panel";

export abstract class Chart {
  plot: uPlot | null = null;

  constructor(protected readonly panel: PlotPanel, private readonly height: number) {}

  protected abstract numbers(width: number): uPlot.AlignedData;
  protected abstract make(width: number, data: uPlot.AlignedData): uPlot;
  abstract update(hover: number | null): void; // another time is shown

  rebuild(): void {
    this.destroy();
    this.refresh();
  }

  // Other numbers; does nothing while nobody sees it.
  refresh(): void {
    const width = this.panel.box.clientWidth;
    if (width === 0 || this.panel.curves.length === 0) return;
    const data = this.numbers(width);
    if (!this.plot) {
      this.plot = this.make(width, data);
    } else {
      if (this.plot.width !== width) this.plot.setSize({ width, height: this.height });
      this.plot.setData(data);
    }
  }

  destroy(): void {
    this.plot?.destroy();
    this.plot = null;
  }
}
