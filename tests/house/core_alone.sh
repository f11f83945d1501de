#!/bin/sh
# The core builds with a bare C17 compiler and links with libm alone: every core source is compiled by
# `cc -std=c17 -c -Iinclude -Isrc FILE` and all objects are linked into one small program. Without FB_FULL=1 the compiler only
# checks the sources; extend_core.sh, which compiles them once more, links them with libm alone.
#   core_alone.sh FOLDER...     environment: CC, FB_SOURCE, FB_FULL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$FB_SOURCE"

if [ -z "${FB_FULL:-}" ]; then
  files=$(find "$@" -name '*.c')
  [ -n "$files" ] || { echo "core_alone: no core sources found in $FB_SOURCE"; exit 1; }
  # shellcheck disable=SC2086 # one word each
  "$CC" -std=c17 -Wno-psabi -Werror=implicit-function-declaration -fsyntax-only -Iinclude -Isrc $files
  echo "core_alone: $(echo "$files" | wc -l) sources pass a bare compiler"
  exit
fi

count=0
for folder in "$@"; do
  for file in $(find "$folder" -name '*.c'); do
    object=$work/$(printf '%s' "$file" | tr '/' '_').o
    # An undeclared function would be a POSIX one: strict C17 hides those.
    if ! "$CC" -std=c17 -Werror=implicit-function-declaration -c -Iinclude -Isrc "$file" -o "$object" \
        2>"$work/messages"; then
      echo "core_alone: $file does not compile with $CC -std=c17 -c -Iinclude -Isrc:"
      cat "$work/messages"
      exit 1
    fi
    count=$((count + 1))
  done
done
[ "$count" -gt 0 ] || { echo "core_alone: no core sources found in $FB_SOURCE"; exit 1; }

"$CC" -std=c17 -Iinclude tests/house/core_user.c "$work"/*.o -lm -o "$work/user"
"$work/user"
echo "core_alone: $count sources compiled with a bare compiler and linked with libm alone"
