#!/bin/sh
# A peer of bench_race that crashes, hangs or ends costs its own figures only; the table and the JSON say why.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" # where cores would lie
ulimit -c 0
set --
for fate in crashes_when_loaded crashes_in_open crashes_in_call hangs_in_call exits_in_call crashes_in_close sound; do
  set -- "$@" --peer "$FB_BUILD/bin/test_peers/$fate.so"
done
"$FB_BUILD/bin/bench_race" --seconds 0 --limit 1 --json "$work/json" "$@" --peer "$work/none.so" fix7 arm6 fix7 \
  >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; echo "bench_peers: the race failed"; exit 1; }

# expect FILE TEXT: a line of the file that has the text
expect() {
  grep -qF -- "$2" "$work/$1" || { cat "$work/$1"; echo "bench_peers: expected '$2' in the above"; exit 1; }
}
expect err 'bench_race: without '"$FB_BUILD"'/bin/test_peers/crashes_when_loaded.so, which crashed while it was loaded: Aborted'
expect err "bench_race: without $work/none.so, which does not load: "
expect err 'this must not be among the results'
expect out 'fix7: crashes_in_open crashed while it built the model: Aborted'
expect out 'fix7: crashes_in_call crashed in motion: Aborted'
expect out 'fix7: hangs_in_call hung: no answer within 1 s in motion'
expect out 'fix7 without hangs_in_call: it hung before, in motion'
expect out 'fix7: exits_in_call ended in motion, with status 3'
expect out 'fix7: crashes_in_close crashed while it freed the model; its figures stand: Aborted'
expect out 'arm6 without sound: it knows no free base'
expect json '"failed": "crashed in motion: Aborted"'
! grep -qF 'this must not be among the results' "$work/out" || { echo "bench_peers: a peer printed into the table"; exit 1; }

# cells QUANTITY: the columns of fix7 in that table, times and ratios as #
cells() {
  sed -n "/^$1\$/,/^\$/p" "$work/out" | grep '^fix7' | head -n 1 | sed 's/[0-9][0-9.]*/#/g; s/  */ /g'
}
same() {
  [ "$1" = "$2" ] || { cat "$work/out"; echo "bench_peers: expected '$2', found '$1'"; exit 1; }
}
same "$(cells 'Poses of all bodies')" 'fix# # # failed # # # # # # # # # #'
same "$(cells 'Poses, velocities and accelerations of all bodies')" 'fix# # # failed failed failed failed # # # #'

# The tables of the documentation are made from the JSON.
"$FB_SOURCE/scripts/bench-table" "$work/json" >"$work/tables"
expect tables 'crashes_in_open 1, crashes_in_call 1'
expect tables '| Freebody over the fastest peer | fix7 | arm6 | fix7 |'
echo "bench_peers: 7 peers, 6 of them faulty"
