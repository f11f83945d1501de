#!/bin/sh
# Writes the files that a page shows: each block below a line "<!-- file: NAME -->".
#   extract.sh PAGE FOLDER
set -eu
mkdir -p "$2"
awk -v out="$2" '
  /^<!-- file: .* -->$/ { file = $3; next }
  /^```/ && writing { close(out "/" file); writing = 0; file = ""; next }
  /^```/ && file != "" { writing = 1; printf "" > (out "/" file); next }
  writing { print > (out "/" file) }' "$1"
