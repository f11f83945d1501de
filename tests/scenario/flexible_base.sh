#!/bin/sh
# scenarios/flexible_base shows what its README says: the plain path leaves the main arm swinging, the shaped one leaves less
# than a tenth of that, reaction null motion none, and all three hands arrive.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/shipped.sh"
run_shipped flexible_base
"$FB_BUILD/bin/freebody" export "$run" -o - \
  --signals p.plain_tip,p.shaped_tip,p.quiet_tip,p.plain_hand,p.shaped_hand,p.quiet_hand | awk -F, '
  NR == 2 { for (i = 2; i <= 19; i++) start[i] = $i }
  NR > 1 { for (k = 0; k < 3; k++) {
    s = 0; for (i = 3 * k + 2; i < 3 * k + 5; i++) s += ($i - start[i]) ^ 2
    s = sqrt(s); if (s > peak[k]) peak[k] = s; if ($1 >= 15 && s > left[k]) left[k] = s
    s = 0; for (i = 3 * k + 11; i < 3 * k + 14; i++) s += ($i - start[i] + (i == 3 * k + 12 ? 0.5 : 0)) ^ 2
    s = sqrt(s); if ($1 >= 15 && s > off[k]) off[k] = s } }
  END {
    split("plain shaped quiet", name, " ")
    for (k = 0; k < 3; k++)
      printf "%-7s tip: peak %.2g mm, left %.2g mm; hand off by %.2g mm\n", name[k + 1], 1e3 * peak[k], 1e3 * left[k],
             1e3 * off[k]
    exit !(NR > 100 && left[0] > 3e-3 && left[1] > 0 && left[1] < left[0] / 10 && peak[1] < peak[0] / 4 &&
           peak[2] < 1e-12 && off[0] < 1e-2 && off[1] < 1e-3 && off[2] < 1e-9)
  }'
