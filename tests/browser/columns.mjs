// The page's numbers: packs columns as the command does, by an encoder of its own, and checks that the data layer reads
// every sample bit for bit, draws least and greatest values that hold, and finds samples by time.
// Usage: node columns.mjs FREEBODY SOURCE_DIR
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { crc32 as plainCrc32, packNumbers, sumsOf } from "./made.mjs";

const source = resolve(process.argv[3] ?? ".");
const { build } = createRequire(join(source, "viewer", "package.json"))("esbuild");

let failures = 0;
const check = (condition, what) => {
  if (condition) return;
  failures++;
  if (failures <= 20) console.error(`FAILED: ${what}`);
};

// ---- the encoder ----

function pyramidOf(numbers, bucket) {
  const least = [], greatest = [];
  for (let i = 0; i < numbers.length; i += bucket) {
    const some = Array.from(numbers.slice(i, i + bucket)).filter((x) => !Number.isNaN(x));
    least.push(some.length ? some.reduce((a, b) => Math.min(a, b)) : NaN);
    greatest.push(some.length ? some.reduce((a, b) => Math.max(a, b)) : NaN);
  }
  return [...least, ...greatest];
}

function packColumn(numbers, block, bucket) {
  const lines = [numbers.length > block ? packNumbers(pyramidOf(numbers, bucket)) : ""];
  for (let i = 0; i < numbers.length; i += block) lines.push(packNumbers(numbers.slice(i, i + block)));
  return `${lines.join("\n")}\n`;
}

// ---- random data ----

let seed = 12345;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
};
const special = [NaN, Infinity, -Infinity, -0, 0, 5e-324, -1.7976931348623157e308];

function randomColumn(n, kind) {
  let x = 0;
  return Float64Array.from({ length: n }, (_, i) => {
    if (kind === "nan") return NaN;
    if (kind === "special" && random() < 0.3) return special[Math.floor(random() * special.length)];
    if (kind === "gap" && i >= 100 && i < 900) return NaN;
    return (x += (random() - 0.5) * 10 ** Math.floor(6 * random() - 3));
  });
}

function randomTimes(n) {
  let t = -1;
  // now and then two samples at one time, before and after an event
  return Float64Array.from({ length: n }, () => (t += random() < 0.05 ? 0 : random()));
}

// ---- the checks ----

const same = (a, b) => Object.is(a, b);

function checkOverview(column, numbers, from, to, points, what) {
  const { index, min, max } = column.overview(from, to, points);
  check(index.length === min.length && index.length === max.length, `${what}: arrays of different lengths`);
  const n = to - from;
  check(index.length <= points + 2 || n <= points, `${what}: ${index.length} buckets for ${points} points`);
  if (n <= points) check(index.length === n, `${what}: ${index.length} buckets where ${n} samples fit`);
  if (n > 0) check(index[0] === from, `${what}: begins at ${index[0]}`);
  for (let k = 0; k < index.length; k++) {
    const end = k + 1 < index.length ? index[k + 1] : to;
    let least = NaN, greatest = NaN;
    for (let i = index[k]; i < end; i++) {
      if (!(least <= numbers[i]) && !Number.isNaN(numbers[i])) least = numbers[i];
      if (!(greatest >= numbers[i]) && !Number.isNaN(numbers[i])) greatest = numbers[i];
    }
    const right = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
    check(right(min[k], least) && right(max[k], greatest), `${what}: bucket ${k} at ${index[k]} of ${index.length}`);
  }
}

function checkColumn(column, numbers, what) {
  check(column.length === numbers.length, `${what}: length ${column.length}`);
  for (let i = 0; i < numbers.length; i++) check(same(column.at(i), numbers[i]), `${what}: sample ${i}`);
  for (const i of [-1, numbers.length, NaN]) check(Number.isNaN(column.at(i)), `${what}: outside at ${i}`);
  for (const points of [1, 7, 100, 1000]) {
    checkOverview(column, numbers, 0, numbers.length, points, `${what}, whole, ${points} points`);
    for (let k = 0; k < 10; k++) {
      const from = Math.floor(random() * numbers.length);
      const to = from + Math.floor(random() * (numbers.length - from + 1));
      checkOverview(column, numbers, from, to, points, `${what}, ${from} .. ${to}, ${points} points`);
    }
  }
}

