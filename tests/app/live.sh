#!/bin/sh
# `freebody run --live` by live.py, which knows no library but Python's own.
#   environment: FB_SOURCE, FB_BUILD, FB_USER_CFLAGS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$FB_SOURCE/tests/app/live.py" "$FB_BUILD/bin/freebody" "$work"
