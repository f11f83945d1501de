#!/bin/sh
# scenarios/remote_arm shows what its README says: its controller brings the arm to its pose and keeps the bus still, the
# replay without the controller has the same bytes. The controllers in examples/ and docs/remote.md, in C and in Python, over
# UDP, a Unix socket and shared memory, all move an arm alike.
#   environment: FB_SOURCE, FB_BUILD
set -eu
freebody=$FB_BUILD/bin/freebody
scratch=$FB_BUILD/remote_arm
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" # sockets have short names
peers=
trap 'for peer in $peers; do kill "$peer" 2>/dev/null || true; done' EXIT

python3 "$FB_SOURCE/scenarios/remote_arm/controller.py" sock &
peers="$peers $!"
"$freebody" run "$FB_SOURCE/scenarios/remote_arm/remote_arm.yaml" -o run --quiet --set control.computer.address=unix:sock
"$freebody" run --replay run -o again --quiet
for name in run again; do "$freebody" export $name -o $name.csv; done
cmp run.csv again.csv
awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
  function size(x) { return x < 0 ? -x : x }
  /nan|inf/ { odd = 1 }
  { if (size($at["rpy.bus.yaw"]) > yaw) yaw = size($at["rpy.bus.yaw"]); rows++ }
  $1 == 8 { phase = $at["computer.phase"] }
  END {
    reach = size($at["q.shoulder"] - 0.9) + size($at["q.elbow"] + 1.3)
    printf "the arm is %.1e rad from its target, the bus turned by %.1e rad at most\n", reach, yaw
    exit !(!odd && rows == 601 && reach < 1e-3 && yaw > 0 && yaw < 0.01 && phase == 2)
  }' run.csv
"$freebody" export run -o - --signals computer.phase | awk -F, '$2 == 2 { n++ } END { exit !(n == 201) }'

# The examples, each with an address of its own.
cat >arm.yaml <<'SCENARIO'
scenario: 1
model:
  bodies:
    - {name: upper, mass: 2, com: [0, 0, -0.25], inertia: [0.05, 0.05, 0.002, 0, 0, 0],
       joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}}
    - {name: lower, parent: upper, mass: 1.5, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.001, 0, 0, 0],
       joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, -0.5]}}
gravity: [0, 0, -9.81]
control:
  - {name: arm, type: remote, address: unix:arm, period: 1 ms, timeout: 20 s, wait: 20 s,
     signals: [q.shoulder, q.elbow, v.shoulder, v.elbow], joints: [shoulder, elbow]}
integrator: {method: rk4, step: 1 ms}
duration: 0.5 s
SCENARIO
port() { python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
try() { # NAME ADDRESS PROGRAM...
  name=$1 address=$2
  shift 2
  "$@" >$name.out &
  peer=$!
  peers="$peers $peer"
  "$freebody" run arm.yaml -o "$name" --quiet --set control.arm.address="$address"
  wait "$peer" # the end of the run is its end
  "$freebody" export "$name" -o "$name.csv"
  cmp c_udp.csv "$name.csv"
}
p=$(port)
try c_udp "udp://127.0.0.1:$p" "$FB_BUILD/bin/example_remote_peer" "$p"
p=$(port)
try python_udp "udp://127.0.0.1:$p" python3 "$FB_SOURCE/examples/remote_peer.py" "$p"
awk '/^```python/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$FB_SOURCE/docs/remote.md" >page.py
p=$(port)
try page "udp://127.0.0.1:$p" python3 page.py "$p"
try python_unix unix:arm python3 "$FB_SOURCE/examples/remote_peer.py" arm
try c_shm "shm:/freebody-test-$$" "$FB_BUILD/bin/example_remote_peer_shm" "/freebody-test-$$"
grep -q 'signals: q.shoulder q.elbow v.shoulder v.elbow  inputs: tau.shoulder tau.elbow' python_udp.out
"$FB_BUILD/bin/bench_remote" 200
