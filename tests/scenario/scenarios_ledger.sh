#!/bin/sh
# Runs every shipped scenario, and the example of docs/scenario.md, and asks of each:
# that its ledger closes all along the log, the energy residual within 1e-6 of the larger of the energy exchanged and the
# peak kinetic energy, momentum within 1e-6 of its scale; 1e-3 of both with moreau, which is of first order;
# that a run killed between its first sample and its last, and resumed, exports the same bytes: of every sixth, or of all with
# FB_KILL_ALL=1 or FB_FULL=1. Builds with sanitizers, which are slow, leave this out.
set -eu
freebody=$FB_BUILD/bin/freebody
scratch=$FB_BUILD/scenarios_ledger
scenarios=$scratch/scenarios
rm -rf "$scratch"
mkdir -p "$scratch/docs"
cp -r "$FB_SOURCE/scenarios" "$scenarios"
ln -s "$FB_SOURCE/include" "$scratch/include"
for makefile in "$scenarios"/*/Makefile; do # plugins
  make -s -B -C "$(dirname "$makefile")" CC="$CC"
done
# The controller of remote_arm, over a socket in this folder: other tests have the port.
cd "$scratch"
sed -i 's|udp://127.0.0.1:8719|unix:controller|' "$scenarios/remote_arm/remote_arm.yaml"
python3 "$scenarios/remote_arm/controller.py" controller 1000 &
controller=$!
trap 'kill "$controller"' EXIT
now_ms() { echo $(($(date +%s%N) / 1000000)); }

# interrupt FILE DELAY SAMPLES: starts killed.run and kills it after DELAY ms, until some of its SAMPLES are in the file
# and some are not: earlier after a kill that came too late, later after one that came too soon.
interrupt() {
  delay=$2
  for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    rm -rf "$scratch/killed.run" "$scratch/killed.csv"
    "$freebody" run "$1" -o "$scratch/killed.run" --quiet --export csv &
    pid=$!
    sleep "$(awk "BEGIN { print $delay / 1000 }")"
    kill -9 "$pid" 2>/dev/null || true
    code=0
    wait "$pid" 2>/dev/null || code=$?
    "$freebody" export "$scratch/killed.run" -o "$scratch/killed.csv" >/dev/null 2>&1 || true
    kept=0
    if [ -f "$scratch/killed.csv" ]; then kept=$(($(wc -l <"$scratch/killed.csv") - 1)); fi
    if [ "$code" -eq 137 ] && [ "$kept" -gt 1 ] && [ "$kept" -lt "$3" ]; then return 0; fi
    if [ "$code" -eq 137 ] && [ "$kept" -le 1 ]; then step=115; else step=85; fi
    delay=$(awk "BEGIN { print $delay * $step / 100 }")
  done
  echo "$1: $attempt kills and none hit the run between its first sample and its last (exit $code, $kept of $3 samples)"
  return 1
}

awk '/^```yaml/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$FB_SOURCE/docs/scenario.md" \
  >"$scratch/docs/reach.yaml"
# The runs stay, under the names of their files: rover.sh and muses_c.sh look at them too.
count=0
for file in "$scratch/docs/reach.yaml" "$scenarios"/*/*.yaml; do
  grep -q '^scenario:' "$file" || continue
  name=$(basename "$file" .yaml)
  run=$scratch/$name.run
  began=$(now_ms)
  "$freebody" run "$file" -o "$run" --quiet --export csv
  took=$(($(now_ms) - began))
  case $FB_USER_CFLAGS,${FB_KILL_ALL:-${FB_FULL:-$((count % 6 == 0))}} in
    *sanitize* | *,0) ;;
    *)
      interrupt "$file" $((took / 2)) $(($(wc -l <"$run/log.csv") - 1))
      "$freebody" run "$file" -o "$scratch/killed.run" --resume --quiet --export csv >/dev/null
      cmp "$run/log.csv" "$scratch/killed.run/log.csv"
      rm -rf "$scratch/killed.run"
      ;;
  esac
  "$freebody" export "$run" --signals 'ledger*' -o "$scratch/$name.csv" 2>/dev/null
  most=1e-6
  if grep -q '"integrator": "moreau' "$run/summary.json"; then most=1e-3; fi
  awk -F, -v name="$name" -v tolerance="$most" '
    NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
    function size(x) { return x < 0 ? -x : x }
    function keep(what) {
      if ($at[what] !~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/) { print name ": " what " is " $at[what]; odd = 1 }
      x = size($at[what])
      if (x > most[what]) most[what] = x
    }
    {
      keep("ledger.residual"); keep("ledger.gross"); keep("ledger.peak_kinetic"); rows++
      keep("ledger.linear"); keep("ledger.linear_scale"); keep("ledger.angular"); keep("ledger.angular_scale")
    }
    END {
      scale = most["ledger.gross"] > most["ledger.peak_kinetic"] ? most["ledger.gross"] : most["ledger.peak_kinetic"]
      if (!("ledger.residual" in at) || rows < 100) { print name ": no ledger in the log"; exit 1 }
      printf "%-12s residual %.2e of %.4g J: %.2e\n", name, most["ledger.residual"], scale, most["ledger.residual"] / scale
      exit !(!odd && scale > 0 && most["ledger.residual"] <= tolerance * scale &&
             most["ledger.linear"] <= tolerance * most["ledger.linear_scale"] + 1e-12 &&
             most["ledger.angular"] <= tolerance * most["ledger.angular_scale"] + 1e-12)
    }' "$scratch/$name.csv"
  count=$((count + 1))
done
[ "$count" -ge 10 ] || { echo "only $count scenarios found under $scenarios"; exit 1; }
