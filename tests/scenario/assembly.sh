#!/bin/sh
# scenarios/assembly shows what its README says: the hand takes the module without a jolt, the plug meets the socket,
# linear and angular momentum stay through all four changes, and the module ends on the station.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/shipped.sh"
run_shipped assembly
lost=$(awk '/"energy_lost"/ { gsub(/[",]/, ""); s += $2 } END { printf "%.17g", s }' "$run/summary.json")
"$FB_BUILD/bin/freebody" export "$run" -o - | awk -F, -v lost="$lost" '
  function gap(a, b,  i, s) {
    for (i in axis) s += ($at["p." a "." axis[i]] - $at["p." b "." axis[i]]) ^ 2
    return sqrt(s)
  }
  NR == 1 { split("x y z", axis, " "); for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
  /nan|inf/ { odd = 1 }
  NR == 2 { for (i in axis) { p[i] = $at["momentum.linear." axis[i]]; L[i] = $at["momentum.angular." axis[i]] } }
  { for (i in axis) {
      d = ($at["momentum.linear." axis[i]] - p[i]) ^ 2; if (d > off) off = d
      d = ($at["momentum.angular." axis[i]] - L[i]) ^ 2; if (d > off) off = d } }
  $at["epoch"] == 2 { held = gap("hand", "handle"); if (held > slip) slip = held; impacts = $at["ledger.impacts"] }
  { epoch = $at["epoch"]; docked = gap("plug", "socket"); hand = gap("hand", "handle"); booked = $at["ledger.impacts"] }
  END {
    printf "%d changes; carried to %.1e m; plug to socket %.1e m, hand to handle %.2f m; momentum to %.1e\n",
           epoch, slip, docked, hand, sqrt(off)
    printf "%.4g J lost, the ledger %.1e off; %.1e J at the grasp\n", lost, booked + lost, impacts
    exit !(!odd && NR > 100 && epoch == 4 && slip < 1e-6 && docked < 1e-6 && hand > 0.3 && sqrt(off) < 1e-12 &&
           lost > 0.019 && lost < 0.021 && (booked + lost) ^ 2 < 1e-28 && impacts ^ 2 < 1e-28)
  }'
