// Tests of what one can find out on the page: bodies, expressions, other units, several runs, a model without a run.
// page.mjs runs them in its browser.
import assert from "node:assert/strict";
import { join } from "node:path";
import { FLAT, until } from "./browser.mjs";
import { readCsv } from "./csv.mjs";
import { makeRun } from "./made.mjs";

const api = (page, work, argument) => page.evaluate(work, argument);
const card = (page) => page.getByRole("complementary", { name: "Chosen body" });
const openTab = (page, name) => page.getByRole("tab", { name }).click();

// A chain of bodies, of which the log knows one coordinate each.
function chainRun(name, bodies, shape = {}) {
  const times = [0, 1];
  const run = makeRun(name, times, Object.fromEntries(
    Array.from({ length: bodies }, (_, i) => [`q.j${i}`, { unit: "rad", values: [0, 0.01 * i] }])));
  run.header.bodies = Array.from({ length: bodies }, (_, i) => ({
    name: `b${i}`, parent: i - 1, mass: 1, com: [0, 0, 0], frames: [],
    ellipsoid: { at: [0, 0, 0], quat: [1, 0, 0, 0], radii: [0, 0, 0] },
    joint: {
      name: `j${i}`, type: "revolute", at: [i ? 0.2 : 0, 0, 0], quat: [1, 0, 0, 0], q: [i],
      links: [{ kind: "revolute", axis: [0, 0, 1] }],
    },
    shapes: [{
      kind: "box", size: [0.2, 0.1, 0.1], at: [0.1, 0, 0], quat: [1, 0, 0, 0], color: "#c0c0c0", opacity: 1,
      guessed: false, mesh: -1, ...shape,
    }],
  }));
  return run;
}

function bodyTests(onPage, made) {
  onPage("a click chooses a body, describes it, and lets it be followed and hidden", "sat12.html", async (page) => {
    await api(page, () => window.freebody.set({ follow: "base", camera: "z", zoom: 2 }));
    const canvas = await page.locator(".stage canvas").first().boundingBox();
    const middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    await page.mouse.click(...middle);
    await card(page).waitFor();
    const name = await card(page).getByRole("heading").textContent();
    assert.equal(name, "base");
    assert.match(await card(page).textContent(), /kg.*base, free.*the world/);
    await card(page).getByRole("button", { name: "Follow" }).click();
    await openTab(page, "View");
    assert.equal(await page.locator("#follow").inputValue(), "");
    await card(page).getByRole("button", { name: "Follow" }).click();
    assert.equal(await page.locator("#follow").inputValue(), "base");
    await page.keyboard.press("Escape");
    assert.equal(await card(page).isVisible(), false);
    await page.mouse.click(...middle);
    await card(page).getByRole("button", { name: "Hide" }).click();
    assert.equal(await card(page).isVisible(), false);
    await page.mouse.click(...middle);
    const again = (await card(page).isVisible()) ? await card(page).getByRole("heading").textContent() : "";
    assert.notEqual(again, "base");
    await openTab(page, "Bodies");
    assert.equal(await page.getByLabel("Show base").isChecked(), false);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal(await page.getByLabel("Show base").isChecked(), true);
    await page.screenshot({ path: onPage.file("bodies.png") });
  });

  onPage("the tree shows a joint's value as the log has it, in radians and degrees", "sat12.html", async (page) => {
    const value = readCsv(onPage.file("sat12.csv")).get("q.joint1")[700];
    await api(page, () => (window.freebody.set({ tab: "bodies" }), window.freebody.seek(7)));
    await page.getByRole("treeitem").filter({ hasText: "joint1" }).click();
    const shown = () => card(page).locator("dd").evaluateAll((all) => all.map((dd) => dd.textContent));
    const near = async (want, unit) => {
      const text = (await shown()).find((line) => line.endsWith(`\u00a0${unit}`) && !line.includes("  "));
      const got = parseFloat(text.replace("\u2212", "-"));
      assert.ok(Math.abs(got - want) < 1e-5 * Math.abs(want), `${text}, not ${want}`);
    };
    await near(value, "rad");
    await page.keyboard.press("o");
    await near((value * 180) / Math.PI, "deg");
    await page.keyboard.press("o");
  }, FLAT);

  made("thousand.html", chainRun("thousand", 1000));
  onPage("of a thousand bodies the tree lists some, finds all, and goes by keys", "thousand.html", async (page) => {
    await openTab(page, "Bodies");
    const rows = page.getByRole("treeitem");
    assert.ok((await rows.count()) <= 400);
    await page.getByLabel("Search bodies and joints").fill("b99");
    assert.equal(await rows.count(), 11);
    await page.getByLabel("Search bodies and joints").fill("");
    await rows.first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".tree [aria-selected=true]").count(), 1);
    await page.keyboard.press("Space");
    const body = await page.locator(".tree [aria-selected=true]").getAttribute("data-body");
    assert.equal(await page.getByLabel(`Show b${body}`, { exact: true }).isChecked(), false);
    assert.equal(await api(page, () => window.freebody.playing()), false);
  }, FLAT);

  onPage("names of a thousand bodies do not pile up", "thousand.html", async (page) => {
    await api(page, () => window.freebody.set({ overlays: { names: true } }));
    const names = await page.locator(".stage span").evaluateAll((all) =>
      all.filter((one) => one.style.visibility === "visible").map((one) => one.getBoundingClientRect().top));
    assert.ok(names.length > 3, `${names.length} names are shown`);
    const view = await page.locator(".stage").boundingBox();
    assert.ok(Math.max(...names) < view.y + view.height / 2 + 150, "the chain is in the middle, and so are its names");
  });

  const black = chainRun("black", 2, { color: "#000000", size: [0.2, 0.2, 0.2] });
  black.header.view = { gravity: [0, 0, 0], background: "space", sun: [-1, 1, -1] }; // light from behind
  black.header.notes = ["the first note", "the second note", "the third note"];
  made("black.html", black);
  onPage("several notes are one message", "black.html", async (page) => {
    const banner = page.locator(".banner");
    assert.equal(await banner.count(), 1);
    assert.equal(await banner.locator("p").innerText(), black.header.notes.join("\n"));
  }, FLAT);

  onPage("a black robot is seen against black space", "black.html", async (page) => {
    const bright = await api(page, async () => {
      window.freebody.set({ overlays: { stars: false, trails: false } });
      const picture = new Image();
      picture.src = window.freebody.picture(0, 200, 120);
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [200, 120];
      const pen = canvas.getContext("2d");
      pen.drawImage(picture, 0, 0);
      const { data } = pen.getImageData(0, 0, 200, 120);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] > 100) count++;
      return count;
    });
    assert.ok(bright > 400, `only ${bright} of 24000 pixels are brighter than the sky`);
  });
}

