// Signals by name: what belongs together, what a beginning stands for, and what to plot first.
import type { SignalInfo } from "../format";
import { PART } from "../expression/series";
import type { Column, Run } from "../run";
import type { PlotWish } from "./plot_panel";

export interface Group {
  name: string; // "p.hand"
  unit: string;
  signals: SignalInfo[];
}

// Where a signal belongs: the components of a vector together, energies together, and so on.
function groupName(name: string): string {
  if (PART.test(name)) return name.replace(PART, "");
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

// Groups of signals with one unit, in the order of the log. Joints of one unit are one group.
export function groupsOf(signals: SignalInfo[]): Group[] {
  const groups = new Map<string, Group>();
  for (const signal of signals) {
    const name = groupName(signal.name);
    const key = `${name}\n${signal.unit}`;
    const group = groups.get(key);
    if (group) group.signals.push(signal);
    else groups.set(key, { name, unit: signal.unit, signals: [signal] });
  }
  return [...groups.values()];
}

// All signals of the runs, the first run's first.
export function allSignals(runs: Run[]): SignalInfo[] {
  const seen = new Map<string, SignalInfo>();
  for (const run of runs) {
    for (const signal of run.header.signals) if (!seen.has(signal.name)) seen.set(signal.name, signal);
  }
  return [...seen.values()];
}

// What a name stands for: itself, or all signals that it is the beginning of ("p.hand", "q.arm*").
export function matching(signals: SignalInfo[], name: string): string[] {
  if (signals.some((signal) => signal.name === name)) return [name];
  const begins = name.endsWith("*") ? name.slice(0, -1) : `${name}.`;
  return signals.filter((signal) => signal.name.startsWith(begins)).map((signal) => signal.name);
}

const MOST = 6; // curves of a panel that nobody asked for: as many as there are colours

// Whether a column has two values that differ; one without samples may yet.
function varies(column: Column): boolean {
  if (column.length < 2) return true;
  const { min, max } = column.overview(0, column.length, 1);
  return max[0] > min[0];
}

// Panels for the beginning: how it moves, how the joints go, what acts, where the energy is; of a run that joins and
// parts trees also the momentum, which that conserves.
// Signals that never change say little; they come only where nothing else does.
export function firstPanels(run: Run): PlotWish[] {
  const groups = groupsOf(run.header.signals);
  const shown = (group: Group): SignalInfo[] => group.signals.slice(0, MOST);
  const changes = (group: Group): boolean => shown(group).some(({ name }) => varies(run.column(run.find(name))));
  const ledger = (group: Group): boolean => group.name === "ledger" || group.name.startsWith("ledger.");
  const momenta = run.find("epoch") < 0 ? [] : ["momentum.linear", "momentum.angular"];
  const wanted = [
    (g: Group) => g.name.startsWith("p."),
    ...momenta.map((name) => (g: Group) => g.name === name),
    (g: Group) => g.name.startsWith("rpy."),
    (g: Group) => g.name === "q",
    (g: Group) => g.name === "energy",
    (g: Group) => g.name === "tau",
    (g: Group) => g.name.startsWith("q.") && g.unit !== "1",
    (g: Group) => !ledger(g) && !g.name.startsWith("q.") && !g.name.startsWith("tau."),
    (g: Group) => !ledger(g),
  ];
  const chosen: Group[] = [];
  for (const wish of wanted) {
    if (chosen.length >= 4 + momenta.length) break;
    const group = groups.find((g) => wish(g) && !chosen.includes(g) && changes(g));
    if (group) chosen.push(group);
  }
  if (chosen.length === 0) chosen.push(...groups.slice(0, 1));
  return chosen.map((group) => {
    const names = group.signals.map((signal) => signal.name);
    return { names: names.slice(0, MOST), more: names.slice(MOST) };
  });
}

// What all names begin with, up to a dot: the title of a panel that holds them.
export function commonName(names: string[]): string {
  if (names.length === 1) return names[0];
  const parts = names.map((name) => name.split("."));
  const common: string[] = [];
  while (common.length < parts[0].length && parts.every((p) => p[common.length] === parts[0][common.length])) {
    common.push(parts[0][common.length]);
  }
  return common.join(".");
}
