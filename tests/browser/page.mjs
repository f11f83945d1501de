// What one can do on the page: play, scrub, plot, jump to events, compare, use keys alone, print; on a desk and on a
// phone, light and dark.
//   page.mjs FOLDER      made by page.sh; pictures go there too
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FLAT, openPage, runTests, test, until, withBrowser } from "./browser.mjs";
import { readCsv } from "./csv.mjs";
import { exploreTests } from "./explore.mjs";
import { makeRun, writePage } from "./made.mjs";

const folder = process.argv[2];
const file = (name) => join(folder, name);
const api = (page, work, argument) => page.evaluate(work, argument);
const made = (name, ...runs) => writePage(file("../../share/freebody/viewer.html"), file(name), ...runs);
const time = (page) => api(page, () => window.freebody.time());

await withBrowser(async (browser) => {
  // A test with a page of its own, which must end without a complaint.
  const onPage = (name, html, work, options) =>
    test(name, async () => {
      const { page, complaints, close } = await openPage(browser, file(html), options);
      await work(page);
      assert.deepEqual(complaints, []);
      await close();
    });

  onPage("scrubbing puts the hand where the log says, also between samples", "sat12.html", async (page) => {
    const log = readCsv(file("sat12.csv"));
    const t = log.get("t");
    for (const i of [0, 700, 1234, 3000]) {
      await page.getByLabel("Time in seconds").fill(String(t[i]));
      await page.getByLabel("Time in seconds").press("Enter");
      const { p } = await api(page, () => window.freebody.pose("hand"));
      const error = Math.hypot(...["x", "y", "z"].map((axis, k) => p[k] - log.get(`p.hand.${axis}`)[i]));
      assert.ok(error <= 1e-6, `${error} m off at ${t[i]} s`);
    }
    const handAt = (t) => (window.freebody.seek(t), window.freebody.pose("hand").p);
    const middle = await api(page, handAt, (t[1234] + t[1235]) / 2);
    ["x", "y", "z"].forEach((axis, k) => {
      const [a, b] = [log.get(`p.hand.${axis}`)[1234], log.get(`p.hand.${axis}`)[1235]];
      assert.ok(Math.abs(middle[k] - (a + b) / 2) < 1e-5);
    });
  }, FLAT);

  onPage("the values beside a plot are the log's, digit for digit", "sat12.html", async (page) => {
    const log = readCsv(file("sat12.csv"));
    await api(page, () => {
      window.freebody.set({ plot: [["energy.kinetic", "energy.total"]] });
      window.freebody.seek(12.34);
    });
    const values = page.locator(".legend .value");
    const shown = await values.evaluateAll((all) => all.map((value) => Number(value.dataset.value)));
    assert.deepEqual(shown, ["energy.kinetic", "energy.total"].map((name) => log.get(name)[1234]));
  }, FLAT);

  onPage("play, pause, speed and keys move the time", "sat12.html", async (page) => {
    await page.locator("body").click({ position: { x: 200, y: 20 } });
    await page.keyboard.press("Space");
    await until(page, () => window.freebody.playing() && window.freebody.time() > 0.05);
    await page.keyboard.press("Space");
    assert.equal(await api(page, () => window.freebody.playing()), false);
    await page.keyboard.press("Home");
    assert.equal(await time(page), 0);
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await time(page)) - 0.01) < 1e-9);
    await page.keyboard.press("Shift+ArrowRight");
    assert.ok(Math.abs((await time(page)) - 0.11) < 1e-9);
    await page.keyboard.press("End");
    assert.equal(await time(page), 30);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Speed").selectOption("10");
    await page.keyboard.press("Escape");
    await api(page, () => (window.freebody.seek(0), window.freebody.play(true)));
    await until(page, () => window.freebody.time() > 1);
  }, FLAT);

  onPage("events are listed, and a click goes there", "sat12.html", async (page) => {
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /halfway/ }).click();
    assert.equal(await time(page), 15);
  }, FLAT);

  onPage("signals are found by name, plotted, zoomed and taken away", "sat12.html", async (page) => {
    const panels = page.locator(".plot-panel");
    const before = await panels.count();
    await page.getByRole("button", { name: "Add plot" }).click();
    await page.getByLabel("Search signals").fill("tau.joint3");
    await page.getByRole("dialog").getByText("tau.joint3", { exact: false }).first().click();
    await page.keyboard.press("Enter");
    await until(page, (n) => document.querySelectorAll(".plot-panel").length === n + 1, before);
    const plot = panels.last().locator(".u-over");
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.screenshot({ path: file("zoomed.png") });
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(Math.abs((await time(page)) - 13.5) < 0.3, `the middle of the zoom is at ${await time(page)} s`);
    await page.getByRole("button", { name: "Remove this plot" }).first().click();
    assert.equal(await panels.count(), before);
  }, FLAT);

  onPage("ledger, scenario, summary and view are there", "sat12.html", async (page) => {
    const tabs = { Ledger: /residual/i, Scenario: /axes: frame/, Summary: /rk4/, View: /centre of mass/i };
    for (const [tab, text] of Object.entries(tabs)) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel").getByText(text).first().waitFor();
      await page.screenshot({ path: file(`tab-${tab.toLowerCase()}.png`) });
    }
  }, FLAT);

  onPage("everything that the tab View offers is drawn over the view", "sat12.html", async (page) => {
    await page.getByRole("tab", { name: "View" }).click();
    // All at once: each would be drawn by itself.
    const unchecked = await page.getByRole("checkbox").evaluateAll((boxes) => {
      const enabled = boxes.filter((box) => !box.disabled);
      for (const box of enabled) if (!box.checked) box.click();
      return [enabled.length, enabled.filter((box) => !box.checked).length];
    });
    assert.ok(unchecked[0] > 5 && unchecked[1] === 0, `${unchecked}`);
    await api(page, () => window.freebody.seek(6));
    await page.screenshot({ path: file("overlays.png") });
  });

  onPage("a run with joins: momentum is plotted, the summary has each with units", "joined.html", async (page) => {
    const panels = await page.locator(".plot-panel").allTextContents();
    for (const name of ["momentum.linear", "momentum.angular", "energy"]) {
      assert.ok(panels.some((text) => text.startsWith(name)), `no plot of ${name} among ${panels.length}`);
    }
    await page.getByRole("tab", { name: "Summary" }).click();
    const text = await page.getByRole("tabpanel").innerText();
    for (const part of [/latch: parted/, /grip: joined/, /dock: joined/, /grip: parted/, /Time\s+33\u00a0s/,
      /Linear impulse\s+[-\u2212\d., ]+\u00a0N s/, /Energy lost\s+0\.0196\d+\u00a0J/]) assert.match(text, part);
    assert.equal(text.match(/Time reached/g).length, 1);
    await page.screenshot({ path: file("joined.png") });
  }, FLAT);

  onPage("a run in real time: the summary has a histogram of how late steps were", "paced.html", async (page) => {
    const { realtime } = JSON.parse(readFileSync(file("paced/summary.json"), "utf8")).wall;
    const bins = realtime.jitter_histogram;
    await page.getByRole("tab", { name: "Summary" }).click();
    const rows = page.locator(".histogram tr");
    assert.equal(await rows.count(), bins.length);
    const shown = await page.locator(".histogram td.number").allTextContents();
    assert.deepEqual(shown.map(Number), bins.map((bin) => bin.count));
    assert.equal(shown.map(Number).reduce((a, b) => a + b), realtime.deadlines);
    const widths = await page.locator(".jitter-bar").evaluateAll((all) => all.map((bar) => bar.offsetWidth));
    const fullest = shown.map(Number).indexOf(Math.max(...shown.map(Number)));
    assert.equal(widths.indexOf(Math.max(...widths)), fullest);
    assert.match(await rows.last().innerText(), /^(below|over) [\d.]+\u00a0(µs|ms|s)/);
    await rows.last().scrollIntoViewIfNeeded();
    await page.screenshot({ path: file("paced.png") });
  }, FLAT);

  onPage("two runs: the ghost is where its own log says, and both are compared", "compared.html", async (page) => {
    const log = readCsv(file("ets7_quiet.csv"));
    const i = log.get("t").indexOf(30);
    const pose = await api(page, () => (window.freebody.seek(30), window.freebody.pose("hand", 1)));
    assert.ok(Math.hypot(...["x", "y", "z"].map((axis, k) => pose.p[k] - log.get(`p.hand.${axis}`)[i])) < 1e-6);
    const [a, b] = await api(page, () => [0, 1].map((run) => window.freebody.value("rpy.base.roll", 30, run)));
    assert.ok(Math.abs(a) > 1e-3 && Math.abs(b) < 1e-6, `roll ${a} and ${b}`);
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("tabpanel").getByText("p.hand.x").waitFor();
    assert.deepEqual(await page.locator(".run-name h1, .run-name h2").allTextContents(), ["ets7", "ets7_quiet"]);
    await page.screenshot({ path: file("compared.png") });
    assert.ok(statSync(file("compared.html")).size < 5e6);
  }, FLAT);

  onPage("dark and light follow the system, and the key d turns them round", "sat12.html", async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.screenshot({ path: file("dark.png") });
    await page.keyboard.press("d");
    assert.equal(await theme(), "light");
  }, { ...FLAT, colorScheme: "dark" });

  onPage("on a phone of 360 pixels nothing sticks out", "sat12.html", async (page) => {
    for (const tab of ["Plots", "Bodies", "Events", "Ledger", "Scenario", "Summary", "View"]) {
      await page.getByRole("tab", { name: tab }).click();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${tab} is ${width} pixels wide`);
    }
    await page.getByRole("tab", { name: "Plots" }).click();
    await page.screenshot({ path: file("phone.png") });
  }, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  onPage("printed, it has the picture, the plots, the ledger and the events", "sat12.html", async (page) => {
    await page.pdf({ path: file("print.pdf"), preferCSSPageSize: true });
    await page.emulateMedia({ media: "print" });
    assert.ok(statSync(file("print.pdf")).size > 20000);
    for (const text of [/residual/i, /halfway/]) assert.ok((await page.getByText(text).count()) > 0);
    await page.screenshot({ path: file("print.png"), fullPage: true });
    await page.emulateMedia({ media: null });
  });

  onPage("names are text, whatever they hold", "names.html", async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.ok((await page.title()).includes("</script>"));
    assert.ok((await page.title()).length < 200);
    const raw = JSON.parse(readFileSync(file("names.json"), "utf8"));
    assert.ok(await api(page, (name) => window.freebody.pose(name) !== null, raw.model.bodies[0].frames[0].name));
    for (const tab of ["Plots", "Bodies", "Events", "Ledger", "Scenario", "Summary", "View"]) {
      await page.getByRole("tab", { name: tab }).click();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280, `${tab} sticks out`);
    }
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /script/ }).first().click();
    await page.screenshot({ path: file("names.png") });
    assert.equal(await page.evaluate(() => document.querySelectorAll("#app script, #app img[src=x]").length), 0);
  }, FLAT);

  const times = Array.from({ length: 200 }, (_, i) => i / 10);
  const signal = (value, unit = "J") => ({ unit, values: times.map(value) });
  made("values.html", makeRun("values", times, {
    still: signal(() => 3), rounding: signal((_, i) => 1 + (i % 3) * 2.3e-16),
    kept: signal((t) => 123.456789 + 1e-11 * Math.sin(t)), far: signal((_, i) => 1e12 + (i % 2) * 1e-4),
    huge: signal((t) => 1.7e308 * Math.sin(t)), least: signal((_, i) => (i % 3) * 5e-324), none: signal(() => NaN),
    gaps: signal((t, i) => (i % 2 ? NaN : i % 10 ? t : Infinity)),
  }));

  onPage("values hardly different, huge, tiny or none: the axis tells them apart", "values.html", async (page) => {
    const names = ["still", "rounding", "kept", "far", "huge", "least", "none", "gaps"];
    await api(page, (names) => (window.freebody.set({ plot: names }), window.freebody.seek(5)), names);
    assert.equal(await page.locator(".plot-panel canvas").count(), names.length);
    assert.equal(await page.locator(".banner").count(), 0);
    const shown = await page.locator(".legend .value").allTextContents();
    assert.deepEqual([shown[0], shown[6]], ["3\u00a0J", "\u2013"]);
    await page.screenshot({ path: file("values.png") });
  }, FLAT);

  onPage("what never changes is not plotted first", "values.html", async (page) => {
    const titles = await page.locator(".plot-panel h3").allTextContents();
    assert.ok(titles.length > 0 && !titles.includes("still") && !titles.includes("none"), titles.join());
  }, FLAT);

  const short = times.slice(0, 100);
  made("lengths.html",
    makeRun("short", short, { a: { unit: "m", values: short }, b: { unit: "m", values: short } }),
    makeRun("long", times, { a: { unit: "m", values: times.map((t) => t + 1) }, b: { unit: "rad", values: times } }));

  onPage("a run that has ended has no values, and steps go on in the other", "lengths.html", async (page) => {
    await api(page, () => window.freebody.set({ plot: ["a", "b"], tab: "compare" }));
    const rows = () => page.locator(".compare tbody tr").evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td.number")].map((cell) => cell.textContent)));
    await api(page, () => window.freebody.seek(5));
    assert.deepEqual(await rows(), [["5.000000", "6.000000", "1.000000"], ["5.000000", "5.000000", "\u2013"]]);
    await api(page, () => window.freebody.seek(9.9));
    await page.keyboard.press("ArrowRight");
    assert.equal(await time(page), 10);
    assert.deepEqual(await rows(), [["\u2013", "11.00000", "\u2013"], ["\u2013", "10.00000", "\u2013"]]);
    const { inside, table } = await page.locator(".compare").evaluate((table) =>
      ({ inside: table.parentElement.clientWidth, table: table.scrollWidth }));
    assert.ok(table <= inside, `the table is ${table} pixels wide, there are ${inside}`);
  }, FLAT);

  made("events.html", makeRun("events", times, { a: { unit: "m", values: times } },
    Array.from({ length: 5000 }, (_, i) => ({ t: i * 0.004, name: `hit ${i}`, text: "" }))));

  onPage("of many events the one that was last is marked, where it is listed", "events.html", async (page) => {
    await api(page, () => (window.freebody.set({ tab: "events" }), window.freebody.seek(0.4)));
    const marked = page.locator(".events [aria-current]");
    assert.match(await marked.textContent(), /hit 100/);
    await api(page, () => window.freebody.seek(15));
    assert.equal(await marked.count(), 0);
  }, FLAT);

  onPage("every control has a name, and tab reaches them", "sat12.html", async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, [role=tab], canvas")]
        .filter((e) => !e.closest("[hidden]") && e.checkVisibility?.() !== false)
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.title || e.labels?.length
          || e.getAttribute("aria-labelledby") || e.closest("[aria-label]")?.contains(e) && e.tagName === "CANVAS"))
        .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(nameless, []);
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => {
        const { activeElement: it } = document;
        return it?.getAttribute("aria-label") || it?.textContent?.trim();
      }));
    }
    for (const name of ["Time", "Speed", "Add plot"])
      assert.ok(reached.has(name), `${name} is not reached: ${[...reached]}`);
  }, FLAT);

  exploreTests(onPage, made, folder);
  await runTests();
});
