#!/bin/sh
# The C example of README.md runs as printed: the first C block is saved under the name that the command
# beneath it compiles, and that command is run where `scenarios` is at hand, as in the repository root.
#   environment: CC, FB_SOURCE, FB_BUILD, FB_CMAKE, FB_USER_CFLAGS
set -eu

# The scenario that the page shows is the one that is shipped.
awk '/^```yaml/ { inside = 1; next } /^```/ { inside = 0 } inside' "$FB_SOURCE/README.md" |
  cmp - "$FB_SOURCE/scenarios/pendulum/pendulum.yaml"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block FENCE: the first block that opens with ```FENCE after the first C block has opened
block() {
  awk -v fence="\`\`\`$1" '
    inside && /^```/ { exit }
    inside { print; next }
    /^```c$/ { seen = 1 }
    seen && $0 == fence { inside = 1 }' "$FB_SOURCE/README.md"
}
block c >"$work/example"
block sh >"$work/command"
name=$(tr ' ' '\n' <"$work/command" | grep '\.c$' | head -n 1)
if [ ! -s "$work/example" ] || [ -z "$name" ]; then
  echo "readme_example: README.md has no C block with a compile command beneath it"
  exit 1
fi
[ "$(wc -l <"$work/example")" -le 24 ] || { echo "readme_example: the example is over 24 lines"; exit 1; }

"$FB_CMAKE" --install "$FB_BUILD" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name freebody.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
# `cc` in the command is the compiler of this build, with its sanitizers.
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$CC" "$FB_USER_CFLAGS" >"$work/bin/cc"
chmod +x "$work/bin/cc"
export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH="$work/bin:$PATH"

mkdir "$work/root"
ln -s "$FB_SOURCE/scenarios" "$work/root/scenarios"
mv "$work/example" "$work/root/$name"
cd "$work/root"
sh -eu "$work/command" >"$work/output" || { cat "$work/output"; exit 1; }
cat "$work/output"
[ -s "$work/output" ] || { echo "readme_example: the example printed nothing"; exit 1; }
