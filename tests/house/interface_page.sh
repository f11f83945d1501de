#!/bin/sh
# docs/interface.md shows examples/arm.c and a function of examples/bounce.c as they are, what they print, and counts the lines of
# the programs on it right.
#   environment: FB_SOURCE, FB_BUILD
set -eu
page=$FB_SOURCE/docs/interface.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block NAME: the C block under the heading "## NAME" or "### NAME"
block() {
  awk -v name="$1" '
    $0 == "## " name || $0 == "### " name { seen = 1; next }
    seen && inside && /^```/ { exit }
    inside { print }
    seen && /^```c$/ { inside = 1 }' "$page"
}
# Lines that are neither empty nor a comment alone.
lines() {
  block "$1" | grep -vcE '^ *(/\*.*\*/)?$'
}

block Freebody >"$work/arm.c"
cmp "$work/arm.c" "$FB_SOURCE/examples/arm.c"
block Contact >"$work/add_floor.c"
awk '/^static fb_status add_floor/ { inside = 1 } inside { print } inside && /^}/ { exit }' "$FB_SOURCE/examples/bounce.c" |
  cmp - "$work/add_floor.c"
[ -s "$work/add_floor.c" ]
row="| lines | $(lines "Box2D 3") | $(lines "MuJoCo 3") | $(lines Freebody) |"
grep -qxF "$row" "$page" || { echo "interface_page: docs/interface.md should say: $row"; exit 1; }
sh "$FB_SOURCE/tests/house/docs_examples.sh" docs/interface.md
