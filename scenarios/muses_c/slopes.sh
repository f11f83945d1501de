#!/bin/sh
# Lets the spacecraft of muses_c.yaml come down on slopes, and prints what touched the ground within half a minute: a
# line of numbers for each slope, uphill along the paddles (y) and across them (x).
#   usage: slopes.sh [SLOPE...]        degrees, below 80; by default 0 to 60 in steps of 2
#   environment: FREEBODY, the command, otherwise freebody; STEP, otherwise 1 ms; OUT, an existing folder for the run,
#                otherwise a temporary one
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
freebody=${FREEBODY:-freebody}
if [ -z "${OUT:-}" ]; then
  OUT=$(mktemp -d)
  trap 'rm -rf "$OUT"' EXIT
fi

# land UPHILL SLOPE: it starts at 0.1 m/s, 10 cm above where mouth, paddle or box touches first
land() {
  height=$(awk -v uphill="$1" -v slope="$2" 'BEGIN {
    t = slope * atan2(0, -1) / 180; t = sin(t) / cos(t)
    high = 1.525 + 0.2 * t
    paddle = (uphill == "y" ? 2.85 : 2.1) * t - 0.385; if (paddle > high) high = paddle
    box = 0.75 * t + 0.525; if (box > high) high = box
    printf "%.6f", high + 0.1
  }')
  case $1 in y) turned="[$2 deg, 0, 0]" ;; *) turned="[0, -$2 deg, 0]" ;; esac
  "$freebody" run "$here/muses_c.yaml" -o "$OUT/slope.run" --force --quiet --duration 31 \
    --set "integrator={method: moreau, step: ${STEP:-1 ms}}" --set "start.bases.bus.at=[0, 0, $height]" \
    --set "surfaces.ground.rpy=$turned" --set "log={period: 5 ms, motion: false, signals: [contact, rpy.bus]}"
  "$freebody" export "$OUT/slope.run" --signals contact,rpy.bus -o - | awk -F, -v uphill="$1" -v slope="$2" '
    function size(name) { return $at[name ".x"] ^ 2 + $at[name ".y"] ^ 2 + $at[name ".z"] ^ 2 }
    BEGIN { split("horn paddles bus", part, " ") }
    NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } next }
    {
      for (i = 1; i <= 3; i++) {
        name = "contact." part[i]
        if (!(i in touched) && size(name ".impulse") > 0) touched[i] = $1
        if (NR == 2 || $at[name ".gap"] < least[i]) least[i] = $at[name ".gap"]
      }
      turn = $at["rpy.bus.roll"] ^ 2 + $at["rpy.bus.pitch"] ^ 2
      if (turn > most) most = turn
    }
    END {
      for (i = 1; i <= 3; i++) text = text sprintf(" %8s", i in touched ? sprintf("%.3f", touched[i]) : "-")
      printf "%-6s %5s%s %9.3f %9.3f %8.1f\n", uphill, slope, text, least[2], least[3], sqrt(most) * 180 / atan2(0, -1)
    }'
}

echo "# first touch [s] of horn, paddles, bus, or -; least gaps of paddles and bus [m]; largest tilt of the bus [deg]"
echo "# uphill slope   horn  paddles      bus   paddles       bus     tilt"
if [ $# -eq 0 ]; then
  # shellcheck disable=SC2046 # a word for each slope
  set -- $(awk 'BEGIN { for (slope = 0; slope <= 60; slope += 2) print slope }')
fi
for uphill in y x; do
  for slope; do land "$uphill" "$slope"; done
done
