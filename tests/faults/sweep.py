#!/usr/bin/env python3
"""sweep.py -- makes every allocation, read, write, sync, ... of the commands fail, one after the other, and judges what
comes of it. Prints a table, and how to reproduce each cause of trouble. docs/faults.md describes it.

  sweep.py --build DIR [--sample N] [--command WORD] [--kind WORD] [--mode WORD] [--jobs N] [--verbose]"""

import argparse
import collections
import functools
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the sources stay as they are
import cases
import controller
import judge
import known
import server

KINDS = ["alloc", "read", "write", "full", "short", "sync", "name", "open", "close", "lock", "look"]
# Calls fail once, and from the k-th on; runs are also killed and interrupted there, and must go on to the same end.
MODES = ["once", "on"]
RUN_MODES = [("write", "kill"), ("sync", "kill"), ("name", "kill"), ("write", "int"), ("write", "term")]
SIGNALS = {"kill": signal.SIGKILL, "int": signal.SIGINT, "term": signal.SIGTERM}
CHUNK = 40  # points that a worker takes at a time
MOST_ON = 400  # points at which allocations fail for good; where they fail once, all points are tried

Outcome = collections.namedtuple("Outcome", "case fault verdict detail trace")


class Rig:
    """A case ready to be executed again and again: its files, servers, and what it gives undisturbed."""

    def __init__(self, case, program, library, scratch):
        self.case, self.program, self.library = case, program, library
        self.top = tempfile.mkdtemp(prefix=case.name + "-", dir=scratch)
        self.base, self.work, self.prefix = (os.path.join(self.top, name) for name in ("base", "work", "said"))
        self.servers, self.resumed = {}, {}
        os.mkdir(self.base)
        case.prepare(self.base)
        for command, fault in case.first:
            self.go_before(command, fault)
        self.base_files = judge.files_in(self.base)
        self.expected = self.disturb(("none", 0, "once"))
        if self.expected.code != 0:
            raise RuntimeError(f"{case.name} fails undisturbed: {self.expected.err}")
        self.wanted = judge.files_in(self.work)
        self.contents = self.take_run() if case.is_run else None

    def execute(self, command, folder, fault=("none", 0, "once")):
        key = tuple(command)
        if key not in self.servers:
            self.servers[key] = server.Server(self.program, self.library, command)
        return self.servers[key].execute(folder, self.prefix, fault)

    def go_before(self, command, fault):
        """A command that makes what the case starts from; it fails at a share of its calls, if at all."""
        kind, share, mode = fault
        if share:
            os.mkdir(self.work)
            self.case.prepare(self.work)
            fault = (kind, int(share * self.execute(command, self.work, (kind, 0, mode)).seen), mode)
        result = self.execute(command, self.base, fault)
        if result.code != 0 and result.signal != SIGNALS.get(mode):
            raise RuntimeError(f"{self.case.name}: {' '.join(command)} failed: {result.err}")

    def disturb(self, fault):
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.base, self.work)
        return self.execute(self.case.command, self.work, fault)

    def take_run(self):
        """What the run in `out` holds; a text when it cannot be had."""
        result = self.execute(["export", "out", "-o", "samples.csv"], self.work)
        if result.code != 0:
            return f"export says: {result.err}"
        with open(os.path.join(self.work, "samples.csv"), encoding="utf-8") as file:
            samples = file.read()
        os.unlink(os.path.join(self.work, "samples.csv"))
        try:
            return {**judge.run_contents(self.work), "samples": samples}
        except (OSError, ValueError, judge.sqlite3.Error) as error:
            return f"the run folder cannot be read: {error}"

    def compare_run(self, verdict, without_mesh=False):
        contents = self.take_run()
        if isinstance(contents, str):
            return verdict, contents
        names = judge.differing(contents, self.contents)
        if without_mesh:
            names = [name for name in names if name not in ("mesh", "total")]
        return (verdict, f"{', '.join(names)} of the run differ") if names else ("right", "")

    def resume(self, without_mesh, found):
        """Many faults leave the same folder; each is resumed once."""
        state = judge.run_state(found)
        if (state, without_mesh) not in self.resumed:
            self.resumed[state, without_mesh] = self.resume_undisturbed(without_mesh)
        return self.resumed[state, without_mesh]

    def resume_undisturbed(self, without_mesh):
        command = [word for word in self.case.command if word != "--resume"] + ["--resume"]
        if "--replay" in command:  # its record goes on with what the controller answers, which is the same
            command = ["run", "--resume", "out", "--quiet"]
        result = self.execute(command, self.work)
        if result.code == 2 and "--replay" in self.case.command:  # it had not begun
            result = self.execute(self.case.command + ["--force"], self.work)
        if result.code != 0:
            return "resume", f"an undisturbed --resume says: {result.err.strip()[:200]}"
        verdict, detail = self.compare_run("resume", without_mesh)
        return ("refused", "") if verdict == "right" else (verdict, detail)

    def is_same_hdf5(self, name):
        """Whether HDF5 files hold the same though their bytes differ (h5same.c)."""
        if not name.endswith(".h5") or name not in self.wanted:
            return False
        with open(self.prefix + ".h5", "wb") as file:
            file.write(self.wanted[name])
        h5same = os.path.join(os.path.dirname(self.program), "h5same")
        return subprocess.run([h5same, self.prefix + ".h5", os.path.join(self.work, name)], check=False).returncode == 0

    def lost_mesh(self, result):
        return judge.tells_of_mesh(result.err) and not judge.tells_of_mesh(self.expected.err)

    def judge_success(self, result):
        expected = self.expected
        if self.lost_mesh(result):
            return self.compare_run("wrong", True) if self.case.is_run else ("right", "")
        if judge.steady(result.out) != judge.steady(expected.out):
            return "wrong", "standard output differs"
        if not judge.says_all(result.err, expected.err):
            return "wrong", "messages are missing"
        found = judge.files_in(self.work)
        names = [name for name in judge.differing(found, self.wanted)
                 if not judge.is_sqlite_own(name) and not self.is_same_hdf5(name)]
        if self.case.is_run:
            names = [name for name in names if not re.match(r"out/(run\.db|summary\.json)$", name)]
        if names:
            return "wrong", f"{', '.join(names)}: not as undisturbed"
        if not self.case.is_run or judge.run_state(found) == judge.run_state(self.wanted):
            return "right", ""
        return self.compare_run("wrong")

    def judge_crash(self, result):
        """A run that crashed in a library is not lost either."""
        verdict = "refused"
        if self.case.is_run:
            verdict, detail = self.resume(self.lost_mesh(result), judge.files_in(self.work))
        return (verdict, detail) if verdict != "refused" else ("crash", signal.Signals(result.signal).name)

    def judge(self, fault, result):
        if result.signal == signal.SIGALRM:
            return "hang", f"no end after {server.SECONDS} s"
        if result.signal and result.signal != SIGNALS.get(fault[2]):
            return self.judge_crash(result)
        if result.code == 0 and not (fault[2] in SIGNALS and self.case.is_run):
            return self.judge_success(result)
        if not result.signal and result.code != 0:
            verdict, detail = judge.judge_refusal(self.case, fault, result)
            if verdict != "refused":
                return verdict, detail
        found = judge.files_in(self.work)
        verdict, detail = judge.judge_files(self.case, fault, self.base_files, self.wanted, found)
        if verdict != "refused" and not result.signal:
            return verdict, detail
        return self.resume(self.lost_mesh(result), found) if self.case.is_run else ("refused", "")

    def close(self):
        for each in self.servers.values():
            each.close()
        shutil.rmtree(self.top, ignore_errors=True)


