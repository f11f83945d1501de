// What is drawn on bodies, without a graphics card: how many calls a large robot costs, where its parts are, what is
// hidden, and the colours of ghosts; and the sliders of a model and the angles of an attitude.
// Usage: node drawing.mjs FREEBODY SOURCE_DIR
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { runTests, test } from "./tests.mjs";
import { loadPart } from "./viewer_part.mjs";

const source = resolve(process.argv[3]);
const { Actor } = await loadPart(source, "scene/actor.ts");
const { Reactions } = await loadPart(source, "scene/wrenches.ts");
const { Contacts, STATES } = await loadPart(source, "scene/contacts.ts");
const { extentOf } = await loadPart(source, "scene/extent.ts");
const { Ground } = await loadPart(source, "scene/ground.ts");
const { Surfaces } = await loadPart(source, "scene/surfaces.ts");
const { slidersOf } = await loadPart(source, "motion/sliders.ts");
const { fromRollPitchYaw, rollPitchYaw, seenFrom } = await loadPart(source, "motion/attitude.ts");

const FAR = 7e6; // [m] from the origin, as in an orbit: single precision has half a metre there
const shape = (kind, size, more = {}) => ({
  kind, size, at: [0.1, 0.2, 0.3], quat: [1, 0, 0, 0], color: "#808080", opacity: 1, guessed: false, mesh: -1, ...more,
});

// A chain of n bodies, each a metre from the one before, with a box, a drum and, if asked, others.
function chain(n, more = () => []) {
  const link = (i) => ({
    name: `b${i}`, parent: i - 1, mass: 1, com: [0, 0, 0],
    ellipsoid: { at: [0, 0, 0], quat: [1, 0, 0, 0], radii: [1, 1, 1] },
    joint: {
      name: `j${i}`, type: i ? "revolute" : "free", at: [i ? 1 : FAR, 0, 0], quat: [1, 0, 0, 0], q: [],
      links: [i ? { kind: "revolute", axis: [0, 0, 1] } : { kind: "free" }],
    },
    shapes: [shape("box", [1, 1, 1]), shape("cylinder", [0.1, 1]), ...more(i)], frames: [],
  });
  const header = {
    bodies: Array.from({ length: n }, (_, i) => link(i)), signals: [], view: { gravity: [0, 0, 0] }, events: [],
  };
  const none = () => -1;
  return { header, samples: 0, index: 0, indexAt: none, find: none, column: () => null, onGrow: () => undefined };
}

const placeOf = (robot, drawn, k) => {
  const m = drawn.object.instanceMatrix.array;
  return [0, 1, 2].map((j) => robot.root.matrix.elements[12 + j] + m[16 * k + 12 + j]);
};

test("a thousand bodies of equal shapes take two drawings", () => {
  const actor = new Actor(chain(1000), false);
  actor.show(0);
  assert.equal(actor.robot.drawn.length, 2);
  assert.ok(actor.robot.drawn.every(({ object }) => object.isInstancedMesh && object.count === 1000));
});

test("parts are where their bodies are, to a millimetre in orbit", () => {
  const { robot, motion } = (() => {
    const actor = new Actor(chain(50), false);
    actor.show(0);
    return actor;
  })();
  for (const k of [0, 7, 49]) {
    const at = [0, 0, 0];
    motion.point(k, [0.1, 0.2, 0.3], at);
    const got = placeOf(robot, robot.drawn[0], k);
    assert.ok(Math.hypot(...got.map((x, j) => x - at[j])) < 1e-3, `${got} is not ${at}`);
  }
});

test("what is translucent or mirrored is drawn by itself", () => {
  const actor = new Actor(chain(3, (i) => [
    shape("box", [1, 1, 1], { opacity: 0.95 }), shape("box", [i === 1 ? -1 : 1, 1, 1]),
  ]), false);
  const single = actor.robot.drawn.filter(({ object }) => !object.isInstancedMesh);
  assert.equal(single.length, 3 + 1);
});

