#!/bin/sh
# Every public header compiles alone, as C17 and as C++17, without a warning.
#   environment: CC, CXX, FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Werror"
compilers=$CXX
if command -v clang++ >/dev/null 2>&1; then compilers="$compilers clang++"; fi

count=0
for header in "$FB_SOURCE"/include/freebody/*.h; do
  name=$(basename "$header")
  # Twice, so that the include guard is tried as well.
  printf '#include <freebody/%s>\n#include <freebody/%s>\nint main(void) { return 0; }\n' "$name" "$name" \
    >"$work/user.c"
  cp "$work/user.c" "$work/user.cpp"
  # And after <complex.h>, whose macro I takes a letter away.
  printf '#include <complex.h>\n#include <freebody/%s>\nint main(void) { return 0; }\n' "$name" >"$work/complex.c"
  # shellcheck disable=SC2086
  "$CC" -std=c17 $warnings -fsyntax-only -I"$FB_SOURCE/include" "$work/complex.c" ||
    { echo "headers: <freebody/$name> does not compile after <complex.h>"; exit 1; }
  # shellcheck disable=SC2086
  "$CC" -std=c17 $warnings -fsyntax-only -I"$FB_SOURCE/include" "$work/user.c" ||
    { echo "headers: <freebody/$name> does not compile alone as C17 with $CC"; exit 1; }
  for cxx in $compilers; do
    # shellcheck disable=SC2086
    "$cxx" -std=c++17 $warnings -fsyntax-only -I"$FB_SOURCE/include" "$work/user.cpp" ||
      { echo "headers: <freebody/$name> does not compile alone as C++17 with $cxx"; exit 1; }
  done
  count=$((count + 1))
done
echo "headers: $count headers compile alone as C17 ($CC) and C++17 ($compilers)"