# --- workers ---

RIGS = {}
SETTINGS = None


def rig_of(name):
    if name not in RIGS:
        case = next(case for case in cases.CASES if case.name == name)
        RIGS[name] = Rig(case, SETTINGS.program, SETTINGS.library, SETTINGS.scratch)
    return RIGS[name]


def count_points(task):
    """How many calls of the kind the undisturbed command makes."""
    name, kind = task
    return name, kind, rig_of(name).disturb((kind, 0, "once")).seen


def try_points(task):
    name, kind, mode, points = task
    rig, outcomes = rig_of(name), []
    for at in points:
        fault = (kind, at, mode)
        result = rig.disturb(fault)
        verdict, detail = rig.judge(fault, result) if result.fired else ("unmet", "")
        outcomes.append(Outcome(name, fault, verdict, detail, "" if verdict in judge.GOOD else result.trace))
    return outcomes


def begin(settings):
    global SETTINGS
    SETTINGS = settings
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- points ---

def is_prime(n):
    return n > 1 and all(n % i for i in range(2, int(n ** 0.5) + 1))


def points_of(count, sample):
    """All of 1 .. count, or about `sample` of them, a prime step apart."""
    step = 1
    if sample and count > sample:
        step = -(-count // sample)
        while not is_prime(step):
            step += 1
    return range(1, count + 1, step)


def modes_of(name, kind, mode):
    if mode:
        return [mode]
    is_run = next(case for case in cases.CASES if case.name == name).is_run
    return MODES + [more for of_kind, more in RUN_MODES if is_run and of_kind == kind]


def tasks_of(counts, mode_given, sample):
    for (name, kind), count in counts.items():
        for mode in modes_of(name, kind, mode_given):
            share = next(case for case in cases.CASES if case.name == name).share
            most = MOST_ON if (kind, mode) == ("alloc", "on") else 0
            points = points_of(count, max(1, round(sample * (share or 1))) if sample else most)
            for i in range(0, len(points), CHUNK):
                yield name, kind, mode, list(points[i:i + CHUNK])


# --- the report ---

def frames_of(trace, heading):
    """Frames under the heading, outermost last, as (library, function, address)."""
    found, inside = [], False
    for line in trace.splitlines():
        frame = re.match(r"(.*?)\((.*?)\)\s*\[(0x[0-9a-f]+)\]", line)
        if not frame:
            inside = line.startswith(heading)
        elif inside:
            found.append((os.path.basename(frame[1]), frame[2], frame[3]))
    return [frame for frame in found if not frame[0].startswith("libfault")]


@functools.lru_cache(maxsize=None)
def function_at(program, place):
    """The function of the program at +0x..., though it is not exported; where there is no addr2line, the place."""
    if not shutil.which("addr2line"):
        return place
    said = subprocess.run(["addr2line", "-f", "-e", program, place.lstrip("+")], capture_output=True, text=True,
                          check=False).stdout.split()
    return said[0] if said else place


def name_frame(program, frame):
    library, place, _ = frame
    function = place.split("+")[0]
    if not function and library == os.path.basename(program):
        function = function_at(program, place)
    return f"{library}:{function or place}"


def cause_of(program, outcome):
    """The library of the call, the nearest function of it that has a name, and the two of ours above it."""
    heading = "crash" if outcome.verdict == "crash" else "fault"
    frames = [frame for frame in frames_of(outcome.trace, heading) if not frame[0].startswith(("libc.so", "ld-linux"))]
    ours = os.path.basename(program)
    inner = [frame for frame in frames if frame[0] != ours]
    outer = [name_frame(program, frame) for frame in frames if frame[0] == ours]
    named = [frame for frame in inner if not frame[1].startswith("+")] or inner
    return tuple([name_frame(program, frame) for frame in named[-1:]] + outer[:2])


def reproduction(settings, outcome):
    kind, at, mode = outcome.fault
    return f"scripts/faults --build {settings.build} --show {outcome.case} {kind} {at} {mode}"


def print_table(outcomes):
    rows = collections.OrderedDict()
    for outcome in outcomes:
        rows.setdefault((outcome.case, outcome.fault[0], outcome.fault[2]), collections.Counter())[outcome.verdict] += 1
    columns = ["points", "refused", "right", "known", "wrong", "crashed"]
    print(f"{'command':22} {'kind':6} {'mode':5}" + "".join(f"{column:>9}" for column in columns))
    total = collections.Counter()
    for (case, kind, mode), counter in rows.items():
        row = row_of(counter)
        total.update(row)
        print(f"{case:22} {kind:6} {mode:5}" + "".join(f"{row[column]:9}" for column in columns))
    print(f"{'all':35}" + "".join(f"{total[column]:9}" for column in columns))


def row_of(counter):
    points = sum(counter.values())
    row = {"points": points, "refused": counter["refused"], "right": counter["right"] + counter["unmet"],
           "known": counter["known"], "crashed": counter["crash"] + counter["hang"]}
    row["wrong"] = points - row["refused"] - row["right"] - row["known"] - row["crashed"]
    return row


def print_causes(settings, outcomes):
    """Each cause once: how often, where, and how to see the first."""
    causes = collections.OrderedDict()
    for outcome in outcomes:
        if outcome.verdict not in judge.GOOD + ("known", "unmet"):
            key = (outcome.verdict, outcome.fault[0], cause_of(settings.program, outcome))
            causes.setdefault(key, []).append(outcome)
    for (verdict, kind, frames), found in causes.items():
        names = list(dict.fromkeys(outcome.case for outcome in found))
        print(f"\n{verdict} by {kind}, {len(found)} time{'' if len(found) == 1 else 's'}, in {' '.join(names)}")
        print("  " + " < ".join(frames))
        print("  " + found[0].detail)
        print("  " + reproduction(settings, found[0]))
    return len(causes)


# --- the command ---

def read_arguments():
    parser = argparse.ArgumentParser(description="makes calls of freebody fail, and judges what comes of it")
    parser.add_argument("--build", default="build", help="folder of a build without sanitizers")
    parser.add_argument("--sample", type=int, default=0, help="about so many points a row instead of all")
    parser.add_argument("--command", default="", help="cases whose names begin so")
    parser.add_argument("--kind", default="", help="one kind of fault: " + ", ".join(KINDS))
    parser.add_argument("--mode", default="", help="once, on, kill, int or term; otherwise once and on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", nargs=4, metavar=("CASE", "KIND", "AT", "MODE"), help="one execution, in full")
    settings = parser.parse_args()
    settings.program = os.path.join(os.path.abspath(settings.build), "bin", "freebody")
    settings.library = os.path.join(os.path.abspath(settings.build), "lib", "libfault.so")
    return settings


def show(settings):
    begin(settings)
    name, kind, at, mode = settings.show
    rig = rig_of(name)
    fault = (kind, int(at), mode)
    result = rig.disturb(fault)
    print(f"$ freebody {' '.join(rig.case.command)}\n{result.out}{result.err}")
    hit = "hit" if result.fired else "not hit"
    print(f"exit code {result.code}, signal {result.signal}, {result.seen} calls, {hit}")
    for heading in ("fault", "crash"):
        for frame in frames_of(result.trace, heading):
            print(f"  {heading}: {name_frame(settings.program, frame)}")
    print(*rig.judge(fault, result))
    rig.close()


def sweep(settings):
    def is_chosen(case):
        return case.name.startswith(settings.command) and \
            (case.share or not settings.sample or case.name == settings.command)

    names = [case.name for case in cases.CASES if is_chosen(case)]
    kinds = [settings.kind] if settings.kind else KINDS
    if not names:
        sys.exit(f"no case begins with '{settings.command}'; there are: {', '.join(c.name for c in cases.CASES)}")
    with multiprocessing.Pool(settings.jobs, begin, (settings,)) as pool:
        counts = {(name, kind): count for name, kind, count in
                  pool.map(count_points, [(name, kind) for name in names for kind in kinds], chunksize=len(kinds))}
        tasks = tasks_of(counts, settings.mode, settings.sample)
        outcomes = [outcome for part in pool.imap(try_points, tasks) for outcome in part]
    return outcomes


def main():
    settings = read_arguments()
    start = time.monotonic()
    os.environ["FB_FAULT_PORT"] = str(controller.start())  # for the workers
    shared_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    settings.scratch = tempfile.mkdtemp(prefix="freebody-faults-", dir=shared_memory)
    try:
        if settings.show:
            show(settings)
            return 0
        outcomes = sweep(settings)
    finally:
        shutil.rmtree(settings.scratch, ignore_errors=True)
    table = known.read()
    outcomes = [known.excuse(table, outcome, frames_of(outcome.trace, "fault")) for outcome in outcomes]
    print_table(outcomes)
    causes = print_causes(settings, outcomes)
    stale = [] if settings.sample else known.stale(table, outcomes)
    for entry in stale:
        print(f"\nknown.txt: {entry.command} {entry.kind} {entry.function} did not occur: remove the line")
    print(f"\nfaults: {len(outcomes)} points, {causes} causes to mend, {time.monotonic() - start:.0f} s")
    return 1 if causes or stale else 0


if __name__ == "__main__":
    sys.exit(main())
