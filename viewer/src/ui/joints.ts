// The tab of a model without a run: its joints, moved by sliders.
import { PoseRun } from "../data";
import { slidersOf, type Slider } from "../motion/sliders";
import { inDegrees, onAngles, shownAs } from "./angles";
import { announce } from "./banner";
import type { Context, Tab } from "./context";
import { el, setText, textButton } from "./dom";
import { number, shorten } from "../text";

const STEP = 200; // sliders shown at a time
const SEARCHED = 12; // with fewer nobody needs to search
const PARTS = 1000; // of a slider's range

interface Row {
  slider: Slider;
  value: number;
  element: HTMLElement | null;
  show: () => void;
}

export class Joints implements Tab {
  readonly id = "joints";
  readonly label = "Joints";
  readonly element: HTMLElement;
  private readonly rows: Row[];
  private readonly list = el("ul", { class: "sliders" });
  private readonly note = el("p", { class: "muted hint", role: "status" });
  private readonly more: HTMLButtonElement;
  private readonly search = el("input", {
    type: "search", "aria-label": "Search joints", placeholder: "Search joints",
  });
  private limit = STEP;

  constructor(private readonly context: Context, run: PoseRun, reach: number) {
    this.rows = slidersOf(run.header.bodies, run.values, reach).map((slider) =>
      ({ slider, value: slider.start, element: null, show: () => undefined }));
    this.more = textButton("Show more", () => {
      this.limit += STEP;
      this.fill();
    });
    this.search.hidden = this.rows.length < SEARCHED;
    this.search.addEventListener("input", () => {
      this.limit = STEP;
      this.fill();
    });
    this.element = el("div", { class: "pad" },
      el("div", { class: "button-row" }, this.search,
        textButton("Reset", () => this.reset(), {
          class: "primary", title: "All joints to 0, or to the limit next to it",
        })),
      this.note, this.list, this.more);
    for (const { slider } of this.rows) slider.set(slider.start);
    onAngles(() => this.rows.forEach((row) => row.show()));
    this.fill();
    context.view.coordinatesChanged();
  }

  reset(): void {
    for (const row of this.rows) this.move(row, row.slider.start);
    announce("All joints are reset");
  }

  private move(row: Row, value: number): void {
    row.value = Math.min(Math.max(value, row.slider.min), row.slider.max);
    row.slider.set(row.value);
    row.show();
    this.context.view.coordinatesChanged();
    this.context.player.changed();
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.rows.filter(({ slider: { joint, part } }) =>
      words.every((word) => `${joint} ${part}`.toLowerCase().includes(word)));
    this.list.replaceChildren(...found.slice(0, this.limit).map((row) => (row.element ??= this.make(row))));
    this.more.hidden = found.length <= this.limit;
    setText(this.note, this.rows.length === 0
      ? "This model has no joints that move."
      : found.length === 0 ? "No joint of that name."
        : this.more.hidden ? "" : `${this.limit} of ${found.length} are listed.`);
  }

  private make(row: Row): HTMLElement {
    const { slider } = row;
    const name = slider.part ? `${slider.joint}, ${slider.part}` : slider.joint;
    const range = el("input", {
      type: "range", class: "scrub", min: slider.min, max: slider.max, step: "any", "aria-label": shorten(name, 200),
    });
    const field = el("input", {
      type: "text", inputmode: "decimal", class: "slider-field", "aria-label": `Value of ${shorten(name, 200)}`,
      autocomplete: "off", spellcheck: "false",
    });
    const unit = el("span", { class: "muted" });
    row.show = (): void => {
      const as = shownAs(slider.unit);
      range.value = String(row.value);
      range.style.setProperty("--part", `${((row.value - slider.min) / (slider.max - slider.min || 1)) * 100}%`);
      range.setAttribute("aria-valuetext", `${number(row.value * as.factor, 5)} ${as.unit}`);
      if (document.activeElement !== field) field.value = number(row.value * as.factor, 5);
      setText(unit, as.unit);
    };
    range.addEventListener("input", () => this.move(row, Number(range.value)));
    // by arrow keys a thousandth of the range, or a degree
    range.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = inDegrees() && slider.unit === "rad" ? Math.PI / 180 : (slider.max - slider.min) / PARTS;
      this.move(row, row.value + way * step * (event.shiftKey ? 10 : 1));
    });
    field.addEventListener("change", () => {
      const value = Number(field.value.replace(",", ".").replace("\u2212", "-").trim() || NaN);
      field.blur();
      if (Number.isNaN(value)) announce("That is not a number");
      this.move(row, Number.isNaN(value) ? row.value : value / shownAs(slider.unit).factor);
    });
    row.show();
    return el("li", {},
      el("span", { class: "slider-name", title: shorten(name, 300) },
        el("span", { class: "cut" }, shorten(slider.joint, 100)),
        slider.part ? el("span", {}, `, ${slider.part}`) : null),
      el("span", { class: "slider-box" }, range), field, unit);
  }
}
