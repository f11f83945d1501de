// The page: the 3-D view, the bar under it, the tabs beside it, and the clock that moves them.
import { LiveRun, PoseRun, reasonOf } from "../data";
import { Player } from "../player";
import type { Run } from "../run";
import { createView } from "../scene/create";
import type { View3D } from "../scene/view";
import { onAngles } from "./angles";
import { AttitudeReadout } from "./attitude_readout";
import { Bar } from "./bar";
import { damage, report } from "./banner";
import { Bodies } from "./bodies";
import { BodyCard } from "./body_card";
import { Compare } from "./compare";
import { ContactReadout } from "./contact_readout";
import type { Context, Tab } from "./context";
import { el } from "./dom";
import { Events } from "./events";
import { Help } from "./help";
import { bindings } from "./bindings";
import { Joints } from "./joints";
import { listenToKeys } from "./keys";
import { Ledger } from "./ledger";
import { runPaint } from "./line_style";
import { LiveControl } from "./live_control";
import { noView } from "./no_view";
import { Plots } from "./plots";
import { Printing } from "./print";
import { Scenario } from "./scenario";
import { Selection } from "./selection";
import { makeSplitter } from "./splitter";
import { Summary } from "./summary";
import { Tabs } from "./tabs";
import { isDark, onTheme } from "./theme";
import { Transport } from "./transport";
import { ViewOptions } from "./view_options";

const GROWTH = 100; // ms between two looks at a run that grows

export class App {
  readonly context: Context;
  readonly player = new Player();
  readonly view: View3D;
  readonly plots: Plots;
  readonly tabs: Tabs;
  readonly transport: Transport;
  readonly options: ViewOptions;
  readonly help: Help;
  readonly bodies: Bodies;
  private readonly card: BodyCard;
  private readonly attitude: AttitudeReadout;
  private readonly contacts: ContactReadout;
  private readonly bar: Bar;
  private readonly live: LiveControl | null = null;
  private last = 0;
  private turning = false;
  private growth = 0;

  constructor(readonly runs: Run[], root: HTMLElement) {
    this.takeRange();
    this.view = this.makeView();
    this.context = { runs, player: this.player, view: this.view, selection: new Selection() };
    const first = runs[0];
    if (first instanceof LiveRun) {
      this.player.growing = true;
      this.live = new LiveControl(first, () => this.grow());
    }
    this.plots = new Plots(this.context, () => this.tabs?.shown?.update?.());
    const changed = (): void => {
      this.options.fill();
      this.bodies.refresh();
      this.player.changed();
    };
    this.bodies = new Bodies(this.context, this.plots.components, changed);
    this.card = new BodyCard(this.context, this.plots.components, changed);
    this.attitude = new AttitudeReadout(this.context);
    this.contacts = new ContactReadout(this.context);
    this.options = new ViewOptions(this.context);
    this.tabs = new Tabs(this.makeTabs());
    this.transport = new Transport(this.context);
    const keys = bindings(this);
    this.help = new Help(keys, `Freebody ${first.header.freebody || ""}. This page loads nothing from anywhere.`);
    this.bar = new Bar(this.context, this.live, () => this.help.open());
    this.build(root);
    listenToKeys(keys);
    this.wire();
  }

  private makeView(): View3D {
    try {
      return createView(this.runs, { dark: isDark(), colors: this.colors() });
    } catch (error) {
      const why = reasonOf(error);
      report(`The 3-D view failed: ${why}`);
      return noView(why);
    }
  }

  private colors(): string[] {
    return this.runs.map((run) => runPaint(run.index));
  }

  private makeTabs(): Tab[] {
    const { context } = this;
    const [first] = this.runs;
    if (first instanceof PoseRun) return [new Joints(context, first, this.view.size), this.bodies, this.options];
    const tabs: Tab[] = [
      this.plots, this.bodies, new Events(context), new Ledger(context), new Scenario(context), new Summary(context),
      this.options,
    ];
    if (this.runs.length > 1) tabs.splice(1, 0, new Compare(context, () => this.plots.plotted));
    return tabs;
  }

  private build(root: HTMLElement): void {
    const printing = new Printing(this.context, this.tabs.tabs, () => {
      this.plots.refresh();
      this.player.changed();
    });
    const stage = el("div", { class: "stage" }, this.view.element, printing.picture,
      el("div", { class: "over-stage" }, this.attitude.element, this.contacts.element, this.card.element));
    const main = el("main", { class: "main" });
    main.append(
      el("section", { class: "left", "aria-label": "3-D view and playback" },
        stage, printing.caption, this.runs[0] instanceof PoseRun ? null : this.transport.element),
      makeSplitter(main),
      el("section", { class: "right", "aria-label": "Plots and details" }, this.tabs.element));
    root.replaceChildren(damage, this.bar.element, main);
    new ResizeObserver(() => {
      if (stage.clientWidth === 0 || stage.clientHeight === 0) return;
      this.view.resize();
      this.view.show(this.player.time);
    }).observe(stage);
  }

  private wire(): void {
    const { player, view } = this;
    player.onChange(() => view.show(player.time));
    player.onChange(() => this.transport.update());
    player.onChange(() => this.tabs.shown.update?.());
    player.onChange(() => this.turn());
    player.onChange(() => this.attitude.update());
    player.onChange(() => this.contacts.update());
    player.onChange(() => this.card.update());
    view.onPick((body) => this.context.selection.set(body));
    this.context.selection.onChange((body) => view.select(body));
    onAngles(() => player.changed());
    onTheme((dark) => {
      view.setDark(dark, this.colors());
      view.show(player.time);
    });
    for (const run of this.runs) {
      run.onGrow(() => this.grow());
      if (run.header.notes.length > 0) report(run.header.notes.join("\n"));
    }
    view.resize();
    this.tabs.open(0);
    if (this.live) player.follow();
    else player.seek(player.first);
    this.live?.begin();
  }

  // While it plays, one turn for each picture of the screen.
  private turn(): void {
    if (this.turning || !this.player.playing || this.player.live) return;
    this.turning = true;
    this.last = performance.now();
    const step = (now: number): void => {
      const dt = Math.min(1, Math.max(0, (now - this.last) / 1000));
      this.last = now;
      this.player.advance(dt);
      if (this.player.playing && !this.player.live) requestAnimationFrame(step);
      else this.turning = false;
    };
    requestAnimationFrame(step);
  }

  private takeRange(): void {
    const used = this.runs.filter((run) => run.samples > 0);
    const ends = used.flatMap((run) => [run.time.at(0), run.time.at(run.samples - 1)]).filter(Number.isFinite);
    const first = ends.length > 0 ? Math.min(...ends) : 0;
    this.player.setRange(first, ends.length > 0 ? Math.max(...ends) : first);
  }

  // More has come; looked at a few times a second, however fast it comes.
  private grow(): void {
    if (this.growth) return;
    this.growth = window.setTimeout(() => {
      this.growth = 0;
      this.takeRange();
      if (this.live) this.player.growing = !this.live.ended;
      if (this.live?.ended && this.player.live) this.player.play(false);
      this.transport.grew();
      this.bar.update();
      this.live?.update();
      for (const tab of this.tabs.tabs) tab.grew?.();
    }, GROWTH);
  }
}
