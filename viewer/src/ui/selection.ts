// The body that was chosen, in the 3-D view or in the tree; -1: none. Bodies are those of the first run.
export class Selection {
  private body = -1;
  private readonly listeners: ((body: number) => void)[] = [];

  get current(): number {
    return this.body;
  }

  onChange(listener: (body: number) => void): void {
    this.listeners.push(listener);
  }

  set(body: number): void {
    if (body === this.body) return;
    this.body = body;
    for (const listener of this.listeners) listener(body);
  }
}
