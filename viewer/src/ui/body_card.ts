// The card over the 3-D view that describes the body that was clicked, with buttons for it.
import { announce } from "./banner";
import { BodyDetails } from "./body_details";
import type { ComponentNames } from "./component_names";
import type { Context } from "./context";
import { el, iconButton, setText, textButton } from "./dom";
import { shorten } from "../text";

export class BodyCard {
  readonly element: HTMLElement;
  private readonly details: BodyDetails;
  private readonly title = el("h2", { class: "cut" });
  private readonly followButton: HTMLButtonElement;
  private readonly trailButton: HTMLButtonElement;

  constructor(private readonly context: Context, components: ComponentNames, private readonly changed: () => void) {
    const { selection, view } = context;
    this.details = new BodyDetails(context, components);
    const pressed = { class: "small", "aria-pressed": "false" };
    this.followButton = textButton("Follow", () => {
      view.follow(view.following() === this.name ? null : this.name);
      this.changed();
    }, pressed);
    this.trailButton = textButton("Trail", () => {
      view.setTrail(this.name, !view.trails().includes(this.name));
      this.changed();
    }, { ...pressed, title: "Draw the way of this body" });
    this.trailButton.hidden = !view.overlays().some(({ name, available }) => name === "trails" && available);
    this.element = el("aside", { class: "body-card", "aria-label": "Chosen body", hidden: true },
      el("header", {}, this.title, iconButton("close", "Close", () => selection.set(-1))),
      this.details.element,
      el("div", { class: "button-row" }, this.followButton, this.trailButton,
        textButton("Hide", () => {
          view.hide(selection.current, true);
          selection.set(-1);
          this.changed();
        }, { class: "small" })));
    selection.onChange((body) => this.show(body));
  }

  private get name(): string {
    return this.context.runs[0].header.bodies[this.context.selection.current]?.name ?? "";
  }

  private show(body: number): void {
    this.element.hidden = body < 0;
    setText(this.title, shorten(this.name, 200));
    this.title.title = shorten(this.name, 500);
    this.details.show(body);
    if (body >= 0) announce(`${shorten(this.name, 60)} is chosen`);
    this.update();
  }

  update(): void {
    if (this.element.hidden) return;
    const { view } = this.context;
    this.followButton.setAttribute("aria-pressed", String(view.following() === this.name));
    this.trailButton.setAttribute("aria-pressed", String(view.trails().includes(this.name)));
    this.details.update();
  }
}
