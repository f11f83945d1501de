// The tab of events: what happened when; each is a button that goes there.
import type { EventInfo } from "../format";
import { runKey, type Context, type Tab } from "./context";
import { el, setText, textButton } from "./dom";
import { number, shorten } from "../text";

const STEP = 300; // events shown at a time
const SEARCHED = 8; // with fewer nobody needs to search

interface Entry extends EventInfo {
  run: number;
}

export class Events implements Tab {
  readonly id = "events";
  readonly label = "Events";
  readonly element: HTMLElement;
  private readonly list = el("ol", { class: "events" });
  private readonly more: HTMLButtonElement;
  private readonly note = el("p", { class: "muted hint", role: "status" });
  private readonly search = el("input", {
    type: "search", "aria-label": "Search events", placeholder: "Search events",
  });
  private entries: Entry[] = [];
  private shown = STEP;
  private taken = -1; // events that were there when the list was made
  private current: Element | null = null;

  constructor(private readonly context: Context) {
    this.more = textButton("Show more", () => {
      this.shown += STEP;
      this.fill();
    });
    this.search.addEventListener("input", () => {
      this.shown = STEP;
      this.fill();
    });
    this.element = el("div", { class: "pad" }, this.search, this.note, this.list, this.more);
  }

  show(): void {
    const count = this.context.runs.reduce((sum, run) => sum + run.header.events.length, 0);
    if (count === this.taken) return;
    this.taken = count;
    this.search.hidden = count < SEARCHED;
    this.fill();
  }

  grew(): void {
    if (this.element.offsetParent !== null) this.show();
  }

  print(): void {
    this.show();
  }

  private gather(): Entry[] {
    const all = this.context.runs.flatMap((run) => run.header.events.map((event) => ({ ...event, run: run.index })));
    if (this.context.runs.length > 1) all.sort((a, b) => a.t - b.t);
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length === 0 ? all : all.filter((e) => {
      const text = `${e.name} ${e.text}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  private fill(): void {
    this.entries = this.gather();
    const part = this.entries.slice(0, this.shown);
    this.list.replaceChildren(...part.map((entry) => this.item(entry)));
    this.more.hidden = this.entries.length <= this.shown;
    const count = this.entries.length;
    setText(this.note, count === 0
      ? this.search.value ? "No event of that name." : "This run has no events."
      : this.more.hidden ? "" : `${part.length} of ${count} events`);
    this.current = null;
    this.update();
  }

  private item(entry: Entry): HTMLElement {
    const two = this.context.runs.length > 1;
    const button = el("button", { type: "button", title: shorten(`${entry.name}: ${entry.text}`, 1000) },
      el("span", { class: "event-time" }, `${number(entry.t, 8)} s`),
      el("span", { class: "event-name" },
        two ? runKey(this.context.runs[entry.run]) : null,
        shorten(entry.name, 500)),
      entry.text ? el("span", { class: "event-text" }, shorten(entry.text, 1000)) : null);
    button.addEventListener("click", () => this.context.player.seek(entry.t));
    return el("li", {}, button);
  }

  // Marks the last event that has happened, where it is in the list.
  update(): void {
    const t = this.context.player.time;
    let low = -1;
    let high = this.entries.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.entries[middle].t <= t) low = middle;
      else high = middle;
    }
    const item = this.list.children[low]?.firstElementChild ?? null;
    if (item === this.current) return;
    this.current?.removeAttribute("aria-current");
    item?.setAttribute("aria-current", "step");
    this.current = item;
  }
}
