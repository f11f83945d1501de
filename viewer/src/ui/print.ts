// Printing: the 3-D picture, the plots and all tabs below each other, in light colours and without controls.
import type { Context, Tab } from "./context";
import { el, setText } from "./dom";
import { number } from "../text";
import { forceLight } from "./theme";

export class Printing {
  readonly picture = el("canvas", { class: "print-picture", "aria-hidden": "true" });
  readonly caption = el("p", { class: "print-only muted" });
  private on = false;

  constructor(private readonly context: Context, private readonly tabs: Tab[], private readonly after: () => void) {
    window.addEventListener("beforeprint", () => this.begin());
    window.addEventListener("afterprint", () => this.end());
    matchMedia("print").addEventListener("change", (event) => (event.matches ? this.begin() : this.end()));
  }

  private begin(): void {
    if (this.on) return;
    this.on = true;
    forceLight(true);
    this.copyView();
    setText(this.caption, `The picture and the numbers below are those of ${number(this.context.player.time, 9)} s.`);
    document.documentElement.classList.add("printing");
    for (const tab of this.tabs) tab.print?.();
  }

  private end(): void {
    if (!this.on) return;
    this.on = false;
    document.documentElement.classList.remove("printing");
    forceLight(false);
    this.after();
  }

  // A canvas of WebGL keeps its picture only until the page is painted, so it is copied at once.
  private copyView(): void {
    const { view, player } = this.context;
    view.show(player.time);
    const canvas = view.element.querySelector("canvas");
    if (!canvas || canvas.width === 0 || canvas.height === 0) return;
    this.picture.width = canvas.width;
    this.picture.height = canvas.height;
    this.picture.getContext("2d")?.drawImage(canvas, 0, 0);
  }
}
