// The time that is shown, and how it goes on. Everything on the page follows this one clock.
export type Listener = () => void;

export class Player {
  private now = 0;
  private listeners = new Set<Listener>();
  playing = false;
  speed = 1; // simulated seconds a second
  loop = false;
  live = false; // follow the newest sample
  first = 0; // [s]
  last = 0;

  get time(): number {
    return this.now;
  }

  onChange(listener: Listener): void {
    this.listeners.add(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  seek(t: number): void {
    this.now = Math.min(Math.max(t, this.first), this.last);
    this.changed();
  }

  play(on: boolean): void {
    if (on && this.now >= this.last && !this.live) this.now = this.first;
    this.playing = on;
    this.changed();
  }

  // One turn of the animation; dt is time on the wall [s].
  advance(dt: number): void {
    if (!this.playing) return;
    let t = this.now + dt * this.speed;
    if (t >= this.last && !this.live) {
      if (this.loop) t = this.first;
      else this.playing = false;
    }
    this.seek(t);
  }
}