test("a hidden body has no size, and comes back", () => {
  const actor = new Actor(chain(4), false);
  const sizes = () => [0, 1, 2, 3].map((k) => actor.robot.drawn[0].object.instanceMatrix.array[16 * k]);
  actor.robot.hidden[2] = 1;
  actor.show(0);
  assert.deepEqual(sizes(), [1, 1, 0, 1]);
  actor.robot.hidden[2] = 0;
  actor.show(0);
  assert.deepEqual(sizes(), [1, 1, 1, 1]);
});

test("a ghost has the colour of its run", () => {
  const ghost = new Actor(chain(2), true);
  ghost.setColor("#b26c16");
  for (const { object } of ghost.robot.drawn) assert.equal(object.material.color.getHexString(), "b26c16");
});

test("gold is foil on the bus of a satellite alone", () => {
  const gold = () => [shape("box", [1, 1, 1], { color: "#c9a227" })];
  const wrapped = (run) => new Actor(run, false).robot.drawn.filter(({ object }) => object.material.bumpMap)
    .reduce((sum, { object }) => sum + object.count, 0);
  const ground = chain(3, gold);
  ground.header.view = { gravity: [0, 0, -9.81] };
  assert.deepEqual([wrapped(chain(3, gold)), wrapped(ground)], [1, 0]);
  const held = chain(2, gold); // two satellites, of which one does not move
  const [, second] = held.header.bodies;
  held.header.bodies[1] = { ...second, parent: -1, joint: { ...second.joint, type: "fixed" } };
  assert.equal(wrapped(held), 2, "a base that is held");
  assert.equal(wrapped(chain(1, () => [shape("box", [1, 1, 0.01], { color: "#c9a227" })])), 0, "a sheet");
  assert.equal(wrapped(chain(1, () => [shape("box", [1, 1, 1], { color: "#c9a227", guessed: true })])), 0, "a guess");
});

// ---- reactions ----

// A chain whose log has the given columns, one sample each.
function logged(n, values) {
  const run = chain(n);
  const names = Object.keys(values);
  run.header.signals = names.map((name) => ({ name, unit: "N", axes: "world", meaning: "" }));
  const column = (i) => {
    const only = [values[names[i]]];
    return { at: () => only[0], overview: () => ({ min: only, max: only }) };
  };
  return { ...run, samples: 1, indexAt: () => 0, find: (name) => names.indexOf(name), column };
}

const vector = (stem, xyz) => Object.fromEntries(["x", "y", "z"].map((c, i) => [`${stem}.${c}`, xyz[i]]));
const stage = () => ({ over: { add: () => undefined }, size: 10 });

test("reactions are arrows at the origins of joint frames, the largest of each kind equally long", () => {
  const run = logged(3, {
    ...vector("reaction.j1.force", [0, 0, 20]), ...vector("reaction.j2.force", [-10, 0, 0]),
    ...vector("reaction.j2.torque", [0, 3, 0]),
  });
  const actor = new Actor(run, false);
  actor.sample = 0;
  const layer = new Reactions(actor, stage());
  assert.ok(layer.available);
  layer.setOn(true);
  layer.update();
  const arrows = layer.root.children;
  const tips = arrows.map((arrow) => arrow.children[1].position.z);
  assert.deepEqual(arrows.map(({ position: { x, y, z } }) => [x - FAR, y, z]), [[1, 0, 0], [2, 0, 0], [2, 0, 0]]);
  assert.ok(Math.abs(tips[0] - tips[2]) < 1e-12 && Math.abs(tips[0] - 2 * tips[1]) < 1e-12, `${tips}`);
  assert.ok(arrows.every(({ visible }) => visible));
});

test("forces of loops are drawn with the reactions, at their frames b; gears have none", () => {
  const run = logged(3, { ...vector("loop.close.force", [0, 5, 0]), ...vector("loop.close.torque", [1, 0, 0]) });
  run.header.loops = [
    { name: "close", type: "weld", a: "b0", b: "b2" }, { name: "belt", type: "gear", a: "j1", b: ["j2"] },
    { name: "anchor", type: "point", a: "b0", b: "gone" },
  ];
  const actor = new Actor(run, false);
  actor.sample = 0;
  const layer = new Reactions(actor, stage());
  layer.setOn(true);
  layer.update();
  assert.deepEqual(layer.root.children.map(({ position: { x, y, z } }) => [x - FAR, y, z]), [[2, 0, 0], [2, 0, 0]]);
});

