#!/bin/sh
# What one can do on the page (page.mjs): a satellite of twelve bodies, two runs compared, names made to break pages.
# Pages and pictures stay in the build's viewer folder.
set -eu
freebody=$FB_BUILD/bin/freebody
out=$FB_BUILD/viewer/page
rm -rf "$out"
mkdir -p "$out"

"$freebody" run "$FB_SOURCE/tests/data/view/sat12.yaml" -o "$out/sat12" --quiet \
  --set 'log.signals=[q, v, tau, p.hand, rpy.base, energy, momentum, arm]'
"$freebody" view "$out/sat12" -o "$out/sat12.html" >/dev/null
"$freebody" export "$out/sat12" -o "$out/sat12.csv"

"$freebody" view "$FB_SOURCE/scenarios/inspector/inspector.yaml" -o "$out/model.html" >/dev/null

"$freebody" run "$FB_SOURCE/scenarios/ets7/ets7.yaml" -o "$out/ets7" --quiet
"$freebody" run "$FB_SOURCE/scenarios/ets7/ets7_quiet.yaml" -o "$out/ets7_quiet" --quiet
"$freebody" view "$out/ets7" --with "$out/ets7_quiet" -o "$out/compared.html" >/dev/null
"$freebody" export "$out/ets7_quiet" --signals p.hand -o "$out/ets7_quiet.csv"

"$freebody" run "$FB_SOURCE/scenarios/assembly/assembly.yaml" -o "$out/assembly" --quiet
"$freebody" view "$out/assembly" -o "$out/joined.html" >/dev/null

"$freebody" run "$FB_SOURCE/scenarios/pendulum/pendulum.yaml" -o "$out/paced" --quiet --realtime 10 --duration 5
"$freebody" view "$out/paced" -o "$out/paced.html" >/dev/null

# A ball that drops onto a plane, slides and comes to roll, next to terrain and a rock.
cat >"$out/touch.yaml" <<'SCENARIO'
scenario: 1
model: {bodies: [{name: ball, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, radius: 0.1}]}]}
gravity: [0, 0, -9.81]
surfaces:
  - {name: floor, kind: plane}
  - {name: hills, kind: heightfield, at: [-1, 1, 0], spacing: 1, heights: [[0, 0.3, 0], [0.2, 0.5, 0.1]]}
  - {name: rock, kind: ellipsoid, at: [1, -1, 0], radii: [0.3, 0.2, 0.2]}
contacts: [{name: bounce, a: ball, b: "*", friction: 0.2, restitution: 0.5}]
start: {joints: {ball: [0, 0, 0.3, 1, 0, 0, 0]}, rates: {ball: [1, 0, 0, 0, 0, 0]}}
duration: 2
SCENARIO
"$freebody" run "$out/touch.yaml" -o "$out/touch" --quiet
"$freebody" view "$out/touch" -o "$out/touch.html" >/dev/null

# 10 kB of text, a closing tag, a comment, quotes, an entity, an emoji, in the names of everything.
node - "$out/names.json" <<'SCRIPT'
const nasty = `</script><!--<script>window.broken = 1</script><img src=x onerror="window.broken = 2">"'&lt; 🛰️`;
const long = nasty + "x".repeat(10240);
const fs = require("node:fs");
fs.writeFileSync(process.argv[2], JSON.stringify({
  scenario: 1, name: long,
  model: { name: long, bodies: [
    { name: nasty, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: { name: nasty, type: "free" },
      frames: [{ name: long, at: [1, 0, 0] }] },
    { name: `🦾 "arm"`, parent: nasty, mass: 1, inertia: [1, 1, 1, 0, 0, 0],
      joint: { name: `<b>elbow</b>`, type: "revolute", axis: [0, 0, 1], at: [1, 0, 0] } } ] },
  start: { rates: { "<b>elbow</b>": 1 } },
  events: [{ name: nasty, at: 0.5 }, { name: long, at: 0.7 }],
  duration: 1 }));
SCRIPT
"$freebody" run "$out/names.json" -o "$out/names" --quiet
"$freebody" view "$out/names" -o "$out/names.html" >/dev/null
exec node "$FB_SOURCE/tests/browser/page.mjs" "$out"
