# judge.sh -- runs of shipped scenarios and checks of their samples; scripts source it.
#   environment: FB_SOURCE, FB_BUILD, FB_SHIPPED: where scenarios_ledger.sh has run shipped scenarios just before, or none
LC_ALL=C
export LC_ALL
out=$FB_BUILD/$(basename "$0" .sh)
rm -rf "$out"
mkdir -p "$out"
# run NAME SCENARIO OPTION...
run() {
  name=$1 scenario=$2
  shift 2
  "$FB_BUILD/bin/freebody" run "$FB_SOURCE/scenarios/$scenario.yaml" -o "$out/$name" --quiet "$@"
}
# shipped NAME SCENARIO: as it is shipped
shipped() {
  if [ -z "${FB_SHIPPED:-}" ]; then run "$1" "$2"; else ln -s "$FB_SHIPPED/${2##*/}.run" "$out/$1"; fi
}
# judge NAME SIGNALS PROGRAM: PROGRAM sees s["NAME"] of each sample, keeps the largest by most("WHAT", NUMBER), and
# leaves in `bad` what is wrong at the end
judge() {
  "$FB_BUILD/bin/freebody" export "$out/$1" --signals "$2" -o - | awk -F, -v run="$1" '
    function size(x) { return x < 0 ? -x : x }
    function most(what, x) { if (x != x + 0 || x > top[what]) top[what] = x }
    NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); name[i] = word[1] } next }
    { for (i = 1; i <= NF; i++) s[name[i]] = $i }
    NR == 2 { for (i = 1; i <= NF; i++) first[name[i]] = $i }
    '"$3"'
    END {
      printf "%s:", run
      for (what in top) printf " %s %.3g", what, top[what]
      print bad || NR < 100 ? "; wrong: " (NR < 100 ? "few samples " : "") bad : ""
      exit bad != "" || NR < 100
    }'
}
