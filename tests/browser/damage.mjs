// A page in which one byte is changed is refused, or shows what it should: never another number that nobody notices.
// Most are looked at without their 3-D view, which takes a browser without a graphics card longer than all the rest.
//   damage.mjs FOLDER [TIMES]      made by damage.sh; a hundred changes, or TIMES as many
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runTests, test, withBrowser, withoutWebGl } from "./browser.mjs";

const [folder, times = "1"] = process.argv.slice(2);
const bytes = readFileSync(join(folder, "arm.html"));
const signals = JSON.parse(/ id="freebody-0">(.*?)<\/script>/s.exec(bytes)[1]).signals.map(({ name }) => name);

let seed = 20250612;
const random = (n) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 4294967296) * n);
};

// ---- where: the contents of elements, and all that is between them ----

function regions() {
  const text = bytes.toString("latin1"); // one character a byte
  const found = { header: [], columns: [], mesh: [], sums: [], script: [], style: [], markup: [] };
  const kinds = [[/^freebody-\d$/, "header"], [/^freebody-\d-\d+$/, "columns"], [/-mesh-/, "mesh"], [/sums$/, "sums"]];
  let end = 0;
  for (const match of text.matchAll(/<(script|style)([^>]*)>(.*?)<\/\1>/gs)) {
    const from = match.index + match[0].indexOf(">") + 1;
    const id = / id="([^"]*)"/.exec(match[2])?.[1] ?? "";
    found[kinds.find(([pattern]) => pattern.test(id))?.[1] ?? match[1]].push([from, from + match[3].length]);
    found.markup.push([end, from]);
    end = from + match[3].length;
  }
  found.markup.push([end, bytes.length]);
  return found;
}

// The n-th byte of some stretches.
function place(stretches, n) {
  for (const [from, end] of stretches) {
    if (n < end - from) return from + n;
    n -= end - from;
  }
  throw new Error("there are not so many bytes");
}

const size = (stretches) => stretches.reduce((sum, [from, end]) => sum + end - from, 0);

// ---- what is seen ----

// Everything that the page shows, in numbers and words.
async function look(signals) {
  const message = document.querySelector(".message [role=alert]");
  if (message || !window.freebody) {
    const pictures = document.querySelectorAll("canvas").length;
    return { text: (message ?? document.body).textContent, told: Boolean(message), pictures };
  }
  await window.freebody.ready;
  const times = [0, 1.234, 7, 44.99];
  const seen = { numbers: {}, tabs: {} };
  for (const t of times) {
    for (const name of signals) seen.numbers[`${name} at ${t}`] = [window.freebody.value(name, t)];
    window.freebody.seek(t);
    for (const name of ["hull", "arm", "hand"]) {
      const pose = window.freebody.pose(name);
      seen.numbers[`${name} at ${t}`] = pose ? [...pose.p, ...pose.quat] : [];
    }
  }
  seen.picture = window.freebody.picture(7, 80, 60);
  for (const tab of ["plots", "events", "ledger", "scenario", "summary"]) {
    window.freebody.set({ tab });
    seen.tabs[tab] = document.querySelector(`#panel-${tab}`).innerText;
  }
  seen.names = document.querySelector(".run-names").innerText;
  seen.damage = document.querySelector(".damage:not([hidden])")?.innerText ?? "";
  return seen;
}

const figures = (text) => text.match(/\d[\d.,e\u2212-]*/g) ?? [];
const sameNumber = (a, b) => Object.is(a, b) || Number.isNaN(a);

