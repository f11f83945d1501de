// A dialog to choose what a plot shows: signals from a long list, by search, one by one or a whole group; expressions
// of them; and what they are drawn over.
import type { SignalInfo } from "../format";
import { el, textButton } from "./dom";
import type { ComponentNames } from "./component_names";
import type { PlotWish } from "./plot_panel";
import { groupsOf } from "./signals";
import { shorten } from "../text";

const SHOWN = 200;
const LISTED = 2000; // names that are offered while one types
const SEPARATOR = ";"; // between expressions

interface Row {
  name: string;
  unit: string;
  meaning: string;
  names: string[]; // of the signals it stands for
}

function rowsOf(signals: SignalInfo[], components: ComponentNames): Row[] {
  const rows: Row[] = [];
  for (const group of groupsOf(signals)) {
    const names = group.signals.map((signal) => signal.name);
    if (names.length > 1) {
      const last = names.map((name) => components.of(name) || name.slice(group.name.length + 1));
      const meaning = `all ${names.length}: ${shorten(last.join(", "), 60)}`;
      rows.push({ name: group.name, unit: group.unit, meaning, names });
    }
    for (const s of group.signals) {
      rows.push({ name: components.full(s.name), unit: s.unit, meaning: s.meaning, names: [s.name] });
    }
  }
  return rows;
}

interface Field {
  element: HTMLElement;
  input: HTMLInputElement;
  error: HTMLElement;
}

// Why a text is no expression; "" where it is one. `single`: it must not be a vector.
export type Check = (text: string, single: boolean) => string;

export class SignalPicker {
  private readonly dialog = el("dialog", { class: "picker", "aria-labelledby": "picker-title" });
  private readonly search = el("input", {
    type: "search", "aria-label": "Search signals", placeholder: "Search by name or meaning",
  });
  private readonly list = el("ul", { class: "picker-list", "aria-label": "Signals" });
  private readonly note = el("p", { class: "muted", role: "status" });
  private readonly formula = this.field("Expressions", "|vel.hand|; q.joint1 - q.joint2");
  private readonly over = this.field("Over", "time");
  private readonly done: HTMLButtonElement;
  private readonly rows: Row[];
  private chosen = new Set<string>();
  private finish: (wish: PlotWish) => void = () => undefined;

  constructor(
    private readonly signals: SignalInfo[], components: ComponentNames, names: readonly string[],
    private readonly check: Check,
  ) {
    this.rows = rowsOf(signals, components);
    this.done = el("button", { type: "submit", class: "primary" }, "Plot");
    const known = el("datalist", { id: "picker-names" },
      ...names.slice(0, LISTED).map((name) => el("option", { value: name })));
    this.over.input.setAttribute("list", "picker-names");
    const form = el("form", { method: "dialog" },
      el("h2", { id: "picker-title" }, "Signals to plot together"),
      this.search, this.list, this.note,
      el("div", { class: "picker-fields" }, this.formula.element, this.over.element, known),
      el("div", { class: "dialog-buttons" }, textButton("Cancel", () => this.dialog.close()), this.done));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.accept();
    });
    this.search.addEventListener("input", () => this.fill());
    this.dialog.append(form);
    document.body.append(this.dialog);
  }

  // A line to write in, with what is wrong with it below.
  private field(label: string, placeholder: string): Field {
    const id = `picker-${label.toLowerCase()}`;
    const input = el("input", {
      type: "text", id, placeholder, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-error`,
    });
    const error = el("p", { class: "field-error", id: `${id}-error`, role: "alert" });
    input.addEventListener("input", () => this.judge());
    const element = el("div", { class: "picker-field" }, el("label", { for: id }, label), input, error);
    return { element, input, error };
  }

  open(wish: PlotWish, finish: (wish: PlotWish) => void): void {
    const known = new Set(this.signals.map((signal) => signal.name));
    this.chosen = new Set(wish.names.filter((name) => known.has(name)));
    this.formula.input.value = wish.names.filter((name) => !known.has(name)).join(`${SEPARATOR} `);
    this.over.input.value = wish.over ?? "";
    this.finish = finish;
    this.search.value = "";
    this.fill();
    this.dialog.showModal();
    this.search.focus();
  }

  private found(): Row[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (row: Row): boolean => {
      const text = `${row.name} ${row.meaning} ${row.unit}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return this.rows.filter(matches);
  }

  private fill(): void {
    const found = this.found();
    this.list.replaceChildren(...found.slice(0, SHOWN).map((row) => this.item(row)));
    this.list.scrollTop = 0;
    this.note.textContent = found.length === 0
      ? "No signal of that name."
      : found.length > SHOWN ? `${SHOWN} of ${found.length} are shown; search for the others.` : "";
    this.judge();
  }

  private item(row: Row): HTMLElement {
    const box = el("input", { type: "checkbox" });
    box.checked = row.names.every((name) => this.chosen.has(name));
    box.addEventListener("change", () => {
      for (const name of row.names) {
        if (box.checked) this.chosen.add(name);
        else this.chosen.delete(name);
      }
      this.sync();
    });
    const item = el("li", { class: row.names.length > 1 ? "group" : "" },
      el("label", { title: shorten(`${row.name}: ${row.meaning}`, 500) }, box,
        el("span", { class: "name cut" }, shorten(row.name, 300)),
        el("span", { class: "unit cut" }, row.unit === "1" ? "" : shorten(row.unit, 30)),
        el("span", { class: "meaning cut" }, shorten(row.meaning, 300))));
    item.dataset.names = JSON.stringify(row.names);
    return item;
  }

  private sync(): void {
    for (const item of this.list.querySelectorAll("li")) {
      const names = JSON.parse(item.dataset.names ?? "[]") as string[];
      const box = item.querySelector("input");
      if (box) box.checked = names.every((name) => this.chosen.has(name));
    }
    this.judge();
  }

  private formulas(): string[] {
    return this.formula.input.value.split(SEPARATOR).map((text) => text.trim()).filter(Boolean);
  }

  // What is wrong with the first of the expressions that is not one; positions are those in the field.
  private wrongFormula(): string {
    let start = 0;
    for (const text of this.formula.input.value.split(SEPARATOR)) {
      const wrong = text.trim() && this.check(" ".repeat(start) + text, false);
      if (wrong) return wrong;
      start += text.length + SEPARATOR.length;
    }
    return "";
  }

  // Checks what is written, and says what the button will do.
  private judge(): void {
    const formulas = this.formulas();
    const over = this.over.input.value.trim();
    const wrong = [
      [this.formula, this.wrongFormula()],
      [this.over, over && over !== "time" ? this.check(over, true) : ""],
    ] as const;
    for (const [{ input, error }, text] of wrong) {
      error.textContent = shorten(text, 300);
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    const n = this.chosen.size + formulas.length;
    this.done.disabled = wrong.some(([, text]) => text !== "") || (n === 0 && this.list.childElementCount === 0);
    this.done.textContent = n === 0 ? "Plot the first" : n === 1 ? "Plot 1 signal" : `Plot ${n} signals`;
  }

  // What is chosen, in the order of the log, then what is written; the first that was found when there is neither.
  private accept(): void {
    if (this.done.disabled) return;
    const formulas = this.formulas();
    if (this.chosen.size + formulas.length === 0) this.chosen = new Set(this.found()[0]?.names);
    const names = this.signals.map((signal) => signal.name).filter((name) => this.chosen.has(name));
    const over = this.over.input.value.trim();
    this.dialog.close();
    if (names.length + formulas.length === 0) return;
    this.finish({ names: [...names, ...formulas], ...(over && over !== "time" ? { over } : {}) });
  }
}
