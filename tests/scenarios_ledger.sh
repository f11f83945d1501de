#!/bin/sh
# Runs every shipped scenario, and the example of docs/scenario.md, and asks that its ledger closes all along the log: the energy residual within 1e-6 of the
# larger of the energy exchanged and the peak kinetic energy, momentum within 1e-6 of its scale.
set -eu
freebody=$FB_BUILD/bin/freebody
scenarios=$FB_SOURCE/scenarios
scratch=$FB_BUILD/scenarios_ledger
rm -rf "$scratch"
mkdir -p "$scratch/docs"
ln -s "$scenarios" "$scratch/scenarios"
awk '/^```yaml/ { inside = 1; next } /^```/ { if (inside) exit } inside' "$FB_SOURCE/docs/scenario.md" \
  >"$scratch/docs/reach.yaml"
count=0
for file in "$scratch/docs/reach.yaml" "$scenarios"/*/*.yaml; do
  grep -q '^scenario:' "$file" || continue
  name=$(basename "$file" .yaml)
  run=$scratch/$name.run
  "$freebody" run "$file" -o "$run" --quiet
  "$freebody" export "$run" --signals 'ledger*,energy.kinetic' -o "$scratch/$name.csv" 2>/dev/null
  awk -F, -v name="$name" '
    NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
    function size(x) { return x < 0 ? -x : x }
    function keep(what) { x = size($at[what]); if (x > most[what]) most[what] = x }
    {
      keep("ledger.residual"); keep("ledger.exchanged"); keep("energy.kinetic"); rows++
      keep("ledger.linear"); keep("ledger.linear_scale"); keep("ledger.angular"); keep("ledger.angular_scale")
    }
    END {
      scale = most["ledger.exchanged"] > most["energy.kinetic"] ? most["ledger.exchanged"] : most["energy.kinetic"]
      if (!("ledger.residual" in at) || rows < 100) { print name ": no ledger in the log"; exit 1 }
      printf "%-12s residual %.2e of %.4g J: %.2e\n", name, most["ledger.residual"], scale, most["ledger.residual"] / scale
      exit !(scale > 0 && most["ledger.residual"] <= 1e-6 * scale &&
             most["ledger.linear"] <= 1e-6 * most["ledger.linear_scale"] + 1e-12 &&
             most["ledger.angular"] <= 1e-6 * most["ledger.angular_scale"] + 1e-12)
    }' "$scratch/$name.csv"
  count=$((count + 1))
done
[ "$count" -ge 5 ] || { echo "only $count scenarios found under $scenarios"; exit 1; }
