// The report of every shipped scenario: it opens from disk without complaint or request, plays, and puts every frame
// where the log says. Drawing in software takes most of the time, so three are drawn in 3-D, which have meshes and
// joins, the parts of an arm, terrain and contacts between them; all of them with FB_FULL=1.
//   scenarios.mjs FOLDER      with NAME.html and NAME.csv of each; pictures go there too
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FLAT, openPage, runTests, test, until, withBrowser } from "./browser.mjs";
import { loggedFrames, readCsv } from "./csv.mjs";

const folder = process.argv[2];
const names = readdirSync(folder).filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5));
assert.ok(names.length >= 10, `only ${names.length} reports in ${folder}`);

const DRAWN = new Set(["docking", "ets7", "rover"]);
for (const name of DRAWN) assert.ok(names.includes(name), `no report of ${name}`);
const optionsOf = (name) => (DRAWN.has(name) ? {} : FLAT);

// The largest distance between a frame's place on the page and in the log, over samples spread over the run.
async function largestError(page, columns) {
  const t = columns.get("t");
  const frames = loggedFrames(columns);
  assert.ok(frames.length > 0, "no frame's position is logged");
  const picks = [...new Set([0, 0.13, 0.37, 0.5, 0.71, 0.99, 1].map((part) => Math.round(part * (t.length - 1))))];
  const wanted = picks.map((i) => ({
    t: t[i],
    frames: frames.map((name) => ({ name, p: ["x", "y", "z"].map((axis) => columns.get(`p.${name}.${axis}`)[i]) })),
  }));
  return page.evaluate((wanted) => {
    let worst = 0;
    for (const moment of wanted) {
      window.freebody.seek(moment.t);
      for (const { name, p } of moment.frames) {
        const pose = window.freebody.pose(name);
        if (!pose) throw new Error(`the page knows no frame ${name}`);
        worst = Math.max(worst, Math.hypot(...p.map((x, k) => x - pose.p[k])));
      }
    }
    return worst;
  }, wanted);
}

await withBrowser(async (browser) => {
  for (const name of names) {
    test(`${name}: opens without complaint or request, plays, and is where the log says`, async () => {
      const { page, complaints, close } = await openPage(browser, join(folder, `${name}.html`), optionsOf(name));
      const columns = readCsv(join(folder, `${name}.csv`));
      const error = await largestError(page, columns);
      assert.ok(error <= 1e-6, `a frame is ${error} m off`);
      const [first, last] = await page.evaluate(() => window.freebody.range());
      assert.equal(first, columns.get("t")[0]);
      assert.equal(last, columns.get("t").at(-1));
      await page.evaluate(() => (window.freebody.seek(0), window.freebody.play(true)));
      await until(page, () => window.freebody.time() > 0);
      await page.evaluate(() => (window.freebody.play(false), window.freebody.seek(window.freebody.range()[1] * 0.4)));
      await page.screenshot({ path: join(folder, `${name}.png`) });
      assert.deepEqual(complaints, []);
      console.log(`      ${name}: ${error.toExponential(1)} m`);
      await close();
    });
  }
  await runTests();
});
