#!/bin/sh
# What docs/extending.md adds to the core works: a copy of the core and of the native reader gets the rows of the page, two
# joint kinds, a method and a part, and their files; it is compiled, and extend_core.c compares the new joints with chains of
# simple ones and measures the order of the method. What is in the core is compiled as bare C17 and links with libm alone.
#   extend_core.sh CORE-FOLDER... -- SOURCES...     the sources needed besides; environment: CC, FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r "$FB_SOURCE/include" "$FB_SOURCE/src" "$work"
cd "$work"

sh "$FB_SOURCE/tests/house/extract.sh" "$FB_SOURCE/docs/extending.md" page
mv page/heun.c src/sim/stepper/
mkdir src/peak
mv page/fields.h page/peak.c src/peak/
# add ROWS LINE HEADER: the rows before the first line that begins so
add() {
  sed -i -e "/^ *$2/{" -e "e cat page/$1" -e '}' "$3"
  grep -qF "$(head -n 1 "page/$1")" "$3" || { echo "extend_core: $3 has no line $2"; exit 1; }
}
add gimbal.row 'ROW(FB_JOINT_FREE,' include/freebody/model_def.h
add heun.row 'X(FB_METHOD_RK4,' include/freebody/sim.h
add include.row '#include "regroup' src/sim/sim.h
add field.row 'fb_regroup regroup;' src/sim/sim.h
add part.row 'PART(regroup)' src/sim/part.h

# compile STANDARD SOURCES...: into objects/
compile() {
  standard=$1
  shift
  find "$@" -name '*.c' | tr / : | xargs -P 2 -I '{}' sh -c \
    "$CC -std=$standard"' -O0 -w -Wno-psabi -c -Iinclude -Isrc "$(echo "{}" | tr : /)" \
      -o "objects/{}.o" || exit 255'
}
core=
while [ "$1" != -- ]; do
  core="$core $1"
  shift
done
shift
mkdir objects
# -w: warnings are for the build itself.
# shellcheck disable=SC2086 # folders
compile c17 $core src/peak
"$CC" -std=c17 -Iinclude "$FB_SOURCE/tests/house/core_user.c" objects/*.o -lm -o core_user
./core_user
compile gnu17 "$@"
# An archive, so that only what the program calls is linked.
ar rc libextended.a objects/*.o
$CC -std=gnu17 -w -Iinclude -Isrc "$FB_SOURCE/tests/house/extend_core.c" libextended.a -lyaml -lm -o extend_core
./extend_core
