// Reads a run's header from the page and sees to it that what the page relies on is there, so that a damaged page says
// what is wrong with it.
import { headerId, type RunHeader } from "../format";
import { PageError, type Parts } from "./parts";
import { reasonOf } from "./reason";

const isCount = (x: unknown, least: number): boolean => Number.isSafeInteger(x) && (x as number) >= least;

function check(header: RunHeader, id: string): void {
  const wrong = (what: string): never => {
    throw new PageError(`The part “${id}” of this page is damaged: ${what}.`);
  };
  if (typeof header !== "object" || header === null) wrong("it holds no object");
  if (header.format !== "freebody-page") wrong(`its format is not “freebody-page”`);
  if (header.version !== 1) {
    throw new PageError(
      `This page's data are of version ${String(header.version).slice(0, 20)}, and its program reads version 1. ` +
        "Command and template are of different versions.",
    );
  }
  for (const list of ["bodies", "signals", "events", "notes", "overrides"] as const) {
    if (!Array.isArray(header[list])) wrong(`“${list}” is no list`);
  }
  if (!isCount(header.samples, 0)) wrong("“samples” is no count");
  if (!header.live && !isCount(header.block, 1)) wrong("“block” is no count above 0");
  if (!header.live && !isCount(header.bucket, 1)) wrong("“bucket” is no count above 0");
  if (typeof header.view !== "object" || header.view === null) wrong("“view” is missing");
}

// The header of run R.
export function readHeader(parts: Parts, run: number): RunHeader {
  const id = headerId(run);
  let header: RunHeader;
  try {
    header = JSON.parse(parts.text(id)) as RunHeader;
  } catch (error) {
    throw new PageError(`The part “${id}” of this page, the header of the run, is damaged: ${reasonOf(error)}.`);
  }
  check(header, id);
  return header;
}
