#!/bin/sh
# What the pages show is what the commands print. In the blocks of a page each line that begins with "$ " is run
# in a copy of scenarios/inspector (with scenarios/ at hand), and the lines under it must be its output, errors
# too; a line of words in [brackets] stands for any number of lines.
#   docs_examples.sh PAGE...     environment: FB_SOURCE, FB_BUILD
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/root"
cp "$FB_SOURCE"/scenarios/inspector/* "$work/root"
ln -s "$FB_SOURCE/scenarios" "$work/root/scenarios"
PATH="$FB_BUILD/bin:$PATH"
export PATH

# split PAGE: case.N.command and case.N.want for each command of the page, and case.count
split() {
  awk -v out="$work/case" '
    /^```/ { inside = !inside; want = ""; next }
    inside && /^\$ / {
      n++
      command = out "." n ".command"
      want = out "." n ".want"
      print substr($0, 3) > command
      printf "" > want
      next
    }
    want != "" { print > want }
    END { print n + 0 > (out ".count") }' "$FB_SOURCE/$1"
}

# same WANT GOT: line by line, with [words] for any lines
same() {
  awk '
    NR == FNR { want[++n] = $0; next }
    { got[++m] = $0 }
    END {
      i = 1
      for (k = 1; k <= n; k++) {
        if (want[k] ~ /^\[[a-z]/) {
          while (i <= m && got[i] != want[k + 1]) i++
        } else if (i > m || got[i] != want[k]) {
          exit 1
        } else {
          i++
        }
      }
      exit i <= m
    }' "$1" "$2"
}

total=0
for page in "$@"; do
  split "$page"
  count=$(cat "$work/case.count")
  [ "$count" -gt 0 ] || { echo "docs_examples: $page has no commands in its blocks"; exit 1; }
  n=1
  while [ "$n" -le "$count" ]; do
    (cd "$work/root" && sh "$work/case.$n.command") >"$work/got" 2>&1 || true
    if ! same "$work/case.$n.want" "$work/got"; then
      echo "docs_examples: $page shows something else than the command prints:"
      echo "\$ $(cat "$work/case.$n.command")"
      diff "$work/case.$n.want" "$work/got" || true
      exit 1
    fi
    n=$((n + 1))
  done
  total=$((total + count))
done
echo "docs_examples: $total commands print what the pages show"