function checkIndexAt(indexAt, times, what) {
  const expected = (t) => {
    let found = 0;
    for (let i = 0; i < times.length && times[i] <= t; i++) found = i;
    return found;
  };
  const probes = [-100, times[0], times[times.length - 1], 1e9];
  for (let k = 0; k < 40; k++) {
    const t = times[Math.floor(random() * times.length)];
    probes.push(t, t - 1e-9, t + 1e-9);
  }
  for (const t of probes) check(indexAt(t) === expected(t), `${what}: t = ${t} gave ${indexAt(t)}, not ${expected(t)}`);
}

function fill(target, numbers) {
  for (let i = 0; i < numbers.length; ) {
    const count = Math.min(numbers.length - i, 1 + Math.floor(random() * 700));
    const overlap = Math.min(i, Math.floor(random() * 5));
    target.append(numbers.slice(i - overlap, i + count), i - overlap);
    i += count;
  }
}

function checkSizes(data) {
  const block = 512, bucket = 16; // small ones, so that there are many
  for (const n of [1, 2, 15, 16, 17, 511, 512, 513, 1024, 1536, 5000, 20000]) {
    for (const kind of ["walk", "special", "gap", "nan"]) {
      const numbers = randomColumn(n, kind);
      const text = packColumn(numbers, block, bucket);
      const cache = new data.BlockCache(5 * block * 8);
      const damage = [];
      const packing = { samples: n, block, bucket };
      const column = new data.PackedColumn(packing, cache, () => text, (what) => damage.push(what));
      checkColumn(column, numbers, `${n} ${kind}`);
      check(damage.length === 0, `${n} ${kind}: called damaged: ${damage[0]}`);
      check(cache.size <= 5 * block * 8, `${n} ${kind}: ${cache.size} bytes kept`);
      const live = new data.LiveColumn();
      fill(live, numbers);
      checkColumn(live, numbers, `${n} ${kind} live`);
    }
    const times = randomTimes(n);
    const text = packColumn(times, block, bucket);
    const column = new data.PackedColumn({ samples: n, block, bucket }, new data.BlockCache(), () => text, () => 0);
    checkIndexAt((t) => column.indexAt(t), times, `${n} times`);
  }
}

// As Document: what a run needs of it. Where no sums are given it has those that fit.
function pageOf(texts) {
  if (Object.keys(texts).length > 0) texts = { "freebody-sums": sumsOf(texts), ...texts };
  const elements = Object.entries(texts).map(([id, textContent]) => ({ id, textContent }));
  return {
    getElementById: (id) => elements.find((element) => element.id === id) ?? null,
    querySelector: () => elements[0] ?? null,
    querySelectorAll: () => elements,
  };
}

function checkRefused(data, texts, what) {
  let thrown = null;
  try {
    data.loadRuns(pageOf(texts), () => 0);
  } catch (error) {
    thrown = error;
  }
  check(thrown instanceof data.PageError && thrown.message.length > 20, `is refused: ${what}`);
}

