// How curves are told apart. Of one run: by colour, and after six colours by dashes. Of several runs: a colour for each
// run, the same as in its badge and its ghost, and dashes for the signals.
import type { Curve } from "./plot_data";
import { svg } from "./dom";
import { color } from "./theme";

const COLORS = 6;
const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [12, 6]];

// Of a run, for style sheets. After the six, hues a golden angle apart.
export const runColor = (run: number): string =>
  run < COLORS ? `var(--curve-${run})` : `hsl(${Math.round(run * 137.5) % 360} 55% var(--far-hue))`;

// The same for canvases and the 3-D view.
export const runPaint = (run: number): string => resolve(runColor(run));

const resolve = (text: string): string => text.replace(/var\((--[\w-]+)\)/g, (_, name: string) => color(name));

// A short piece of a line, for legends.
export function lineSample(stroke: string, dash: number[]): SVGElement {
  const line = svg("line", { x1: "0", y1: "4", x2: "26", y2: "4", "stroke-width": "2.5" });
  if (dash.length > 0) line.setAttribute("stroke-dasharray", dash.join(" "));
  line.style.stroke = stroke;
  return svg("svg", { class: "swatch", viewBox: "0 0 26 8", role: "img" }, line);
}

export const curveColor = (curve: Curve, several: boolean): string =>
  several ? runColor(curve.run.index) : `var(--curve-${curve.order % COLORS})`;

export const curvePaint = (curve: Curve, several: boolean): string => resolve(curveColor(curve, several));

export const curveDash = (curve: Curve, several: boolean): number[] =>
  DASHES[(several ? curve.order : Math.floor(curve.order / COLORS)) % DASHES.length];
