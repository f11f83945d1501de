"""default_speed.py -- what error control costs: default runs beside fixed steps of 10 ms, which were the default before it.

  python3 bench/default_speed.py build/bin/freebody [ROBOTS]     ROBOTS of tests/scenario/accuracy_robots.py, 56 without it

Times are those of the simulation, with a sample every 10 ms, the best of three. Fixed steps: rk4, or implicit where they are too
long for it. Scenes with contacts are left out: fixed steps of 10 ms say nothing about them.
"""
import os
import statistics
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


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 56
    factors = {}
    with tempfile.TemporaryDirectory() as folder:
        command = Command(sys.argv[1], folder)
        for kind, scene in [robot(n) for n in range(count)] + [("scenes", s) for s in SCENES if "contacts" not in s]:
            path = command.write(scene)
            before, _ = seconds(command, path, "{step: 10 ms}")
            now, summary = seconds(command, path, "{method: auto}")
            factors.setdefault(summary["integrator"].split(",")[0], []).append(now / before)
    every = [f for part in factors.values() for f in part]
    print(f"{'default':10} {'runs':>5} {'median':>7} {'least':>7} {'most':>7}    time of the default / of steps of 10 ms")
    for method, part in sorted(factors.items()) + [("all", every)]:
        print(f"{method:10} {len(part):5d} {statistics.median(part):7.2f} {min(part):7.2f} {max(part):7.2f}")


main()
