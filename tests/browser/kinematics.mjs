// Holds the page's kinematics against the engine's: `freebody eval` on models with every joint type, also reversed by a
// capture, each body's and frame's position and axes to 1e-12; and the coordinates between samples against what they
// should be.
// Usage: node kinematics.mjs FREEBODY SOURCE_DIR
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadPart } from "./viewer_part.mjs";

const [freebody, source] = process.argv.slice(2).map((path) => resolve(path));
if (!freebody || !source) {
  console.error("usage: node kinematics.mjs FREEBODY SOURCE_DIR");
  process.exit(2);
}
const TOLERANCE = 1e-12; // relative to the largest number of the model: rounding over a dozen joints

// --- the model as the command would write it into the page ---

const product = ([a, b, c, d], [e, f, g, h]) => [
  a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e,
];
const about = (i, angle) => {
  const q = [Math.cos(angle / 2), 0, 0, 0];
  q[i + 1] = Math.sin(angle / 2);
  return q;
};
const unit = (v) => v.map((x) => x / Math.hypot(...v));

// From the largest of the four, so that nothing is divided by a small number.
function fromMatrix(m) {
  const [[a, b, c], [d, e, f], [g, h, i]] = m;
  const all = [
    [1 + a + e + i, h - f, c - g, d - b], [h - f, 1 + a - e - i, b + d, c + g],
    [c - g, b + d, 1 - a + e - i, f + h], [d - b, c + g, f + h, 1 - a - e + i],
  ];
  return unit(all.reduce((best, q, k) => (q[k] > best.value ? { q, value: q[k] } : best), { q: null, value: 0 }).q);
}

function rotation(o) {
  if (o.quat) return unit(o.quat);
  if (o.dcm) return fromMatrix(o.dcm);
  if (o.rpy) return product(product(about(2, o.rpy[2]), about(1, o.rpy[1])), about(0, o.rpy[0]));
  if (o.euler_xyz) {
    return product(product(about(0, o.euler_xyz[0]), about(1, o.euler_xyz[1])), about(2, o.euler_xyz[2]));
  }
  return [1, 0, 0, 0];
}

const placed = (o) => ({ name: o.name, at: o.at ?? [0, 0, 0], quat: rotation(o) });

// Chains of links, as the table of joint types in docs/model-format.md has their motions.
const CHAINS = {
  cylindrical: [["revolute", "axis"], ["prismatic", "axis"]],
  universal: [["revolute", "axis"], ["revolute", "axis2"]],
  planar: [["prismatic", [1, 0, 0]], ["prismatic", [0, 1, 0]], ["revolute", [0, 0, 1]]],
};

function links(joint) {
  const chain = CHAINS[joint.type] ?? [[joint.type, "axis"]];
  return chain.map(([kind, source]) => {
    const axis = typeof source === "string" ? joint[source] : source;
    return { kind, ...(axis && { axis: unit(axis) }), ...(kind === "helical" && { pitch: joint.pitch }) };
  });
}

function pageBodies(model) {
  const names = model.bodies.map((b) => b.name);
  return model.bodies.map((b) => {
    const joint = b.joint ?? { type: "free" };
    const info = { ...placed(joint), type: joint.type, links: links(joint), q: [], reversed: joint.reversed };
    if (joint.child) info.child = placed(joint.child);
    return {
      name: b.name, parent: names.indexOf(b.parent ?? "world"), joint: info, mass: b.mass, com: b.com ?? [0, 0, 0],
      ellipsoid: { at: [0, 0, 0], quat: [1, 0, 0, 0], radii: [0, 0, 0] }, shapes: [],
      frames: (b.frames ?? []).map(placed),
    };
  });
}

// --- comparisons ---

let failed = 0;
let worst = 0;
function near(what, got, want, scale = 1) {
  got.forEach((x, i) => {
    const error = Math.abs(x - want[i]) / scale;
    worst = Math.max(worst, error);
    if (error <= TOLERANCE) return;
    failed++;
    console.error(`${what}: [${i}] is ${x}, should be ${want[i]}`);
  });
}

const matrix = ([w, x, y, z]) => [
  1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
  2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
  2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
];

function compareModel(Kinematics, file, types) {
  const reply = JSON.parse(execFileSync(freebody, ["eval", file], { maxBuffer: 1 << 28, encoding: "utf8" }));
  const bodies = pageBodies(reply.model);
  const motion = new Kinematics(bodies);
  bodies.forEach((b) => types.add(b.joint.type));
  for (const { label, inputs, outputs } of reply.cases) {
    motion.update(Float64Array.from(inputs.q));
    const places = [...outputs.bodies, ...outputs.frames];
    const scale = Math.max(1, ...places.flatMap((x) => x.p.map(Math.abs)));
    for (const { name, p, R } of places) {
      const got = { p: [0, 0, 0], quat: [0, 0, 0, 0] };
      motion.pose(motion.find(name), got.p, got.quat);
      near(`${file}, ${label}: position of ${name}`, got.p, p, scale);
      near(`${file}, ${label}: axes of ${name}`, matrix(got.quat), R.flat());
    }
    const com = new Float64Array(3);
    motion.centreOfMass(com);
    near(`${file}, ${label}: centre of mass`, [...com], outputs.com, scale);
  }
  return reply.cases.length;
}

