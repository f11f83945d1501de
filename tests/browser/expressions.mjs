// Expressions of signals, in Node.js: what they mean, what their units are, and what is said of one that means nothing.
// Usage: node expressions.mjs FREEBODY SOURCE_DIR
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { runTests, test } from "./tests.mjs";
import { loadPart } from "./viewer_part.mjs";

const source = resolve(process.argv[3]);
const { expressionNames, seriesOf } = await loadPart(source, "expression/series.ts");

// Five samples of each signal.
const SIGNALS = {
  "vel.hand.x": ["m/s", (i) => 3 * i], "vel.hand.y": ["m/s", (i) => 4 * i], "vel.hand.z": ["m/s", () => 0],
  "p.a.x": ["m", (i) => i], "p.a.y": ["m", () => 1], "p.a.z": ["m", () => 2],
  "p.b.x": ["m", () => 1], "p.b.y": ["m", () => 1], "p.b.z": ["m", () => 0],
  "q.j1": ["rad", (i) => -i], "q.j12": ["rad", () => 12], "q.left-knee": ["rad", () => 7], "q.left": ["rad", () => 5],
  "q.base.0": ["m", (i) => i], "q.base.1": ["1", () => 1], "tau.j1": ["N m", () => 2], "tau.j12": ["N m", () => 8],
  "a": ["1", () => 9], "odd name": ["1", () => 4],
};
const signals = Object.entries(SIGNALS).map(([name, [unit]]) => ({ name, unit, axes: "", meaning: "" }));
const column = (at) => ({ length: 5, at: (i) => (i >= 0 && i < 5 ? at(i) : NaN) });
const run = {
  header: { signals }, samples: 5, time: column((i) => i / 10),
  column: (k) => column(Object.values(SIGNALS)[k][1]), find: (name) => signals.findIndex((s) => s.name === name),
};
const names = expressionNames([run]);
const at2 = (text) => seriesOf(run, text, names).map(({ column }) => column.at(2));
const unit = (text) => seriesOf(run, text, names)[0].unit;

const MEANINGS = [
  ["q.j1", [-2], "rad"], ["q.j12", [12], "rad"], ["t", [0.2], "s"], ["t*10", [2], "s"],
  ["|vel.hand|", [10], "m/s"], ["|q.j1|", [2], "rad"], ["||q.j1| - 12|", [10], "rad"],
  ["vel.hand", [6, 8, 0], "m/s"], ["p.a - p.b", [1, 0, 2], "m"], ["|p.a - p.b|", [Math.sqrt(5)], "m"],
  ["2*p.a", [4, 2, 4], "m"], ["p.a/|p.b|", [2, 1, 2].map((x) => x / Math.sqrt(2)), "1"],
  ["q.j12-q.j1", [14], "rad"], ["q.j12 - 0.5", [11.5], "rad"], ["-q.j1 + 1", [3], "rad"], ["- -q.j1", [-2], "rad"],
  ["q.left-knee", [7], "rad"], ["'q.left' - 1", [4], "rad"], ["q.left-q.left-knee", [-2], "rad"],
  ["tau.j1*q.j1", [-4], "N m rad"], ["tau.j1/tau.j12", [0.25], "1"], ["tau.j1/q.j12", [1 / 6], "N m/rad"],
  ["1/p.b.x", [1], "1/m"], ["p.a.x*p.a.x", [4], "m^2"], ["(1 + 2)*3", [9], "1"], ["1 + 2*3", [7], "1"],
  ["2e-1*a", [9 * 0.2], "1"], [".5*a", [4.5], "1"], ["odd name * 2", [8], "1"], ["a/0", [Infinity], "1"],
];
for (const [text, values, of] of MEANINGS) {
  test(`${text} is ${values.join(", ")} ${of}`, () => {
    const got = at2(text);
    assert.equal(got.length, values.length);
    got.forEach((x, i) => assert.ok(Object.is(x, values[i]) || Math.abs(x - values[i]) < 1e-15, `${got}`));
    assert.equal(unit(text), of);
  });
}

const ERRORS = [
  ["", /empty/], ["   ", /empty/], ["q.j1 +", /missing/], ["* q.j1", /missing before “\*”/],
  ["|vel.hnd|", /no signal “vel\.hnd”.*Did you mean “vel\.hand/],
  ["(q.j1", /“\)” is missing/], ["|q.j1", /“\|” is missing/], ["q.j1)", /“\)” is not expected/],
  ["q.j1 + p.a.x", /“q\.j1” \[rad\] cannot be added to “p\.a\.x” \[m\]/],
  ["p.a.x - q.j1", /“q\.j1” \[rad\] cannot be subtracted from “p\.a\.x” \[m\]/],
  ["p.a * p.b", /vectors/], ["1/p.a", /“p\.a” is a vector; divide by a number or by \|p\.a\|/],
  ["q.base", /components of “q\.base” have different units \(m, 1\)/], ["'q.j1", /closing '/],
  ["'nope'", /no signal “nope”/], ["q.j1 q.j12", /“q” is not expected/], ["\u{1f9be}", /no signal/],
  [`${"(".repeat(100)}a`, /too many parentheses/],
];
for (const [text, said] of ERRORS) {
  test(`“${text.slice(0, 20)}” is refused with a reason`, () => assert.throws(() => at2(text), said));
}

test("a curve of an expression has the extremes of its samples", () => {
  const { min, max } = seriesOf(run, "|vel.hand|", names)[0].column.overview(0, 5, 1);
  assert.deepEqual([Math.min(...min), Math.max(...max)], [0, 20]);
});

await runTests();
