#!/bin/sh
# A run watched as it goes in Chromium (live.mjs). The run and pictures stay in the build's viewer folder.
set -eu
rm -rf "$FB_BUILD/viewer/live"
exec node "$FB_SOURCE/tests/browser/live.mjs" "$FB_BUILD/bin/freebody" "$FB_BUILD/viewer/live"
