// The runs of this page.
import { columnId, headerId, type RunHeader } from "../format";
import type { Run } from "../run";
import { BlockCache } from "./cache";
import { readHeader } from "./header";
import { LiveRun } from "./live_run";
import type { Report } from "./named_run";
import { PageRun } from "./page_run";
import { PageError, Parts } from "./parts";
import { PoseRun } from "./pose_run";
import { reasonOf } from "./reason";

// Without its times no number of a run means anything.
function checkTimes(parts: Parts, run: number): void {
  try {
    parts.text(columnId(run, 0));
  } catch (error) {
    throw new PageError(`The part “${columnId(run, 0)}” of this page, the times, is damaged: ${reasonOf(error)}.`);
  }
}

// One run, several to compare, or none when nobody has filled the page. `report` is told of parts that are damaged and
// not shown; where nothing can be shown, throws PageError.
export function loadRuns(page: Document, report: Report): Run[] {
  if (!Parts.any(page)) return [];
  const parts = new Parts(page);
  const cache = new BlockCache();
  const runs: Run[] = [];
  for (let i = 0; i === 0 || parts.has(headerId(i)); i++) {
    const header = readHeader(parts, i);
    if (header.mode === "pose") return [new PoseRun(parts, header, report)];
    if (!header.live) checkTimes(parts, i);
    runs.push(header.live ? new LiveRun(parts, i, header, report) : new PageRun(parts, i, header, cache, report));
  }
  nameApart(runs.map((run) => run.header));
  return runs;
}

// Runs of one name are told apart by their folders, and where these are the same too by numbers.
function nameApart(headers: RunHeader[]): void {
  const same = (key: "name" | "folder", header: RunHeader): RunHeader[] =>
    headers.filter((other) => other[key] === header[key]);
  const names = headers.map((header) => {
    if (same("name", header).length === 1) return header.name;
    const alike = same("folder", header).filter((h) => h.name === header.name);
    return alike.length === 1 ? header.folder : `${header.folder || header.name} (${alike.indexOf(header) + 1})`;
  });
  headers.forEach((header, i) => (header.name = names[i]));
}
