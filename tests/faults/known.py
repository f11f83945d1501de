"""known.py -- known.txt: crashes that stem from a library we use. A line is

  COMMAND KIND FUNCTION : what we do about it

and covers faults of that kind in cases whose names begin with COMMAND, when FUNCTION (exported by the library) is in
the backtrace of the call that failed."""

import collections
import os

Entry = collections.namedtuple("Entry", "command kind function reason")


def read(path=os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.txt")):
    entries = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            head, _, reason = line.partition(":")
            words = head.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) != 3 or not reason.strip():
                raise ValueError(f"known.txt: '{line.strip()}' is not COMMAND KIND FUNCTION : reason")
            entries.append(Entry(*words, reason.strip()))
    return entries


def entry_for(table, outcome, frames):
    functions = {frame[1].split("+")[0] for frame in frames}
    for entry in table:
        if outcome.case.startswith(entry.command) and outcome.fault[0] == entry.kind and entry.function in functions:
            return entry
    return None


def excuse(table, outcome, frames):
    """The outcome, with the verdict `known` where a line covers it: crashes alone can be a library's fault."""
    if outcome.verdict != "crash":
        return outcome
    entry = entry_for(table, outcome, frames)
    return outcome._replace(verdict="known", detail=entry) if entry else outcome


def stale(table, outcomes):
    """Lines that nothing needed although their command and kind were swept."""
    used = {outcome.detail for outcome in outcomes if outcome.verdict == "known"}
    swept = {(outcome.case, outcome.fault[0]) for outcome in outcomes}
    return [entry for entry in table if entry not in used and
            any(case.startswith(entry.command) and kind == entry.kind for case, kind in swept)]
