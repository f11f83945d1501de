// The tab of the view: what is drawn with the robot, what the camera follows, where it stands.
import type { TrailSpan } from "../scene/trails";
import type { CameraPlace } from "../scene/view";
import { announce } from "./banner";
import type { Context, Tab } from "./context";
import { el, setText, textButton } from "./dom";
import { shorten } from "../text";

const PLACES: [CameraPlace, string][] = [
  ["fit", "Fit"], ["iso", "Oblique"], ["x", "Along x"], ["y", "Along y"], ["z", "Along z"],
];

const SPANS: [TrailSpan, string][] = [
  ["auto", "automatic"], ["whole", "the whole run"], [1, "the last 1 s"], [5, "the last 5 s"], [20, "the last 20 s"],
  [100, "the last 100 s"], [1000, "the last 1000 s"],
];

export class ViewOptions implements Tab {
  readonly id = "view";
  readonly label = "View";
  readonly element: HTMLElement;
  private readonly boxes = el("div", { class: "checks" });
  private readonly field = el("input", {
    type: "text", id: "follow", list: "follow-names", placeholder: "Nothing: the camera stays", autocomplete: "off",
    spellcheck: "false",
  });
  private readonly names = el("datalist", { id: "follow-names" });
  private readonly span = el("select", { id: "trail-span" },
    ...SPANS.map(([value, label]) => el("option", { value }, label)));
  private readonly trails = el("p", { class: "muted" });

  constructor(private readonly context: Context) {
    this.field.addEventListener("change", () => this.take());
    this.span.addEventListener("change", () => {
      context.view.setTrailSpan(SPANS[this.span.selectedIndex][0]);
      context.player.changed();
    });
    this.element = el("div", { class: "pad view-options" },
      el("fieldset", {}, el("legend", {}, "Show"), this.boxes),
      el("fieldset", {}, el("legend", {}, "Trails"),
        el("div", { class: "button-row" }, el("label", { for: "trail-span" }, "Length"), this.span),
        this.trails),
      el("fieldset", {}, el("legend", {}, "Camera"),
        el("div", { class: "button-row" },
          ...PLACES.map(([place, label]) => textButton(label, () => this.camera(place)))),
        el("p", { class: "muted" },
          "Drag to rotate, drag with the right button to pan, turn the wheel to zoom.")),
      el("fieldset", {}, el("legend", {}, "Follow"),
        el("div", { class: "button-row" },
          el("label", { for: "follow", class: "hidden-text" }, "Body or frame to follow"), this.field, this.names,
          textButton("Nothing", () => this.follow(null)))));
    for (const name of context.view.followable().slice(0, 2000)) this.names.append(el("option", { value: name }));
    this.fill();
  }

  show(): void {
    this.fill();
  }

  // As the view has it now; keys and scripts change it too.
  fill(): void {
    const active = document.activeElement;
    const focused = active instanceof HTMLInputElement ? active.dataset.overlay : undefined;
    this.boxes.replaceChildren(...this.context.view.overlays().map(({ name, label, on, available }) => {
      const box = el("input", { type: "checkbox", "data-overlay": name, disabled: !available });
      box.checked = on && available;
      box.addEventListener("change", () => {
        this.context.view.setOverlay(name, box.checked);
        this.context.player.changed();
      });
      const title = available ? label : "Not available in this run";
      return el("label", { class: available ? "" : "muted", title }, box, label);
    }));
    if (focused) this.boxes.querySelector<HTMLInputElement>(`[data-overlay="${focused}"]`)?.focus();
    if (document.activeElement !== this.field) this.field.value = this.context.view.following() ?? "";
    const names = this.context.view.trails();
    setText(this.trails, names.length > 0
      ? `Of ${shorten(names.join(", "), 300)}. Click a body to add or remove its trail.`
      : "None is drawn. Click a body, then Trail.");
  }

  camera(place: CameraPlace): void {
    this.context.view.camera(place);
    this.context.player.changed();
  }

  follow(name: string | null): void {
    this.context.view.follow(name);
    this.field.removeAttribute("aria-invalid");
    this.field.value = name ?? "";
    announce(name === null ? "The camera follows nothing" : `The camera follows ${shorten(name, 60)}`);
    this.context.player.changed();
  }

  followNext(): void {
    const { view } = this.context;
    const names = view.followable();
    const now = view.following();
    const next = now === null ? 0 : names.indexOf(now) + 1;
    this.follow(next < names.length ? names[next] : null);
  }

  private take(): void {
    const name = this.field.value.trim();
    if (name === "") return this.follow(null);
    const names = this.context.view.followable();
    const found = names.find((n) => n === name) ?? names.find((n) => n.toLowerCase().includes(name.toLowerCase()));
    if (found) return this.follow(found);
    this.field.setAttribute("aria-invalid", "true");
    announce("No body or frame of that name");
  }
}
