// The page begins here.
import { offerApi } from "./api";
import { loadRuns, PageError, reasonOf } from "./data";
import { App } from "./ui/app";
import { installBanners, reportDamage } from "./ui/banner";
import { showDamage, showEmpty } from "./ui/empty";
import { shorten } from "./text";
import { beginAngles } from "./ui/angles";
import { beginTheme } from "./ui/theme";
import "uplot/dist/uPlot.min.css";
import "./ui/style/base.css";
import "./ui/style/layout.css";
import "./ui/style/controls.css";
import "./ui/style/tabs.css";
import "./ui/style/print.css";

// The page's own elements: a style that is damaged is refused by the browser, as a damaged script is.
function checkProgram(): void {
  const style = document.getElementById("viewer-style");
  if (import.meta.env.PROD && !(style instanceof HTMLStyleElement && style.sheet)) {
    throw new PageError("This page is damaged: its style is not as it was written.");
  }
}

// A template that nobody has filled still has its marker; a page that has lost its data has none.
function isTemplate(): boolean {
  const comments = document.createNodeIterator(document, NodeFilter.SHOW_COMMENT);
  for (let node = comments.nextNode(); node; node = comments.nextNode()) {
    if (node.nodeValue === "freebody-data") return true;
  }
  return false;
}

function begin(root: HTMLElement): void {
  beginTheme();
  beginAngles();
  installBanners();
  try {
    checkProgram();
    const runs = loadRuns(document, reportDamage);
    if (runs.length === 0 && isTemplate()) return showEmpty(root);
    if (runs.length === 0) throw new PageError("This page is damaged: its data are missing.");
    document.title = `${shorten(runs.map((run) => run.header.name).join(" and "), 90)} \u2013 Freebody`;
    offerApi(new App(runs, root));
  } catch (error) {
    const why = reasonOf(error);
    showDamage(root, error instanceof PageError ? why : `Error in this page: ${why}`);
    if (!(error instanceof PageError)) throw error;
  }
}

// The data stands behind this script.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("app");
  if (root) return begin(root);
  const body = document.body.appendChild(document.createElement("div"));
  showDamage(body, "This page is damaged: the element “app”, in which it is shown, is missing.");
});
