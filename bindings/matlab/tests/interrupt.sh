#!/bin/sh
# Ctrl-C in a long call ends the call, not the interpreter, and a run that it ends is called interrupted.
#   interrupt.sh OCTAVE TOOLBOX SCENARIO
set -eu
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT

# Runs COMMAND in an interactive Octave, sends it Ctrl-C, and then lets it say THEN; prints what it said.
interrupted() {
  mkfifo "$work/in"
  "$octave" --norc --no-history --quiet --interactive <"$work/in" >"$work/out" 2>&1 &
  pid=$!
  exec 3>"$work/in"
  cat >&3 <<END
warning('off', 'all'); addpath('$toolbox'); global d_time; d_time = 0.001; LP = init_LP(6); SV = init_SV(LP); disp('ready');
$1
END
  for _ in $(seq 100); do grep -q ready "$work/out" && break; sleep 0.1; done
  sleep 0.7
  kill -INT "$pid"
  printf '%s\nexit(0)\n' "$2" >&3
  exec 3>&-
  for _ in $(seq 150); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  if kill -0 "$pid" 2>/dev/null; then
    echo "interrupt.sh: Octave goes on after Ctrl-C in: $1" >&2
    exit 1
  fi
  wait "$pid" || { echo "interrupt.sh: Octave ended badly after: $1" >&2; cat "$work/out" >&2; exit 1; }
  pid=
  rm "$work/in"
  cat "$work/out"
}

octave=$1 toolbox=$2 scenario=$3
check() {
  interrupted "$1" "$2" >"$work/said"
  grep -q "$3" "$work/said" || { echo "interrupt.sh: '$3' is not in:" >&2; cat "$work/said" >&2; exit 1; }
}
check "a = f_dyn_rk2(LP, SV, 90000000);" "S = f_dyn(LP, SV); printf('%s\n', ['well and a' 'live'])" "well and alive"
check "m = freebody.Model(LP); [t, q, v] = m.trajectory(m.neutral(), zeros(12, 1), zeros(12, 1), 1e-3, 4000000);" \
  "printf('%s %d\n', ['well and a' 'live'], m.nv)" "well and alive 12"
check "r = freebody.Run.make('$scenario', '$work/run', {}, 1e6);" \
  "r = freebody.Run('$work/run'); printf('the run is %s\n', r.status)" "the run is interrupted"
echo "interrupt.sh: passed"
