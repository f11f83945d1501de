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

// CRC-32, bit by bit.
export function crc32(text) {
  let crc = -1;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

// The text of the element of check sums, of elements { id: text }.
export const sumsOf = (texts) =>
  JSON.stringify(Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, crc32(text)])));

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
  const texts = {};
  runs.forEach(({ header, columns }, r) => {
    texts[`freebody-${r}`] = JSON.stringify(header).replaceAll("<", "\\u003c");
    columns.forEach((numbers, c) => {
      texts[`freebody-${r}-${c}`] = `\n${numbers.length ? packNumbers(numbers) : ""}\n`;
    });
  });
  texts["freebody-sums"] = sumsOf(texts);
  const data = Object.entries(texts).map(([id, text]) => `<script type="text/plain" id="${id}">${text}</script>`);
  writeFileSync(file, readFileSync(empty, "utf8").replace("<!--freebody-data-->", () => data.join("\n")));
}
