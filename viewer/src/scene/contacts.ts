// Contacts: the force on side a as an arrow from the point where they touch, and a dot there; both have the colour of
// the contact's state.
import * as THREE from "three";
import type { Run } from "../run";
import type { Actor } from "./actor";
import { Arrow, arrowMaterial } from "./arrows";
import { GroupLayer, type Stage } from "./layer";
import { middleOf, Signal } from "./signals";
import { LONGEST, THICK } from "./vectors";

// By contact.NAME.state; open contacts are not drawn. They differ also for the colour-blind.
export const STATES = [
  { word: "open", color: "#8a93a0" }, { word: "slips", color: "#ff9a1f" }, { word: "sticks", color: "#2f9bff" },
] as const;

// Arrows of usual forces have this share of the length that other arrows have at most; those of impacts, whose forces
// are far greater, are cut at MOST.
const USUAL = 0.6;
const MOST = 1.2;

const value = new Float64Array(3);
const from = new Float64Array(3);

export interface ContactSignals {
  name: string;
  state: Signal;
  force: Signal;
  point: Signal;
}

// Those whose signals were logged.
export function contactsOf(run: Run): ContactSignals[] {
  const found: ContactSignals[] = [];
  for (const name of run.header.view.contacts ?? []) {
    const state = Signal.find(run, [`contact.${name}.state`]);
    const force = Signal.vector(run, `contact.${name}.force`);
    const point = Signal.vector(run, `contact.${name}.point`);
    if (state && force && point) found.push({ name, state, force, point });
  }
  return found;
}

// The state at a sample, 0 .. 2.
export function stateAt({ state }: ContactSignals, sample: number): number {
  state.read(sample, value);
  return value[0] === 1 || value[0] === 2 ? value[0] : 0;
}

interface Drawn {
  signals: ContactSignals;
  arrow: Arrow;
  dot: THREE.Mesh;
}

export class Contacts extends GroupLayer {
  readonly name = "contacts";
  readonly label = "Contacts";
  override readonly available: boolean;
  private readonly found: ContactSignals[];
  private readonly materials = STATES.map(({ color }) => arrowMaterial(color));
  private drawn: Drawn[] = [];
  private known = 0; // samples
  private usual = 0; // [N]

  constructor(actor: Actor, stage: Stage) {
    super(actor, stage, stage.over);
    this.found = contactsOf(actor.run);
    this.available = this.found.length > 0;
  }

  protected fill(): void {
    const ball = new THREE.SphereGeometry(THICK * this.stage.size, 16, 12);
    this.drawn = this.found.map((signals) => ({
      signals, arrow: new Arrow(this.materials[0], THICK * this.stage.size), dot: new THREE.Mesh(ball),
    }));
    for (const { arrow, dot } of this.drawn) this.root.add(arrow.root, dot);
  }

  // Of all contacts; looked up again when a live run has grown.
  private usualForce(): number {
    const { samples } = this.actor.run;
    if (samples > 1.1 * this.known) {
      this.known = samples;
      this.usual = middleOf(this.found.map(({ force }) => force.typical()).filter((force) => force > 0));
    }
    return this.usual;
  }

  update(): void {
    const longest = LONGEST * this.stage.size;
    const usual = this.usualForce();
    for (const { signals, arrow, dot } of this.drawn) {
      const state = stateAt(signals, this.actor.sample);
      signals.point.read(this.actor.sample, from);
      signals.force.read(this.actor.sample, value);
      const force = Math.hypot(value[0], value[1], value[2]);
      const pushes = state > 0 && usual > 0 && force > 0;
      const scale = pushes ? Math.min((USUAL * longest) / usual, (MOST * longest) / force) : 0;
      arrow.set(from, scale * value[0], scale * value[1], scale * value[2]);
      arrow.paint(this.materials[state]);
      dot.visible = scale > 0;
      dot.material = this.materials[state];
      dot.position.set(from[0], from[1], from[2]);
    }
  }
}
