// The help: what keys and mouse do.
import { el, textButton } from "./dom";
import type { Binding } from "./keys";

const MOUSE: [string, string][] = [
  ["drag 3-D", "rotate; with the right button pan; the wheel zooms"],
  ["point at plot", "exact values of the sample under the cursor"],
  ["click plot", "go to that time"],
  ["drag plot", "zoom; the wheel too; a double click shows the whole run"],
];

export class Help {
  private readonly dialog = el("dialog", { class: "help", "aria-labelledby": "help-title" });

  constructor(bindings: Binding[], about: string) {
    const list = (rows: [string, string][]): HTMLElement =>
      el("dl", {}, ...rows.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]));
    this.dialog.append(
      el("h2", { id: "help-title" }, "Keys and mouse"),
      el("div", { class: "help-columns" },
        list(bindings.filter((b) => !b.overlay).map((b) => [b.shown, b.does])),
        el("div", {},
          el("h3", {}, "Show or hide"), list(bindings.filter((b) => b.overlay).map((b) => [b.shown, b.does])),
          el("h3", {}, "Mouse"), list(MOUSE))),
      el("p", { class: "muted" }, about),
      el("div", { class: "dialog-buttons" },
        textButton("Close", () => this.dialog.close(), { class: "primary", autofocus: true })));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  open(): void {
    this.dialog.showModal();
    this.dialog.scrollTop = 0; // the button at its end has the focus
  }
}