function checkRuns(data) {
  const n = 3000;
  const times = randomTimes(n), values = randomColumn(n, "walk");
  const header = {
    format: "freebody-page", version: 1, name: "r", signals: [{ name: "q.a" }], bodies: [], events: [], notes: [],
    overrides: [], view: {}, samples: n, block: 512, bucket: 16,
  };
  const mesh = [new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), new Uint32Array([0, 1, 2])];
  const texts = {
    "freebody-0": JSON.stringify(header),
    "freebody-0-0": packColumn(times, 512, 16),
    "freebody-0-1": packColumn(values, 512, 16),
    "freebody-0-mesh-0": mesh.map((part) => deflateSync(new Uint8Array(part.buffer)).toString("base64")).join("\n"),
  };
  const reports = [];
  const [run, ...more] = data.loadRuns(pageOf(texts), (message) => reports.push(message));
  check(more.length === 0 && run.samples === n, "one run of the page");
  checkIndexAt((t) => run.indexAt(t), times, "run");
  check(run.find("q.a") === 0 && run.find("q.b") === -1, "signals by name");
  check(same(run.column(0).at(1234), values[1234]), "a signal's sample");
  check(same(run.mesh(0).positions[3], 1) && run.mesh(0).triangles[2] === 2, "a mesh");
  check(reports.length === 0, `nothing is damaged: ${reports[0]}`);

  checkDamage(data, texts);
  check(data.loadRuns(pageOf({}), () => 0).length === 0, "a bare page has no runs");
  const wrong = [{ ...header, version: 9 }, { ...header, signals: 1 }].map((h) => JSON.stringify(h));
  for (const text of ["", "{", "[]", "null", ...wrong]) {
    checkRefused(data, { "freebody-0": text }, `a header ${text.slice(0, 20)}`);
  }
}

