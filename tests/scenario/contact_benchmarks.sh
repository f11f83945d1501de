#!/bin/sh
# Every case of tests/data/contact/benchmarks_analytic.json, as a scenario; contact_benchmarks.py, with no library but Python's
# own.
#   environment: FB_SOURCE, FB_BUILD, FB_USER_CFLAGS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 "$FB_SOURCE/tests/scenario/contact_benchmarks.py" "$FB_BUILD/bin/freebody" \
  "$FB_SOURCE/tests/data/contact" "$work"
