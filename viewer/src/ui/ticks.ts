// Marks of events over the scrub bar: one for each pixel that has any.
import type { Context } from "./context";
import { el } from "./dom";
import { runPaint } from "./line_style";
import { color, onTheme } from "./theme";

export class Ticks {
  readonly element = el("canvas", { class: "ticks", "aria-hidden": "true" });

  constructor(private readonly context: Context) {
    new ResizeObserver(() => this.draw()).observe(this.element);
    onTheme(() => this.draw());
  }

  draw(): void {
    const { player, runs } = this.context;
    const scale = window.devicePixelRatio || 1;
    const width = Math.round(this.element.clientWidth * scale);
    const height = Math.round(this.element.clientHeight * scale);
    const pen = this.element.getContext("2d");
    if (!pen || width === 0) return;
    this.element.width = width;
    this.element.height = height;
    runs.forEach((run, k) => {
      pen.fillStyle = runs.length > 1 ? runPaint(k) : color("--event");
      let before = -1;
      for (const event of run.header.events) {
        const x = Math.round(((event.t - player.first) / (player.last - player.first || 1)) * (width - scale));
        if (x === before) continue;
        pen.fillRect(x, 0, Math.max(1, Math.round(1.5 * scale)), height);
        before = x;
      }
    });
  }
}
