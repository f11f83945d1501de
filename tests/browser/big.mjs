// A run of a million samples: it opens without unpacking its numbers, is exact under the cursor, and zooms in to single
// samples. Times are printed and not judged: machines differ.
//   big.mjs FOLDER      made by big.sh
import assert from "node:assert/strict";
import { join } from "node:path";
import { openPage, runTests, test, withBrowser } from "./browser.mjs";
import { readCsv } from "./csv.mjs";

const folder = process.argv[2];

// Script time of seeking to times all over the run, one a picture as when somebody scrubs [ms], sorted. FREEBODY_SEEKS:
// more of them, for figures to quote; then, and with FB_FULL=1, with the 3-D view.
const SEEKS = Number(process.env.FREEBODY_SEEKS ?? 9);
const isDrawn = Boolean(process.env.FREEBODY_SEEKS ?? process.env.FB_FULL);

const seekTimes = (page) => page.evaluate(async (count) => {
  const [first, last] = window.freebody.range();
  const times = [];
  for (let i = 0; i < count; i++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    window.freebody.seek(first + ((i * 0.6180339887) % 1) * (last - first));
    times.push(window.freebody.stepTime());
  }
  return times.sort((a, b) => a - b);
}, SEEKS);
const tell = (what, times) => console.log(
  `      ${what}: script time of a step ${times[times.length >> 1].toFixed(1)} ms in the middle, `
  + `${times.at(-1).toFixed(1)} ms at most, of ${times.length}`);

await withBrowser(async (browser) => {
  test("a million samples of 16 signals open with few of them unpacked, and are exact under the cursor", async () => {
    const { page, complaints, close } = await openPage(browser, join(folder, "big.html"), { flat: !isDrawn });
    console.log(`      ready ${(await page.evaluate(() => performance.now())).toFixed(0)} ms after it was called`);
    const opened = await page.evaluate(() => window.freebody.unpacked());
    assert.ok(opened <= 200, `${opened} blocks of 4165 are unpacked before anything is asked`);
    const log = readCsv(join(folder, "big.csv"));
    for (const name of log.keys()) {
      if (name === "t") continue;
      const got = await page.evaluate(([name, t]) => window.freebody.value(name, t), [name, log.get("t")[3]]);
      assert.equal(got, log.get(name)[3], name);
    }
    tell("a million samples", await seekTimes(page));
    await page.screenshot({ path: join(folder, "big.png") });
    const before = await page.evaluate(() => window.freebody.unpacked());
    const panel = page.locator(".plot-panel .u-over").first();
    const box = await panel.boundingBox();
    for (let i = 0; i < 40; i++) {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.wheel(0, -400);
    }
    await page.screenshot({ path: join(folder, "big-zoomed.png") });
    const zoomed = (await page.evaluate(() => window.freebody.unpacked())) - before;
    assert.ok(zoomed <= 1000, `${zoomed} blocks were unpacked to zoom in`);
    assert.deepEqual(complaints, []);
    await close();
  });

  // Of its own only figures; page.mjs draws everything over the same satellite.
  test("a satellite of twelve bodies is drawn with everything shown", async () => {
    const { page, complaints, close } = await openPage(browser, join(folder, "sat12.html"), { flat: !isDrawn });
    tell("twelve bodies", await seekTimes(page));
    await page.evaluate(() => {
      const all = ["frames", "com", "momentum", "ellipsoids", "forces", "torques", "trails"];
      window.freebody.set({ overlays: Object.fromEntries(all.map((name) => [name, true])) });
    });
    tell("twelve bodies, everything shown", await seekTimes(page));
    assert.deepEqual(complaints, []);
    await close();
  });

  await runTests();
});
