// A dialog to choose signals from a long list: by search, one by one or a whole group.
import type { SignalInfo } from "../format";
import { el, textButton } from "./dom";
import { groupsOf } from "./signals";
import { shorten } from "../text";

const SHOWN = 200;

interface Row {
  name: string;
  unit: string;
  meaning: string;
  names: string[]; // of the signals it stands for
}

function rowsOf(signals: SignalInfo[]): Row[] {
  const rows: Row[] = [];
  for (const group of groupsOf(signals)) {
    const names = group.signals.map((signal) => signal.name);
    if (names.length > 1) {
      const last = names.map((name) => name.slice(group.name.length + 1));
      const meaning = `all ${names.length}: ${shorten(last.join(", "), 60)}`;
      rows.push({ name: group.name, unit: group.unit, meaning, names });
    }
    for (const s of group.signals) rows.push({ name: s.name, unit: s.unit, meaning: s.meaning, names: [s.name] });
  }
  return rows;
}

export class SignalPicker {
  private readonly dialog = el("dialog", { class: "picker", "aria-labelledby": "picker-title" });
  private readonly search = el("input", {
    type: "search", "aria-label": "Search signals", placeholder: "Search by name or meaning",
  });
  private readonly list = el("ul", { class: "picker-list", "aria-label": "Signals" });
  private readonly note = el("p", { class: "muted", role: "status" });
  private readonly done: HTMLButtonElement;
  private readonly rows: Row[];
  private chosen = new Set<string>();
  private finish: (names: string[]) => void = () => undefined;

  constructor(private readonly signals: SignalInfo[]) {
    this.rows = rowsOf(signals);
    this.done = el("button", { type: "submit", class: "primary" }, "Plot");
    const form = el("form", { method: "dialog" },
      el("h2", { id: "picker-title" }, "Signals to plot together"),
      this.search, this.list, this.note,
      el("div", { class: "dialog-buttons" }, textButton("Cancel", () => this.dialog.close()), this.done));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.accept();
    });
    this.search.addEventListener("input", () => this.fill());
    this.dialog.append(form);
    document.body.append(this.dialog);
  }

  open(names: string[], finish: (names: string[]) => void): void {
    this.chosen = new Set(names);
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
    this.count();
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
      el("label", { title: shorten(row.name, 500) }, box,
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
    this.count();
  }

  private count(): void {
    const n = this.chosen.size;
    this.done.disabled = n === 0 && this.list.childElementCount === 0;
    this.done.textContent = n === 0 ? "Plot the first" : n === 1 ? "Plot 1 signal" : `Plot ${n} signals`;
  }

  // What is chosen, in the order of the log; the first that was found when nothing is.
  private accept(): void {
    if (this.chosen.size === 0) for (const name of this.found()[0]?.names ?? []) this.chosen.add(name);
    const names = this.signals.map((signal) => signal.name).filter((name) => this.chosen.has(name));
    this.dialog.close();
    if (names.length > 0) this.finish(names);
  }
}
