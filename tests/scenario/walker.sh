#!/bin/sh
# scenarios/walker shows what its README says: standing, its feet carry its weight to 1e-10, held by springs and locked alike;
# it walks 10 m upright; no foot slips by 1 mm while it is down; and friction takes energy in every contact.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/shipped.sh"

run_shipped walker/stand
"$FB_BUILD/bin/freebody" export "$run" -o - | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
  function loads() {
    return $at["contact.lf.normal"] + $at["contact.rf.normal"] + $at["contact.lh.normal"] + $at["contact.rh.normal"]
  }
  function off(sum) { sum = loads() / (14.2 * 9.81) - 1; return sum < 0 ? -sum : sum }
  /nan|inf/ { odd = 1 }
  $1 >= 2.9 && $1 < 2.99 && off() > held { held = off() }
  $1 > 3.1 { n++; if (off() > locked) locked = off() }
  END {
    printf "loads of the feet and weight differ by %.1e, with locked joints by %.1e\n", held, locked
    exit !(!odd && n > 10 && held < 1e-10 && locked < 1e-10)
  }'

feet='contact.lf, contact.rf, contact.lh, contact.rh'
run_shipped walker --set log.period="2.5 ms" --set log.motion=false \
  --set "log.signals=[p.trunk, rpy.trunk, $feet, solver.gains]"
"$FB_BUILD/bin/freebody" export "$run" -o - | awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } split("lf rf lh rh", legs, " "); next }
  function size(x) { return x < 0 ? -x : x }
  /nan|inf/ { odd = 1 }
  {
    for (i = 1; i <= 4; i++) {
      name = "contact." legs[i]
      if ($at[name ".state"] == 0) { slip[i] = 0; down[i] = 0; continue }
      if (!down[i]) { down[i] = 1; steps++ }
      slip[i] += $at[name ".slip"] * ($1 - before)
      if (slip[i] > worst) worst = slip[i]
      if ($at[name ".friction_work"] > gained) gained = $at[name ".friction_work"]
    }
    before = $1
    if (size($at["rpy.trunk.roll"]) > tilt) tilt = size($at["rpy.trunk.roll"])
    if (size($at["rpy.trunk.pitch"]) > tilt) tilt = size($at["rpy.trunk.pitch"])
    x = $at["p.trunk.x"]; y = $at["p.trunk.y"]; gains += $at["solver.gains"]
  }
  END {
    printf "walked %.3f m in %d steps, %.1f mm aside; slip of a step %.2f mm at most, tilt %.3f rad\n",
           x, steps, 1e3 * y, 1e3 * worst, tilt
    exit !(!odd && x > 10 && size(y) < 0.05 && worst < 1e-3 && tilt < 0.2 && steps > 200 && gained <= 0 && gains == 0)
  }'
