// Tabs, of which one is open: arrows go from one to the next, as the pattern for tabs has it.
import type { Tab } from "./context";
import { el } from "./dom";

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[] = [];
  private current = -1;

  constructor(readonly tabs: Tab[]) {
    const list = el("div", { class: "tab-list", role: "tablist", "aria-label": "About the run" });
    const panels = el("div", { class: "tab-panels" });
    tabs.forEach((tab, i) => {
      const button = el("button", {
        type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`, "aria-selected": "false",
        tabindex: "-1", title: `${tab.label} (${i + 1})`,
      }, tab.label);
      button.addEventListener("click", () => this.open(i));
      this.buttons.push(button);
      list.append(button);
      panels.append(el("section", {
        class: "tab-panel", role: "tabpanel", id: `panel-${tab.id}`, "aria-labelledby": `tab-${tab.id}`, tabindex: "0",
        hidden: true,
      }, el("h2", { class: "print-only" }, tab.label), tab.element));
    });
    list.addEventListener("keydown", (event) => this.key(event));
    this.element = el("div", { class: "tabs" }, list, panels);
  }

  get shown(): Tab {
    return this.tabs[this.current];
  }

  open(i: number): void {
    if (i < 0 || i >= this.tabs.length || i === this.current) return;
    this.tabs[this.current]?.hide?.();
    this.current = i;
    this.buttons.forEach((button, k) => {
      button.setAttribute("aria-selected", String(k === i));
      button.tabIndex = k === i ? 0 : -1;
      if (k === i) button.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    [...this.element.querySelectorAll<HTMLElement>(".tab-panel")].forEach((panel, k) => (panel.hidden = k !== i));
    this.tabs[i].show?.();
    this.tabs[i].update?.();
  }

  openById(id: string): void {
    this.open(this.tabs.findIndex((tab) => tab.id === id));
  }

  private key(event: KeyboardEvent): void {
    const n = this.tabs.length;
    const to: Record<string, number> = {
      ArrowRight: (this.current + 1) % n, ArrowLeft: (this.current + n - 1) % n, Home: 0, End: n - 1,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(next);
    this.buttons[next].focus();
  }
}
