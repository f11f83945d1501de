#!/bin/sh
# A joint kind is added by one row of FB_JOINT_LIST: a copy of the core and of the native reader gets two such rows, is
# compiled, and extend_joint.c holds them against chains of simple joints.
#   extend_joint.sh FOLDER...     the sources needed; environment: CC, FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$FB_SOURCE/include" "$FB_SOURCE/src" "$work"
cd "$work"

rows='  ROW(FB_JOINT_GIMBAL, "gimbal", FB_LINK(REVOLUTE, X) FB_LINK(REVOLUTE, Y) FB_LINK(REVOLUTE, Z)) \\\
  ROW(FB_JOINT_TELESCOPE, "telescope", FB_LINK(SPHERICAL, NONE) FB_LINK(PRISMATIC, AXIS)) \\'
sed -i "s/^ *ROW(FB_JOINT_FREE,/$rows\n&/" include/freebody/model_def.h
grep -q FB_JOINT_TELESCOPE include/freebody/model_def.h || { echo "extend_joint: FB_JOINT_LIST was not found"; exit 1; }

# -w: warnings are for the build itself. An archive, so that only what the program calls is linked.
mkdir objects
find "$@" -name '*.c' | tr / : | xargs -P 2 -I '{}' sh -c \
  "$CC"' -std=gnu17 -O0 -w -Wno-psabi -c -Iinclude -Isrc "$(echo "{}" | tr : /)" -o "objects/{}.o" || exit 255'
ar rc libextended.a objects/*.o
$CC -std=gnu17 -w -Iinclude -Isrc "$FB_SOURCE/tests/house/extend_joint.c" libextended.a -lyaml -lm -o extend_joint
./extend_joint
