// The elements in which the command has put the data, each with its check sum: what does not fit is not given out, so
// that no number of a damaged page is shown.
import { SUMS_ID } from "../format";
import { crc32 } from "./crc";
import { reasonOf } from "./reason";

// A page that cannot be shown. The message is for people.
export class PageError extends Error {}

const listed = (ids: string[]): string =>
  ids.slice(0, 3).map((id) => `“${id}”`).join(", ") + (ids.length > 3 ? ` and ${ids.length - 3} more` : "");

function readSums(page: Document): Map<string, unknown> {
  const element = page.getElementById(SUMS_ID);
  if (!element) {
    throw new PageError("This page is damaged: its checksums are missing; it may have been cut off.");
  }
  try {
    return new Map(Object.entries(JSON.parse(element.textContent ?? "") as object));
  } catch (error) {
    throw new PageError(`This page is damaged: its checksums, “${SUMS_ID}”, cannot be read: ${reasonOf(error)}.`);
  }
}

export class Parts {
  private readonly sums: Map<string, unknown>;

  // Throws PageError where there are other elements than the page was written with.
  constructor(private readonly page: Document) {
    this.sums = readSums(page);
    const found = new Set([...page.querySelectorAll('[id^="freebody-"]')].map((element) => element.id));
    found.delete(SUMS_ID);
    const lost = [...this.sums.keys()].filter((id) => !found.has(id));
    const strange = [...found].filter((id) => !this.sums.has(id));
    if (lost.length > 0) throw new PageError(`This page is damaged: it lacks ${listed(lost)}.`);
    if (strange.length > 0) throw new PageError(`This page is damaged: ${listed(strange)} has no checksum.`);
  }

  // Whether the page was filled at all.
  static any(page: Document): boolean {
    return page.querySelector('[id^="freebody-"]') !== null;
  }

  has(id: string): boolean {
    return this.sums.has(id);
  }

  // The text of an element as the command wrote it; throws when it is another.
  text(id: string): string {
    const element = this.page.getElementById(id);
    if (!element) throw new Error("it is missing");
    const text = element.textContent ?? "";
    if (crc32(text) !== this.sums.get(id)) throw new Error("its check sum does not fit");
    return text;
  }
}
