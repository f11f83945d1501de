#!/bin/sh
# Pages in which a byte is changed, or which are cut off (damage.mjs): refused or harmless, never another number. A small
# run with a mesh, events, blocks and pyramids.
#   damage.sh [TIMES]      a hundred changes times 0.15, or TIMES
set -eu
freebody=$FB_BUILD/bin/freebody
out=$FB_BUILD/viewer/damage
rm -rf "$out"
mkdir -p "$out"
cat >"$out/wedge.obj" <<'MESH'
v 0 0 0
v 0.4 0 0
v 0 0.3 0
v 0 0 0.2
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
MESH
cat >"$out/arm.yaml" <<'SCENARIO'
# Ångström and a satellite 🛰️: texts that are no ASCII.
scenario: 1
name: arm
model:
  bodies:
    - name: hull
      mass: 50
      inertia: [4, 5, 6, 0, 0, 0]
      shapes: [{kind: mesh, file: wedge.obj}]
    - name: arm
      parent: hull
      joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0.5, 0, 0], damping: 0.1}
      mass: 4
      com: [0.3, 0, 0]
      inertia: [0.02, 0.2, 0.2, 0, 0, 0]
      frames: [{name: hand, at: [0.6, 0, 0]}]
start: {rates: {elbow: 1}}
events:
  - {name: grab, at: 2 s, do: [{lock: elbow}]}
integrator: {step: 10 ms}
duration: 45 s
log: {period: 10 ms, signals: [energy]}
SCENARIO
"$freebody" run "$out/arm.yaml" -o "$out/arm" --quiet
"$freebody" view "$out/arm" -o "$out/arm.html" >/dev/null

# A template that is damaged is not waited for.
for change in 's/"viewer-style">/"viewer-style">x/' 's/DOMContentLoaded/DOMContentLoadfd/'; do
  sed "$change" "$FB_BUILD/share/freebody/viewer.html" >"$out/template.html"
  if FREEBODY_VIEWER=$out/template.html FREEBODY_VIEW_TIMEOUT=600 "$freebody" view "$out/arm" --still 1 -o "$out/arm.png" \
    2>"$out/said"; then
    echo "a picture of a damaged page" >&2
    exit 1
  fi
  grep -q damaged "$out/said" || { cat "$out/said" >&2; exit 1; }
done
exec node "$FB_SOURCE/tests/browser/damage.mjs" "$out" "${1:-0.15}"
