// Pages in Debian's Chromium, and what is asked of every page: no complaint on the console, nothing fetched.
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const source = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const require = createRequire(join(source, "viewer/package.json"));
const { chromium } = require("playwright-core");

const ARGS = [
  "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-gpu-compositing", // there is no graphics card: plain memory is faster than one in software
];

// Device pixels per CSS pixel. The 3-D view is drawn in software, which takes most of the time, so there are few; the
// layout of the page does not depend on it. FREEBODY_SCALE=1 makes pictures to look at.
const SCALE = Number(process.env.FREEBODY_SCALE ?? 0.25);

export async function withBrowser(work) {
  const profile = mkdtempSync(join(tmpdir(), "freebody-browser-"));
  const browser = await chromium.launch({
    executablePath: process.env.FREEBODY_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [...ARGS, `--crash-dumps-dir=${profile}`],
  });
  try {
    await work(browser);
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// Options of pages for what has nothing to do with the 3-D view; drawn all the same with FB_FULL=1, and where pictures
// are wanted to look at.
export const FLAT = { flat: !process.env.FB_FULL && !process.env.FREEBODY_SCALE };

// A browser without WebGL: everything but the 3-D view, at a fifth of the time.
export const withoutWebGl = (context) =>
  context.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind === "2d" ? getContext.call(this, kind, ...more) : null;
    };
  });

// Pages that no test uses, by the options of their contexts. One in a renderer that runs opens in a third of the time
// of a new one, so they are kept for the next test with the same options; what a page remembers is forgotten whenever
// one opens.
const kept = new Map();

async function takePage(browser, flat, options) {
  const key = JSON.stringify([flat, options]);
  if (!kept.has(key)) kept.set(key, []);
  const free = kept.get(key);
  const give = async (page) => {
    page.removeAllListeners();
    await page.mouse.move(0, 0);
    await page.goto("about:blank");
    free.push(page);
  };
  if (free.length > 0) return { page: free.pop(), give };
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, deviceScaleFactor: SCALE, ...options });
  if (flat) await withoutWebGl(context);
  await context.addInitScript(() => {
    if (location.protocol !== "about:") localStorage.clear();
  });
  return { page: await context.newPage(), give };
}

// Opens a page from disk; `complaints` gathers errors on the console and requests for anything but the page. Options
// are those of a browser context, and flat: without the 3-D view. A test that fails does not close its page, and so
// leaves it to no other.
export async function openPage(browser, file, { flat = false, ...options } = {}) {
  const { page, give } = await takePage(browser, flat, options);
  const url = /^https?:/.test(file) ? file : pathToFileURL(resolve(file)).href;
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const wanted = request.url();
    if (wanted !== url && !wanted.startsWith("data:") && !wanted.startsWith("blob:"))
      complaints.push(`request: ${wanted}`);
  });
  await page.goto(url, { waitUntil: "load", timeout: 120000 });
  await page.evaluate(() => window.freebody.ready);
  return { page, complaints, close: () => give(page) };
}

// Waits until something is true on the page. (The browser driver's own way needs eval, which the page forbids.)
export async function until(page, what, argument, seconds = 10) {
  const end = Date.now() + 1000 * seconds;
  while (!(await page.evaluate(what, argument))) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export { runTests, test } from "./tests.mjs";
