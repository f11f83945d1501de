// The bar between the 3-D view and the tabs: dragged, or moved by arrow keys. On a narrow page it moves up and down.
import { el } from "./dom";

export const NARROW = "(max-width: 720px)";

export function makeSplitter(area: HTMLElement): HTMLElement {
  const narrow = matchMedia(NARROW);
  const share = { wide: 58, narrow: 50 }; // of the 3-D view [%]
  const bar = el("div", { class: "splitter", role: "separator", tabindex: "0", "aria-label": "Size of the 3-D view" });
  bar.setAttribute("aria-valuemin", "20");
  bar.setAttribute("aria-valuemax", "85");

  const set = (value: number): void => {
    const key = narrow.matches ? "narrow" : "wide";
    share[key] = Math.min(85, Math.max(20, value));
    apply();
  };
  const apply = (): void => {
    const value = narrow.matches ? share.narrow : share.wide;
    area.style.setProperty("--share", `${value}%`);
    bar.setAttribute("aria-orientation", narrow.matches ? "horizontal" : "vertical");
    bar.setAttribute("aria-valuenow", String(Math.round(value)));
  };

  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = area.getBoundingClientRect();
    const part = narrow.matches ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width;
    set(part * 100);
  });
  bar.addEventListener("keydown", (event) => {
    const value = narrow.matches ? share.narrow : share.wide;
    const steps: Record<string, number> = {
      ArrowLeft: value - 2, ArrowUp: value - 2, ArrowRight: value + 2, ArrowDown: value + 2, Home: 20, End: 85,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  });
  narrow.addEventListener("change", apply);
  apply();
  return bar;
}