test("reactions that are rounding, or not logged, are no arrows", () => {
  const actor = new Actor(logged(2, vector("reaction.j0.force", [1e-13, 0, 2e-14])), false);
  actor.sample = 0;
  const layer = new Reactions(actor, stage());
  layer.setOn(true);
  layer.update();
  assert.deepEqual(layer.root.children.map(({ visible }) => visible), [false]);
  assert.ok(!new Reactions(new Actor(chain(2), false), stage()).available);
});

// ---- contacts ----

// The layer of contacts { name: [state, force, point] }, drawn.
function contactLayer(contacts) {
  const values = {};
  for (const [name, [state, force, point]] of Object.entries(contacts)) {
    values[`contact.${name}.state`] = state;
    Object.assign(values, vector(`contact.${name}.force`, force), vector(`contact.${name}.point`, point));
  }
  const run = logged(2, values);
  run.header.view.contacts = [...Object.keys(contacts), "not_logged"];
  const actor = new Actor(run, false);
  actor.sample = 0;
  const layer = new Contacts(actor, stage());
  layer.setOn(true);
  layer.update();
  const marks = layer.root.children;
  return Object.keys(contacts).map((_, i) => ({ arrow: marks[2 * i], dot: marks[2 * i + 1] }));
}

test("contacts are arrows and dots at their points, in the colour of the state; open ones are not drawn", () => {
  const [slips, sticks, open] = contactLayer({
    slips: [1, [0, 0, 10], [1, 2, 3]], sticks: [2, [0, 10, 0], [4, 5, 6]], open: [0, [0, 0, 0], [0, 0, 0]],
  });
  assert.deepEqual([slips, sticks].map(({ dot: { position: { x, y, z } } }) => [x, y, z]), [[1, 2, 3], [4, 5, 6]]);
  [slips, sticks].forEach(({ arrow, dot }, i) => {
    for (const part of [...arrow.children, dot]) {
      assert.equal(`#${part.material.color.getHexString()}`, STATES[i + 1].color);
    }
    assert.ok(arrow.visible && dot.visible);
  });
  assert.ok(!open.arrow.visible && !open.dot.visible);
});

test("the arrow of an impact is cut, so that usual forces can be seen", () => {
  const length = ({ arrow }) => arrow.children[1].position.z;
  const [usual, same, impact] = contactLayer({
    usual: [2, [0, 0, 10], [0, 0, 0]], same: [2, [0, 0, 5], [0, 0, 0]], impact: [1, [0, 0, 1e6], [0, 0, 0]],
  }).map(length);
  assert.ok(usual > 0 && Math.abs(usual - 2 * same) < 1e-9 * usual, `${usual} and ${same}`);
  assert.ok(impact > usual && impact < 5 * usual, `${impact}`);
});

// ---- surfaces ----

test("surfaces of the world are drawn where they are, and planes are left to the ground", () => {
  const run = chain(1);
  run.header.surfaces = [
    shape("box", [2, 4, 6], { at: [1, 0, 0] }), { kind: "plane", body: -1, at: [0, 0, 0], quat: [1, 0, 0, 0] },
    shape("mesh", [1, 1, 1], { mesh: -1 }),
  ];
  const { root, boxes } = new Surfaces(run);
  assert.equal(root.children.length, 1);
  assert.deepEqual([boxes[0].min.toArray(), boxes[0].max.toArray()], [[0, -2, -3], [2, 2, 3]]);
});

