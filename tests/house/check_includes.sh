#!/bin/sh
# scripts/check-includes passes this repository and finds each kind of wrong include.
#   environment: FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$FB_SOURCE/scripts/check-includes

"$check" || { echo "check_includes: this repository has includes that point the wrong way"; exit 1; }

# refused FILE LINE TEXT: FILE with the one LINE must be refused with TEXT in the message
refused() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/include" "$work/tree/src" "$work/tree/app" "$work/tree/bench" "$work/tree/examples" \
    "$work/tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$work/tree/$1"
  if "$check" "$work/tree" >"$work/message"; then
    echo "check_includes: $1 with $2 was not refused"
    exit 1
  fi
  grep -qF "$1:1: $3" "$work/message" || { echo "check_includes: $1 with $2 gave:"; cat "$work/message"; exit 1; }
}
refused src/math/a.c '#include "model/model.h"' 'room math includes from room model'
refused src/model/a.c '#  include "document/document.h"' 'room model includes from room document'
refused src/base/a.c '#include <freebody/model.h>' 'room base includes <freebody/model.h>'
refused src/kinematics/a.inl '#include <unistd.h>' 'the core includes <unistd.h>'
refused src/format/a.c '#include "../app/command.h"' '"../app/command.h": name the room'
refused src/extras/a.c '#include <math.h>' 'room "extras" has no place'
refused include/freebody/a.h '#include "base/error.h"' 'a public header includes "base/error.h"'
refused include/freebody/a.h '#include <sys/types.h>' 'a public header includes <sys/types.h>'
refused include/freebody/a.h '#include <freebody/unheard.h>' '<freebody/unheard.h> has no room yet'
refused src/adapters/sundials/a.c '#include "sim/sim.h"' '"sim/sim.h": a stepper of its own has <freebody/sim.h>'
refused app/model/a.c '#include "model/model.h"' '"model/model.h" is not for programs'
refused app/a.c '#include "text/files.h"' '"text/files.h" is not for programs'
refused app/a.c '#include "../src/base/grow.h"' '"../src/base/grow.h" is not for programs'
refused bench/a.c '#include "kernel/real.h"' '"kernel/real.h" is not for programs'
refused examples/a.c '#include "sim/sim.h"' '"sim/sim.h" is not for programs'
refused src/sim/a.c 'double m = fb_model_def_body(fb_model_definition(s->m), 1)->mass;' 'the core reads the definition'
refused src/run/a.c '#include "sim/sim.h"' 'src/sim/sim.h shows struct fb_sim'
refused src/control/a.c '#include "limit/a.h"' 'room control includes from room limit'
echo "check_includes: 18 wrong lines refused"
