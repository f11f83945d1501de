#!/bin/sh
# scripts/check-abi passes the public headers, lets them grow, and refuses what breaks programs that are linked already.
#   environment: FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$FB_SOURCE/scripts/check-abi" || { echo "check_abi: the public headers are not those of bindings/abi.txt"; exit 1; }

mkdir -p "$work/include/freebody" "$work/scripts" "$work/bindings"
cp "$FB_SOURCE/scripts/check-abi" "$work/scripts/"
cp -R "$FB_SOURCE/bindings/describe" "$work/bindings/"

# header VERSION DECLARATION...: a library of this binary interface
header() {
  version=$1
  shift
  {
    printf '/* thing.h -- things. */\n#ifndef FREEBODY_THING_H\n#define FREEBODY_THING_H\n\n'
    printf '#define FB_ABI_VERSION %s\n\n' "$version"
    printf '%s\n\n' "$@"
    printf '#endif\n'
  } >"$work/include/freebody/thing.h"
}
kind='typedef enum fb_kind { FB_KIND_ROUND, FB_KIND_FLAT } fb_kind;'
thing='typedef struct fb_thing { double size[3]; fb_kind kind; } fb_thing;'
call='FB_API double fb_thing_volume(const fb_thing* thing, int corner);'

header 1 "$kind" "$thing" "$call"
"$work/scripts/check-abi" --write
"$work/scripts/check-abi"

# changed TEXT DECLARATION...: is refused as long as the version is 1, also by --write, and is recorded with version 2
changed() {
  text=$1
  shift
  cp "$work/bindings/abi.txt" "$work/abi.txt"
  header 1 "$@"
  for option in "" --write; do
    if "$work/scripts/check-abi" $option >"$work/message"; then
      echo "check_abi: $* was not refused"
      exit 1
    fi
    grep -qF "$text" "$work/message" || { echo "check_abi: $* gave:"; cat "$work/message"; exit 1; }
  done
  cmp "$work/bindings/abi.txt" "$work/abi.txt"
  header 2 "$@"
  "$work/scripts/check-abi" --write
  "$work/scripts/check-abi"
  cp "$work/abi.txt" "$work/bindings/abi.txt"
}
changed 'is gone' "$kind" "$thing"
changed 'is  double (const fb_thing*, double)' "$kind" "$thing" 'FB_API double fb_thing_volume(const fb_thing* thing, double corner);'
changed 'is  float (const fb_thing*, int)' "$kind" "$thing" 'FB_API float fb_thing_volume(const fb_thing* thing, int corner);'
changed 'is  struct {double size[4]; fb_kind kind}' "$kind" 'typedef struct fb_thing { double size[4]; fb_kind kind; } fb_thing;' "$call"
changed 'is  struct {fb_kind kind; double size[3]}' "$kind" 'typedef struct fb_thing { fb_kind kind; double size[3]; } fb_thing;' "$call"
changed 'FB_KIND_FLAT: was 1' 'typedef enum fb_kind { FB_KIND_ROUND, FB_KIND_OVAL, FB_KIND_FLAT } fb_kind;' "$thing" "$call"

# What is added has to be recorded, and needs no new version; names of parameters are free.
header 1 'typedef enum fb_kind { FB_KIND_ROUND, FB_KIND_FLAT, FB_KIND_OVAL } fb_kind;' "$thing" \
  'FB_API double fb_thing_volume(const fb_thing* one, int edge);' 'FB_API int fb_thing_ncorner(const fb_thing* thing);'
if "$work/scripts/check-abi" >"$work/message"; then echo "check_abi: what is new was not reported"; exit 1; fi
grep -q 'run scripts/check-abi --write' "$work/message"
"$work/scripts/check-abi" --write
"$work/scripts/check-abi"
echo "check_abi: 6 changes found"