function plotTests(onPage) {
  const picker = (page) => page.getByRole("dialog");

  onPage("expressions are plotted, and what is wrong with one is said", "sat12.html", async (page) => {
    await page.getByRole("button", { name: "Add plot" }).click();
    const field = page.getByLabel("Expressions");
    const wrong = [
      ["|p.hnd|", /no signal “p\.hnd”.*Did you mean “p\.hand/], ["q.joint1 +", /missing/],
      ["|p.hand|; q.joint1 - 1; q.hnd", /“q\.hnd” \(at character 25\)/],
      ["p.hand.x + q.joint1", /“p\.hand\.x” \[m\] cannot be added to “q\.joint1” \[rad\]/],
    ];
    for (const [text, said] of wrong) {
      await field.fill(text);
      assert.match(await page.locator(".field-error").first().textContent(), said);
      assert.equal(await picker(page).getByRole("button", { name: /Plot/ }).isDisabled(), true);
    }
    await page.locator("#picker-over").fill("p.hand");
    assert.match(await page.locator(".field-error").last().textContent(), /“p\.hand” is a vector/);
    await page.locator("#picker-over").fill("");
    await field.fill("|p.hand|; q.joint1 - 2*q.joint3");
    await picker(page).getByRole("button", { name: "Plot 2 signals" }).click();
    await api(page, () => window.freebody.seek(7));
    const log = readCsv(onPage.file("sat12.csv"));
    const at = (name) => log.get(name)[700];
    const want = [Math.hypot(at("p.hand.x"), at("p.hand.y"), at("p.hand.z")), at("q.joint1") - 2 * at("q.joint3")];
    const shown = await page.locator(".plot-panel").last().locator(".value")
      .evaluateAll((all) => all.map((value) => Number(value.dataset.value)));
    shown.forEach((x, k) => assert.ok(Math.abs(x - want[k]) < 1e-12, `${x}, not ${want[k]}`));
    await page.screenshot({ path: onPage.file("expressions.png") });
  }, FLAT);

  onPage("one signal is drawn over another, and a click on the way goes to its time", "sat12.html", async (page) => {
    await api(page, () => window.freebody.set({ plot: [{ y: "p.hand.y", over: "p.hand.x" }] }));
    assert.equal(await page.locator(".plot-panel h3").textContent(), "p.hand.y over p.hand.x");
    const before = await api(page, () => window.freebody.time());
    const box = await page.locator(".u-over").boundingBox();
    for (let k = 1; k < 12 && (await api(page, () => window.freebody.time())) === before; k++) {
      await page.mouse.click(box.x + (box.width * k) / 12, box.y + box.height / 2);
    }
    assert.notEqual(await api(page, () => window.freebody.time()), before);
    await page.screenshot({ path: onPage.file("xy.png") });
  }, FLAT);

  onPage("components have names, in legends and in the list", "sat12.html", async (page) => {
    await api(page, () => window.freebody.set({ plot: ["q.base"] }));
    const names = await page.locator(".legend .name").allTextContents();
    assert.deepEqual(names, ["x", "y", "z", "qw", "qx", "qy", "qz"]);
    await page.getByRole("button", { name: "Add plot" }).click();
    await page.getByLabel("Search signals").fill("q.base");
    assert.ok((await picker(page).locator(".name").allTextContents()).includes("q.base.3 (qw)"));
  }, FLAT);

  onPage("units that have no axis are named, in the units chosen", "sat12.html", async (page) => {
    await api(page, () => window.freebody.set({ plot: [["q.base.0", "q.base.3", "q.joint1"]] }));
    assert.deepEqual(await page.locator(".legend .name").allTextContents(), ["base.x", "base.qw", "joint1"]);
    assert.equal(await page.locator(".plot-note").textContent(), "There is no axis for rad. ");
    await page.keyboard.press("o");
    assert.equal(await page.locator(".plot-note").textContent(), "There is no axis for deg. ");
  }, FLAT);

  onPage("what laws report is in the list", "sat12.html", async (page) => {
    await page.getByRole("button", { name: "Add plot" }).click();
    await page.getByLabel("Search signals").fill("arm error joint1");
    assert.ok((await picker(page).locator(".name").allTextContents()).includes("arm.error.joint1"));
  }, FLAT);

  onPage("joints that are not plotted at first are counted, and shown when asked for", "sat12.html", async (page) => {
    const panel = page.locator(".plot-panel").filter({ hasText: "are shown." }).first();
    assert.match(await panel.textContent(), /6 of 11 are shown/);
    await panel.getByRole("button", { name: "Show all" }).click();
    await until(page, () => [...document.querySelectorAll(".legend")].some((list) => list.children.length === 11));
  }, FLAT);

  onPage("angles are shown in degrees or radians, in values and axes", "sat12.html", async (page) => {
    await api(page, () => (window.freebody.set({ plot: ["rpy.base", "p.hand"] }), window.freebody.seek(10)));
    const texts = () => page.locator(".legend .value").allTextContents();
    const before = await texts();
    await page.getByRole("button", { name: /Angles are in radians/ }).click();
    const after = await texts();
    const number = (text) => parseFloat(text.replace("\u2212", "-"));
    before.slice(0, 3).forEach((text, k) => {
      assert.match(text, /rad$/);
      assert.match(after[k], /deg$/);
      assert.ok(Math.abs(number(after[k]) - (number(text) * 180) / Math.PI) < 1e-5, `${text} became ${after[k]}`);
    });
    assert.deepEqual(after.slice(3), before.slice(3));
    await page.getByRole("button", { name: /Angles are in degrees/ }).click();
  }, FLAT);

  onPage("the attitude of the base and the sun are read out", "sat12.html", async (page) => {
    await api(page, () => {
      window.freebody.set({ overlays: { attitude: true }, degrees: true });
      window.freebody.seek(20);
    });
    const text = (await page.locator(".readout.attitude").textContent()).replaceAll("\u2212", "-");
    const log = readCsv(onPage.file("sat12.csv"));
    const want = ["roll", "pitch", "yaw"].map((part) => (log.get(`rpy.base.${part}`)[2000] * 180) / Math.PI);
    const shown = /rpy *(.*) deg/.exec(text)[1].split(/ +/);
    want.forEach((x, k) => assert.ok(Math.abs(Number(shown[k]) - x) < 0.0051, `${shown}, not ${want}`));
    assert.match(text, /sun/);
  }, FLAT);
}

