"""judge.py -- whether an execution with a fault ended as it should: refused clearly, or with the right result.

Verdicts that are faults: crash, hang, wrong (success with another result), mute (no message), code (an exit code that
the manual does not have for it), words (memory ran out, and the message says something else), litter (a file left
over), lost (an older file damaged), resume (an undisturbed --resume does not lead to the same run)."""

import hashlib
import os
import re
import sqlite3

GOOD = ("right", "refused")

# Names that a run folder may have (docs/run-store.md).
RUN_FILES = re.compile(r"out(/(run\.db(-wal|-shm)?|summary\.json|inputs(/.*)?|log\.(csv|h5)|[^/]*\.lock|\.lock))?$")


def files_in(folder):
    """Contents of all files below the folder by relative path; None for folders."""
    found = {}
    for top, folders, names in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(top, name), folder)] = None
        for name in names:
            path = os.path.join(top, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def steady(text):
    """Text without what depends on the clock."""
    text = re.sub(r"(?m)^  wall time .*$", "  wall time", text)
    text = re.sub(r"(-> [^:]*: )(?:[\d.]+ ?[kM]?B|written)", r"\1", text)  # of a file whose size cannot be asked for
    return re.sub(r'"wall": \{[^}]*\}', '"wall"', text)


def exchanges(store):
    """What each controller sent; how it is spread over rows depends on when it was committed."""
    sent = {}
    for name, data in store.execute("SELECT controller, data FROM exchange ORDER BY controller, first"):
        sent[name] = sent.get(name, b"") + data
    return sent


def run_contents(folder):
    """What the run folder `out` holds, but for samples, which are exported, and what is kept for the next resume."""
    contents = {}
    with sqlite3.connect(f"file:{folder}/out/run.db?mode=ro", uri=True) as store:
        tables = store.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for (table,) in tables:
            if table == "exchange":
                contents[table] = exchanges(store)
            elif table not in ("block", "meta_before"):
                contents[table] = sorted(map(repr, store.execute(f"SELECT * FROM {table}")))
    store.close()
    with open(f"{folder}/out/summary.json", encoding="utf-8") as file:
        contents["summary"] = steady(file.read())
    return contents


def run_state(files):
    """What tells one run folder from another, without what depends on the clock."""
    state = hashlib.sha256()
    for name in sorted(files):
        if name.startswith("out/") and files[name] is not None and not name.endswith("-shm"):
            content = files[name]
            if name == "out/summary.json":
                content = steady(content.decode()).encode()
            state.update(f"{name} {len(content)} ".encode() + content)
    return state.digest()


def differing(contents, expected):
    """The names of what differs."""
    return [name for name in sorted(set(contents) | set(expected)) if contents.get(name) != expected.get(name)]


def says_all(err, expected):
    """Whether every line of the undisturbed messages is there."""
    lines = steady(err).splitlines()
    return all(line in lines for line in steady(expected).splitlines())


def is_sqlite_own(name):
    return name.endswith(("run.db-wal", "run.db-shm"))


def allowed_codes(case, kind):
    """1: the run failed. An input, or a run to be resumed, that cannot be opened or read may as well be called bad."""
    strict = kind == "alloc" or (kind in ("write", "full", "sync") and "--resume" not in case.command)
    return (1,) if strict else (1, 2)


def tells_of_mesh(err):
    """A mesh that cannot be read is left out and told (docs/run-store.md)."""
    return re.search(r"mesh '.*' (of|is|cannot)", err) is not None


def judge_refusal(case, fault, result):
    kind = fault[0]
    if result.code not in allowed_codes(case, kind):
        return "code", f"exit code {result.code}: {result.err.strip()[:200]}"
    if not result.err.strip():
        return "mute", f"exit code {result.code} without a message"
    if kind == "alloc" and "memory" not in result.err:
        return "words", result.err.strip()[:200]
    return "refused", ""


def judge_files(case, fault, base, wanted, found):
    """After a refusal: files are as before or as they should become, and there are no others."""
    for name, content in found.items():
        if name in base or name in wanted:
            whole = content in (base.get(name, b""), wanted.get(name, b""))
            if not whole and not (case.is_run and name.startswith("out/")):
                return "lost", f"{name} is neither the old one nor the new one"
        elif is_sqlite_own(name) or (case.is_run and RUN_FILES.match(name)):
            continue
        # Where nothing can be removed, or looked at before, from now on, nothing can be done.
        elif fault[0] not in ("name", "look") or fault[2] != "on":
            return "litter", f"{name} is left over"
    for name in base:
        # A run that is extended is not complete any more, until its new end.
        if case.name == "extend" and name == "out/summary.json":
            continue
        if name not in found and not is_sqlite_own(name):
            return "lost", f"{name} is gone"
    return "refused", ""
