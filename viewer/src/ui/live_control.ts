// A run that goes on: its connection, and a button that holds the simulation itself. Where the connection is lost, the
// button tries again: a page that is loaded anew from a server that is gone would lose what it has.
import { LiveLink, type LinkState, type LiveRun } from "../data";
import { announce, report } from "./banner";
import { el, setText, textButton } from "./dom";

const WORDS: Record<LinkState, string> = {
  connecting: "connecting", open: "connected", waiting: "connection lost; trying again", ended: "finished",
  lost: "connection lost",
};

export class LiveControl {
  readonly element: HTMLElement;
  private readonly words = el("span", { class: "muted link-state" });
  private readonly button: HTMLButtonElement;
  private link: LiveLink | null = null;
  private said = "";

  // `changed` is told when the connection is another, or the run has ended.
  constructor(private readonly run: LiveRun, private readonly changed: () => void) {
    this.button = textButton("Pause run", () => this.press(), { class: "small" });
    this.element = el("div", { class: "live" }, this.words, this.button);
  }

  begin(): void {
    this.link = new LiveLink(this.run, () => {
      this.update();
      this.changed();
    }, report);
  }

  private press(): void {
    if (this.link?.state === "lost") this.link.again();
    else this.link?.pause(!this.run.paused);
  }

  get ended(): boolean {
    return this.link?.state === "ended" || this.link?.state === "lost";
  }

  update(): void {
    const state = this.link?.state ?? "connecting";
    const text = state === "open" ? (this.run.paused ? "paused" : "") : state === "ended" ? "" : WORDS[state];
    setText(this.words, text);
    setText(this.button, state === "lost" ? "Try again" : this.run.paused ? "Resume run" : "Pause run");
    this.button.hidden = state !== "open" && state !== "lost";
    const open = this.run.paused ? "The run is paused" : "The run is in progress";
    const spoken = state === "open" ? open : `The run: ${WORDS[state]}`;
    if (spoken !== this.said) announce(spoken);
    this.said = spoken;
  }
}