function runTestsOf(onPage, made) {
  const times = Array.from({ length: 50 }, (_, i) => i / 10);
  made("three.html", ...[1, 2, 3].map((k) => makeRun(k === 3 ? "run 2" : `run ${k}`, times, {
    a: { unit: "m", values: times.map((t) => k * t) },
    b: { unit: "rad/s", values: times.map((t) => -1.234567e-20 * (t + k)) }, // a wide one
  })));
  onPage("three runs have three colours, the same in badges and curves", "three.html", async (page) => {
    await api(page, () => (window.freebody.set({ plot: [["a", "b"]] }), window.freebody.seek(2)));
    const keys = await page.locator(".bar .key")
      .evaluateAll((all) => all.map((key) => getComputedStyle(key).backgroundColor));
    assert.equal(new Set(keys).size, 3);
    const lines = await page.locator(".legend li").evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll("line")].map((line) => getComputedStyle(line).stroke)));
    assert.deepEqual(lines, [keys, keys]);
    const columns = await page.locator(".legend li").evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll(".value")].map((value) => value.getBoundingClientRect().x)));
    assert.deepEqual(columns[0], columns[1]);
    assert.equal(new Set(columns[0]).size, 3, "three runs in one line");
    for (const key of await page.locator(".run-keys .cut").all()) {
      assert.ok(await key.evaluate((el) => el.scrollWidth <= el.clientWidth), "a run's name is cut");
    }
    const names = await page.locator(".run-name h1, .run-name h2").allTextContents();
    assert.equal(new Set(names).size, 3, names.join());
    await openTab(page, "Compare");
    const row = await page.locator(".compare tbody tr").first().locator("td.number").allTextContents();
    assert.deepEqual(row.map(Number), [2, 4, 2, 6, 4]);
    await page.screenshot({ path: onPage.file("three.png") });
  }, FLAT);

  onPage("a model without a run is moved by sliders, within its limits", "model.html", async (page) => {
    const pose = () => api(page, () => window.freebody.pose("tool").p);
    const before = await pose();
    const field = page.getByLabel("Value of shoulder");
    await field.fill("0.5");
    await field.press("Enter");
    const moved = await pose();
    const heading = ([x, y]) => Math.atan2(y, x - 0.8); // from the shoulder, whose axis is z
    const turned = heading(moved) - heading(before);
    assert.ok(Math.abs(turned - 0.5) < 1e-9, `it turned by ${turned}`);
    await page.getByLabel("elbow", { exact: true }).focus();
    await page.keyboard.press("Shift+ArrowRight");
    assert.notDeepEqual(await pose(), moved);
    const elbow = page.getByLabel("Value of elbow");
    await elbow.fill("9");
    await elbow.press("Enter");
    assert.equal(await elbow.inputValue(), "2");
    await page.screenshot({ path: onPage.file("model.png") });
    await page.getByRole("button", { name: "Reset" }).click();
    assert.deepEqual(await pose(), before);
    assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Joints", "Bodies", "View"]);
  }, FLAT);

  const long = chainRun("long", 4);
  long.header.mode = "pose";
  long.header.bodies[0].joint = {
    ...long.header.bodies[0].joint, name: "a_joint_with_quite_a_long_name", type: "spherical", q: [0, 1, 2, 3],
    links: [{ kind: "spherical" }],
  };
  made("long.html", long);
  onPage("where a joint's name is cut, which of its angles a slider moves is still read", "long.html", async (page) => {
    const parts = page.locator(".slider-name > :last-child");
    assert.deepEqual((await parts.allTextContents()).slice(0, 3), [", roll", ", pitch", ", yaw"]);
    for (let k = 0; k < 3; k++) {
      const part = await parts.nth(k).boundingBox();
      const whole = await page.locator(".slider-name").nth(k).boundingBox();
      assert.ok(part.x + part.width <= whole.x + whole.width + 0.5, "it is cut");
    }
  }, { ...FLAT, viewport: { width: 390, height: 844 } });
}

