// The tab of the summary: what the run tells about itself, as tables.
import { runTitle, type Context, type Tab } from "./context";
import { el } from "./dom";
import { histogram, isHistogram } from "./histogram";
import { number, shorten } from "../text";

const DEEPEST = 4;
const LONGEST = 100; // items of a list
// Told elsewhere.
const SKIPPED = new Set(["events", "event_count", "name", "model", "version", "status", "integrator"]);

// Units of numbers that summary.json gives by name alone.
const UNITS: Record<string, string> = {
  t: "s", duration: "s", "energy.start": "J", "energy.end": "J", "energy.work": "J", "energy.external": "J",
  "energy.dissipated": "J", "energy.impacts": "J", "energy.loops": "J", "energy.gross": "J", "energy.peak_kinetic": "J",
  "energy.outside": "J", "energy.jumped": "J", "energy.exchanged": "J", // of runs of before
  "energy.residual": "J", "energy.scale": "J", "energy.worst_t": "s", "momentum.worst_t": "s",
  "momentum.linear_residual": "kg m/s", "momentum.linear_scale": "kg m/s", "momentum.angular_residual": "kg m^2/s",
  "momentum.angular_scale": "kg m^2/s", "wall.seconds": "s", "wall.from": "s", "wall.speed": "× real time",
  "joins.t": "s", "joins.point": "m", "joins.linear_impulse": "N s", "joins.angular_impulse": "N m s",
  "joins.energy_lost": "J", "wall.realtime.jitter_p50": "s", "wall.realtime.jitter_p99": "s",
  "wall.realtime.jitter_max": "s", "wall.remote.round_trip_p50": "s", "wall.remote.round_trip_p99": "s",
  "wall.remote.round_trip_max": "s",
};

const NAMES: Record<string, string> = {
  t: "Time reached", freebody: "Freebody", wall: "Time it took", "wall.from": "Begun at",
  joins: "Joins and partings", "joins.t": "Time", "wall.realtime": "Real time", "wall.remote": "Remote controllers",
};

// A path as UNITS and NAMES have it: without the positions in lists.
const general = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, "");

const below = (path: string, key: string): string => (path ? `${path}.${key}` : key);

const heading = (key: string, path: string): string => {
  const name = NAMES[general(below(path, key))];
  if (name) return name;
  const words = key.replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "number");

function text(value: unknown, path: string): string {
  const unit = UNITS[general(path)] ? `\u00a0${UNITS[general(path)]}` : "";
  if (typeof value === "number") return number(value, 10) + unit;
  if (isNumbers(value)) return value.slice(0, LONGEST).map((item) => number(item, 6)).join(", ") + unit;
  if (value === null) return "\u2013";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return shorten(typeof value === "string" ? value : JSON.stringify(value) ?? "", 12000);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isNumbers(value);

// The heading of a part: of a join or parting, the name of its joint.
function partTitle(key: string, inside: Record<string, unknown>, path: string): string {
  if (path === "joins" && typeof inside.join === "string") return `${inside.join}: joined`;
  if (path === "joins" && typeof inside.part === "string") return `${inside.part}: parted`;
  if (path === "wall.remote" && typeof inside.name === "string") return inside.name;
  return heading(key, path);
}

function rows(entries: [string, unknown][], path: string): HTMLElement {
  const table = el("table", { class: "facts" });
  for (const [key, value] of entries) {
    const numeric = typeof value === "number" || isNumbers(value);
    table.append(el("tr", {}, el("th", { scope: "row" }, shorten(heading(key, path), 200)),
      el("td", numeric ? { class: "number" } : {}, el("div", { class: "long" }, text(value, below(path, key))))));
  }
  return table;
}

function section(title: string, value: Record<string, unknown>, path: string, depth: number): HTMLElement {
  const entries = Object.entries(value).slice(0, LONGEST);
  const plain = entries.filter(([, v]) => !isObject(v) || depth >= DEEPEST);
  const nested = entries.filter(([, v]) => isObject(v) && depth < DEEPEST) as [string, Record<string, unknown>][];
  const part = el("section", { class: "facts-part" }, title ? el("h3", {}, shorten(title, 200)) : null);
  if (plain.length > 0) part.append(rows(plain, path));
  for (const [key, inside] of nested) {
    if (Object.keys(inside).length === 0) continue;
    if (key === "jitter_histogram" && isHistogram(inside)) {
      part.append(histogram(inside));
      continue;
    }
    part.append(section(partTitle(key, inside, path), inside, below(path, key), depth + 1));
  }
  return part;
}

export class Summary implements Tab {
  readonly id = "summary";
  readonly label = "Summary";
  readonly element = el("div", { class: "pad summary" });
  private status: string[] = [];

  constructor(private readonly context: Context) {}

  show(): void {
    const status = this.context.runs.map((run) => `${run.header.status} ${run.samples} ${run.header.summary !== null}`);
    if (status.join() === this.status.join()) return;
    this.status = status;
    this.element.replaceChildren(...this.context.runs.map((run) => this.card(run.index)));
  }

  grew(): void {
    if (this.element.offsetParent !== null) this.show();
  }

  print(): void {
    this.show();
  }

  private card(index: number): HTMLElement {
    const run = this.context.runs[index];
    const { header } = run;
    const about: [string, unknown][] = [
      ["name", header.name], ["model", header.model], ["status", header.status], ["integrator", header.integrator],
      ["duration", header.duration], ["bodies", header.bodies.length], ["signals", header.signals.length],
      ["samples", run.samples], ["events", header.events.length], ["freebody", header.freebody],
    ];
    const rest = Object.fromEntries(Object.entries(header.summary ?? {})
      .filter(([key]) => !SKIPPED.has(key) && !about.some(([name]) => name === key)));
    return el("article", {},
      this.context.runs.length > 1 ? runTitle(run) : null,
      this.notes(header.notes),
      rows(about, ""),
      header.summary
        ? section("", rest, "", 1) : el("p", { class: "hint" }, header.live && header.status !== "running"
          ? `The summary is in the run's folder: freebody view ${header.folder} -o report.html shows it.`
          : "The summary is written when the run has ended."));
  }

  private notes(notes: string[]): HTMLElement | null {
    if (notes.length === 0) return null;
    return el("div", { class: "notes" }, el("h3", {}, "Notes"),
      el("ul", {}, ...notes.slice(0, LONGEST).map((note) =>
        el("li", {}, el("div", { class: "long" }, shorten(note, 12000))))));
  }
}
