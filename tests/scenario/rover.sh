#!/bin/sh
# scenarios/rover shows what its README says: the loads of the wheels balance the weight on soil and on hard ground, the
# differential holds, the rover climbs 15 degrees with a third of slip, and drives over rocks without gaining energy.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/judge.sh"
wheels="left_front left_middle left_rear right_front right_middle right_rear"
# of PREFIX SUFFIX: a list of signals, one of each wheel
of() { for wheel in $wheels; do printf '%s%s%s,' "$1" "$wheel" "$2"; done; }
# gravity ANGLE: on a slope that goes up by ANGLE degrees, seen from the slope
gravity() {
  awk -v a="$1" 'BEGIN { a *= atan2(0, -1) / 180; printf "%.17g, 0, %.17g", -3.71 * sin(a), -3.71 * cos(a) }'
}
loads=$(of p. '')$(of force. '')$(of torque. '')com.p

# --- at rest: forces and moments of the six wheels and of the weight, g = (gx, 0, gz), add up to nothing
balance='
    function at(what, i) { return s[what "." substr("xyz", i, 1)] }
    t > 0 && $1 >= t {
      split("'"$wheels"'", wheel, " "); weight = 174 * sqrt(gx ^ 2 + gz ^ 2)
      for (i = 1; i <= 3; i++) {
        j = i % 3 + 1; k = j % 3 + 1; force = 174 * (i == 1 ? gx : i == 3 ? gz : 0); moment = 0
        for (n in wheel) {
          f = "force." wheel[n]; p = "p." wheel[n]; force += at(f, i); moment += at("torque." wheel[n], i)
          moment += (at(p, j) - at("com.p", j)) * at(f, k) - (at(p, k) - at("com.p", k)) * at(f, j)
        }
        most("force", size(force) / weight); most("moment", size(moment) / weight)
      }
    }
    END { if (!("force" in top) || top["force"] > 1e-9 || top["moment"] > 1e-9) bad = "balance" }'
# rest NAME SCENARIO ANGLE TIME OPTION...: on a slope of ANGLE degrees; judged from TIME on
rest() {
  name=$1 scenario=$2 t=$4
  g=$(gravity "$3")
  shift 4
  run "$name" "rover/$scenario" --set "gravity=[$g]" --set control.drive.path=null \
    --set "log.signals=[$loads]" "$@" 2>"$out/$name.txt"
  test ! -s "$out/$name.txt" # what rests is not warned of
  judge "$name" "$loads" "BEGIN { t = $t; gx = ${g%%,*}; gz = ${g##*, } } $balance"
}
rest soil climb 10 25 --duration 30 --set 'surfaces.slope={name: slope, kind: plane}'
rest hard rocks 0 0.1 --duration 0.5 --set log.period=4ms

# --- on planes of soil: slip and sinkage grow with the slope; without grousers 14 degrees are too steep
# slope NAME ANGLE OPTION...: prints the slip ratio and the sinkage of the left wheels
slope() {
  name=$1 angle=$2
  shift 2
  run "$name" rover/climb --duration 40 --set "gravity=[$(gravity "$angle")]" \
    --set 'surfaces.slope={name: slope, kind: plane}' "$@"
  "$FB_BUILD/bin/freebody" export "$out/$name" -o - --signals \
    contact.left_front.slip_ratio,contact.left_front.sinkage,contact.left_middle.sinkage,contact.left_rear.sinkage |
    awk -F, -v angle="$angle" 'END { printf "%s %.3f %.1f %.1f %.1f\n", angle, $2, 1e3 * $3, 1e3 * $4, 1e3 * $5 }'
}
for angle in 0 5 10 15; do slope "slope_$angle" $angle; done >"$out/slopes.txt"
slope bare 14 --set materials.regolith.soil=mars_regolith >>"$out/slopes.txt"
echo "slope [deg], slip ratio, sinkage of front, middle, rear [mm]; the last without grousers"
cat "$out/slopes.txt"
awk 'NR == 1 { ok = $2 < 0.1 } NR > 1 && NR < 5 { ok = ok && $2 > slip && $5 > sinkage && $2 < 0.4 }
     { slip = $2; sinkage = $5 } END { exit !(ok && NR == 5 && $2 > 0.95) }' "$out/slopes.txt"

# --- the climb: at the end all wheels are on the slope of 15 degrees
shipped climb rover/climb
course=q.left_rocker,q.right_rocker,loop.differential.error,p.chassis,ledger
judge climb "$(of contact. .slip_ratio)$(of contact. .sinkage)$course" '
    {
      most("open", s["loop.differential.error"]); most("sum", size(s["q.left_rocker"] + s["q.right_rocker"]))
      if ($1 >= 10 && $1 <= 160) for (i = 1; i <= NF; i++) {
        if (name[i] ~ /slip_ratio/) { most("slip", $i); if ($i < 0.03) bad = "slip" }
        if (name[i] ~ /sinkage/) { most("sinkage", $i); if ($i < 0.01) bad = "sinkage" }
      }
    }
    END {
      if (top["open"] > 1e-10 || top["sum"] > 1e-10) bad = bad " differential"
      if (top["slip"] < 0.3 || top["slip"] > 0.4 || top["sinkage"] > 0.03) bad = bad " slip"
      if (s["p.chassis.x"] < 7.5 || s["p.chassis.z"] < 1.4) bad = bad " climb"
      if (size(s["ledger.residual"]) > 1e-6 * s["ledger.gross"]) bad = bad " energy"
    }'

# --- the rocks: contacts take energy in every sample, normal forces, friction and displacements together
shipped rocks rover/rocks
judge rocks "$(of contact. .gap)contact.belly.gap,solver,$course" '
    {
      most("open", s["loop.differential.error"]); most("sum", size(s["q.left_rocker"] + s["q.right_rocker"]))
      most("residual", s["solver.residual"]); most("height", s["p.chassis.z"])
      for (i = 1; i <= NF; i++) if (name[i] ~ /gap/) most("depth", -$i)
      contact = s["ledger.normal"] + s["ledger.friction"] + s["ledger.projection"]
      if (NR > 2) most("gained", contact - last)
      last = contact
    }
    END {
      if (top["open"] > 1e-10 || top["sum"] > 1e-10) bad = bad " differential"
      if (top["gained"] > 1e-12 || s["ledger.friction"] > -1 || s["ledger.normal"] > -1) bad = bad " energy"
      if (size(s["ledger.residual"]) > 1e-6 * s["ledger.gross"]) bad = bad " ledger"
      if (top["depth"] > 1e-6 || top["residual"] > 1e-8) bad = bad " contact"
      if (top["height"] < 0.5 || s["p.chassis.x"] < 3) bad = bad " drive"
    }'
