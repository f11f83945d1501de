// The tab of a comparison: the signals that are plotted, in both runs, at the time that is shown.
import { runName, type Context, type Tab } from "./context";
import { el, setText } from "./dom";
import { shorten, steady, withUnit } from "./text";

export class Compare implements Tab {
  readonly id = "compare";
  readonly label = "Compare";
  readonly element = el("div", { class: "pad" });
  private readonly body = el("tbody");
  private cells: { name: string; unit: string; values: HTMLElement[] }[] = [];
  private listed = "";

  constructor(private readonly context: Context, private readonly names: () => string[]) {
    const [a, b] = context.runs;
    const head = (text: string, index: number): HTMLElement =>
      el("th", { scope: "col", title: shorten(text, 500) },
        el("span", { class: `key key-${index}` }), shorten(text, 30));
    this.element.append(
      el("p", { class: "muted" },
        "Signals that are plotted, at the time that is shown. Each run gives its sample at or before it."),
      el("div", { class: "wide" }, el("table", { class: "ledger compare" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "signal"), head(runName(a), 0), head(runName(b), 1),
          el("th", { scope: "col" }, "difference"))),
        this.body)));
  }

  show(): void {
    const names = this.names();
    if (names.join("\n") === this.listed) return;
    this.listed = names.join("\n");
    this.cells = names.map((name) => ({
      name, unit: this.unit(name), values: [0, 1, 2].map(() => el("td", { class: "number" })),
    }));
    this.body.replaceChildren(...this.cells.map(({ name, values }) =>
      el("tr", {},
        el("th", { scope: "row", class: "cut", title: shorten(name, 500) }, shorten(name, 200)), ...values)));
  }

  private unit(name: string): string {
    for (const run of this.context.runs) {
      const signal = run.find(name);
      if (signal >= 0) return run.header.signals[signal].unit;
    }
    return "1";
  }

  update(): void {
    this.show();
    const { runs, player } = this.context;
    const at = runs.map((run) => run.indexAt(player.time));
    for (const { name, unit, values } of this.cells) {
      const [a, b] = runs.map((run, k) => {
        const signal = run.find(name);
        return signal < 0 ? NaN : run.column(signal).at(at[k]);
      });
      [a, b, b - a].forEach((x, k) => setText(values[k], withUnit(steady(x, 7), unit)));
    }
  }

  print(): void {
    this.update();
  }
}
