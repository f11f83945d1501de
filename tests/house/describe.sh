#!/bin/sh
# bindings/api.json and what is generated from it are those of the public headers, the compiler agrees with them, and
# the reader of headers refuses what it does not understand.
#   environment: CC, FB_SOURCE
set -eu
"$FB_SOURCE/scripts/describe" --check
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$FB_SOURCE/bindings" python3 "$FB_SOURCE/tests/house/test_describe.py"
