#!/bin/sh
# scripts/check-docs passes this repository and finds each kind of link and path that leads nowhere.
#   environment: FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$FB_SOURCE/scripts/check-docs

"$check" || { echo "check_docs: this repository mentions files that do not exist"; exit 1; }

mkdir -p "$work/docs/theory" "$work/src/sim" "$work/include/freebody"
touch "$work/src/sim/step.c" "$work/include/freebody/sim.h"
# page TEXT: the only page of the tree
page() {
  printf '# The title\n\n%s\n' "$1" >"$work/docs/theory/page.md"
}
# refused TEXT MESSAGE: a page with TEXT must be refused with MESSAGE
refused() {
  page "$1"
  if "$check" "$work" >"$work/message"; then
    echo "check_docs: $1 was not refused"
    exit 1
  fi
  grep -qF "docs/theory/page.md: $2" "$work/message" || { echo "check_docs: $1 gave:"; cat "$work/message"; exit 1; }
}
page 'Files: `src/sim/step.c`, `step.c`, `src/sim/*.c`, `freebody/sim.h`; [here](#the-title), [there](../../src/sim/step.c).'
"$check" "$work"
refused '[there](other.md)' 'the link to other.md leads nowhere'
refused '[there](page.md#another)' 'docs/theory/page.md has no heading #another'
refused '[there](#another)' 'docs/theory/page.md has no heading #another'
refused '`src/sim/event/jump.c`' 'there is no src/sim/event/jump.c'
refused '`src/sim/step.c`, `jump.c`' 'there is no src/sim/jump.c'
refused '`src/math/*.c`' 'there is no src/math/*.c'
refused '`freebody/jump.h`' 'there is no include/freebody/jump.h'
echo "check_docs: 7 wrong links and paths refused"
