#!/bin/sh
# What `make install` lays down works for its users: the command runs, and a small program builds and
# runs by pkg-config (everything, and the core alone) and by find_package.
#   environment: CC, FB_SOURCE, FB_BUILD, FB_CMAKE, FB_USER_CFLAGS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$FB_SOURCE/tests/house/install

"$FB_CMAKE" --install "$FB_BUILD" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
# An installed tree may be moved.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
config=$(find "$prefix" -name freebody.pc)
PKG_CONFIG_PATH=$(dirname "$config")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH

want=$(sed -n 's/.*FB_VERSION_TEXT "\(.*\)"/\1/p' "$FB_SOURCE/include/freebody/version.h")
check() { # what it is, what it printed
  case $2 in
    *"$want"*) echo "install: $1: $2" ;;
    *) echo "install: $1 printed '$2', which does not name version $want"; exit 1 ;;
  esac
}

check "freebody --version" "$("$prefix/bin/freebody" --version)"
[ -f "$prefix/share/man/man1/freebody.1" ] || { echo "install: the man page is missing"; exit 1; }
"$prefix/bin/freebody" fmu -o "$work/user.fmu" "$here/user.yaml" 2>/dev/null || { echo "install: no unit was written"; exit 1; }
check "pkg-config --modversion freebody" "$(pkg-config --modversion freebody)"

# shellcheck disable=SC2046,SC2086
"$CC" -std=c17 $FB_USER_CFLAGS "$here/user.c" $(pkg-config --cflags --libs freebody) -o "$work/by_pkg_config"
check "a program built by pkg-config" "$("$work/by_pkg_config" "$here/user.yaml")"

# shellcheck disable=SC2046,SC2086
"$CC" -std=c17 $FB_USER_CFLAGS "$here/user_core.c" $(pkg-config --cflags --libs freebody-core) -o "$work/core"
check "a program built by pkg-config, core alone" "$("$work/core")"

build_by_find_package() {
  "$FB_CMAKE" -S "$here" -B "$work/user" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="$FB_USER_CFLAGS" && "$FB_CMAKE" --build "$work/user"
}
build_by_find_package >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "a program built by find_package" "$("$work/user/user" "$here/user.yaml")"
check "a program built by find_package, core alone" "$("$work/user/user_core")"

# Where pkg-config finds nothing, the core is found all the same, and the rest is missing with a reason.
find_without() { # folder, then definitions
  folder=find-$1
  shift
  PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=/nonexistent "$FB_CMAKE" -S "$here/components" -B "$work/$folder" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$FB_USER_CFLAGS" "$@" \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
find_without core -DWANTED=core
"$FB_CMAKE" --build "$work/find-core" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "the component core, without pkg-config's packages" "$("$work/find-core/user_core")"
find_without wheels -DWANTED=wheels -DEXPECTED=FALSE "-DREASON=components core and io, not wheels"
if [ -n "$(find "$prefix" -name libfreebody_io.a)" ]; then
  find_without io -DWANTED=io -DEXPECTED=FALSE "-DREASON=needs yaml-0.1"
  find_without all -DEXPECTED=FALSE "-DREASON=needs yaml-0.1"
  echo "install: without libyaml the component io is missing, and says why"
fi