// A floating body that turns by 2 rad about z between two samples a second apart, the second quaternion with its sign
// turned.
function compareBetween(Kinematics, Coordinates) {
  const body = pageBodies({ bodies: [{ name: "b", mass: 1 }] })[0];
  body.joint.q = [0, -1, -1, 1, -1, -1, 2];
  const columns = [[1, 3], [1, -Math.cos(1)], [0, -Math.sin(1)], [10, 11]];
  const column = (i) => ({ length: 2, at: (k) => columns[i][k] ?? NaN });
  const run = {
    header: { bodies: [body], signals: [{}, {}, {}] }, samples: 2, time: column(3), column,
    indexAt: (t) => (t >= 11 ? 1 : 0),
  };
  const coordinates = new Coordinates(run, new Kinematics([body]));
  const cases = [
    [9, [1, 0, 0, 1, 0, 0, 0]], [10, [1, 0, 0, 1, 0, 0, 0]],
    [10.25, [1.5, 0, 0, Math.cos(0.25), 0, 0, Math.sin(0.25)]],
    [10.5, [2, 0, 0, Math.cos(0.5), 0, 0, Math.sin(0.5)]],
    [11, [3, 0, 0, -Math.cos(1), 0, 0, -Math.sin(1)]], [12, [3, 0, 0, -Math.cos(1), 0, 0, -Math.sin(1)]],
    [10, [1, 0, 0, 1, 0, 0, 0]],
  ];
  for (const [t, want] of cases) near(`coordinates at ${t} s`, [...coordinates.at(t)], want);
}

// A hinged body whose joint is parted between two samples: from then on its logged pose counts, and its child goes with
// it.
function compareParted(motionOf, Coordinates) {
  const bodies = pageBodies({ bodies: [
    { name: "arm", mass: 1, joint: { type: "revolute", axis: [0, 0, 1], at: [1, 0, 0] } },
    { name: "tip", mass: 1, parent: "arm", joint: { type: "fixed", at: [1, 0, 0] } },
  ] });
  bodies[0].joint.q = [0];
  const names = [
    "q.arm", "p.arm.x", "p.arm.y", "p.arm.z", "quat.arm.w", "quat.arm.x", "quat.arm.y", "quat.arm.z", "epoch",
  ];
  const columns = [[0, NaN], [1, 3], [0, 4], [0, 5], [1, 0], [0, 0], [0, 0], [0, 1], [0, 1], [0, 1]];
  const column = (i) => ({ length: 2, at: (k) => columns[i][k] ?? NaN });
  const run = {
    header: { bodies, signals: names.map(() => ({ unit: "1" })) }, samples: 2, time: column(9), column,
    indexAt: (t) => (t >= 1 ? 1 : 0), find: (name) => names.indexOf(name),
  };
  const motion = motionOf(run);
  const coordinates = new Coordinates(run, motion);
  const cases = [[0, [1, 0, 0], [2, 0, 0]], [1, [3, 4, 5], [2, 4, 5]], [0.5, [2, 2, 2.5], [2, 3, 2.5]]];
  for (const [t, arm, tip] of cases) {
    motion.update(coordinates.at(t));
    near(`parted, at ${t} s: arm`, [...motion.p.slice(0, 3)], arm);
    near(`parted, at ${t} s: tip`, [...motion.p.slice(3, 6)], tip);
  }
}

const { Kinematics } = await loadPart(source, "motion/kinematics.ts");
const { Coordinates, motionOf } = await loadPart(source, "motion/interpolate.ts");
const folder = join(source, "tests/data/reference/joints");
const types = new Set();
let cases = 0;
for (const name of readdirSync(folder).filter((n) => n.endsWith(".json")).sort()) {
  cases += compareModel(Kinematics, join(folder, name), types);
}
cases += compareModel(Kinematics, join(source, "tests/data/captured/states.json"), types);
compareBetween(Kinematics, Coordinates);
compareParted(motionOf, Coordinates);
if (types.size !== 9) {
  failed++;
  console.error(`only ${[...types].join(", ")} were met; there are nine joint types`);
}
console.log(`${cases} cases, ${types.size} joint types, worst difference ${worst.toExponential(1)}, ${failed} failed`);
process.exit(failed ? 1 : 0);
