// The time that is shown, and how it goes on. Everything on the page follows this one clock.
export type Listener = () => void;

export class Player {
  private now = 0;
  private listeners = new Set<Listener>();
  playing = false;
  speed = 1; // simulated seconds a second
  loop = false;
  growing = false; // the run goes on: `last` will move
  live = false; // follow the newest sample
  first = 0; // [s]
  last = 0;
  cost = 0; // script time of the last change [ms]

  get time(): number {
    return this.now;
  }

  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  changed(): void {
    const begin = performance.now();
    for (const listener of this.listeners) listener();
    this.cost = performance.now() - begin;
  }

  seek(t: number): void {
    this.live = false;
    this.go(t);
  }

  play(on: boolean): void {
    if (on && this.now >= this.last) {
      if (this.growing) this.live = true;
      else this.now = this.first;
    }
    if (!on) this.live = false;
    this.playing = on;
    this.changed();
  }

  // Goes to the newest sample of a run that goes on, and stays there as more come.
  follow(): void {
    this.live = true;
    this.playing = true;
    this.go(this.last);
  }

  // The run has other first and last times now.
  setRange(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.go(this.live ? last : this.now);
  }

  // One turn of the animation; dt is time on the wall [s].
  advance(dt: number): void {
    if (!this.playing || this.live) return;
    let t = this.now + dt * this.speed;
    if (t >= this.last) {
      if (this.growing) this.live = true;
      else if (this.loop && this.last > this.first) t = this.first;
      else this.playing = false;
    }
    this.go(t);
  }

  private go(t: number): void {
    if (Number.isNaN(t)) return;
    this.now = Math.min(Math.max(t, this.first), this.last);
    this.changed();
  }
}