// onPage(name, page, work, options) is a test; made(name, ...runs) writes a page.
function contactTests(onPage) {
  onPage("contacts have their state and force over the view, and their impacts among the events", "touch.html",
    async (page) => {
      const readout = page.getByRole("group", { name: "Contacts" });
      assert.match(await readout.textContent(), /^bounce *open$/);
      await api(page, () => window.freebody.seek(2));
      assert.match(await readout.textContent(), /^bounce *sticks 9\.81 N$/);
      await page.keyboard.press("k");
      assert.equal(await readout.isVisible(), false);
      await page.keyboard.press("k");
      await openTab(page, "View");
      for (const name of ["Contacts", "Surfaces"]) assert.ok(await page.getByRole("checkbox", { name }).isChecked());
      await page.keyboard.press("e");
      assert.equal(await page.getByRole("checkbox", { name: "Surfaces" }).isChecked(), false);
      await page.keyboard.press("e");
      await openTab(page, "Events");
      await page.getByRole("button", { name: /contact\.bounce\.hits/ }).first().click();
      const t = await api(page, () => window.freebody.time());
      assert.ok(Math.abs(t - Math.sqrt((2 * 0.2) / 9.81)) < 2e-3, `the first impact is at ${t} s`);
    }, FLAT);
}

export function exploreTests(onPage, made, folder) {
  onPage.file = (name) => join(folder, name);
  bodyTests(onPage, made);
  plotTests(onPage);
  contactTests(onPage);
  runTestsOf(onPage, made);
}
