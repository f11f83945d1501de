#!/bin/sh
# In a reproducible build every kernel instance (lanes, instruction sets) gives the same bits: the hash,
# the last word of each line that kernel_hash prints, is the same on all lines.
#   kernel_hash.sh PROGRAM
set -eu
lines=$("$1")
echo "$lines"
[ "$(echo "$lines" | awk '{ print $NF }' | sort -u | wc -l)" -eq 1 ] || { echo "kernel_hash: hashes differ"; exit 1; }
