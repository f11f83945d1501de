// Holds glTF files against the Khronos validator: `node gltf.mjs FILE...` fails on any error or warning, and prints
// what else it says. Also what importers ask for: nodes that are animated are not scaled, and no scale is negative.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const source = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const validator = createRequire(join(source, "viewer/package.json"))("gltf-validator");
const SEVERITY = ["error", "warning", "info", "hint"];

// The JSON chunk of a .glb.
function readJson(bytes) {
  const length = bytes.readUInt32LE(12);
  return JSON.parse(bytes.subarray(20, 20 + length).toString("utf8"));
}

function checkScales(gltf) {
  const wrong = [];
  const animated = new Set((gltf.animations ?? []).flatMap((a) => a.channels.map((c) => c.target.node)));
  gltf.nodes.forEach((node, i) => {
    if (animated.has(i) && node.scale) wrong.push(`node ${i} (${node.name}) moves and is scaled`);
    if (node.scale?.some((s) => !(s > 0))) wrong.push(`node ${i} (${node.name}) has the scale ${node.scale}`);
  });
  return wrong;
}

async function check(file) {
  const bytes = readFileSync(file);
  const report = await validator.validateBytes(new Uint8Array(bytes), { uri: file, maxIssues: 100 });
  const { numErrors, numWarnings, messages } = report.issues;
  for (const { severity, code, pointer, message } of messages)
    console.log(`${file}: ${SEVERITY[severity]}: ${code} at ${pointer ?? "?"}: ${message}`);
  const wrong = checkScales(readJson(bytes));
  for (const text of wrong) console.log(`${file}: ${text}`);
  const { animationCount, materialCount, drawCallCount, totalTriangleCount } = report.info;
  console.log(
    `${file}: ${bytes.length} bytes, ${animationCount} animations, ${materialCount} materials, ` +
      `${drawCallCount} draw calls, ${totalTriangleCount} triangles; ${numErrors} errors, ${numWarnings} warnings`,
  );
  return numErrors + numWarnings + wrong.length === 0;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node gltf.mjs FILE.glb...");
  process.exit(2);
}
let good = true;
for (const file of files) good = (await check(file)) && good;
process.exit(good ? 0 : 1);
