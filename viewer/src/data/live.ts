// The connection of a live page: a WebSocket to the address the page came from. When it breaks, it is tried again a few
// times, and goes on after the samples that are here.
import type { LiveNews, LiveRun } from "./live_run";
import { reasonOf } from "./reason";

export type LinkState = "connecting" | "open" | "waiting" | "ended" | "lost";

const TRIES = 5;

export class LiveLink {
  state: LinkState = "connecting";
  tries = 0; // since it was last open
  private socket: WebSocket | null = null;

  constructor(
    private readonly run: LiveRun,
    private readonly changed: () => void,
    private readonly report: (message: string) => void,
  ) {
    this.connect();
  }

  pause(on: boolean): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ pause: on }));
  }

  // After it was lost.
  again(): void {
    this.tries = 0;
    this.connect();
  }

  private connect(): void {
    const path = this.run.header.live?.path ?? "/";
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.enter("connecting");
    let socket: WebSocket;
    try {
      socket = new WebSocket(`${scheme}//${location.host}${path}`);
    } catch (error) {
      this.report(`The run cannot be reached: ${reasonOf(error)}`);
      return this.enter("lost");
    }
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.run.eventsFromStart();
      socket.send(JSON.stringify({ from: this.run.samples }));
      this.enter("open");
    };
    socket.onmessage = (message) => this.take(message.data);
    socket.onclose = (event) => this.closed(event.wasClean && event.code === 1000);
  }

  private take(data: unknown): void {
    try {
      if (data instanceof ArrayBuffer) this.run.takeSamples(data);
      else this.run.takeNews(JSON.parse(String(data)) as LiveNews);
    } catch (error) {
      this.report(`A message from the run is invalid, and the page no longer follows the run: ${reasonOf(error)}.`);
      this.tries = TRIES; // the same would come again
      this.socket?.close();
    }
  }

  // The server closes in good order when the run has ended.
  private closed(inOrder: boolean): void {
    this.socket = null;
    if (inOrder && this.run.header.status === "running") this.run.takeNews({ status: "finished" });
    if (this.run.header.status !== "running") {
      if (this.run.missing > 0) this.report(`The last ${this.run.missing} samples of the run did not arrive.`);
      return this.enter("ended");
    }
    if (this.tries >= TRIES) return this.enter("lost");
    const wait = 250 * 2 ** this.tries++;
    this.enter("waiting");
    setTimeout(() => this.connect(), wait);
  }

  private enter(state: LinkState): void {
    this.state = state;
    this.changed();
  }
}
