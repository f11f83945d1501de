#!/bin/sh
# The core builds with a bare C17 compiler and links with libm alone: every core source is compiled by
# `cc -std=c17 -c -Iinclude -Isrc FILE` and all objects are linked into one small program.
#   core_alone.sh FOLDER...     environment: CC, FB_SOURCE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$FB_SOURCE"

count=0
for folder in "$@"; do
  for file in $(find "$folder" -name '*.c'); do
    object=$work/$(printf '%s' "$file" | tr '/' '_').o
    # An undeclared function would be a POSIX one: strict C17 hides those.
    if ! "$CC" -std=c17 -Werror=implicit-function-declaration -c -Iinclude -Isrc "$file" -o "$object" \
        2>"$work/messages"; then
      echo "core_alone: $file does not compile with $CC -std=c17 -c -Iinclude -Isrc:"
      cat "$work/messages"
      exit 1
    fi
    count=$((count + 1))
  done
done
[ "$count" -gt 0 ] || { echo "core_alone: no core sources found in $FB_SOURCE"; exit 1; }

cat >"$work/user.c" <<'END'
#include <stdio.h>
#include <freebody/kinematics.h>
#include <freebody/version.h>
int main(void) {
  fb_error error;
  fb_model* m = NULL;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  double p[3] = {0, 0, 0}, q[7] = {1, 2, 3, 1, 0, 0, 0};
  body.name = "body";
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  body.joint.type = FB_JOINT_FREE;
  if (fb_model_def_add_body(def, &body, NULL, &error) || fb_model_build(def, NULL, &m, &error)) {
    puts(error.text);
    return 1;
  }
  fb_data* d = fb_data_new(m);
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, "body"), p, NULL);
  printf("%s at %g %g %g\n", fb_version(), p[0], p[1], p[2]);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
  return p[0] == 1 && p[1] == 2 && p[2] == 3 ? 0 : 1;
}
END
"$CC" -std=c17 -Iinclude "$work/user.c" "$work"/*.o -lm -o "$work/user"
"$work/user"
echo "core_alone: $count sources compiled with a bare compiler and linked with libm alone"
