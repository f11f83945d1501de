#!/bin/sh
# Runs as glTF files, held against the Khronos validator (gltf.mjs): of shipped scenarios, and of a model with one of
# everything. The files stay in the build's viewer folder.
set -eu
freebody=$FB_BUILD/bin/freebody
out=$FB_BUILD/viewer/gltf
rm -rf "$out"
mkdir -p "$out"
cd "$out"
cp -r "$FB_SOURCE/scenarios/." scenarios
for name in ets7 satellite snake pendulum tumbler; do
  "$freebody" run "scenarios/$name/$name.yaml" -o "$name.run" --quiet --duration 2 >/dev/null
  "$freebody" view "$name.run" -o "$name.glb"
done

# A tetrahedron with a triangle of no area, and one of everything that a model may hold.
cat >part.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
f 1 1 2
END
cat >everything.yaml <<'END'
freebody: 1
name: "</script> \"everything\" 🛰"
bodies:
- name: "base 🛰 \"quoted\""
  mass: 10
  inertia: [1, 1, 1, 0, 0, 0]
  joint: {type: free}
  frames: [{name: tip, at: [1, 0, 0]}]
  shapes:
  - {kind: box, size: [1, 2, 3], color: "#c08000"}
  - {kind: box, size: [1, 2, 0.001], at: [0, 0, 2], color: "#c0800040"}
  - {kind: sphere, radius: 0.5}
  - {kind: ellipsoid, radii: [0.5, 1, 2]}
  - {kind: cylinder, radius: 0.5, length: 2}
  - {kind: capsule, radius: 0.1, length: 2}
  - {kind: mesh, file: part.obj, scale: [1, -2, 0.5]}
  - {kind: mesh, file: part.obj}
- {name: massless, parent: "base 🛰 \"quoted\"", mass: 0, joint: {type: fixed}}
- {name: wheel, parent: massless, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: revolute, axis: [0, 1, 1]}}
- {name: slide, parent: wheel, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: cylindrical, axis: [1, 0, 0]}}
- {name: ball, parent: slide, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: spherical}}
- {name: still, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: fixed}}
END
cat >motion.yaml <<'END'
scenario: 1
name: "one of everything 🛰"
model: everything.yaml
duration: 2 s
start: {rates: {wheel: 30, ball: [1, 2, 3]}}
END
"$freebody" run motion.yaml -o everything.run --quiet >/dev/null
"$freebody" view everything.run -o everything.glb
node "$FB_SOURCE/tests/browser/gltf.mjs" ./*.glb

# The script can tell: a file that was cut off is not called good.
if head -c 3000 ets7.glb >cut.glb && node "$FB_SOURCE/tests/browser/gltf.mjs" cut.glb >/dev/null 2>&1; then
  echo "a file that was cut off is called good" >&2
  exit 1
fi
