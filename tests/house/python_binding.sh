#!/bin/sh
# The Python package over the library of this build: its tests by the extension and by ctypes, without NumPy and with it;
# the blocks of docs/python.md, the example script and the tutorials run too. The library is found in build/lib, as
# installed, and as pip installs it without network.
#   environment: CC, FB_SOURCE, FB_BUILD, FB_CMAKE, FB_USER_CFLAGS
set -eu
folder=$FB_SOURCE/bindings/python
library=$(find "$FB_BUILD/lib" -name "libfreebody_all.*" | head -n 1)
[ -n "$library" ] || { echo "python_binding: there is no libfreebody_all in $FB_BUILD/lib; build it"; exit 1; }
[ -e "$FB_BUILD/lib/_native.abi3.so" ] ||
  { echo "python_binding: the extension was not built: install the headers of Python (Debian: python3-dev)"; exit 1; }
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

# run PYTHON CODE BACKEND: the tests, after CODE, by this backend; with FB_FULL=1 by both.
run() {
  for backend in extension ctypes; do
    if [ "$backend" != "$3" ] && [ -z "${FB_FULL:-}" ]; then continue; fi
    FREEBODY_BACKEND=$backend LD_PRELOAD=$preload "$1" -c "$2
import sys, unittest
unittest.main(module=None, argv=['python_binding', 'discover', '-s', sys.argv[1]], verbosity=0)" "$folder/tests"
  done
}

# which MODULE: a python3 that has it
which() {
  for python in python3 /usr/bin/python3; do
    "$python" -c "import sys, $1; print(sys.executable)" 2>/dev/null && return
  done
  echo "python_binding: no python3 has $1 (Debian: python3-$1)" >&2
  return 1
}

without=$(python3 -c 'import sys; print(sys.executable)')
echo "python_binding: without NumPy, $without"
run "$without" "import sys; sys.modules['numpy'] = None" ctypes
with=$(which numpy)
echo "python_binding: with NumPy, $with"
run "$with" "import numpy" extension
LD_PRELOAD=$preload "$(which matplotlib)" "$folder/tests/tutorials.py"
if [ -z "$preload" ]; then
  "$with" "$FB_SOURCE/bench/python_calls.py" --build "$FB_BUILD" --count 1000 --rounds 1
fi

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

# As pip installs it, into an environment of its own, where there is no network.
offline=
if unshare -rn true 2>/dev/null; then offline="unshare -rn"; fi
if [ -z "$preload" ]; then
  "$without" -m venv --without-pip "$work/venv"
  PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 FREEBODY_BUILD=$FB_BUILD $offline "$(which pip)" -m pip --python \
    "$work/venv/bin/python" install "$folder" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  cd "$work"
  unset PYTHONPATH FREEBODY_LIBRARY
  "$work/venv/bin/python" -c '
import freebody
print("python_binding: installed by pip: version", freebody.version(), "by", freebody.backend())
assert freebody.backend() == "extension" and "site-packages" in freebody.__file__'
fi
