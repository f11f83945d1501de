// The contacts over the 3-D view: the state of each, in its colour, and its normal force.
import { contactsOf, stateAt, STATES, type ContactSignals } from "../scene/contacts";
import { Signal } from "../scene/signals";
import { number, shorten } from "../text";
import type { Context } from "./context";
import { el, setText } from "./dom";

const MOST = 8; // contacts; of more only a count of each state is shown

export class ContactReadout {
  readonly element = el("div", { class: "readout", role: "group", "aria-label": "Contacts" });
  private readonly contacts: ContactSignals[];
  private readonly normals: (Signal | null)[];
  private readonly rows: { dot: HTMLElement; text: HTMLElement }[];

  constructor(private readonly context: Context) {
    const [run] = context.runs;
    this.contacts = contactsOf(run);
    this.normals = this.contacts.map(({ name }) => Signal.find(run, [`contact.${name}.normal`]));
    const labels = this.single ? this.contacts.map(({ name }) => name) : STATES.map(({ word }) => word);
    this.rows = labels.map((label) => {
      const dot = el("span", { class: "contact-dot" });
      const text = el("span");
      this.element.append(el("div", { title: shorten(label, 300) }, dot,
        el("span", { class: "cut contact-name" }, shorten(label, 40)), text));
      return { dot, text };
    });
    if (!this.single) this.rows.forEach(({ dot }, k) => (dot.style.background = STATES[k].color));
    this.update();
  }

  private get single(): boolean {
    return this.contacts.length <= MOST;
  }

  update(): void {
    const { view, runs, player } = this.context;
    const on = this.contacts.length > 0 && view.overlays().some(({ name, on }) => name === "contacts" && on);
    this.element.hidden = !on;
    if (!on) return;
    const sample = runs[0].indexAt(player.time);
    const states = this.contacts.map((contact) => stateAt(contact, sample));
    const value = new Float64Array(1);
    this.rows.forEach(({ dot, text }, k) => {
      if (!this.single) return setText(text, String(states.filter((state) => state === k).length));
      const { word, color } = STATES[states[k]];
      dot.style.background = color;
      this.normals[k]?.read(sample, value);
      setText(text, states[k] > 0 && this.normals[k] ? `${word} ${number(value[0], 4)} N` : word);
    });
  }
}
