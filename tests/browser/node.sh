#!/bin/sh
# A part of the viewer by itself, in Node.js:   node.sh PART.mjs
set -eu
exec node "$FB_SOURCE/tests/browser/$1" "$FB_BUILD/bin/freebody" "$FB_SOURCE"
