// A run that is watched as it goes: the page follows it, holds it and lets it go on, and in the end has what the store
// has.
//   live.mjs FREEBODY FOLDER      makes its files in FOLDER; pictures stay there
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPage, runTests, test, until, withBrowser } from "./browser.mjs";
import { readCsv } from "./csv.mjs";

const [freebody, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "arm.yaml"), `
scenario: 1
name: arm
model:
  bodies:
    - {name: hull, mass: 50, inertia: [4, 5, 6, 0, 0, 0]}
    - name: arm
      parent: hull
      joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0.5, 0, 0]}
      mass: 4
      com: [0.3, 0, 0]
      inertia: [0.02, 0.2, 0.2, 0, 0, 0]
      frames: [{name: hand, at: [0.6, 0, 0]}]
start: {rates: {elbow: 1}}
events:
  - {name: grab, at: 1 s, do: [{lock: elbow}]}
integrator: {step: 5 ms}
duration: 1000 s
log: {period: 10 ms, signals: [q, p, energy]}
`);

// Starts a run; `url` is where it can be watched, `ended` how it came out.
async function start(name) {
  // It ends with this program, also where that is killed.
  const run = [freebody, "run", "arm.yaml", "-o", name, "--force", "--live=0"];
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...run], { cwd: folder });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (words) => {
      said += words;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(`it ended before it listened: ${said}`)));
  });
  return { child, url, ended };
}

const last = (page) => page.evaluate(() => window.freebody.range()[1]);
const later = (page, t) => until(page, (t) => window.freebody.range()[1] > t, t, 60);
const upTo = (page, t) => until(page, (t) => Math.abs(window.freebody.range()[1] - t) < 1e-9, t, 60);

await withBrowser(async (browser) => {
  test("a page follows the run, holds it, lets it go on, and has all of it in the end", async () => {
    const run = await start("run");
    try {
      const { page, complaints, close } = await openPage(browser, run.url);
      await later(page, 1.2);
      await page.evaluate(() => window.freebody.set({ tab: "events" }));
      await page.getByText("grab").first().waitFor({ timeout: 60000 });
      await page.getByRole("button", { name: "Pause run" }).click();
      await page.getByRole("button", { name: "Resume run" }).waitFor({ timeout: 60000 });
      await page.waitForTimeout(400); // what was on its way
      const held = await last(page);
      await page.waitForTimeout(600);
      assert.equal(await last(page), held, "time goes on while the run is held");
      await page.screenshot({ path: join(folder, "paused.png") });
      // Somebody who comes late gets all of it, and sees that the run is held.
      const second = await openPage(browser, run.url, { flat: true });
      await upTo(second.page, held);
      await second.page.getByRole("button", { name: "Resume run" }).click();
      await later(page, held + 0.3);
      await later(second.page, held + 0.3);
      run.child.kill("SIGINT");
      assert.equal(await run.ended, 1);
      execFileSync(freebody, ["export", "run", "-o", "run.csv"], { cwd: folder });
      const columns = readCsv(join(folder, "run.csv"));
      const t = columns.get("t");
      for (const watcher of [page, second.page]) {
        await upTo(watcher, t.at(-1));
        for (const name of ["p.hand.x", "p.hand.z", "energy.kinetic"]) {
          // Times of a CSV are decimals, which may be a rounding before the sample.
          const read = ([t, name]) => t.map((x) => window.freebody.value(name, x + 1e-9));
          const got = await watcher.evaluate(read, [[...t], name]);
          assert.deepEqual(got, [...columns.get(name)], name);
        }
      }
      await page.screenshot({ path: join(folder, "ended.png") });
      assert.deepEqual([...complaints, ...second.complaints], []);
      await second.close();
      await close();
    } finally {
      run.child.kill("SIGKILL");
    }
  });
  test("when the run dies the page keeps what it has, says so, and can try again", async () => {
    const run = await start("killed");
    try {
      const { page, close } = await openPage(browser, run.url, { flat: true });
      await later(page, 1.2);
      run.child.kill("SIGKILL");
      const again = page.getByRole("button", { name: "Try again" });
      await again.waitFor({ timeout: 60000 });
      await page.getByText("connection lost", { exact: true }).waitFor();
      assert.ok((await last(page)) > 1.2);
      assert.equal(await page.evaluate(() => window.freebody.value("p.hand.z", 0)), 0);
      await page.screenshot({ path: join(folder, "lost.png") });
      await again.click();
      await page.locator(".link-state", { hasText: "trying again" }).waitFor({ timeout: 60000 });
      await close();
    } finally {
      run.child.kill("SIGKILL");
    }
  });

  await runTests();
});
