// What an expression means in a run: one series of numbers, or several for a vector.
import type { Column, Run } from "../run";
import { DerivedColumn } from "./derived";
import { ExpressionError, parse, type Node, type Sign } from "./parse";
import { productUnit, quotientUnit, sumUnit, type Unit } from "./units";

export interface Series {
  label: string; // "v.hand.x", or the expression, for a vector with ".x"
  unit: string;
  column: Column;
  signal: number; // its index in the run; -1: computed
}

// The last part of a name that is a component of a vector.
export const PART = /\.(x|y|z|w|roll|pitch|yaw|\d+)$/;
const TIME = "t";

// "p.hand" of "p.hand.x".
const stemOf = (name: string): string => name.replace(PART, "");

// Names that expressions may use: signals, vectors by their stems, and the time.
export function expressionNames(runs: readonly Run[]): string[] {
  const names = new Set<string>([TIME]);
  for (const { header } of runs) {
    for (const { name } of header.signals) names.add(name).add(stemOf(name));
  }
  return [...names];
}

interface Value {
  unit: Unit;
  text: string; // for messages
  parts: { label: string; at: (i: number) => number; signal: number }[];
}

const APPLY: Record<Sign, (a: number, b: number) => number> = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
};

class Meaning {
  constructor(private readonly run: Run) {}

  of(node: Node): Value {
    switch (node.kind) {
      case "number":
        return { unit: null, text: String(node.value), parts: [{ label: "", at: () => node.value, signal: -1 }] };
      case "name":
        return this.name(node.name);
      case "minus": {
        const value = this.of(node.of);
        return { ...value, parts: value.parts.map(({ label, at }) => ({ label, at: (i) => -at(i), signal: -1 })) };
      }
      case "size":
        return this.size(this.of(node.of));
      case "binary":
        return this.binary(node.sign, this.of(node.left), this.of(node.right));
    }
  }

  private name(name: string): Value {
    const { signals } = this.run.header;
    const found = this.run.find(name);
    if (found < 0 && name === TIME) {
      return { unit: "s", text: name, parts: [{ label: "", at: (i) => this.run.time.at(i), signal: -1 }] };
    }
    const indices = found >= 0 ? [found] : signals.flatMap((s, i) => (stemOf(s.name) === name ? [i] : []));
    if (indices.length === 0) throw new ExpressionError(`This run has no signal “${name}”.`);
    const units = [...new Set(indices.map((i) => signals[i].unit))];
    if (units.length > 1) {
      throw new ExpressionError(
        `The components of “${name}” have different units (${units.join(", ")}); name one.`);
    }
    return {
      unit: units[0], text: name,
      parts: indices.map((i) => {
        const column = this.run.column(i);
        return { label: found >= 0 ? "" : signals[i].name.slice(name.length), at: (k) => column.at(k), signal: i };
      }),
    };
  }

  private size({ unit, text, parts }: Value): Value {
    const [{ at }] = parts;
    const length = parts.length === 1 ? (i: number) => Math.abs(at(i)) : (i: number) => norm(parts, i);
    return { unit, text: `|${text}|`, parts: [{ label: "", at: length, signal: -1 }] };
  }

  private binary(sign: Sign, a: Value, b: Value): Value {
    const n = Math.max(a.parts.length, b.parts.length);
    for (const { parts, text } of [a, b]) {
      if (parts.length !== 1 && parts.length !== n) {
        throw new ExpressionError(`“${text}” has ${parts.length} components, and what it is combined with ${n}.`);
      }
    }
    if (n > 1 && sign === "*" && a.parts.length === n && b.parts.length === n) {
      throw new ExpressionError(`“${a.text}” and “${b.text}” are vectors; multiply their components.`);
    }
    if (n > 1 && sign === "/" && b.parts.length === n) {
      throw new ExpressionError(`“${b.text}” is a vector; divide by a number or by |${b.text}|.`);
    }
    const apply = APPLY[sign];
    const parts = Array.from({ length: n }, (_, k) => {
      const [x, y] = [a, b].map((value) => value.parts[value.parts.length === 1 ? 0 : k]);
      return { label: x.label || y.label, at: (i: number) => apply(x.at(i), y.at(i)), signal: -1 };
    });
    return { unit: this.unit(sign, a, b), text: `${a.text} ${sign} ${b.text}`, parts };
  }

  private unit(sign: Sign, a: Value, b: Value): Unit {
    if (sign === "*") return productUnit(a.unit, b.unit);
    if (sign === "/") return quotientUnit(a.unit, b.unit);
    const sum = sumUnit(a.unit, b.unit);
    if (sum) return sum.unit;
    const verb = sign === "+" ? "added to" : "subtracted from";
    const [x, y] = sign === "+" ? [a, b] : [b, a];
    throw new ExpressionError(`“${x.text}” [${x.unit}] cannot be ${verb} “${y.text}” [${y.unit}].`);
  }
}

function norm(parts: Value["parts"], i: number): number {
  let sum = 0;
  for (const { at } of parts) sum += at(i) ** 2;
  return Math.sqrt(sum);
}

// Throws ExpressionError where it means nothing in this run; `names` are those of expressionNames.
export function seriesOf(run: Run, text: string, names: readonly string[]): Series[] {
  const { unit, parts } = new Meaning(run).of(parse(text, names));
  const whole = parts.length === 1 ? text : /^[^\s+*/()|]+$/.test(text) ? text : `(${text})`;
  return parts.map(({ label, at, signal }) => ({
    label: parts.length === 1 ? text : `${whole}${label}`,
    unit: unit ?? "1",
    column: signal >= 0 ? run.column(signal) : new DerivedColumn(run, at),
    signal,
  }));
}
