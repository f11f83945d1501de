// The tab of a comparison: the signals that are plotted, in both runs, at the time that is shown.
import { runName, sampleAt, type Context, type Tab } from "./context";
import { el, setText } from "./dom";
import { shorten, steady } from "../text";

export class Compare implements Tab {
  readonly id = "compare";
  readonly label = "Compare";
  readonly element = el("div", { class: "pad" });
  private readonly body = el("tbody");
  private cells: { name: string; units: (string | undefined)[]; values: HTMLElement[] }[] = [];
  private listed = "";

  constructor(private readonly context: Context, private readonly names: () => string[]) {
    const [a, b] = context.runs;
    const head = (text: string, index: number): HTMLElement =>
      el("th", { scope: "col", class: "cut", title: shorten(text, 500) },
        el("span", { class: `key key-${index}` }), shorten(text, 60));
    this.element.append(
      el("p", { class: "muted" },
        "The plotted signals at the time shown: for each run the sample at or before it, until the end of that run."),
      el("div", { class: "wide" }, el("table", { class: "ledger compare" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "signal"), el("th", { scope: "col" }, "unit"),
          head(runName(a), 0), head(runName(b), 1), el("th", { scope: "col" }, "difference"))),
        this.body)));
  }

  show(): void {
    const names = this.names();
    if (names.join("\n") === this.listed) return;
    this.listed = names.join("\n");
    this.cells = names.map((name) => ({
      name, units: this.units(name), values: [0, 1, 2].map(() => el("td", { class: "number" })),
    }));
    this.body.replaceChildren(...this.cells.map(({ name, units, values }) => {
      const shown = [...new Set(units.filter((unit) => unit && unit !== "1"))].join(" and ");
      return el("tr", {},
        el("th", { scope: "row", class: "cut", title: shorten(name, 500) }, shorten(name, 200)),
        el("td", { class: "unit cut", title: shorten(shown, 200) }, shorten(shown, 60)), ...values);
    }));
  }

  // In each run; undefined where it has no such signal.
  private units(name: string): (string | undefined)[] {
    return this.context.runs.map((run) => run.header.signals[run.find(name)]?.unit);
  }

  update(): void {
    this.show();
    const { runs, player } = this.context;
    const at = runs.map((run) => sampleAt(run, player.time));
    for (const { name, units, values } of this.cells) {
      const [a, b] = runs.map((run, k) => {
        const signal = run.find(name);
        return signal < 0 ? NaN : run.column(signal).at(at[k]);
      });
      const difference = units[0] === units[1] ? b - a : NaN;
      [a, b, difference].forEach((x, k) => setText(values[k], steady(x, 7)));
    }
  }

  print(): void {
    this.update();
  }
}
