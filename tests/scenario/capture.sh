#!/bin/sh
# scenarios/capture shows what its README says: the hand meets the grip, the join keeps linear and angular momentum to
# 1e-14 of the sum of the bodies' own, what it loses is what the ledger books, and at the end nothing turns.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/shipped.sh"
run_shipped capture
lost=$(awk '/"energy_lost"/ { gsub(/[",]/, ""); print $2; exit }' "$run/summary.json")
"$FB_BUILD/bin/freebody" export "$run" -o - | awk -F, -v lost="$lost" '
  function size(name, first, last,  i, s) { for (i = first; i <= last; i++) s += $at[name i] ^ 2; return sqrt(s) }
  function length3(x, y, z) { return sqrt(x * x + y * y + z * z) }
  # Linear and angular momentum of the motion of one satellite, its arm and its spin not counted.
  function moved(name, mass,  i, v, p) {
    for (i = 0; i < 3; i++) { p[i] = $at["q." name "." i]; v[i] = mass * $at["v." name "." i] }
    linear += length3(v[0], v[1], v[2])
    angular += length3(p[1] * v[2] - p[2] * v[1], p[2] * v[0] - p[0] * v[2], p[0] * v[1] - p[1] * v[0])
  }
  function momentum(m,  i, k) {
    split("linear.x linear.y linear.z angular.x angular.y angular.z", k, " ")
    for (i = 1; i <= 6; i++) m[i] = $at["momentum." k[i]]
  }
  NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
  /nan|inf/ { odd = 1 }
  $at["epoch"] == 0 { momentum(before); linear = angular = 0; moved("servicer", 1400); moved("target", 400); next }
  !joined {
    joined = $1; momentum(after)
    p = length3(after[1] - before[1], after[2] - before[2], after[3] - before[3]) / linear
    L = length3(after[4] - before[4], after[5] - before[5], after[6] - before[6]) / angular
    booked = $at["ledger.impacts"] + lost; miss = $at["approach.miss"]
    rates = size("v.joint", 1, 6)
  }
  $1 < 44.95 { braked = size("v.joint", 1, 6) }
  { spin = length3($at["omega.target.x"], $at["omega.target.y"], $at["omega.target.z"]) }
  END {
    printf "joined before %.1f s, %.1e m aside; momentum to %.1e and %.1e; %.4g J lost, the ledger %.1e off\n",
           joined, miss, p, L, lost, booked
    printf "joints %.2g rad/s after the join, %.2g before they lock; at the end the target turns at %.1e rad/s\n",
           rates, braked, spin
    exit !(!odd && joined > 27 && joined < 28 && miss < 1e-6 && p <= 1e-14 && L <= 1e-14 && lost > 0.01 &&
           lost < 0.013 && booked ^ 2 < 1e-28 && rates > 0.01 && braked < rates / 20 && spin < 1e-6)
  }'
