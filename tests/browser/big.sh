#!/bin/sh
# A run of a million samples of 16 signals, and a satellite of twelve bodies: what is drawn is right and little is
# unpacked for it (big.mjs), and how long it takes, which is printed and not judged.
set -eu
freebody=$FB_BUILD/bin/freebody
out=$FB_BUILD/viewer/big
rm -rf "$out"
mkdir -p "$out"
"$FB_BUILD/bin/big_run" "$out/big"
"$freebody" view "$out/big" -o "$out/big.html" >/dev/null
"$freebody" export "$out/big" --from 567.8 --to 567.81 -o "$out/big.csv"
"$freebody" run "$FB_SOURCE/tests/data/view/sat12.yaml" -o "$out/sat12" --quiet
"$freebody" view "$out/sat12" -o "$out/sat12.html" >/dev/null
exec node "$FB_SOURCE/tests/browser/big.mjs" "$out"
