// The tab of the ledger: where the energy is and where it went, and what nobody can explain, by which the run may be
// trusted or not. Numbers are those of the sample that is shown; the verdict also counts the worst of all steps so far.
import type { Run } from "../run";
import { runTitle, type Context, type Tab } from "./context";
import { el, setText } from "./dom";
import { number, steady, withUnit } from "../text";

const FINE = 1e-6;
const DOUBTFUL = 1e-3;

interface Line {
  signal: string;
  label: string;
  words: string;
  sign?: -1; // counted against the energy
}

const NOW: Line[] = [
  { signal: "energy.kinetic", label: "Kinetic", words: "energy of motion" },
  { signal: "energy.potential", label: "Potential", words: "of gravity and springs" },
  { signal: "energy.total", label: "Total", words: "both together" },
];
const WENT: Line[] = [
  { signal: "ledger.work", label: "Work", words: "done by actuators and prescribed motions" },
  { signal: "ledger.external", label: "External", words: "done by external forces" },
  { signal: "ledger.dissipated", label: "Dissipated", words: "lost in dampers and friction", sign: -1 },
  { signal: "ledger.impacts", label: "Impacts", words: "gained at locks, bounces, joins and other jumps" },
  { signal: "ledger.loops", label: "Loops", words: "done by the forces of loops: zero but for the method's error" },
];
const LEFT: Line[] = [
  { signal: "ledger.residual", label: "Residual", words: "not explained by the rows above" },
  { signal: "ledger.relative", label: "Relative", words: "relative to what was exchanged or moved, of the worst tree" },
  { signal: "ledger.worst", label: "Worst", words: "the largest of these at any step so far" },
  { signal: "ledger.worst_t", label: "When", words: "the time of that step" },
];

interface Cell {
  element: HTMLElement;
  value: (i: number) => number;
  unit: string;
}

interface Verdict {
  element: HTMLElement;
  what: string;
  value: (i: number) => number;
  when?: ((i: number) => number) | undefined; // time of the worst step
}

export class Ledger implements Tab {
  readonly id = "ledger";
  readonly label = "Ledger";
  readonly element = el("div", { class: "pad" });
  private readonly parts: { run: Run; cells: Cell[]; verdicts: Verdict[] }[] = [];

  constructor(private readonly context: Context) {
    this.element.append(el("p", { class: "muted" },
      "Work, losses and impulses are integrated from forces; energies and momenta follow from positions and " +
      "velocities. The difference was created or lost by the method, and measures the accuracy of the run: " +
      "below 1e\u22126 of its scale is sufficient for almost everything, above 1e\u22123 is not. It is computed for " +
      "each tree separately, about the centre of mass of a floating one, and at the end of every step."));
    for (const run of context.runs) this.addRun(run);
  }

  private addRun(run: Run): void {
    const part = { run, cells: [] as Cell[], verdicts: [] as Verdict[] };
    this.parts.push(part);
    if (this.context.runs.length > 1) this.element.append(runTitle(run));
    const has = (name: string): boolean => run.find(name) >= 0;
    if (!has("ledger.relative")) {
      this.element.append(el("p", { class: "hint" },
        "This run has no ledger in its log. Log the signals “ledger” and “energy” to see it here."));
      return;
    }
    const verdicts = el("div", { class: "verdicts" });
    this.element.append(verdicts, this.table(part, "Energy now", NOW),
      this.table(part, "Balance", WENT), this.table(part, "Residual", LEFT));
    this.addMomentum(part);
    part.verdicts.unshift({
      element: el("p", { class: "verdict" }), what: "Energy",
      value: (i) => value(run, has("ledger.worst") ? "ledger.worst" : "ledger.relative", i),
      when: has("ledger.worst_t") ? (i) => value(run, "ledger.worst_t", i) : undefined,
    });
    verdicts.append(...part.verdicts.map((verdict) => verdict.element));
  }

