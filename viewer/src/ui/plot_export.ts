// A panel's samples as CSV and its picture as PNG.
import { runName } from "./context";
import { report } from "./banner";
import { el, saveAs } from "./dom";
import type { PlotPanel } from "./plot_panel";
import { fileName, shorten } from "../text";
import { color } from "./theme";

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
const CHUNK = 10000; // lines that are joined at a time

// Every sample in view, with all digits; one file a run.
export function saveCsv(panel: PlotPanel): void {
  const [from, to] = panel.host.range();
  for (const run of panel.host.context.runs) {
    const curves = panel.curves.filter((curve) => curve.run === run);
    if (curves.length === 0 || run.samples === 0) continue;
    const heads = ["t [s]", ...curves.map((curve) => `${curve.name} [${curve.unit}]`)];
    const parts = [`${heads.map(quoted).join(",")}\n`];
    const columns = curves.map((curve) => run.column(curve.signal));
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

// The panel with its title and names, as it is on the page.
export function panelPicture(panel: PlotPanel): HTMLCanvasElement | null {
  const plot = panel.plot?.ctx.canvas;
  if (!plot) return null;
  const scale = plot.width / (panel.plot?.width ?? plot.width);
  const head = Math.round(40 * scale);
  const canvas = el("canvas", { width: plot.width, height: plot.height + head });
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = color("--surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(plot, 0, head);
  pen.scale(scale, scale);
  pen.fillStyle = color("--text");
  pen.font = "600 13px system-ui, sans-serif";
  pen.fillText(shorten(panel.label, 80), 8, 17);
  pen.font = "12px system-ui, sans-serif";
  let x = 8;
  for (const curve of panel.curves) {
    const whose = panel.host.context.runs.length > 1 ? ` \u00b7 ${shorten(runName(curve.run), 24)}` : "";
    const name = shorten(curve.name, 40) + whose;
    pen.strokeStyle = color(`--curve-${panel.colorIndex(curve.name)}`);
    pen.lineWidth = 2;
    pen.setLineDash(curve.run.index === 0 ? [] : [4, 3]);
    pen.beginPath();
    pen.moveTo(x, 31);
    pen.lineTo(x + 16, 31);
    pen.stroke();
    pen.fillText(name, x + 21, 35);
    x += pen.measureText(name).width + 36;
  }
  return canvas;
}

export function savePicture(panel: PlotPanel): void {
  panelPicture(panel)?.toBlob((blob) => {
    if (blob) saveAs(`${fileName(`${runName(panel.host.context.runs[0])}-${panel.label}`)}.png`, [blob], "image/png");
    else report("The picture could not be made.");
  });
}
