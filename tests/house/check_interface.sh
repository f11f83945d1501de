#!/bin/sh
# scripts/check-interface passes the public headers, and finds what breaks each of the rules of docs/interface.md.
#   environment: FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$FB_SOURCE/scripts/check-interface

"$check" || { echo "check_interface: the public headers break a rule"; exit 1; }

# Headers of a library with a thing, its options, and a kind.
mkdir -p "$work/include/freebody" "$work/scripts"
mkdir -p "$work/bindings"
cp "$FB_SOURCE/scripts/describe" "$work/scripts/"
cp -R "$FB_SOURCE/bindings/describe" "$work/bindings/"

# refused TEXT DECLARATION...: a header with these declarations breaks the rule that TEXT tells of
refused() {
  text=$1
  shift
  {
    printf '/* thing.h -- things. */\n#ifndef FREEBODY_THING_H\n#define FREEBODY_THING_H\n\ntypedef struct fb_thing fb_thing;\n\n'
    printf 'typedef enum fb_thing_kind { FB_THING_ROUND, FB_THING_FLAT } fb_thing_kind;\n\n'
    printf '%s\n\n' "$@"
    printf '#endif\n'
  } >"$work/include/freebody/thing.h"
  "$work/scripts/describe" >"$work/api.json" || { echo "check_interface: $* is no header"; exit 1; }
  if "$check" "$work/api.json" >"$work/message"; then
    echo "check_interface: $* was not refused"
    exit 1
  fi
  grep -qF "thing.h: $text" "$work/message" || { echo "check_interface: $* gave:"; cat "$work/message"; exit 1; }
}

refused 'fb_move: its first argument is an fb_thing' 'FB_API void fb_move(fb_thing* thing);'
refused 'fb_thing_part_at: an element is _get_Y' 'FB_API int fb_thing_part_at(const fb_thing* thing, int index);'
refused 'fb_thing_text: a text that is had is _get_text' 'FB_API const char* fb_thing_text(const fb_thing* thing);'
refused 'fb_thing_npart: a number of things is an int' 'FB_API double fb_thing_npart(const fb_thing* thing);'
refused 'fb_thing_is_round: a question is answered' 'FB_API double fb_thing_is_round(const fb_thing* thing);'
refused 'fb_thing_print: makes a text' 'FB_API void fb_thing_print(const fb_thing* thing);'
refused 'FB_THIN: a value of fb_other' 'typedef enum fb_other { FB_OTHER_THICK, FB_THIN } fb_other;'
refused 'FB_SIDE_LEFT: is a code in an enum without a name' 'enum { FB_SIDE_LEFT, FB_SIDE_RIGHT = 5 };'
refused 'fb_thing_def.kind: an int that is an fb_thing_kind' \
  'typedef struct fb_thing_def {' '  int kind; /* an fb_thing_kind */' '} fb_thing_def;'
refused 'fb_thing_measure: x stands behind the output out' \
  'FB_API void fb_thing_measure(const fb_thing* thing, double* out, double x);'
refused 'fb_thing_turn: has 9 parameters' \
  'FB_API void fb_thing_turn(fb_thing* thing, int a, int b, int c, int d, int e, int f, int g, int h);'
refused 'fb_thing_def: is filled for fb_thing_change: it needs fb_default_thing_def' \
  'typedef struct fb_thing_def {' '  double x;' '} fb_thing_def;' \
  'FB_API void fb_thing_change(fb_thing* thing, const fb_thing_def* how);'
refused 'fb_thing_def: is filled for fb_thing_change: it needs a cookie_' \
  'typedef struct fb_thing_def {' '  double x;' '} fb_thing_def;' \
  'FB_API fb_thing_def fb_default_thing_def(void);' \
  'FB_API void fb_thing_change(fb_thing* thing, const fb_thing_def* how);'
echo "check_interface: 13 violations found"
