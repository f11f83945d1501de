// A run that still goes on: its samples come in by messages, and the page keeps all of them.
//   binary, float64 little-endian: number of the first sample, count, `count` times, `count` values of signal 0, ...
//   text, JSON: new events, status, whether it is paused
import type { EventInfo, RunHeader } from "../format";
import type { Column, Run } from "../run";
import { LiveColumn } from "./live_column";
import { NamedRun, type Report } from "./named_run";
import type { Parts } from "./parts";
import { lastAtOrBefore } from "./sampled";

export interface LiveNews {
  events?: EventInfo[];
  status?: string;
  paused?: boolean;
  samples?: number;
}

export class LiveRun extends NamedRun implements Run {
  readonly unpacked = 0;
  readonly time: Column;
  paused = false;
  private announced = 0; // samples that the run has, as far as was told
  private eventsSeen = 0; // of those that this connection may tell again
  private readonly times = new LiveColumn();
  private readonly columns: LiveColumn[];
  private readonly listeners: (() => void)[] = [];

  constructor(parts: Parts, index: number, header: RunHeader, report: Report) {
    super(parts, index, header, report);
    this.time = this.times;
    this.columns = header.signals.map(() => new LiveColumn());
  }

  get samples(): number {
    return this.times.length;
  }

  // Samples that the run has and that have not come.
  get missing(): number {
    return Math.max(0, this.announced - this.samples);
  }

  column(signal: number): Column {
    return NamedRun.pick(this.columns, signal);
  }

  indexAt(t: number): number {
    return lastAtOrBefore(this.times, t);
  }

  onGrow(listener: () => void): void {
    this.listeners.push(listener);
  }

  // A binary message. Throws when it is not what it should be, and then takes nothing of it.
  takeSamples(message: ArrayBuffer): void {
    const bytes = message.byteLength;
    if (bytes < 16 || bytes % 8 !== 0) throw new Error(`a message of ${bytes} bytes`);
    const numbers = new Float64Array(message);
    const [first, count] = numbers;
    const expected = 2 + count * (1 + this.columns.length);
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || first < 0 || numbers.length !== expected) {
      throw new Error(`a message of ${numbers.length} numbers for ${count} samples of ${this.columns.length} signals`);
    }
    if (first > this.samples) throw new Error(`samples ${this.samples} to ${first - 1} are missing`);
    if (first + count <= this.samples) return;
    // signals before times: whoever sees the count sees all of a sample
    for (let i = 0; i < this.columns.length; i++) {
      this.columns[i].append(numbers.subarray(2 + count * (i + 1), 2 + count * (i + 2)), first);
    }
    this.times.append(numbers.subarray(2, 2 + count), first);
    this.grew();
  }

  takeNews(news: LiveNews): void {
    if (Array.isArray(news.events)) for (const event of news.events) this.takeEvent(event);
    if (typeof news.status === "string") this.header.status = news.status;
    if (typeof news.paused === "boolean") this.paused = news.paused;
    if (typeof news.samples === "number") this.announced = news.samples;
    this.grew();
  }

  // A new connection may tell the events from the first on; those that are here are not taken twice.
  eventsFromStart(): void {
    this.eventsSeen = 0;
  }

  private takeEvent(event: EventInfo): void {
    if (typeof event?.t !== "number") return;
    const taken = { t: event.t, name: String(event.name), text: String(event.text ?? "") };
    const events = this.header.events;
    const old = events[this.eventsSeen];
    if (old && old.t === taken.t && old.name === taken.name && old.text === taken.text) {
      this.eventsSeen++;
      return;
    }
    events.push(taken);
    this.eventsSeen = events.length;
  }

  private grew(): void {
    for (const listener of this.listeners) listener();
  }
}
