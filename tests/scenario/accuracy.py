"""accuracy.py -- runs with default settings are as exact as they promise, or say that they are not.

  accuracy.py FREEBODY SCENARIOS robots [COUNT [FIRST]] [-v]    COUNT robots of our own making (accuracy_robots.py)
  accuracy.py FREEBODY SCENARIOS scenes [NAME...] [-v]          realistic scenarios (accuracy_scenes.py), all, or those named

Each runs with the defaults, and again with dopri5 at tolerances of 1e-12. Positions of the two, at all samples, must differ
by no more than ten times the accuracy, relative to 1 rad, to the size of the robot or to how far it has gone; or the run
must have a warning. A warning where they differ by less than the accuracy is false; one in twenty may be.
"""
import math
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from accuracy_robots import robot  # noqa: E402
from accuracy_scenes import SCENES, SHIPPED  # noqa: E402
from contact_rig import Command  # noqa: E402

ACCURACY = 1e-6
AUTO = "integrator={method: auto}"
REFERENCE = "integrator={method: dopri5, rtol: 1e-12, atol: 1e-13}"
TURNS = ("revolute", "universal", "spherical", "helical")


def reach(bodies):
    """How far the mass of bodies reaches from their first joint, at the neutral configuration."""
    at, size = {}, 0
    for b in bodies:
        start = at.get(b.get("parent"), [0, 0, 0])
        place = [x + y for x, y in zip(start, b["joint"].get("at", [0, 0, 0]))] if "parent" in b else [0, 0, 0]
        at[b["name"]] = place
        square = sum(x * x for x in place) + sum(x * x for x in b["com"]) + sum(b["inertia"][:3]) / 2 / b["mass"]
        size = max(size, math.sqrt(square))
    return size


def is_length(name, joints):
    """Whether the signal q.JOINT or q.JOINT.I is a length; of joints that are not known, it is not."""
    parts = name.split(".")
    kind, index = joints.get(parts[1], "revolute"), int(parts[2]) if len(parts) > 2 else 0
    return kind == "prismatic" or (kind == "cylindrical" and index == 1) or (kind == "free" and index < 3)


def is_quaternion(name, joints):
    """Whether the signal is a component of an attitude, which changes by half the angle at most."""
    parts = name.split(".")
    kind, index = joints.get(parts[1], "revolute"), int(parts[2]) if len(parts) > 2 else 0
    return kind == "spherical" or (kind == "free" and index >= 3)


def difference(scene, a, b):
    """The largest of positions, relative; and when it is first more than promised."""
    bodies = scene["model"]["bodies"] if scene else []
    joints = {body["joint"]["name"]: body["joint"]["type"] for body in bodies}
    size, worst, since = reach(bodies) if bodies else 1, 0, math.inf
    for name in [n for n in a.columns if n.startswith("q.")]:
        begin = b.columns[name][0]
        for t, x, y in zip(a.columns["t"], a.columns[name], b.columns[name]):
            off = abs(x - y) / (max(size, abs(y - begin)) if is_length(name, joints) else 1)
            off *= 2 if is_quaternion(name, joints) else 1
            if not off <= worst:
                worst = off
            if not off <= 10 * ACCURACY:
                since = min(since, t)
    return worst, since


class Tally:
    """What came out."""

    def __init__(self, verbose):
        self.count, self.warned, self.silent, self.false, self.failed, self.verbose = 0, 0, [], [], [], verbose

    def compare(self, command, label, path, scene):
        """Runs the scenario file twice."""
        self.count += 1
        try:
            run = command.run_file(path, "default", "--set", AUTO)
            reference = command.run_file(path, "reference", "--set", REFERENCE)
        except RuntimeError as error:
            self.failed.append(label)
            print(f"{label}: {str(error)[:300]}")
            return
        off, since = difference(scene, run, reference)
        warning, s = run.summary.get("warning", ""), run.summary
        wrong = not off <= 10 * ACCURACY
        self.warned += bool(warning)
        if wrong and not warning:
            self.silent.append(label)
        if warning and off <= ACCURACY:
            self.false.append(label)
        if self.verbose or (wrong and not warning):
            print(f"{label}: {s['integrator']}: off by {off:.1e}, estimated {s.get('error_estimate', math.nan):.1e}, "
                  f"{s['steps']} steps, {s['wall']['seconds']:.3f} s{f', wrong from {since:.2f} s on' if wrong else ''}"
                  f"{'; ' + warning[:50] if warning else ''}", flush=True)

    def end(self):
        """Prints the sum; the exit status."""
        print(f"{self.count} runs: {len(self.silent)} wrong without a warning {self.silent}, {self.warned} with one, "
              f"{len(self.false)} of them needlessly {self.false}, {len(self.failed)} failed {self.failed}")
        return 1 if self.silent or self.failed or 20 * len(self.false) > self.count else 0


def main():
    freebody, scenarios, what, *rest = [a for a in sys.argv[1:] if a != "-v"]
    tally = Tally("-v" in sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        command = Command(freebody, folder)
        if what == "robots":
            first = int(rest[1]) if len(rest) > 1 else 0
            for number in range(first, first + int(rest[0] if rest else 14)):
                kind, scene = robot(number)
                tally.compare(command, f"robot {number}, {kind}", command.write(scene), scene)
        else:
            for scene in SCENES:
                if not rest or scene["name"] in rest:
                    tally.compare(command, scene["name"], command.write(scene), scene)
            for name in SHIPPED:
                if not rest or name in rest:
                    tally.compare(command, name, os.path.join(scenarios, name + ".yaml"), None)
    sys.exit(tally.end())


main()
