// The tab of a comparison: what is plotted, in all runs, at the time that is shown, and how far each is from the first.
import { shownAs } from "./angles";
import { runKey, runName, sampleAt, type Context, type Tab } from "./context";
import { el, setText } from "./dom";
import { shownValue, type Curve } from "./plot_data";
import { shorten, steady } from "../text";

// A label, and its curve in each run that has it.
export interface Plotted {
  label: string;
  curves: (Curve | undefined)[];
}

export class Compare implements Tab {
  readonly id = "compare";
  readonly label = "Compare";
  readonly element = el("div", { class: "pad" });
  private readonly body = el("tbody");
  private cells: { curves: (Curve | undefined)[]; values: HTMLElement[] }[] = [];
  private listed = "";

  constructor(private readonly context: Context, private readonly plotted: () => Plotted[]) {
    const heads = context.runs.flatMap((run, k) => {
      const name = runName(run);
      const own = el("th", { scope: "col", class: "cut", title: shorten(name, 500) }, runKey(run), shorten(name, 60));
      return k === 0 ? [own] : [own, el("th", { scope: "col" }, "difference")];
    });
    this.element.append(
      el("p", { class: "muted" },
        "What is plotted, at the time shown: for each run the sample at or before it, until the end of that run. " +
        "Differences are those to the first run."),
      el("div", { class: "wide" }, el("table", { class: "ledger compare" },
        el("thead", {}, el("tr", {},
          el("th", { scope: "col" }, "signal"), el("th", { scope: "col" }, "unit"), ...heads)),
        this.body)));
  }

  show(): void {
    const plotted = this.plotted();
    const unitsOf = (curves: (Curve | undefined)[]): string =>
      [...new Set(curves.map((c) => c && shownAs(c.unit).unit).filter((unit) => unit && unit !== "1"))].join(" and ");
    const listed = plotted.map(({ label, curves }) => `${label} ${unitsOf(curves)}`).join("\n");
    if (listed === this.listed) return;
    this.listed = listed;
    this.cells = plotted.map(({ curves }) => ({
      curves, values: Array.from({ length: 2 * curves.length - 1 }, () => el("td", { class: "number" })),
    }));
    this.body.replaceChildren(...plotted.map(({ label, curves }, k) => {
      const shown = unitsOf(curves);
      return el("tr", {},
        el("th", { scope: "row", class: "cut", title: shorten(label, 500) }, shorten(label, 200)),
        el("td", { class: "unit cut", title: shorten(shown, 200) }, shorten(shown, 60)), ...this.cells[k].values);
    }));
  }

  update(): void {
    this.show();
    const { runs, player } = this.context;
    const at = runs.map((run) => sampleAt(run, player.time));
    for (const { curves, values } of this.cells) {
      const numbers = curves.map((curve, k) => (curve ? shownValue(curve, at[k]) : NaN));
      const shown = numbers.flatMap((x, k) => {
        if (k === 0) return [x];
        return [x, curves[k]?.unit === curves[0]?.unit ? x - numbers[0] : NaN];
      });
      shown.forEach((x, k) => setText(values[k], steady(x, 7)));
    }
  }

  print(): void {
    this.update();
  }
}
