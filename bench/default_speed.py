"""default_speed.py -- what error control costs: default runs beside fixed steps of 10 ms, which were the default before it.

  python3 bench/default_speed.py build/bin/freebody [ROBOTS [instructions]]

ROBOTS of tests/scenario/accuracy_robots.py, 56 without it. With `instructions`, those that valgrind counts, which other work on the
machine does not change, instead of times.

Times are those of the simulation, with a sample every 10 ms, the best of three. Fixed steps: rk4, or implicit where they are too
long for it. Scenes with contacts are left out: fixed steps of 10 ms say nothing about them.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tests", "scenario"))
from accuracy_robots import robot  # noqa: E402
from accuracy_scenes import SCENES  # noqa: E402
from contact_rig import Command  # noqa: E402


def seconds(command, path, integrator):
    """The best of three runs, and its summary."""
    runs = [command.run_file(path, "speed", "--set", "integrator=" + integrator, "--set",
                             "log.period=10 ms").summary for _ in range(3)]
    return min(r["wall"]["seconds"] for r in runs), runs[0]


def instructions(command, path, integrator):
    """What the simulation executes, by callgrind, and the summary."""
    folder = os.path.join(command.folder, "count.run")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           "--toggle-collect=fb_run_until", command.freebody, "run", "--quiet", "--force", "--set",
                           "integrator=" + integrator, "--set", "log.period=10 ms", "-o", folder, path],
                          capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), command.read(folder).summary


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 56
    measure = instructions if sys.argv[3:] == ["instructions"] else seconds
    factors = {}
    with tempfile.TemporaryDirectory() as folder:
        command = Command(sys.argv[1], folder)
        for kind, scene in [robot(n) for n in range(count)] + [("scenes", s) for s in SCENES if "contacts" not in s]:
            path = command.write(scene)
            before, _ = measure(command, path, "{step: 10 ms}")
            now, summary = measure(command, path, "{method: auto}")
            factors.setdefault(summary["integrator"].split(",")[0], []).append(now / before)
    every = [f for part in factors.values() for f in part]
    what = "instructions" if measure is instructions else "time"
    print(f"{'default':10} {'runs':>5} {'median':>7} {'least':>7} {'most':>7}    {what} of the default / of steps of 10 ms")
    for method, part in sorted(factors.items()) + [("all", every)]:
        print(f"{method:10} {len(part):5d} {statistics.median(part):7.2f} {min(part):7.2f} {max(part):7.2f}")


main()
