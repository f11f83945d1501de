#!/bin/sh
# The report of a scenario of every shipped folder, opened in Chromium (scenarios.mjs): the one with the folder's name, or the
# first; others of a folder display the same bodies. Each is run with the positions of all frames in its log besides what it
# logs by itself. Pages and pictures stay in the build's viewer folder.
set -eu
freebody=$FB_BUILD/bin/freebody
out=$FB_BUILD/viewer/scenarios
rm -rf "$out"
mkdir -p "$out/runs"
mkdir "$out/copy"
cp -r "$FB_SOURCE/scenarios" "$out/copy/scenarios"
ln -s "$FB_SOURCE/include" "$out/copy/include"
for makefile in "$out"/copy/scenarios/*/Makefile; do # plugins
  make -s -B -C "$(dirname "$makefile")" CC="$CC"
done
# The controller of remote_arm, over a socket in this folder: other tests have the port.
cd "$out"
sed -i 's|udp://127.0.0.1:8719|unix:controller|' copy/scenarios/remote_arm/remote_arm.yaml
python3 copy/scenarios/remote_arm/controller.py controller &
for folder in "$out"/copy/scenarios/*/; do
  name=$(basename "$folder")
  file=$folder$name.yaml
  if [ ! -f "$file" ] || ! grep -q '^scenario:' "$file"; then
    file=$(grep -l '^scenario:' "$folder"*.yaml | head -n 1)
  fi
  [ -n "$file" ] || continue
  "$freebody" run "$file" -o "$out/runs/$name" --quiet --set 'log.signals=[q, p, tau, energy, momentum]'
  "$freebody" view "$out/runs/$name" -o "$out/$name.html" >/dev/null
  "$freebody" export "$out/runs/$name" --signals 'p.*' -o "$out/$name.csv"
done
exec node "$FB_SOURCE/tests/browser/scenarios.mjs" "$out"
