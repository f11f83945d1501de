// The tab of bodies: the tree of what carries what, in which bodies are chosen, shown and hidden. Deep trees are
// indented where they branch, not at every body, so that a chain of a thousand stays a list.
import type { BodyInfo } from "../format";
import { BodyDetails } from "./body_details";
import type { ComponentNames } from "./component_names";
import type { Context, Tab } from "./context";
import { el, iconButton, setText, textButton } from "./dom";
import { shorten } from "../text";

const STEP = 400; // rows shown at a time
const DEEPEST = 14; // levels that are indented
const OPEN = 60; // bodies: larger trees begin with branches closed

interface Branch {
  body: number;
  level: number; // how deep it is in the tree
  indent: number;
  children: Branch[];
  open: boolean;
}

function branches(bodies: readonly BodyInfo[]): Branch[] {
  const all: Branch[] = bodies.map((_, body) => ({ body, level: 1, indent: 0, children: [], open: true }));
  const roots: Branch[] = [];
  bodies.forEach(({ parent }, i) => (all[parent]?.children ?? roots).push(all[i]));
  const waiting = [...roots];
  let deepest = 1;
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    const forks = branch.children.length > 1;
    branch.open = bodies.length <= OPEN || !forks || branch.level === 1;
    for (const child of branch.children) {
      child.level = branch.level + 1;
      deepest = Math.max(deepest, child.level);
      child.indent = Math.min(DEEPEST, branch.indent + (forks ? 1 : 0));
      waiting.push(child);
    }
  }
  if (deepest <= DEEPEST) for (const branch of all) branch.indent = branch.level - 1;
  // A long chain under a fork begins closed: its first body stands for it.
  if (bodies.length > OPEN) for (const root of roots) for (const child of root.children) child.open = false;
  return roots;
}

export class Bodies implements Tab {
  readonly id = "bodies";
  readonly label = "Bodies";
  readonly element: HTMLElement;
  private readonly roots: Branch[];
  private readonly parents = new Map<Branch, Branch>();
  private readonly branchOf = new Map<number, Branch>();
  private readonly list = el("ul", { class: "tree", role: "tree", "aria-label": "Bodies" });
  private readonly note = el("p", { class: "muted hint", role: "status" });
  private readonly more: HTMLButtonElement;
  private readonly details: BodyDetails;
  private readonly search = el("input", {
    type: "search", "aria-label": "Search bodies and joints", placeholder: "Search bodies and joints",
  });
  private rows: Branch[] = [];
  private limit = STEP;
  private made = false;

