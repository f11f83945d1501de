// The tab of the scenario: the text that was run, with numbers of its lines.
import { announce } from "./banner";
import { runTitle, type Context, type Tab } from "./context";
import { el, textButton } from "./dom";
import { shorten } from "../text";

const COLOURED = 3000; // lines; longer texts stay plain

// Comments and keys of YAML stand out a little.
function coloured(text: string): Node[] {
  const lines = text.split("\n");
  if (lines.length > COLOURED) return [document.createTextNode(text)];
  return lines.flatMap((line, i) => {
    const end = i + 1 < lines.length ? "\n" : "";
    const parts = /^([\s-]*)([^\s#:'"{}[\],][^:#'"{}[\],]{0,80})(:(?=\s|$))/.exec(line);
    const nodes: Node[] = [];
    let rest = line;
    if (parts) {
      nodes.push(document.createTextNode(parts[1]), el("span", { class: "yaml-key" }, parts[2]));
      rest = line.slice(parts[1].length + parts[2].length);
    }
    const comment = /(^|\s)#/.exec(rest);
    const at = comment ? comment.index + comment[1].length : -1;
    if (at >= 0) nodes.push(document.createTextNode(rest.slice(0, at)));
    nodes.push(at < 0
      ? document.createTextNode(rest + end) : el("span", { class: "yaml-comment" }, rest.slice(at) + end));
    return nodes;
  });
}

async function copy(text: string, pre: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce("The scenario is copied");
  } catch {
    // not allowed everywhere: then the text is marked, to be copied by hand
    getSelection()?.selectAllChildren(pre);
    announce("The text is selected; copy it with Control C");
  }
}

export class Scenario implements Tab {
  readonly id = "scenario";
  readonly label = "Scenario";
  readonly element = el("div", { class: "pad" });
  private made = false;

  constructor(private readonly context: Context) {}

  show(): void {
    if (this.made) return;
    this.made = true;
    for (const run of this.context.runs) {
      const { header } = run;
      const text = header.scenario.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
      if (this.context.runs.length > 1) this.element.append(runTitle(run));
      if (!text) {
        this.element.append(el("p", { class: "hint" }, "This run has no text of its scenario."));
        continue;
      }
      const pre = el("pre", { class: "code" }, ...coloured(text));
      const numbers = text.split("\n").map((_, i) => i + 1).join("\n");
      this.element.append(
        el("div", { class: "toolbar" },
          el("code", { class: "cut", title: shorten(header.file, 500) }, shorten(header.file, 300)),
          textButton("Copy", () => void copy(header.scenario, pre), { "aria-label": "Copy the scenario's text" })),
        this.overrides(header.overrides),
        el("div", { class: "listing", tabindex: "0", role: "region", "aria-label": "Text of the scenario" },
          el("pre", { class: "line-numbers", "aria-hidden": "true" }, numbers), pre));
    }
  }

  print(): void {
    this.show();
  }

  private overrides(list: string[]): Node {
    if (list.length === 0) return document.createDocumentFragment();
    return el("div", { class: "overrides" }, el("p", {}, "Overrides of this run:"),
      el("ul", {}, ...list.map((text) => el("li", {}, el("div", { class: "long" }, el("code", {}, `--set ${text}`))))));
  }
}
