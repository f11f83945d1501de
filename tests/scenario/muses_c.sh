#!/bin/sh
# scenarios/muses_c shows what its README says: a hop lasts 2 v / g to 0.1 %; the compliant ground gives back the speed
# that the hard one does, the nearer the stiffer it is; and the paddles touch the ground from slopes of 32.3 and 39.3
# degrees on.
#   environment: FB_SOURCE, FB_BUILD, FB_SHIPPED: where scenarios_ledger.sh has run shipped scenarios just before, or none
set -eu
LC_ALL=C
export LC_ALL
FREEBODY=$FB_BUILD/bin/freebody OUT=$FB_BUILD/muses_c
export FREEBODY OUT
rm -rf "$OUT"
mkdir -p "$OUT"
# run NAME SCENARIO OPTION...
run() {
  name=$1 scenario=$2
  shift 2
  "$FREEBODY" run "$FB_SOURCE/scenarios/muses_c/$scenario.yaml" -o "$OUT/$name" --quiet "$@" 2>>"$OUT/notes"
}
# when NAME CHANGE: the times of a change of the horn's contact; in the summary they are in the line before its name
when() {
  awk -v what="\"contact.horn.$2\"" '
    /"t":/ { t = $2 + 0 }
    index($0, what) { printf "%.9f\n", t }' "$OUT/$1/summary.json"
}

# --- a hop of 18 minutes
if [ -z "${FB_SHIPPED:-}" ]; then run hard muses_c; else ln -s "$FB_SHIPPED/muses_c.run" "$OUT/hard"; fi
"$FREEBODY" export "$OUT/hard" -o - | awk -F, -v opens="$(when hard opens | head -n 1)" \
  -v hits="$(when hard hits | tail -n 1)" '
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
  /nan|inf/ { odd = 1 }
  $1 > opens && !v { v = $at["com.v.z"] + 8.8e-5 * ($1 - opens); }
  $at["contact.horn.friction_work"] > gained || $at["contact.horn.normal_work"] > gained { gained = 1 }
  $at["contact.paddles.gap"] < 1 || $at["contact.bus.gap"] < 0.5 { near = 1 }
  { relative = $at["ledger.relative"]; gains += $at["solver.gains"] }
  END {
    hop = hits - opens; off = hop / (2 * v / 8.8e-5) - 1
    printf "leaves at %.5f m/s, and hops for %.2f s: %.1e from 2 v / g; the ledger closes to %.1e\n",
           v, hop, off, relative
    exit !(!odd && v > 0.04 && v < 0.06 && hop > 1000 && off ^ 2 < 1e-6 && relative ^ 2 < 1e-16 && !gained &&
           !gains && !near)
  }'

# --- speeds of rebound, by the impulse of gravity brought back to t = 0
speed() {
  "$FREEBODY" export "$OUT/$1" --signals com.v.z,contact.horn.gap,contact.horn.normal -o - | awk -F, '
    NR > 1 && $4 > 0 { touched = 1 }
    NR > 1 && touched && $3 > 0.05 { printf "%.10f\n", $2 + 8.8e-5 * $1; exit }'
}
run rigid muses_c --duration 9
run moreau muses_c --duration 9 --set "integrator={method: moreau, step: 1 ms}"
for stiffness in 1e4 1e5 1e6 1e7; do
  run "spring_$stiffness" muses_c_compliant --duration 9 --set "materials.regolith.stiffness=$stiffness" \
    --set "materials.regolith.damping=$(awk "BEGIN { print 0.6 * sqrt($stiffness) }")"
done
run hertz muses_c_compliant --duration 9 \
  --set "materials.regolith={law: hertz, stiffness: 1e8, friction: 0.6, rubbing: bristle}"
run hunt_crossley muses_c_compliant --duration 9 \
  --set "materials.regolith={law: hunt_crossley, stiffness: 1e8, damping: 10, friction: 0.6, rubbing: bristle}"
for name in rigid moreau spring_1e4 spring_1e5 spring_1e6 spring_1e7 hertz hunt_crossley; do
  echo "$name $(speed "$name")"
done | awk '
  $1 == "rigid" { rigid = $2 }
  { off[$1] = $2 / rigid - 1; printf "%-14s %.6f m/s, %+.4f %% from hard\n", $1, $2, 100 * off[$1]; n++ }
  function size(x) { return x < 0 ? -x : x }
  END {
    exit !(n == 8 && size(off["moreau"]) < 2e-3 && size(off["spring_1e6"]) < 0.01 && size(off["hertz"]) < 0.01 &&
           size(off["hunt_crossley"]) < 0.01 && size(off["spring_1e5"]) < size(off["spring_1e4"]) / 3 &&
           size(off["spring_1e6"]) < size(off["spring_1e5"]) / 3 &&
           size(off["spring_1e7"]) < size(off["spring_1e6"]) / 3)
  }'

# --- on a slope of 10 degrees the mouth of the horn comes to lie flat, and its rim whirls: few steps, and soon away again
run whirl muses_c --duration 4 --set "start.bases.bus.at=[0, 0, 1.660265]" --set "surfaces.ground.rpy=[10 deg, 0, 0]"
awk '/"steps":/ { steps = $2 + 0 } END { printf "whirls in %d steps\n", steps; exit !(steps > 100 && steps < 5000) }' \
  "$OUT/whirl/summary.json"

# --- slopes
"$FB_SOURCE/scenarios/muses_c/slopes.sh" 32 32.6 39 39.6 2>>"$OUT/notes" | tee "$OUT/slopes"
awk '
  /^#/ { next }
  { touches = $4 != "-" || $5 != "-"; expected = $2 > ($1 == "y" ? 32.3 : 39.3); n++ }
  touches != expected || $7 < 0.05 { bad = 1 }
  END { exit bad || n != 8 }' "$OUT/slopes"

# --- and the ledger closes, also with moreau
if grep "the ledger does not close" "$OUT/notes"; then exit 1; fi
