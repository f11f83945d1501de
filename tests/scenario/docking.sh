#!/bin/sh
# scenarios/docking shows what its README says, with hard contacts and with elastic ones: the probe finds the socket and is
# joined to it; momentum is conserved through contacts and join; contacts only take energy; and a run that ends in the
# midst of the contacts, and is resumed, exports the same bytes.
#   environment: FB_SOURCE, FB_BUILD
set -eu
. "$(dirname "$0")/shipped.sh"
scratch=$FB_BUILD/docking
rm -rf "$scratch"
mkdir -p "$scratch"
freebody=$FB_BUILD/bin/freebody

# check RUN STORED: STORED is 1 where contacts store energy.
check() {
  "$freebody" export "$1" -o - 2>/dev/null | awk -F, -v name="$1" -v stored="$2" '
    function off(a, b) { return a > b ? a - b : b - a }
    function most(x, y) { return x > y ? x : y }
    function gap_to_socket(  i, c, s) {
      split("x y z", c, " ")
      for (i = 1; i <= 3; i++) s += ($at["p.tip." c[i]] - $at["p.socket." c[i]]) ^ 2
      return sqrt(s)
    }
    NR == 1 {
      for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i }
      split("momentum.linear.x momentum.linear.y momentum.linear.z momentum.angular.x momentum.angular.y momentum.angular.z",
            momenta, " ")
      next
    }
    /nan/ { odd = 1 }
    {
      E = $at["energy.total"]; t = $at["t"]
      work = $at["contact.cone.normal_work"] + $at["contact.socket.normal_work"]
      rubbed = $at["contact.cone.friction_work"] + $at["contact.socket.friction_work"]
      if (NR == 2) { first = least = E; for (i = 1; i <= 6; i++) start[i] = $at[momenta[i]] }
      for (i = 1; i <= 6; i++) drift = most(drift, off($at[momenta[i]], start[i]))
      # What elastic contacts have stored comes back: then only the work itself must stay below 0.
      rise = most(rise, stored ? E - first : E - least)
      if (E < least) least = E
      gain = most(gain, work)
      if (NR > 2) rub = most(rub, rubbed - rubbed_before)
      rubbed_before = rubbed
      if ($at["contact.cone.normal"] > 0) touched++
      if ($at["contact.cone.normal"] < 0) odd = 1
      distance = gap_to_socket()
      if ($at["epoch"] == 1) { if (!joined) { joined = t; apart = distance } kept = most(kept, off(distance, apart)) }
      last = E
    }
    END {
      printf "%s: joined before %.2f s, %.2f mm off the axis; momentum off by %.1e; energy rises by %.1e, %.4f J to %.4f J\n",
             name, joined, 1000 * apart, drift, rise, first, last
      exit !(!odd && joined > 5.6 && joined < 5.9 && apart < 0.006 && kept < 1e-9 && touched > 5 && drift < 1e-9 &&
             rise < 1e-9 && gain < 1e-12 && rub < 1e-12 && last < 0.4 * first)
    }'
}

for name in docking docking_compliant; do
  file=$FB_SOURCE/scenarios/docking/$name.yaml
  "$freebody" run "$file" -o "$scratch/$name" --quiet --export csv >/dev/null
  [ "$name" = docking ] && stored=0 || stored=1
  check "$scratch/$name" "$stored"
  # Ends while the ball slides, then between the cone and the socket, then after the join.
  "$freebody" run "$file" -o "$scratch/parts" --quiet --duration 3.4
  for end in 4.2 6 20; do "$freebody" run --resume "$scratch/parts" --quiet --duration $end --export csv >/dev/null; done
  cmp "$scratch/$name/log.csv" "$scratch/parts/log.csv"
  rm -rf "$scratch/parts"
done

# The laws agree on when the probe arrives, and moreau, in steps of 1 ms, with the event-driven method; its ledger closes.
"$freebody" run "$FB_SOURCE/scenarios/docking/docking.yaml" -o "$scratch/moreau" --quiet --set integrator.method=moreau 2>"$scratch/notes"
if grep "the ledger does not close" "$scratch/notes"; then exit 1; fi
for name in docking docking_compliant moreau; do
  awk -v name="$name" '/"joins"/ { inside = 1 } inside && /"t"/ { gsub(/[",]/, ""); print name, $2; exit }' "$scratch/$name/summary.json"
done | awk '{ print $1 " joins at " $2 " s"; if (NR == 1) t = $2; if (($2 - t) ^ 2 > 0.05 ^ 2) bad = 1 } END { exit bad || NR != 3 }'
