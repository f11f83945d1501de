// The log of a run as `freebody export` writes it: columns by name.
import { readFileSync } from "node:fs";

export function readCsv(file) {
  const [head, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  const names = head.split(",").map((title) => title.replace(/ \[[^\]]*\]$/, ""));
  const columns = new Map(names.map((name) => [name, new Float64Array(rows.length)]));
  rows.forEach((row, i) => row.split(",").forEach((text, k) => (columns.get(names[k])[i] = Number(text))));
  return columns;
}

// Frames whose position is in the log.
export function loggedFrames(columns) {
  return [...columns.keys()].filter((name) => /^p\..*\.x$/.test(name)).map((name) => name.slice(2, -2));
}
