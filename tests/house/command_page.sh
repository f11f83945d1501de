#!/bin/sh
# docs/command.md, which the manual page is made from, has a section for every command, whose tables have the options
# that `--help` lists, and no others. The page is up to date, and Markdown that scripts/man does not know is refused.
#   environment: FB_SOURCE, FB_BUILD
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$FB_SOURCE/docs/command.md
command=$FB_BUILD/bin/freebody

# sections: the headings that name commands, `fmu, sfunction` as `fmu,sfunction`
sections() {
  sed -n 's/^## \([a-z]\)/\1/p' "$page" | tr -d ' '
}
# listed COMMAND: the options of --help but for those that every command has
listed() {
  "$command" "$1" --help | sed -n '/^Options:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' | grep -vx -e --help -e --color
}
# described SECTION: the long options in the first cells of its tables
described() {
  awk -v title="## $1" '/^## / { inside = $0 == title } inside && /^\| `-/' "$page" | sed 's/ | .*//' |
    grep -o -e '--[a-z-]*'
}

"$command" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | grep -vx help | sort >"$work/commands"
sections | tr ',' '\n' | sort | diff "$work/commands" - ||
  { echo "command_page: the commands of --help (<) and of command.md (>) differ"; exit 1; }
for section in $(sections); do
  for name in $(echo "$section" | tr ',' ' '); do listed "$name"; done | sort -u >"$work/listed"
  described "$(echo "$section" | sed 's/,/, /')" | sort -u >"$work/described"
  diff "$work/listed" "$work/described" ||
    { echo "command_page: the options of $section in --help (<) and in command.md (>) differ"; exit 1; }
done

# refused TEXT MESSAGE: a page that ends in TEXT must be refused with MESSAGE
refused() {
  printf '# `freebody`: title\n\n```\nfreebody go   goes\n```\n\nText.\n%s\n' "$1" >"$work/page.md"
  if "$FB_SOURCE/scripts/man" "$work/page.md" >/dev/null 2>"$work/message"; then
    echo "command_page: $1 was not refused"
    exit 1
  fi
  grep -qF "page.md:$2" "$work/message" || { echo "command_page: $1 gave:"; cat "$work/message"; exit 1; }
}
"$FB_SOURCE/scripts/man" --check
refused '- an item' '8: only headings, paragraphs, tables and blocks'
refused '### deeper' '8: only headings, paragraphs, tables and blocks'
refused '| a | b | c |' '8: a row of 3 cells'
echo "command_page: $(wc -l <"$work/commands") commands, their options, 3 pages refused"
