#!/bin/sh
# examples/cosimulate.c closes a loop around a unit, and the unit's description says what docs/fmi.md does.
#   environment: FB_BUILD, FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$FB_BUILD/bin/freebody" fmu -o pendulum.fmu "$FB_SOURCE/scenarios/pendulum/pendulum.yaml" 2>/dev/null
python3 -m zipfile -e pendulum.fmu pendulum
"$FB_BUILD/bin/freebody" fmu --fmi 2 -o two.fmu "$FB_SOURCE/scenarios/pendulum/pendulum.yaml" 2>/dev/null
python3 -m zipfile -e two.fmu two
python3 "$FB_SOURCE/tests/fmu/description.py" pendulum two >token

# 40 (0.3 - q) = 9.81 sin q holds at q = 0.24133 rad.
"$FB_BUILD/bin/example_cosimulate" pendulum/binaries/*/pendulum.so "$work/pendulum/resources/" "$(cat token)" >out
grep -q '^t = 10.0 s  angle  0.2413' out || { cat out; exit 1; }
if "$FB_BUILD/bin/example_cosimulate" pendulum/binaries/*/pendulum.so "$work/pendulum/resources/" wrong 2>err; then
  echo "a wrong token was accepted"
  exit 1
fi
grep -q 'do not belong together' err
