// The runs of this page.
import type { RunHeader } from "../format";
import type { Run } from "../run";
import { BlockCache } from "./cache";
import { readHeader } from "./header";
import { LiveRun } from "./live_run";
import { PageRun, type Report } from "./page_run";

// One run, two to compare, or none when nobody has filled the page. Throws PageError.
export function loadRuns(page: Document, report: Report): Run[] {
  const cache = new BlockCache();
  const runs: Run[] = [];
  for (let i = 0; i < 2; i++) {
    const header = readHeader(page, i);
    if (!header) break;
    runs.push(header.live ? new LiveRun(page, i, header, report) : new PageRun(page, i, header, cache, report));
  }
  nameApart(runs.map((run) => run.header));
  return runs;
}

// Two runs of one name are told apart by their folders.
function nameApart(headers: RunHeader[]): void {
  const [a, b] = headers;
  if (!b || a.name !== b.name || a.folder === b.folder) return;
  for (const header of headers) header.name = header.folder;
}
