// How plots look: axes, colours, marks of events.
import uPlot from "uplot";
import type { Run } from "../run";
import { shownAs } from "./angles";
import { curveDash, curvePaint, runPaint } from "./line_style";
import type { Curve } from "./plot_data";
import type { PlotPanel } from "./plot_panel";
import { axisLabels, axisMarks, number, shorten } from "../text";
import { color } from "./theme";

export const PLOT_HEIGHT = 156;
export const XY_HEIGHT = 260;

const FONT = "11px system-ui, sans-serif";

const LEAST = 1e-13; // of the value: a range that is smaller holds too few numbers to put marks between

// A range with air around it; of nothing, something.
function linearRange(_: uPlot, min: number, max: number): uPlot.Range.MinMax {
  if (min === null || min === undefined || !Number.isFinite(min)) return [0, 1];
  if (min === max) {
    const air = Math.abs(min) * 0.1 || 1;
    return [min - air, max + air];
  }
  const air = Math.max((max - min) * 0.07, LEAST * Math.max(Math.abs(min), Math.abs(max)));
  return [min - air, max + air];
}

function logRange(_: uPlot, min: number, max: number): uPlot.Range.MinMax {
  if (min === null || min === undefined || !(min > 0)) return [0.1, 1];
  const least = Math.floor(Math.log10(min));
  return [10 ** least, 10 ** Math.max(Math.ceil(Math.log10(max)), least + 1)];
}

const isPower = (v: number): boolean => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;

const powers = (values: (number | null)[]): string[] =>
  values.map((v) => (v === null || !isPower(v) ? "" : v >= 0.01 && v < 1e4 ? number(v) : number(v, 1)));

// One axis for each unit; the first stands left, the second right, more have no axis of their own.
const unitsOf = (panel: PlotPanel): string[] => [...new Set(panel.curves.map((curve) => curve.unit))];

// Never none: axes of all panels stand below each other.
const unitLabel = (unit: string): string => (unit === "1" ? " " : shorten(shownAs(unit).unit, 24));

function valueAxis(panel: PlotPanel, unit: string, scale: string, k: number): uPlot.Axis {
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

function timeAxis(): uPlot.Axis {
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

type Hook = (plot: uPlot) => void;

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
    axes: [timeAxis(), ...units.slice(0, 2).map((unit, k) => valueAxis(panel, unit, `y${k}`, k))],
    series: [{}, ...panel.curves.map((curve) => series(panel, curve, units.indexOf(curve.unit)))],
    hooks: { drawAxes: [events] },
  };
}

function series(panel: PlotPanel, curve: Curve, unit: number): uPlot.Series {
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

// A line through points in the order of time.
function wayPath(plot: uPlot, k: number): uPlot.Series.Paths {
  const [x, y] = plot.data[k] as unknown as [Float64Array, Float64Array];
  const stroke = new Path2D();
  let pen = false;
  for (let i = 0; i < x.length; i++) {
    const seen = Number.isFinite(x[i] + y[i]);
    if (seen) {
      const [left, top] = [plot.valToPos(x[i], "x", true), plot.valToPos(y[i], "y", true)];
      if (pen) stroke.lineTo(left, top);
      else stroke.moveTo(left, top);
    }
    pen = seen;
  }
  return { stroke, fill: null, clip: null, flags: 0 };
}

// The least and the greatest of one row of all curves.
function reach(plot: uPlot, row: 0 | 1): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const pair of (plot.data as unknown as (null | [Float64Array, Float64Array])[]).slice(1)) {
    for (const value of pair?.[row] ?? []) {
      if (value < min) min = value;
      if (value > max && value < Infinity) max = value;
    }
  }
  return min <= max ? [min, max] : [0, 1];
}

export function xyOptions(panel: PlotPanel, width: number, dots: Hook): uPlot.Options {
  const [across] = panel.over;
  const equal = !panel.log && panel.curves.every((curve) => curve.unit === across.unit);
  // So that a metre is as long one way as the other, the shorter range is widened.
  const range = (row: 0 | 1) => (plot: uPlot): uPlot.Range.MinMax => {
    if (row === 1 && panel.log) return logRange(plot, ...reach(plot, 1));
    const [min, max] = linearRange(plot, ...reach(plot, row));
    if (!equal || min === null || max === null) return [min, max];
    const [low, high] = linearRange(plot, ...reach(plot, row === 0 ? 1 : 0)) as [number, number];
    const shape = (plot.over?.clientWidth || width) / (plot.over?.clientHeight || XY_HEIGHT);
    const span = Math.max(max - min, (high - low) * (row === 0 ? shape : 1 / shape));
    return [(min + max - span) / 2, (min + max + span) / 2];
  };
  return {
    width,
    height: XY_HEIGHT,
    mode: 2,
    scales: { x: { time: false, range: range(0) }, y: { range: range(1), ...(panel.log ? { distr: 3, log: 10 } : {}) } },
    legend: { show: false },
    padding: [8, 20, 0, 0],
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false }, bind: { dblclick: () => null } },
    axes: [
      { ...timeAxis(), size: 22, label: `${shorten(across.label, 40)} [${unitLabel(across.unit)}]`, labelSize: 16, labelGap: 0, labelFont: FONT, space: 60,
        values: (_: uPlot, values: number[]) => axisLabels(values) },
      valueAxis(panel, panel.curves[0].unit, "y", 0),
    ],
    series: [{}, ...panel.curves.map((curve) => ({
      ...series(panel, curve, 0), paths: wayPath, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
    } as uPlot.Series))],
    hooks: { draw: [dots] },
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
