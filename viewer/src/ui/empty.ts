// What a page says that has nothing to show: nobody has filled it, or it is damaged.
import { el } from "./dom";

export function showEmpty(app: HTMLElement): void {
  app.replaceChildren(el("main", { class: "message" },
    el("h1", {}, "Freebody viewer"),
    el("p", {}, "This page displays a run of Freebody, but contains none yet. The command writes it:"),
    el("pre", { class: "code" }, "freebody run SCENARIO.yaml -o run\nfreebody view run -o report.html"),
    el("p", {}, "Then open ", el("code", {}, "report.html"), " from disk; it needs no server and no network.")));
}

export function showDamage(app: HTMLElement, why: string): void {
  app.replaceChildren(el("main", { class: "message" },
    el("h1", {}, "This page cannot be shown"),
    el("p", { role: "alert" }, why.slice(0, 2000)),
    el("p", {}, "None of its data is shown. Write it again from the run:"),
    el("pre", { class: "code" }, "freebody view RUN -o report.html")));
}
