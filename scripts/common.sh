# shellcheck shell=bash
# Sourced by the other scripts: goes to the repository root and sets what they share.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# shellcheck disable=SC2034 # used by those who source this
jobs=$(nproc 2>/dev/null || echo 2)
if command -v ninja >/dev/null 2>&1; then
  export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi

# Files of the repository, new ones included, one a line, below the given paths; in an unpacked archive
# without git, all but build folders.
list_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
      if [ -f "$file" ]; then echo "$file"; fi
    done
  else
    find "${@:-.}" -type d -name 'build*' -prune -o -type f -print | sed 's|^\./||'
  fi
}

# Our own C sources and headers.
list_c_files() {
  list_files include src app tests bench examples bindings/matlab bindings/python/native | grep -E '\.(c|h|inl)$' | grep -v '^tests/data/'
}
