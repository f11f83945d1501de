#!/bin/sh
# The Python package over the library of this build: its tests without NumPy, and with it where some python3 has it;
# the blocks of docs/python.md and the example script run too. The library is found in build/lib and as installed.
#   environment: CC, FB_SOURCE, FB_BUILD, FB_CMAKE, FB_USER_CFLAGS
set -eu
folder=$FB_SOURCE/bindings/python
library=$(find "$FB_BUILD/lib" -name "libfreebody_all.*" | head -n 1)
[ -n "$library" ] || { echo "python_binding: there is no libfreebody_all in $FB_BUILD/lib; build it"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FREEBODY_LIBRARY="$library" PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1 CC FB_BUILD

# Python itself has no sanitizer, so what the library needs of one is loaded before it.
runtime() {
  for name; do
    path=$("$CC" -print-file-name="$name")
    [ "$path" = "$name" ] || { echo "$path"; return; }
  done
}
preload=
case $FB_USER_CFLAGS in
  *address*) preload=$(runtime "libclang_rt.asan-$(uname -m).so" libclang_rt.asan.so libasan.so) ;;
  *thread*) preload=$(runtime "libclang_rt.tsan-$(uname -m).so" libclang_rt.tsan.so libtsan.so) ;;
esac
# Python keeps memory to its end.
export ASAN_OPTIONS=detect_leaks=0

# run PYTHON CODE: the tests, after CODE
run() {
  LD_PRELOAD=$preload "$1" -c "$2
import sys, unittest
unittest.main(module=None, argv=['python_binding', 'discover', '-s', '$folder/tests'], verbosity=0)"
}

without=$(python3 -c 'import sys; print(sys.executable)')
echo "python_binding: without NumPy, $without"
run "$without" "import sys; sys.modules['numpy'] = None"
for python in python3 /usr/bin/python3; do
  if with=$("$python" -c 'import sys, numpy; print(sys.executable)' 2>/dev/null); then
    echo "python_binding: with NumPy, $with"
    run "$with" "import numpy"
    break
  fi
done

# found NAME FOLDER: the package in this folder finds its library by itself
found() {
  unset FREEBODY_LIBRARY
  LD_PRELOAD=$preload PYTHONPATH=$2 "$without" -c 'import freebody; print(freebody.version())' >"$work/version"
  echo "python_binding: $1: version $(cat "$work/version")"
}
mkdir -p "$work/tree/bindings" "$work/tree/build"
cp -R "$folder" "$work/tree/bindings"
ln -s "$FB_BUILD/lib" "$work/tree/build/lib"
found "found in build/lib" "$work/tree/bindings/python"
"$FB_CMAKE" --install "$FB_BUILD" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
found "found as installed" "$(dirname "$(dirname "$(find "$work/prefix" -path '*/freebody/_library.py')")")"
