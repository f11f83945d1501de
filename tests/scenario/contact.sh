#!/bin/sh
# Scenarios with contacts, by contact_benchmarks.py, contact_stress.py, contact_work.py, contact_speeds.py,
# contact_wheels.py, contact_events.py, contact_ground.py, contact_random.py, contact_compliant.py or contact_errors.py,
# which need no library but Python's own.
#   contact.sh benchmarks|stress|work|speeds|wheels|events|ground|random|compliant|errors      environment: FB_SOURCE, FB_BUILD, FB_USER_CFLAGS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 "$FB_SOURCE/tests/scenario/contact_$1.py" "$FB_BUILD/bin/freebody" \
  "$FB_SOURCE/tests/data/contact" "$work"
