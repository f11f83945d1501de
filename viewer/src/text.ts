// Numbers and names as people read them.

const MINUS = "\u2212";
const NONE = "\u2013";

// Without zeros at the end of the digits, and without a plus.
const tidy = (text: string): string =>
  text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace("e+", "e");

// A number with at most `digits` significant digits.
export function number(value: number, digits = 9): string {
  if (Number.isNaN(value)) return NONE;
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : `${MINUS}\u221e`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-3 || size >= 1e9 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  return tidy(text).replace(/-/g, MINUS);
}

// A number that keeps its width while it changes.
export function steady(value: number, digits = 6): string {
  if (!Number.isFinite(value) || value === 0) return number(value);
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return value.toExponential(digits - 2).replace("e+", "e").replace(/-/g, MINUS);
  const whole = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.max(0, digits - whole)).replace(/-/g, MINUS);
}

// What is not a number has no unit.
export const withUnit = (text: string, unit: string): string =>
  unit === "1" || unit === "" || text === NONE ? text : `${text}\u00a0${unit}`;

// Decimals that times of samples this far apart need, three at least.
export function timeDecimals(spacing: number): number {
  if (!(spacing > 0)) return 3;
  const enough = Math.min(9, Math.max(3, Math.ceil(-Math.log10(spacing)) + 1));
  for (let d = 3; d < enough; d++) if (Math.abs(spacing * 10 ** d - Math.round(spacing * 10 ** d)) < 1e-6) return d;
  return enough;
}

// At most so many characters; one that is written as two is not cut in half.
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}\u2026`;

// For names of files.
export function fileName(text: string): string {
  const safe = text.normalize("NFKD").replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[_.]+|[_.]+$/g, "");
  return safe.slice(0, 60) || "freebody";
}

// Labels of an axis: as many digits as the distance between two needs.
export function axisLabels(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : 0;
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest !== 0 && (largest < 1e-3 || largest >= 1e6)) {
    return values.map((v) => (v === 0 ? "0" : tidy(v.toExponential(5)).replace(/-/g, MINUS)));
  }
  let decimals = 0;
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return values.map((v) => v.toFixed(decimals).replace(/^-(0(\.0*)?)$/, "$1").replace("-", MINUS));
}

const FAR_DIGITS = 1e5;

// Labels of marks that are `step` apart. Where only far digits differ, as in an energy that is kept to rounding, they
// count from a base, which is to be told with them.
export function axisMarks(values: number[], step: number): { labels: string[]; base: number } {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (!(largest > FAR_DIGITS * step)) return { labels: axisLabels(values), base: 0 };
  const written = (v: number): number => number(v, 15).length;
  const base = values.reduce((best, v) => (written(v) < written(best) ? v : best)); // the roundest
  return { labels: values.map((v) => number(Math.round((v - base) / step) * step, 3)), base };
}
