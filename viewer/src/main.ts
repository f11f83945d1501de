// The page begins here.
import { offerApi } from "./api";
import { loadRuns, PageError, reasonOf } from "./data";
import { App } from "./ui/app";
import { installBanners, report } from "./ui/banner";
import { showDamage, showEmpty } from "./ui/empty";
import { shorten } from "./text";
import { beginTheme } from "./ui/theme";
import "uplot/dist/uPlot.min.css";
import "./ui/style/base.css";
import "./ui/style/layout.css";
import "./ui/style/controls.css";
import "./ui/style/tabs.css";
import "./ui/style/print.css";

function begin(root: HTMLElement): void {
  beginTheme();
  installBanners();
  try {
    const runs = loadRuns(document, report);
    if (runs.length === 0) return showEmpty(root);
    document.title = `${shorten(runs.map((run) => run.header.name).join(" and "), 90)} \u2013 Freebody`;
    offerApi(new App(runs, root));
  } catch (error) {
    const why = reasonOf(error);
    showDamage(root, error instanceof PageError ? why : `Something in it failed: ${why}`);
    if (!(error instanceof PageError)) throw error;
  }
}

// The data stands behind this script.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("app");
  if (root) begin(root);
});
