// A panel's samples as CSV and its picture as PNG.
import { runName } from "./context";
import { report } from "./banner";
import { el, saveAs } from "./dom";
import { curveDash, curvePaint } from "./line_style";
import type { Curve } from "./plot_data";
import type { PlotPanel } from "./plot_panel";
import { fileName, shorten } from "../text";
import { color } from "./theme";

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
const CHUNK = 10000; // lines that are joined at a time

// Every sample in view, with all digits; one file a run.
export function saveCsv(panel: PlotPanel): void {
  const [from, to] = panel.host.range();
  for (const run of panel.host.context.runs) {
    const curves = [...panel.over, ...panel.curves].filter((curve) => curve.run === run);
    if (curves.length === 0 || run.samples === 0) continue;
    const heads = ["t [s]", ...curves.map((curve) => `${curve.label} [${curve.unit}]`)];
    const parts = [`${heads.map(quoted).join(",")}\n`];
    const columns = curves.map((curve) => curve.column);
    let lines: string[] = [];
    let i = Math.max(0, run.indexAt(from));
    while (i > 0 && run.time.at(i - 1) >= from) i--;
    for (; i < run.samples; i++) {
      const t = run.time.at(i);
      if (t > to) break;
      if (t < from) continue;
      lines.push(`${[t, ...columns.map((column) => column.at(i))].join(",")}\n`);
      if (lines.length >= CHUNK) parts.push(lines.splice(0).join(""));
    }
    parts.push(lines.join(""));
    saveAs(`${fileName(`${runName(run)}-${panel.label}`)}.csv`, parts, "text/csv");
  }
}

const LINE = 18; // [px]

interface Entry {
  curve: Curve;
  name: string;
  x: number;
  y: number;
}

// Where the names of the curves stand, in as many lines as they need.
function layOut(panel: PlotPanel, pen: CanvasRenderingContext2D, width: number): Entry[] {
  let x = 8;
  let y = 35;
  return panel.curves.map((curve) => {
    const label = shorten(panel.host.components.full(curve.label), 40);
    const name = label + (panel.several ? ` \u00b7 ${shorten(runName(curve.run), 24)}` : "");
    const wide = pen.measureText(name).width + 36;
    if (x > 8 && x + wide > width) {
      x = 8;
      y += LINE;
    }
    const entry = { curve, name, x, y };
    x += wide;
    return entry;
  });
}

// The panel with its title and names, as it is on the page.
export function panelPicture(panel: PlotPanel): HTMLCanvasElement | null {
  const plot = panel.plot?.ctx.canvas;
  const canvas = el("canvas", {});
  const pen = canvas.getContext("2d");
  if (!plot || !pen) return null;
  const scale = plot.width / (panel.plot?.width ?? plot.width);
  const font = "12px system-ui, sans-serif";
  pen.font = font;
  const entries = layOut(panel, pen, plot.width / scale);
  const head = Math.round(((entries.at(-1)?.y ?? 35) + 5) * scale);
  canvas.width = plot.width;
  canvas.height = plot.height + head;
  pen.fillStyle = color("--surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(plot, 0, head);
  pen.scale(scale, scale);
  pen.fillStyle = color("--text");
  pen.font = "600 13px system-ui, sans-serif";
  pen.fillText(shorten(panel.label, 80), 8, 17);
  pen.font = font;
  pen.lineWidth = 2;
  for (const { curve, name, x, y } of entries) {
    pen.strokeStyle = curvePaint(curve, panel.several);
    pen.setLineDash(curveDash(curve, panel.several));
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x + 16, y - 4);
    pen.stroke();
    pen.fillText(name, x + 21, y);
  }
  return canvas;
}

export function savePicture(panel: PlotPanel): void {
  panelPicture(panel)?.toBlob((blob) => {
    if (blob) saveAs(`${fileName(`${runName(panel.host.context.runs[0])}-${panel.label}`)}.png`, [blob], "image/png");
    else report("The picture could not be created.");
  });
}