// A letter changed in a column: none of its numbers is given out; where the check sum was made to fit, none of the
// block. It is told once.
function checkDamage(data, texts) {
  const sums = sumsOf(texts);
  const lines = texts["freebody-0-1"].split("\n");
  lines[3] = lines[3].slice(0, 40) + (lines[3][40] === "A" ? "B" : "A") + lines[3].slice(41);
  for (const [given, kept] of [[{ "freebody-sums": sums }, []], [{}, [500, 1600]]]) {
    const reports = [];
    const tornTexts = { ...texts, "freebody-0-1": lines.join("\n"), ...given };
    const [torn] = data.loadRuns(pageOf(tornTexts), (message) => reports.push(message));
    for (const i of [500, 1030, 1100, 1600]) {
      check(Number.isNaN(torn.column(0).at(i)) !== kept.includes(i), `sample ${i} of a damaged column`);
    }
    check(reports.length === 1 && /freebody-0-1.*q\.a/.test(reports[0]), `damage is told once: ${reports}`);
  }
  const times = texts["freebody-0-0"];
  const refused = {
    "a time": { "freebody-0-0": times.slice(0, -9) + (times.at(-9) === "A" ? "B" : "A") + times.slice(-8) },
    "the header": { "freebody-0": texts["freebody-0"].replace(`"name":"r"`, `"name":"s"`) },
    "a sum": { "freebody-sums": sums.replace(/"freebody-0":"./, `"freebody-0":"x`) },
    "the name in a sum": { "freebody-sums": sums.replace("freebody-0-1", "freebody-0-2") },
    "the sums": { "freebody-sums": sums.slice(1) },
    "an element too many": { "freebody-0-2": "" },
  };
  for (const [what, change] of Object.entries(refused)) {
    checkRefused(data, { ...texts, "freebody-sums": sums, ...change }, what);
  }
  const { "freebody-0-1": _, ...fewer } = { ...texts, "freebody-sums": sums };
  checkRefused(data, fewer, "an element is lost");
}

function checkSums(data) {
  check(data.crc32("123456789") === "cbf43926", "the check value of CRC-32");
  for (const text of ["", "a", "é", "🛰️", "x".repeat(1001)]) {
    check(data.crc32(text) === plainCrc32(text), `CRC-32 of ${text}`);
  }
}

function checkLive(data) {
  const header = {
    format: "freebody-page", version: 1, name: "r", signals: [{ name: "a" }, { name: "b" }], bodies: [], events: [],
    notes: [], overrides: [], view: {}, samples: 0, block: 0, bucket: 0, status: "running", live: { path: "/live" },
  };
  const [run] = data.loadRuns(pageOf({ "freebody-0": JSON.stringify(header) }), () => 0);
  let grown = 0;
  run.onGrow(() => grown++);
  check(run.samples === 0 && run.indexAt(1) === -1, "a live run begins empty");
  run.takeSamples(new Float64Array([0, 2, 0, 0.5, 10, 11, 20, 21]).buffer);
  run.takeSamples(new Float64Array([1, 2, 0.5, 1, 11, 12, 21, 22]).buffer);
  check(run.samples === 3 && run.column(0).at(2) === 12 && run.column(1).at(1) === 21, "samples of live messages");
  check(run.indexAt(0.7) === 1 && grown === 2, "live times");
  for (const bad of [[], [0], [5, 1, 9, 9, 9], [3, 2, 1, 1, 1], [-1, 1, 1, 1, 1], [NaN, NaN], [0.5, 1, 1, 1, 1]]) {
    let thrown = false;
    try {
      run.takeSamples(new Float64Array(bad).buffer);
    } catch {
      thrown = true;
    }
    check(thrown && run.samples === 3, `a live message that is wrong: ${bad}`);
  }
  for (const bytes of [1, 15, 17, 63]) {
    let thrown = false;
    try {
      run.takeSamples(new Float64Array([3, 2, 1.5, 2, 13, 14, 23, 24]).buffer.slice(0, bytes));
    } catch {
      thrown = true;
    }
    check(thrown && run.samples === 3, `a live message cut off after ${bytes} bytes`);
  }
  run.takeNews({ samples: 5 });
  check(run.missing === 2, "samples that did not come");
  const events = [{ t: 1, name: "a", text: "" }, { t: 2, name: "b", text: "x" }];
  run.takeNews({ events, status: "running", paused: true });
  run.eventsFromStart();
  run.takeNews({ events: [...events, { t: 3, name: "c", text: "" }] });
  check(run.header.events.map((e) => e.name).join("") === "abc" && run.paused, "events come once");
}

// What is said to a page over its connection: a message that is cut off ends it, and is not asked for again and again;
// an end before the last samples is told.
function checkLink(data) {
  const header = {
    format: "freebody-page", version: 1, name: "r", signals: [{ name: "a" }], bodies: [], events: [], notes: [],
    overrides: [], view: {}, samples: 0, block: 0, bucket: 0, status: "running", live: { path: "/live" },
  };
  const cases = [
    ["a message cut off", [new Float64Array([0, 2, 0, 1]).buffer], 1006, "lost", /is invalid/],
    ["no JSON", ["{"], 1006, "lost", /is invalid/],
    ["news that are none", ["null"], 1006, "lost", /is invalid/],
    ["an early end", [`{"status": "finished", "samples": 9}`], 1006, "ended", /last 9 samples/],
    ["a good end", [`{"samples": 1}`, new Float64Array([0, 1, 0, 5]).buffer], 1000, "ended", null],
  ];
  globalThis.location = { protocol: "http:", host: "here" };
  for (const [what, messages, code, state, said] of cases) {
    const sockets = [], reports = [];
    globalThis.WebSocket = class {
      constructor() {
        sockets.push(this);
      }
      send() {}
      close() {
        this.onclose({ wasClean: true, code: 1005 });
      }
    };
    const [run] = data.loadRuns(pageOf({ "freebody-0": JSON.stringify(header) }), () => 0);
    const link = new data.LiveLink(run, () => 0, (message) => reports.push(message));
    sockets[0].onopen();
    for (const message of messages) sockets[0].onmessage({ data: message });
    if (link.state === "open") sockets[0].onclose({ wasClean: code === 1000, code });
    check(link.state === state && sockets.length === 1, `${what}: ${link.state}`);
    check(said ? reports.length === 1 && said.test(reports[0]) : reports.length === 0, `${what} is told: ${reports}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "freebody-columns-"));
try {
  const outfile = join(folder, "data.mjs");
  await build({
    entryPoints: [join(source, "viewer", "src", "data", "index.ts")],
    bundle: true, format: "esm", platform: "neutral", target: "node18", outfile, logLevel: "error",
    mainFields: ["module", "main"], nodePaths: [join(source, "viewer", "node_modules")],
  });
  const data = await import(pathToFileURL(outfile));
  checkSums(data);
  checkSizes(data);
  checkRuns(data);
  checkLive(data);
  checkLink(data);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures) {
  console.error(`${failures} checks failed`);
  process.exit(1);
}
console.log("columns: all samples, overviews and times are right");
