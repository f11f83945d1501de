#!/bin/sh
# scenarios/contact_work shows what its README says; contact_work.py, with no library but Python's own.
#   environment: FB_SOURCE, FB_BUILD, FB_USER_CFLAGS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 "$FB_SOURCE/tests/scenario/contact_work.py" "$FB_BUILD/bin/freebody" "$FB_SOURCE" "$work"
