#!/bin/sh
# A locale with a decimal comma changes nothing: not what the library reads and writes inside a program that has set
# it, not what the command does. The locale is made here, since few machines have one.
set -eu
folder=$FB_BUILD/decimal_comma
rm -rf "$folder"
mkdir -p "$folder/locale"
localedef -i de_DE -f UTF-8 "$folder/locale/de_DE.UTF-8" || {
  echo "localedef could not make a German locale: install the package locales"
  exit 1
}
# The C library itself keeps a copy of LOCPATH to the end, which a leak checker would report.
run_there() { ASAN_OPTIONS=detect_leaks=0 LOCPATH="$folder/locale" LC_ALL=de_DE.UTF-8 "$@"; }
shown=$(run_there env printf '%.1f' 1,5 2>/dev/null) || true
[ "$shown" = "1,5" ] || { echo "the locale is not in force: 1,5 prints as '$shown'"; exit 1; }

for program in test_document test_export test_scenario; do
  run_there "$FB_BUILD/bin/$program" >"$folder/$program.log" 2>&1 || {
    cat "$folder/$program.log"
    exit 1
  }
done

scenario=$FB_SOURCE/scenarios/pendulum/pendulum.yaml
"$FB_BUILD/bin/freebody" run "$scenario" -o "$folder/plain.run" --quiet --export csv --duration 2.5s
run_there "$FB_BUILD/bin/freebody" run "$scenario" -o "$folder/comma.run" --quiet --export csv --duration 2.5s
cmp "$folder/plain.run/log.csv" "$folder/comma.run/log.csv"