  private addMomentum(part: { run: Run; cells: Cell[]; verdicts: Verdict[] }): void {
    const { run } = part;
    if (run.find("ledger.linear") < 0 || run.find("ledger.linear_scale") < 0) return;
    const body = el("tbody");
    const worst = run.find("ledger.momentum_worst") >= 0 && run.find("ledger.momentum_worst_t") >= 0; // else an old run
    for (const kind of ["linear", "angular"]) {
      const unit = run.header.signals[run.find(`ledger.${kind}`)]?.unit ?? "";
      const residual = (i: number): number => value(run, `ledger.${kind}`, i);
      const scale = (i: number): number => value(run, `ledger.${kind}_scale`, i);
      const row = el("tr", {}, el("th", { scope: "row" }, kind === "linear" ? "Linear" : "Angular"));
      for (const [what, of] of [[residual, unit], [scale, unit]] as const) {
        const element = el("td", { class: "number" });
        part.cells.push({ element, value: what, unit: of });
        row.append(element);
      }
      body.append(row);
      if (worst) continue;
      part.verdicts.push({
        element: el("p", { class: "verdict" }), what: kind === "linear" ? "Linear momentum" : "Angular momentum",
        value: (i) => (scale(i) > 0 ? residual(i) / scale(i) : residual(i) === 0 ? 0 : NaN),
      });
    }
    if (worst) {
      part.verdicts.push({
        element: el("p", { class: "verdict" }), what: "Momentum", value: (i) => value(run, "ledger.momentum_worst", i),
        when: (i) => value(run, "ledger.momentum_worst_t", i),
      });
    }
    this.element.append(el("div", { class: "wide" }, el("table", { class: "ledger" },
      el("caption", {}, "Momentum of floating trees"),
      el("thead", {}, el("tr", {},
        el("td"), el("th", { scope: "col" }, "unexplained"), el("th", { scope: "col" }, "scale"))),
      body)));
  }

  private table(part: { run: Run; cells: Cell[] }, caption: string, lines: Line[]): HTMLElement {
    const body = el("tbody");
    for (const line of lines) {
      const signal = part.run.find(line.signal);
      if (signal < 0) continue;
      const element = el("td", { class: "number" });
      const sign = line.sign ?? 1;
      part.cells.push({
        element, value: (i) => sign * part.run.column(signal).at(i), unit: part.run.header.signals[signal].unit,
      });
      body.append(el("tr", {},
        el("th", { scope: "row" }, line.label), element, el("td", { class: "muted" }, line.words)));
    }
    return el("table", { class: "ledger" }, el("caption", {}, caption), body);
  }

  update(): void {
    for (const { run, cells, verdicts } of this.parts) {
      const i = run.indexAt(this.context.player.time);
      for (const cell of cells) setText(cell.element, withUnit(steady(cell.value(i) + 0, 7), cell.unit));
      for (const verdict of verdicts) judge(verdict, Math.abs(verdict.value(i)), verdict.when?.(i));
    }
  }

  print(): void {
    this.update();
  }
}

function value(run: Run, name: string, i: number): number {
  const signal = run.find(name);
  return signal < 0 ? NaN : run.column(signal).at(i);
}

// The words say it; the colour only repeats them.
function judge(verdict: Verdict, size: number, when?: number): void {
  const at = when === undefined ? "is unexplained" : `was unexplained at ${number(when, 6)}\u00a0s`;
  const part = size === 0 ? "nothing is unexplained" : `${number(size, 3)} of its scale ${at}`;
  const [grade, text] = Number.isNaN(size)
    ? ["none", "not known: there is no measure of it yet."]
    : size <= FINE ? ["good", `good, ${part}.`]
    : size <= DOUBTFUL
      ? ["fair", `fair, ${part}. The picture is right, the digits are not: halve the step or tighten rtol.`]
      : ["bad", `poor, ${part}. The step is too long for what happens, or a control law too stiff for the method.`];
  verdict.element.dataset.grade = grade;
  setText(verdict.element, `${verdict.what}: ${text}`);
}
