// How late the steps of a run in real time were, as bars: wall.realtime.jitter_histogram of summary.json.
import { el } from "./dom";
import { number } from "../text";

interface Bin {
  below?: number; // seconds; the last bin may have no bound
  count: number;
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

const isBin = (value: unknown): value is Bin => {
  if (typeof value !== "object" || value === null) return false;
  const { below, count } = value as Record<string, unknown>;
  return isCount(count) && (below === undefined || isCount(below));
};

const UNITS: [number, string][] = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]];

function duration(seconds: number): string {
  const [size, unit] = UNITS.find(([least]) => seconds >= least * 0.999) ?? UNITS[2];
  return `${number(seconds / size, 3)}\u00a0${unit}`;
}

export const isHistogram = (value: unknown): value is Bin[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 64 && value.every(isBin);

// A row for each bin: its bound, a bar, how many. The longest bar is that of the fullest bin.
export function histogram(bins: Bin[]): HTMLElement {
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const all = bins.reduce((sum, bin) => sum + bin.count, 0);
  const table = el("table", { class: "histogram" }, el("caption", {}, "How late steps were"));
  bins.forEach((bin, i) => {
    const bound = bin.below !== undefined ? `below ${duration(bin.below)}`
      : `over ${duration(bins[i - 1]?.below ?? 0)}`;
    const share = `${number((100 * bin.count) / Math.max(1, all), 3)} %`;
    const bar = el("div", { class: "jitter-bar" });
    bar.style.width = `${(100 * bin.count) / most}%`; // the page's policy takes no style in an attribute
    table.append(el("tr", { title: share }, el("th", { scope: "row" }, bound),
      el("td", { class: "bar-cell" }, bar),
      el("td", { class: "number" }, String(bin.count))));
  });
  return table;
}
