// How plots over another signal look: lines in the plane, and axes of one scale where both have one unit.
import type uPlot from "uplot";
import type { PlotPanel } from "./plot_panel";
import { FONT, linearRange, logRange, series, timeAxis, unitLabel, valueAxis, type Hook } from "./plot_style";
import { axisLabels, shorten } from "../text";

export const XY_HEIGHT = 260;

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
    scales: {
      x: { time: false, range: range(0) }, y: { range: range(1), ...(panel.log ? { distr: 3, log: 10 } : {}) },
    },
    legend: { show: false },
    padding: [8, 20, 0, 0],
    cursor: {
      x: false, y: false, points: { show: false }, drag: { x: false, y: false }, bind: { dblclick: () => null },
    },
    axes: [
      {
        ...timeAxis(), label: `${shorten(across.label, 40)} [${unitLabel(across.unit)}]`, labelSize: 16, labelGap: 0,
        labelFont: FONT, space: 60, values: (_: uPlot, values: number[]) => axisLabels(values),
      },
      valueAxis(panel, panel.curves[0].unit, "y", 0),
    ],
    series: [{}, ...panel.curves.map((curve) => ({
      ...series(panel, curve, 0), paths: wayPath, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
    } as uPlot.Series))],
    hooks: { draw: [dots] },
  };
}
