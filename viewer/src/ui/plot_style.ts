// How plots over time look: axes, colours, marks of events.
import uPlot from "uplot";
import type { Run } from "../run";
import { shownAs } from "./angles";
import { curveDash, curvePaint, runPaint } from "./line_style";
import type { Curve } from "./plot_data";
import type { PlotPanel } from "./plot_panel";
import { axisLabels, axisMarks, number, shorten } from "../text";
import { color } from "./theme";

export const PLOT_HEIGHT = 156;

export const FONT = "11px system-ui, sans-serif";

const LEAST = 1e-13; // of the value: a range that is smaller holds too few numbers to put marks between

// A range with air around it; of nothing, something.
export function linearRange(_: uPlot, min: number, max: number): uPlot.Range.MinMax {
  if (min === null || min === undefined || !Number.isFinite(min)) return [0, 1];
  if (min === max) {
    const air = Math.abs(min) * 0.1 || 1;
    return [min - air, max + air];
  }
  const air = Math.max((max - min) * 0.07, LEAST * Math.max(Math.abs(min), Math.abs(max)));
  return [min - air, max + air];
}

export function logRange(_: uPlot, min: number, max: number): uPlot.Range.MinMax {
  if (min === null || min === undefined || !(min > 0)) return [0.1, 1];
  const least = Math.floor(Math.log10(min));
  return [10 ** least, 10 ** Math.max(Math.ceil(Math.log10(max)), least + 1)];
}

const isPower = (v: number): boolean => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;

const powers = (values: (number | null)[]): string[] =>
  values.map((v) => (v === null || !isPower(v) ? "" : v >= 0.01 && v < 1e4 ? number(v) : number(v, 1)));

// One axis for each unit; the first stands left, the second right, more have no axis of their own.
export const MOST_AXES = 2;
export const unitsOf = (panel: PlotPanel): string[] => [...new Set(panel.curves.map((curve) => curve.unit))];

// Never none: axes of all panels stand below each other.
export const unitLabel = (unit: string): string => (unit === "1" ? " " : shorten(shownAs(unit).unit, 24));

export function valueAxis(panel: PlotPanel, unit: string, scale: string, k: number): uPlot.Axis {
  const label = unitLabel(unit);
  return {
    scale,
    side: k === 0 ? 3 : 1,
    size: 50,
    label,
    labelSize: 16,
    labelFont: FONT,
    labelGap: 0,
    font: FONT,
    gap: 4,
    stroke: () => color("--muted"),
    grid: {
      show: k === 0, stroke: () => color("--grid"), width: 1,
      ...(panel.log ? { filter: (_: uPlot, values: number[]) => values.map((v) => (isPower(v) ? v : null)) } : {}),
    },
    ticks: { show: false },
    space: 26,
    values: (plot: uPlot, values: number[], axis: number, _space: number, step: number) => {
      if (panel.log) return powers(values);
      const { labels, base } = axisMarks(values, step);
      plot.axes[axis].label = base === 0 ? label : `${number(base, 15)} ${label} +`;
      return labels;
    },
  };
}

// Room for the labels of times [pixels]: as long as their digits.
function timeSpace(_plot: uPlot, _axis: number, from: number, to: number): number {
  const digits = (x: number): number => Math.max(0, Math.ceil(Math.log10(x)));
  return Math.max(60, 7 * (digits(Math.abs(to)) + digits(10 / (to - from)) + 4));
}

export function timeAxis(): uPlot.Axis {
  return {
    size: 22,
    font: FONT,
    gap: 4,
    stroke: () => color("--muted"),
    grid: { stroke: () => color("--grid"), width: 1 },
    ticks: { show: false },
    space: timeSpace,
    values: (_: uPlot, values: number[]) => axisLabels(values).map((text) => `${text} s`),
  };
}

export type Hook = (plot: uPlot) => void;

export function timeOptions(panel: PlotPanel, width: number, events: Hook): uPlot.Options {
  const units = unitsOf(panel);
  const scales: uPlot.Scales = { x: { time: false, range: () => panel.host.range() } };
  units.forEach((_, k) => {
    scales[`y${k}`] = panel.log ? { distr: 3, log: 10, range: logRange } : { range: linearRange };
  });
  return {
    width,
    height: PLOT_HEIGHT,
    scales,
    pxAlign: 0, // curves, not stairs
    legend: { show: false },
    padding: [8, units.length > 1 ? 0 : 20, 0, 0],
    cursor: {
      x: false, y: false, points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => null },
    },
    axes: [timeAxis(), ...units.slice(0, MOST_AXES).map((unit, k) => valueAxis(panel, unit, `y${k}`, k))],
    series: [{}, ...panel.curves.map((curve) => series(panel, curve, units.indexOf(curve.unit)))],
    hooks: { drawAxes: [events] },
  };
}

export function series(panel: PlotPanel, curve: Curve, unit: number): uPlot.Series {
  const stroke = (): string => curvePaint(curve, panel.several);
  const dash = curveDash(curve, panel.several);
  return {
    scale: `y${unit}`,
    stroke,
    width: !panel.several ? 1.5 : curve.run.index === 0 ? 2.6 : 1.3, // where runs agree, both are seen
    ...(dash.length > 0 ? { dash } : {}),
    points: { size: 4, fill: stroke, width: 0 },
  };
}

const LINES = 60; // events in view; where there are more, they are marks at the edge only

// Thin lines where events happened, one a pixel at most.
export function drawEvents(plot: uPlot, runs: Run[]): void {
  const { ctx, bbox } = plot;
  const { min, max } = plot.scales.x;
  if (min === undefined || max === undefined || min === null || max === null) return;
  ctx.save();
  runs.forEach((run, k) => {
    ctx.fillStyle = runs.length > 1 ? runPaint(k) : color("--event");
    ctx.globalAlpha = 0.45;
    let before = -1;
    const seen = run.header.events.filter(({ t }) => t >= min && t <= max);
    const height = seen.length > LINES ? 6 * uPlot.pxRatio : bbox.height;
    for (const { t } of seen) {
      const x = Math.round(bbox.left + ((t - min) / (max - min)) * bbox.width);
      if (x !== before) ctx.fillRect(x, bbox.top, Math.max(1, Math.round(uPlot.pxRatio)), height);
      before = x;
    }
  });
  ctx.restore();
}
