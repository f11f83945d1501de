// The mouse on a plot: pointing shows values, a click moves the animation there, dragging zooms, the wheel zooms where
// it points, a double click shows all.
import type uPlot from "uplot";
import type { PlotPanel } from "./plot_panel";

const CLICK = 4; // pixels that a click may move
const PAUSE = 300; // ms without turning the wheel, after which a new gesture begins

let lastWheel = 0;
let wheelZooms = false;

// Whether this turn of the wheel belongs to a gesture that began over a plot: scrolling the page past one goes on.
function beganHere(event: WheelEvent, over: HTMLElement): boolean {
  if (event.timeStamp - lastWheel > PAUSE) wheelZooms = over.contains(event.target as Node);
  lastWheel = event.timeStamp;
  return wheelZooms;
}

// Turns that no plot takes still tell when a gesture began.
export function watchWheel(area: HTMLElement): void {
  area.addEventListener("wheel", (event) => {
    if ((event.target as Element).closest(".u-over")) return;
    wheelZooms = false;
    lastWheel = event.timeStamp;
  }, { passive: true });
}

export function listenToPlot(panel: PlotPanel, plot: uPlot): void {
  const { host } = panel;
  const over = plot.over;
  let pressed = 0;
  const timeAt = (event: MouseEvent): number => {
    const box = over.getBoundingClientRect();
    const [from, to] = host.range();
    return from + ((event.clientX - box.left) / box.width) * (to - from);
  };

  over.addEventListener("mousemove", (event) => host.hover(timeAt(event)));
  over.addEventListener("mouseleave", () => host.hover(null));
  over.addEventListener("mousedown", (event) => (pressed = event.clientX));
  over.addEventListener("click", (event) => {
    if (Math.abs(event.clientX - pressed) < CLICK) host.context.player.seek(timeAt(event));
  });
  over.addEventListener("dblclick", () => host.whole());
  over.addEventListener("wheel", (event) => {
    if (!beganHere(event, over)) return;
    event.preventDefault();
    const [from, to] = host.range();
    const t = timeAt(event);
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const shift = (event.deltaX / over.clientWidth) * (to - from);
      host.zoom(from + shift, to + shift);
    } else {
      const factor = Math.exp(Math.min(100, Math.max(-100, event.deltaY)) * 0.002);
      host.zoom(t - (t - from) * factor, t + (to - t) * factor);
    }
    host.hover(timeAt(event));
  }, { passive: false });
  (plot.hooks.setSelect ??= []).push(() => {
    const { left, width } = plot.select;
    if (width >= CLICK) {
      const [from, to] = host.range();
      const scale = (to - from) / over.clientWidth;
      host.zoom(from + left * scale, from + (left + width) * scale);
      host.hover(null);
    }
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  });
}
