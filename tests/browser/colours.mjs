// The six colours of curves and runs, in both themes: 3:1 to the surface, and apart from each other also for those who
// do not see all colours.
// Usage: node colours.mjs FREEBODY SOURCE_DIR
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apart, contrast, seen } from "./sight.mjs";
import { runTests, test } from "./tests.mjs";

const style = readFileSync(join(process.argv[3], "viewer/src/ui/style/base.css"), "utf8");
const APART = 20; // in CIE Lab: one just sees a difference of about 2; a thin line needs several times that

for (const [theme, selector] of [["light", ":root {"], ["dark", ':root[data-theme="dark"] {']]) {
  const part = style.slice(style.indexOf(selector)).split("}")[0];
  const color = (name) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(part)?.[1];
  const curves = [0, 1, 2, 3, 4, 5].map((i) => color(`curve-${i}`));

  test(`${theme}: curves stand out from the surface`, () => {
    for (const curve of curves) assert.ok(contrast(curve, color("surface")) >= 3, `${curve} is too faint`);
  });

  test(`${theme}: any two curves are told apart, with any eyes`, () => {
    curves.forEach((a, i) => curves.slice(0, i).forEach((b) => {
      const distance = apart(seen(a), seen(b));
      assert.ok(distance >= APART, `${a} and ${b} are only ${distance.toFixed(1)} apart`);
    }));
  });
}

await runTests();
