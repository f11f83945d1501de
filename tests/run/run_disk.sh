#!/bin/sh
# `freebody run` on a disk that fills up, and in a folder that is read-only: a clear message, nothing lost, and with
# room again the run goes on to the same bytes. A small tmpfs is that disk where this may be mounted; elsewhere a
# bound on the size of files (ulimit -f) stands for it, and a folder of /proc for the read-only one.
#   run_disk.sh      environment: FB_BUILD
set -eu
freebody="$FB_BUILD/bin/freebody"

fail() {
  echo "run_disk: $*"
  exit 1
}

# expect CODE WORDS COMMAND...: it ends by itself with this code, and its errors hold these words
expect() {
  code=$1 words=$2
  shift 2
  got=0
  timeout 100 "$@" >"$work/out" 2>"$work/err" || got=$?
  [ "$got" -eq "$code" ] || fail "exit $got instead of $code: $* $(cat "$work/err")"
  grep -q -e "$words" "$work/err" || fail "no '$words' in: $(cat "$work/err")"
}

if [ "${1:-}" != inside ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/small" "$work/read"
  cat >"$work/arm.yaml" <<'YAML'
scenario: 1
name: arm
model:
  bodies:
    - {name: hull, mass: 50, inertia: [4, 5, 6, 0, 0, 0]}
    - name: arm
      parent: hull
      joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0.5, 0, 0]}
      mass: 4
      com: [0.3, 0, 0]
      inertia: [0.02, 0.2, 0.2, 0, 0, 0]
start: {rates: {elbow: 1}}
duration: 40 s
checkpoint: 1 s
log: {period: 10 ms}
YAML
  how=limit
  unshare -rm true 2>/dev/null && unshare -rm mount -t tmpfs none "$work/small" 2>/dev/null && how=mount
  if [ "$how" = mount ]; then
    unshare -rm sh "$0" inside "$work" mount
  else
    sh "$0" inside "$work" limit
  fi
  exit
fi

work=$2 how=$3
small="$work/small/run"
cd "$work"
"$freebody" run arm.yaml -o whole --quiet
"$freebody" export whole -o whole.csv >/dev/null

# Fill up, twice; read what is there; then make room.
if [ "$how" = mount ]; then
  mount -t tmpfs -o size=1m none "$work/small"
  expect 1 "the disk is full" "$freebody" run arm.yaml -o "$small"
  expect 1 "the disk is full" "$freebody" run --resume "$small"
  expect 1 "" "$freebody" run arm.yaml -o "$work/small/second"
else
  expect 1 "the disk is full" sh -c "ulimit -f 1024; exec '$freebody' run arm.yaml -o '$small'"
  expect 1 "the disk is full" sh -c "ulimit -f 1024; exec '$freebody' run --resume '$small'"
fi
"$freebody" export "$small" -o part.csv >/dev/null
[ "$(wc -l <part.csv)" -gt 100 ] || fail "little was kept of the run: $(wc -l <part.csv) lines"
[ "$how" != mount ] || mount -o remount,size=100m none "$work/small"
"$freebody" run --resume "$small" --quiet
"$freebody" export "$small" -o again.csv >/dev/null
cmp whole.csv again.csv || fail "the run that went on after the disk was full is another one"

# Read-only.
if [ "$how" = mount ]; then
  mount -t tmpfs none "$work/read"
  mkdir "$work/read/run"
  mount -o remount,ro none "$work/read"
  expect 1 "$work/read" "$freebody" run arm.yaml -o "$work/read/run"
  expect 1 "permission" "$freebody" run arm.yaml -o "$work/read/new"
  mount -o remount,ro none "$work/small"
  expect 2 "already contains a run" "$freebody" run arm.yaml -o "$small"
  "$freebody" export "$small" -o read.csv >/dev/null
  cmp whole.csv read.csv || fail "a read-only run reads differently"
else
  expect 1 "/proc/run" "$freebody" run arm.yaml -o /proc/run
fi
echo "run_disk: full and read-only disks ($how) lose nothing"
