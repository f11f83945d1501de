// The coordinates of a run at any time: at a sample exactly as they were logged, between two samples on the straight
// line, quaternions on the arc. Coordinates that were not logged stay 0, quaternions 1 0 0 0.
import type { Column, Run } from "../run";
import { Kinematics } from "./kinematics";

// Below this angle between two quaternions [cosine] the arc and the chord are the same to rounding.
const CLOSE = 1 - 1e-12;

// out = the quaternion a share s of the way from a to b, the short way round.
export function arc(out: Float64Array, o: number, a: Float64Array, b: Float64Array, s: number): void {
  let cos = 0;
  let la = 0;
  let lb = 0;
  for (let i = o; i < o + 4; i++) {
    cos += a[i] * b[i];
    la += a[i] * a[i];
    lb += b[i] * b[i];
  }
  cos /= Math.sqrt(la * lb);
  const sign = cos < 0 ? -1 : 1;
  cos = Math.min(cos * sign, 1);
  let wa = 1 - s;
  let wb = s;
  if (cos < CLOSE) {
    const angle = Math.acos(cos);
    const sin = Math.sin(angle);
    wa = Math.sin((1 - s) * angle) / sin;
    wb = Math.sin(s * angle) / sin;
  }
  for (let i = o; i < o + 4; i++) out[i] = wa * a[i] + wb * sign * b[i];
}

const POSE = ["p.#.x", "p.#.y", "p.#.z", "quat.#.w", "quat.#.x", "quat.#.y", "quat.#.z"];
const poseSignals = (run: Run, name: string): number[] =>
  POSE.map((signal) => run.find(signal.replace("#", () => name)));

// The kinematics of a run: of one that joins and parts trees, bodies whose poses were logged may be placed by them.
export function motionOf(run: Run): Kinematics {
  const { bodies } = run.header;
  const changes = run.find("epoch") >= 0;
  const logged = (i: number): boolean => poseSignals(run, bodies[i].name).every((signal) => signal >= 0);
  return new Kinematics(bodies, changes ? bodies.map((_, i) => i).filter(logged) : []);
}

// The column of each coordinate of q, and of the poses behind it; null where it was not logged.
export function columnsOf(run: Run, motion: Kinematics): ({ values: Column; isLength: boolean } | null)[] {
  const { signals, bodies } = run.header;
  const coordinates = bodies.flatMap((body, i) => {
    const next = i + 1 < bodies.length ? motion.first[i + 1] : motion.nq;
    return Array.from({ length: next - motion.first[i] }, (_, k) => {
      const signal = body.joint.q[k] ?? -1;
      const logged = signal >= 0 && signal < signals.length;
      return logged ? { values: run.column(signal), isLength: signals[signal].unit === "m" } : null;
    });
  });
  const poses = motion.parting.flatMap((i) =>
    poseSignals(run, bodies[i].name).map((signal, k) => ({ values: run.column(signal), isLength: k < 3 })));
  return [...coordinates, ...poses];
}

export class Coordinates {
  readonly values: Float64Array; // what was asked for last
  private readonly columns: (Column | null)[];
  private readonly neutral: Float64Array;
  // The two samples that were read last, for neighbouring times mostly lie between the same.
  private low: Float64Array;
  private high: Float64Array;
  private lowSample = -1;
  private highSample = -1;

  constructor(private readonly run: Run, private readonly motion: Kinematics) {
    const room = (): Float64Array => new Float64Array(motion.room);
    this.values = room();
    this.low = room();
    this.high = room();
    this.neutral = room();
    for (const at of motion.quaternions) this.neutral[at] = 1;
    this.columns = columnsOf(run, motion).map((column) => column?.values ?? null);
    this.values.set(this.neutral);
  }

  // The coordinates of sample k.
  sample(k: number, out: Float64Array = this.values): Float64Array {
    for (let i = 0; i < out.length; i++) {
      const column = this.columns[i];
      out[i] = column ? column.at(k) : this.neutral[i];
    }
    return out;
  }

  // The samples are others now.
  forget(): void {
    this.lowSample = this.highSample = -1;
  }

  // The coordinates at time t; before the first and after the last sample those of the sample.
  at(t: number): Float64Array {
    const k = this.run.indexAt(t);
    if (k < 0) {
      this.values.set(this.neutral);
      return this.values;
    }
    this.load(k);
    const t0 = this.run.time.at(k);
    const share = k + 1 < this.run.samples && t > t0 ? (t - t0) / (this.run.time.at(k + 1) - t0) : 0;
    const { values, low, high } = this;
    if (!(share > 0)) {
      values.set(low);
      return values;
    }
    if (this.highSample !== k + 1) {
      this.sample(k + 1, high);
      this.highSample = k + 1;
    }
    for (let i = 0; i < values.length; i++) values[i] = low[i] + share * (high[i] - low[i]);
    const { quaternions } = this.motion;
    for (let i = 0; i < quaternions.length; i++) arc(values, quaternions[i], low, high, share);
    return values;
  }

  private load(k: number): void {
    if (this.lowSample === k) return;
    if (this.highSample === k) {
      [this.low, this.high] = [this.high, this.low];
      [this.lowSample, this.highSample] = [k, this.lowSample];
      return;
    }
    this.sample(k, this.low);
    this.lowSample = k;
  }
}