  constructor(private readonly context: Context, components: ComponentNames, private readonly changed: () => void) {
    const { bodies } = context.runs[0].header;
    this.roots = branches(bodies);
    const waiting = [...this.roots];
    for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
      this.branchOf.set(branch.body, branch);
      for (const child of branch.children) this.parents.set(child, branch);
      waiting.push(...branch.children);
    }
    this.details = new BodyDetails(context, components);
    this.more = textButton("Show more", () => {
      this.limit += STEP;
      this.fill();
    });
    this.search.addEventListener("input", () => {
      this.limit = STEP;
      this.fill();
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.element = el("div", { class: "pad bodies" },
      el("div", { class: "button-row" }, this.search, textButton("Show all", () => this.hideAll(false)),
        textButton("Only the chosen", () => this.onlyChosen(), { title: "Hide all other bodies" })),
      el("p", { class: "muted" },
        "Click a body here or in the 3-D view to choose it. The box shows or hides it, with shift also all that it " +
        "carries."),
      this.details.element, this.note, this.list, this.more);
    context.selection.onChange((body) => this.choose(body));
  }

  show(): void {
    if (!this.made) this.fill();
    this.made = true;
    this.details.show(this.context.selection.current);
  }

  update(): void {
    this.details.update();
  }

  // Other bodies are hidden now.
  refresh(): void {
    if (this.made) this.fill();
  }

  private visible(): Branch[] {
    const { bodies } = this.context.runs[0].header;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) {
      return [...this.branchOf.values()].sort((a, b) => a.body - b.body).filter(({ body }) => {
        const text = `${bodies[body].name} ${bodies[body].joint.name}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    }
    const rows: Branch[] = [];
    const waiting = [...this.roots].reverse();
    for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
      rows.push(branch);
      if (branch.open) for (let k = branch.children.length; k-- > 0; ) waiting.push(branch.children[k]);
    }
    return rows;
  }

  private fill(): void {
    this.rows = this.visible();
    this.list.replaceChildren(...this.rows.slice(0, this.limit).map((branch) => this.row(branch)));
    this.more.hidden = this.rows.length <= this.limit;
    const { length } = this.context.runs[0].header.bodies;
    setText(this.note, this.rows.length === 0
      ? length === 0 ? "There are no bodies." : "No body or joint of that name."
      : this.more.hidden ? "" : `${this.limit} of ${this.rows.length} are listed.`);
    if (!this.list.querySelector("[tabindex='0']")) this.list.firstElementChild?.setAttribute("tabindex", "0");
  }

  private row(branch: Branch): HTMLElement {
    const { bodies } = this.context.runs[0].header;
    const { name, joint } = bodies[branch.body];
    const chosen = this.context.selection.current === branch.body;
    const folds = branch.children.length > 0 && this.search.value === "";
    const box = el("input", { type: "checkbox", tabindex: "-1", "aria-label": `Show ${shorten(name, 60)}` });
    box.checked = !this.context.view.isHidden(branch.body);
    box.addEventListener("click", (event) => this.toggle(branch, !box.checked, event.shiftKey));
    const fold = folds
      ? iconButton(branch.open ? "open" : "closed", branch.open ? "Close" : "Open",
        () => this.setOpen(branch, !branch.open), { class: "fold", tabindex: "-1" })
      : el("span", { class: "fold" });
    const item = el("li", {
      role: "treeitem", "aria-level": branch.level, "aria-selected": String(chosen), tabindex: chosen ? "0" : "-1",
      "aria-expanded": folds ? String(branch.open) : undefined, "data-body": branch.body,
      title: shorten(`${name}: joint ${joint.name}, ${joint.type}`, 300),
    }, fold, box, el("span", { class: "cut tree-name" }, shorten(name, 200)),
      el("span", { class: "cut muted" },
        joint.name === name ? joint.type : `${shorten(joint.name, 60)}, ${joint.type}`),
      folds && !branch.open ? el("span", { class: "muted count" }, `+${this.count(branch)}`) : null);
    item.style.setProperty("--indent", String(branch.indent));
    item.addEventListener("click", (event) => {
      if (!(event.target as Element).closest("button, input")) this.context.selection.set(branch.body);
    });
    return item;
  }

  // Bodies that a branch carries.
  private count(branch: Branch): number {
    return this.below(branch).length - 1;
  }

  private below(branch: Branch): Branch[] {
    const all = [branch];
    for (let i = 0; i < all.length; i++) all.push(...all[i].children);
    return all;
  }

  private toggle(branch: Branch, hide: boolean, whole: boolean): void {
    for (const { body } of whole ? this.below(branch) : [branch]) this.context.view.hide(body, hide);
    if (whole) this.fill();
    this.changed();
  }

  private hideAll(hide: boolean): void {
    this.context.runs[0].header.bodies.forEach((_, body) => this.context.view.hide(body, hide));
    this.fill();
    this.changed();
  }

  private onlyChosen(): void {
    const { current } = this.context.selection;
    if (current < 0) return;
    this.context.runs[0].header.bodies.forEach((_, body) => this.context.view.hide(body, body !== current));
    this.fill();
    this.changed();
  }

  private setOpen(branch: Branch, open: boolean): void {
    branch.open = open;
    this.fill();
    this.focus(branch.body);
  }

  // Marks the row of a body, and opens what it is in.
  private choose(body: number): void {
    this.details.show(body);
    if (!this.made) return;
    for (let b = this.parents.get(this.branchOf.get(body) as Branch); b; b = this.parents.get(b)) b.open = true;
    this.fill();
    const at = this.rows.findIndex((branch) => branch.body === body);
    if (at >= this.limit) {
      this.limit = at + STEP;
      this.fill();
    }
    this.list.querySelector(`[data-body="${body}"]`)?.scrollIntoView({ block: "nearest" });
  }

  private focus(body: number): void {
    for (const item of this.list.querySelectorAll("[tabindex='0']")) item.setAttribute("tabindex", "-1");
    const item = this.list.querySelector<HTMLElement>(`[data-body="${body}"]`);
    item?.setAttribute("tabindex", "0");
    item?.focus();
  }

  // Keys of a tree: up and down, right opens, left closes or goes to what carries it, Enter chooses, space shows.
  private key(event: KeyboardEvent): void {
    const item = (event.target as Element).closest<HTMLElement>("[data-body]");
    const branch = item && this.branchOf.get(Number(item.dataset.body));
    if (!branch || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.rows.indexOf(branch);
    const last = Math.min(this.rows.length, this.limit) - 1;
    const go = (k: number): void => this.focus(this.rows[Math.min(Math.max(k, 0), last)].body);
    const does: Record<string, () => void> = {
      ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), Home: () => go(0), End: () => go(last),
      ArrowRight: () => (branch.children.length > 0 && !branch.open ? this.setOpen(branch, true) : go(at + 1)),
      ArrowLeft: () => {
        if (branch.children.length > 0 && branch.open) this.setOpen(branch, false);
        else this.focus(this.parents.get(branch)?.body ?? branch.body);
      },
      Enter: () => {
        this.context.selection.set(branch.body);
        this.focus(branch.body);
      },
      " ": () => {
        this.toggle(branch, !this.context.view.isHidden(branch.body), event.shiftKey);
        this.fill();
        this.focus(branch.body);
      },
    };
    const act = does[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