test("terrain is part of all that there is, and does not make the robot larger", () => {
  const run = chain(1);
  const without = extentOf([new Actor(run, false)], []);
  run.header.surfaces = [shape("box", [3, 3, 3], { at: [FAR - 4, 0, 0] })];
  const { size, fit, all } = extentOf([new Actor(run, false)], new Surfaces(run).boxes);
  assert.equal(size, without.size);
  assert.deepEqual(fit.min.toArray(), without.fit.min.toArray());
  assert.equal(all.min.x, FAR - 5.5);
});

test("a ground that is tilted stays in its plane and under the camera, by whole cells", () => {
  const ground = new Ground(8, true);
  const half = Math.SQRT1_2; // z of the plane is x of the world
  ground.place([3, 0, 0], [half, 0, half, 0]);
  const target = ground.root.position.clone().set(50, 7.3, -12.2);
  ground.follow(target);
  const { x, y, z } = ground.root.position;
  assert.ok(Math.hypot(x - 3, y - 7, z + 12) < 1e-12, `${x} ${y} ${z}`);
});

// ---- sliders ----

const joint = (type, kinds, limits, first = 0) => ({
  name: "b", joint: { name: "j", type, links: kinds.map((kind) => ({ kind })), limits, q: [first] },
});
const CASES = [
  ["a turn has its limits", joint("revolute", ["revolute"], [[-1, 2]]), [["", "rad", -1, 2, 0]]],
  ["without limits it turns once around", joint("revolute", ["revolute"]), [["", "rad", -Math.PI, Math.PI, 0]]],
  ["0 outside the limits gives the nearest", joint("revolute", ["revolute"], [[-3, -0.5]]),
    [["", "rad", -3, -0.5, -0.5]]],
  ["one limit is enough", joint("prismatic", ["prismatic"], [[0.2, null]]), [["", "m", 0.2, 5.2, 0.2]]],
  ["a slide goes as far as the robot is large", joint("prismatic", ["prismatic"]), [["", "m", -5, 5, 0]]],
  ["limits the wrong way round do not move", joint("revolute", ["revolute"], [[2, 1]]), [["", "rad", 2, 2, 2]]],
  ["a universal joint has two", joint("universal", ["revolute", "revolute"]),
    [["turn 1", "rad", -Math.PI, Math.PI, 0], ["turn 2", "rad", -Math.PI, Math.PI, 0]]],
  ["a ball turns in three ways", joint("spherical", ["spherical"]),
    ["roll", "pitch", "yaw"].map((part) => [part, "rad", -Math.PI, Math.PI, 0])],
];
for (const [name, body, want] of CASES) {
  test(`sliders: ${name}`, () => {
    const got = slidersOf([body], new Float64Array(8), 5).map((s) => [s.part, s.unit, s.min, s.max, s.start]);
    assert.deepEqual(got, want);
  });
}

test("sliders of a floating base set its place and its quaternion", () => {
  const q = new Float64Array(9);
  const sliders = slidersOf([joint("free", ["free"], undefined, 2)], q, 5);
  sliders.forEach((slider, k) => slider.set([1, 2, 3, 0, 0, Math.PI / 2][k]));
  const half = Math.SQRT1_2;
  [0, 0, 1, 2, 3, half, 0, 0, half].forEach((x, i) => assert.ok(Math.abs(q[i] - x) < 1e-15, `q[${i}] is ${q[i]}`));
});

test("roll, pitch and yaw lead to a quaternion and back", () => {
  for (const rpy of [[0.1, -0.2, 0.3], [3, 1.5, -3], [-1, -1.5, 2], [0, Math.PI / 2, 0.4], [0, -Math.PI / 2, 1]]) {
    const back = rollPitchYaw(fromRollPitchYaw(rpy));
    rpy.forEach((x, i) => assert.ok(Math.abs(x - back[i]) < 1e-6, `${rpy} became ${back}`));
  }
});

test("a direction is seen from what is turned", () => {
  const seen = seenFrom(fromRollPitchYaw([0, 0, Math.PI / 2]), [1, 0, 0]);
  [0, -1, 0].forEach((x, i) => assert.ok(Math.abs(seen[i] - x) < 1e-15));
});

await runTests();
