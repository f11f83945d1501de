// The bar under the 3-D view: play, step, scrub, time, speed.
import type { Run } from "../run";
import { announce } from "./banner";
import type { Context } from "./context";
import { el, iconButton, setIcon, setText } from "./dom";
import { timeDecimals } from "../text";
import { Ticks } from "./ticks";

const SPEEDS = [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly loopButton: HTMLButtonElement;
  private readonly liveButton: HTMLButtonElement | null = null;
  private readonly slider = el("input", { type: "range", step: "any", class: "scrub", "aria-label": "Time" });
  private readonly field = el("input", {
    type: "text", inputmode: "decimal", class: "time-field", "aria-label": "Time in seconds", autocomplete: "off",
    spellcheck: "false",
  });
  private readonly end = el("span", { class: "time-end" });
  private readonly speed = el("select", { "aria-label": "Speed", title: "Speed" });
  private readonly ticks: Ticks;
  private decimals = 3;

  constructor(private readonly context: Context) {
    const { player } = context;
    this.ticks = new Ticks(context);
    this.playButton = iconButton("play", "Play (space)", () => this.toggle(), { class: "icon-button primary" });
    this.loopButton = iconButton("loop", "Repeat", () => {
      player.loop = !player.loop;
      player.changed();
    }, { "aria-pressed": "false" });
    if (player.growing) {
      this.liveButton = el("button", { type: "button", class: "live-button", "aria-pressed": "false" }, "Live");
      this.liveButton.title = "Follow the newest sample";
      this.liveButton.addEventListener("click", () => player.follow());
    }
    this.fillSpeeds();
    this.listen();
    this.element = this.build();
    this.grew();
  }

  private build(): HTMLElement {
    const { player } = this.context;
    const buttons = el("div", { class: "transport-buttons" },
      iconButton("start", "To the start (Home)", () => player.seek(player.first)),
      iconButton("back", "One sample back (left arrow)", () => this.step(-1)),
      this.playButton,
      iconButton("forward", "One sample forward (right arrow)", () => this.step(1)),
      iconButton("end", "To the end (End)", () => player.seek(player.last)));
    return el("div", { class: "transport", role: "group", "aria-label": "Playback" },
      el("div", { class: "scrub-box" }, this.ticks.element, this.slider),
      buttons,
      el("div", { class: "time-box" }, this.field, this.end),
      el("div", { class: "speed-box" }, this.speed, this.loopButton, this.liveButton));
  }

  private fillSpeeds(): void {
    for (const speed of SPEEDS) this.speed.append(el("option", { value: speed }, `${speed}\u00d7`));
  }

  private listen(): void {
    const { player } = this.context;
    this.slider.addEventListener("input", () => player.seek(Number(this.slider.value)));
    this.speed.addEventListener("change", () => this.setSpeed(Number(this.speed.value)));
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.takeField();
      if (event.key === "Escape") this.field.blur();
    });
    this.field.addEventListener("change", () => this.takeField());
    this.field.addEventListener("blur", () => {
      this.field.removeAttribute("aria-invalid");
      this.field.value = this.timeText();
    });
    this.field.addEventListener("focus", () => this.field.select());
  }

  private takeField(): void {
    const t = Number(this.field.value.replace(",", ".").replace(/\s*s$/, "").trim() || NaN);
    if (Number.isNaN(t)) {
      this.field.setAttribute("aria-invalid", "true");
      announce("That is not a time in seconds");
      return;
    }
    this.field.removeAttribute("aria-invalid");
    this.context.player.seek(t);
  }

  private timeText(): string {
    return this.context.player.time.toFixed(this.decimals);
  }

  toggle(): void {
    const { player } = this.context;
    player.play(!player.playing);
    announce(player.playing ? "Playing" : `Paused at ${this.timeText()} seconds`);
  }

  // To the sample so many before or after the one that is shown; between samples, back goes to the last. Samples are
  // those of the first run, and of the second where the first has none.
  step(count: number): void {
    const { player, runs } = this.context;
    const reaches = (run: Run): boolean =>
      count > 0 ? run.time.at(run.samples - 1) > player.time : run.time.at(0) < player.time;
    const run = runs.find(reaches);
    if (player.playing) player.play(false);
    if (!run) return;
    const here = run.indexAt(player.time);
    let i = here;
    if (count < 0 && run.time.at(here) < player.time) i++;
    i = Math.min(Math.max(i + count, 0), run.samples - 1);
    // several samples of one time, before and after an event: on to another time
    const way = Math.sign(count);
    while (run.time.at(i) === player.time && i + way >= 0 && i + way < run.samples) i += way;
    player.seek(run.time.at(i));
  }

  setSpeed(speed: number): void {
    if (!(speed > 0) || !Number.isFinite(speed)) return;
    if (!SPEEDS.includes(speed) && ![...this.speed.options].some((option) => Number(option.value) === speed)) {
      this.speed.append(el("option", { value: speed }, `${speed}\u00d7`));
    }
    this.context.player.speed = speed;
    this.speed.value = String(speed);
  }

  faster(way: number): void {
    const now = this.context.player.speed;
    const next = way > 0 ? SPEEDS.find((speed) => speed > now) : [...SPEEDS].reverse().find((speed) => speed < now);
    if (!next) return;
    this.setSpeed(next);
    announce(`Speed ${next} times`);
  }

  grew(): void {
    const { player, runs } = this.context;
    const samples = Math.max(...runs.map((run) => run.samples));
    this.decimals = timeDecimals((player.last - player.first) / Math.max(1, samples - 1));
    this.slider.min = String(player.first);
    this.slider.max = String(player.last);
    const planned = player.growing ? ` of ${runs[0].header.duration}` : "";
    setText(this.end, `/ ${player.last.toFixed(Math.min(this.decimals, 3))}${planned} s`);
    const most = Math.max(...[player.first, player.last].map((t) => t.toFixed(this.decimals).length));
    this.field.style.setProperty("--digits", `${most}ch`);
    if (this.liveButton) this.liveButton.hidden = !player.growing;
    this.setSpeed(player.speed);
    this.ticks.draw();
    this.update();
  }

  update(): void {
    const { player } = this.context;
    this.slider.value = String(player.time);
    this.slider.setAttribute("aria-valuetext", `${this.timeText()} seconds`);
    const part = (player.time - player.first) / (player.last - player.first || 1);
    this.slider.style.setProperty("--part", `${part * 100}%`);
    if (document.activeElement !== this.field) this.field.value = this.timeText();
    const label = player.playing ? "Pause (space)" : "Play (space)";
    if (this.playButton.title !== label) {
      setIcon(this.playButton, player.playing ? "pause" : "play");
      this.playButton.title = label;
      this.playButton.setAttribute("aria-label", label);
    }
    this.loopButton.setAttribute("aria-pressed", String(player.loop));
    this.liveButton?.setAttribute("aria-pressed", String(player.live));
  }
}