// How a page came out: "harmless", "refused", or "told", where what is left is right. Throws where it is wrong.
function judge(seen, right) {
  if (seen.text !== undefined) {
    assert.equal(seen.pictures, 0, "something is drawn on a page that is refused");
    const told = seen.told || /did not run/.test(seen.text) || seen.text.trim() === "";
    assert.ok(told, `what is wrong is not told: ${seen.text.slice(0, 200)}`);
    return "refused";
  }
  const differs = Object.keys(right).filter((key) => JSON.stringify(seen[key]) !== JSON.stringify(right[key]));
  if (differs.length === 0) return "harmless";
  assert.match(seen.damage, /freebody view RUN/, `there is no word of damage, and these differ: ${differs}`);
  for (const [what, numbers] of Object.entries(seen.numbers)) {
    numbers.forEach((x, i) => assert.ok(sameNumber(x, right.numbers[what][i]), `${what}: ${x}`));
  }
  for (const [tab, text] of Object.entries(seen.tabs)) {
    const known = new Set(figures(right.tabs[tab]));
    for (const figure of figures(text)) assert.ok(known.has(figure), `${tab} shows ${figure}`);
  }
  return "told";
}

// ---- the tests ----

const file = join(folder, "damaged.html");
const WAYS = { flat: "without the 3-D view", deep: "with the 3-D view" };

// Opens pages of this content, and has what the page shows that was not changed.
async function opener(browser, way) {
  const context = await browser.newContext({ viewport: { width: 480, height: 360 } });
  if (way === "flat") await withoutWebGl(context);
  const page = await context.newPage();
  const show = async (content, looking = look) => {
    writeFileSync(file, content);
    await page.goto(pathToFileURL(resolve(file)).href, { waitUntil: "load", timeout: 120000 });
    return page.evaluate(looking, signals);
  };
  return { show, right: await show(bytes) };
}

async function change(stretches, { show, right }) {
  const at = place(stretches, random(size(stretches)));
  const changed = Buffer.from(bytes);
  changed[at] ^= 1 + random(255);
  try {
    return judge(await show(changed), right);
  } catch (error) {
    writeFileSync(join(folder, "wrong.html"), changed);
    throw new Error(`byte ${at} is ${changed[at]} instead of ${bytes[at]} (wrong.html): ${error.message}`);
  }
}

await withBrowser(async (browser) => {
  const ways = { flat: await opener(browser, "flat"), deep: await opener(browser, "deep") };

  for (const [way, { show, right }] of Object.entries(ways)) {
    test(`the page as it was written is whole, ${WAYS[way]}`, async () => {
      assert.equal(right.damage, "");
      assert.equal(right.picture !== "", way === "deep");
      assert.equal(judge(await show(bytes), right), "harmless");
    });
  }

  const all = regions();
  const plan = [
    ["header", 18, "flat"], ["columns", 16, "flat"], ["columns", 2, "deep"], ["mesh", 4, "deep"], ["sums", 14, "flat"],
    ["script", 14, "flat"], ["style", 10, "flat"], ["markup", 22, "flat"],
  ];
  for (const [kind, hundredths, way] of plan) {
    const count = Math.ceil(hundredths * Number(times));
    test(`${count} changes of a byte in ${kind} are refused or harmless, ${WAYS[way]}`, async () => {
      const outcomes = { harmless: 0, refused: 0, told: 0 };
      for (let i = 0; i < count; i++) outcomes[await change(all[kind], ways[way])]++;
      console.log(`      ${JSON.stringify(outcomes)}`);
      if (kind !== "markup") assert.ok(outcomes.harmless <= count / 5, "changes do nothing");
    });
  }

  test("a page that is cut off is refused", async () => {
    const { show, right } = ways.flat;
    const last = bytes.lastIndexOf("</script>");
    for (const end of [last - 1, last - 20, bytes.indexOf(`id="freebody-0"`), ...[0, 0, 0].map(() => random(last))]) {
      assert.equal(judge(await show(bytes.subarray(0, end)), right), "refused", `cut off at ${end}`);
    }
  });

  test("no script runs but the page's own", async () => {
    const [head, tail] = [bytes.subarray(0, bytes.length - 20), bytes.subarray(bytes.length - 20)];
    const strange = `<script>window.broken = 1</script><img src="x" onerror="window.broken = 2">`;
    const broken = () => new Promise((done) => setTimeout(() => done([typeof window.freebody, window.broken]), 100));
    const seen = await ways.flat.show(Buffer.concat([head, Buffer.from(strange), tail]), broken);
    assert.deepEqual(seen, ["object", undefined]);
  });

  await runTests();
});
