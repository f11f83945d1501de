// Pages of runs that are made up here, packed as the command packs them (viewer/src/format.ts): values that no scenario
// gives at will.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

export function packNumbers(numbers) {
  const words = new BigUint64Array(Float64Array.from(numbers).buffer);
  const planes = new Uint8Array(words.length * 8);
  let before = 0n;
  words.forEach((word, i) => {
    let changed = word ^ before;
    before = word;
    for (let p = 0; p < 8; p++, changed >>= 8n) planes[p * words.length + i] = Number(changed & 255n);
  });
  return deflateSync(planes).toString("base64");
}

// A run without bodies: times, and signals { name: { unit, values } }.
export function makeRun(name, times, signals, events = []) {
  const infos = Object.entries(signals).map(([name, { unit }]) => ({ name, unit, axes: "", meaning: "" }));
  return {
    header: {
      format: "freebody-page", version: 1, name, model: name, freebody: "0", status: "finished", integrator: "rk4",
      duration: times.at(-1) ?? 0, file: "", scenario: "", overrides: [], summary: null, view: { gravity: [0, 0, 0] },
      bodies: [], signals: infos, events, notes: [], samples: times.length, block: 65536, bucket: 64,
    },
    columns: [times, ...Object.values(signals).map(({ values }) => values)],
  };
}

// Fills the page `empty` with one run or two.
export function writePage(empty, file, ...runs) {
  const data = runs.map(({ header, columns }, r) => [
    `<script type="application/json" id="freebody-${r}">${JSON.stringify(header).replaceAll("<", "\\u003c")}</script>`,
    ...columns.map((numbers, c) =>
      `<script type="text/plain" id="freebody-${r}-${c}">\n${numbers.length ? packNumbers(numbers) : ""}\n</script>`),
  ].join("\n")).join("\n");
  writeFileSync(file, readFileSync(empty, "utf8").replace("<!--freebody-data-->", () => data));
}
