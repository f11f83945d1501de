"""contact_errors.py -- runs with hard contacts and default settings are as exact as they promise, or say that they are not.

  contact_errors.py FREEBODY DATA FOLDER [COUNT [SEED [KIND]]] [-v]      makes its files in FOLDER

Kinds: arms of one to three links, fixed or floating, with stops, that meet a falling body; bodies that fall on the ground, or on one
another; cubes that are thrown; and calm scenes, in which nothing amplifies errors: balls that bounce, roll or slide, boxes at
rest, and robots with a law on their feet. COUNT scenes of each, numbered from SEED; without COUNT a sample.

Each runs by moreau with the defaults, and by dopri5 at an accuracy of 1e-10, whose impacts are located. Where dopri5 at a hundredth of that
accuracy gives another motion, nobody knows the true one, and the scene is not compared. Positions must not differ by more than
ten times the promise of 0.01, relative to 1 rad and to the sizes of the bodies, or the run must have a warning. A warning where they differ by less
than a tenth of the promise is false; one in twenty may be, of calm scenes none.
"""
import math
import random
import sys

from contact_random import any_body, cylinder, vector
from contact_rig import GROUND, Bench, Command, ball, box, contact

PROMISE = 1e-2
G = 9.81


def law(rng):
    """Friction and restitution; each is zero now and then."""
    how = {"friction": rng.choice([0, rng.uniform(0.1, 0.8)]), "restitution": rng.choice([0, rng.uniform(0.1, 1)])}
    if rng.random() < 0.2:
        how["restitution_law"] = "poisson"
    return how


def link(rng, name, parent, limits):
    """A rod of an arm, and the joint before it."""
    length, mass = rng.uniform(0.2, 0.5), rng.uniform(0.3, 2)
    rod = box(name, mass, [0.06, 0.06, length])
    rod["com"] = rod["shapes"][0]["at"] = [0, 0, length / 2]
    rod["joint"] = {"name": "j" + name, "type": "revolute", "axis": rng.choice([[1, 0, 0], [0, 1, 0], [0, 0, 1]])}
    if parent:
        rod["parent"] = parent["name"]
        rod["joint"]["at"] = [0, 0, 2 * parent["com"][2] + 0.03]
    if limits:
        rod["joint"]["limits"] = [-rng.uniform(0.1, 1.2), rng.uniform(0.1, 1.2)]
    return rod


def arm(rng, floats=False):
    """An arm that a falling body meets."""
    bodies, joints, rates = [], {}, {}
    limits = rng.random() < 0.7
    if floats:
        bodies.append(box("base", rng.uniform(2, 6), [0.3, 0.3, 0.1]))
        bodies[0]["com"] = [0, 0, 0]
    parent = bodies[0] if floats else None
    for i in range(rng.randint(1, 3)):
        parent = link(rng, f"l{i}", parent, limits)
        bodies.append(parent)
        joints[f"jl{i}"] = rng.uniform(-0.1, 0.1) if limits else rng.uniform(-1.5, 1.5)
        rates[f"jl{i}"] = rng.uniform(-2, 2)
    if rng.random() < 0.4:
        bodies[-1]["joint"]["damping"] = rng.uniform(0.01, 0.3)
    other, radius = any_body(rng, "free", 0.08)
    height = 0.1 + sum(2 * b["com"][2] for b in bodies)
    bases = {"free": {"at": [*(0.15 * x for x in vector(rng, 1)[:2]), (height if not limits else 0.9 * height) + radius],
                      "rpy": vector(rng, 3), "velocity": [*vector(rng, 0.3)[:2], -rng.uniform(0, 3)],
                      "angular_velocity": vector(rng, 6)}}
    if floats:
        bases["base"] = {"at": [0, 0, 0], "angular_velocity": vector(rng, 0.5)}
    hit = [b["name"] for b in bodies]
    parts = {"bodies": [*bodies, other], "bases": bases, "contacts": [contact("free", hit, **law(rng))],
             "gravity": 0 if floats else G, "duration": 0.8, "joints": joints, "rates": rates}
    if limits:
        parts["events"] = [{"name": "stops", "limit": "all", "do": [{"bounce": {"restitution": rng.choice([0, 0.4, 0.8])}}]}]
    return parts


def hand(rng):
    """The same with a floating base."""
    return arm(rng, True)


def drop(rng):
    """One or two bodies that fall on the ground."""
    bodies, bases, height, how = [], {}, 0.0, law(rng)
    for i in range(rng.randint(1, 2)):
        body, radius = any_body(rng, f"b{i}")
        bodies.append(body)
        height += radius * rng.uniform(1.02, 2)
        bases[body["name"]] = {"at": [0.05 * x for x in vector(rng, 1)[:2]] + [height], "rpy": vector(rng, 3),
                               "velocity": vector(rng, 1), "angular_velocity": vector(rng, 6)}
        height += radius * 1.02
    contacts = [contact("b*", name="ground", **how)] + ([contact("b*", "b*", name="among", **how)] if len(bodies) > 1 else [])
    return {"bodies": bodies, "bases": bases, "contacts": contacts, "gravity": G, "duration": 1.0, "surfaces": [GROUND]}


def throw(rng):
    """A cube that is thrown at the ground, fast for a step."""
    base = {"at": [0, 0, 0.1166], "rpy": vector(rng, 3), "velocity": [0, 0, -rng.uniform(5, 30)]}
    return {"bodies": [box("b", 1, [0.1] * 3)], "bases": {"b": base}, "contacts": [contact("b", restitution=1, friction=0)],
            "gravity": G, "duration": 0.1, "surfaces": [GROUND]}


def calm(rng):
    """Scenes that amplify nothing."""
    kind, size = rng.choice(["bounce", "roll", "slide", "rest", "stack", "cylinder"]), rng.uniform(0.05, 0.2)
    how = {"friction": rng.uniform(0.2, 0.8), "restitution": rng.choice([0, rng.uniform(0.1, 0.9)])}
    flat, spin, bodies, bases = [rng.uniform(-1, 1), rng.uniform(-1, 1)], [0, 0, 0], [], {}
    if kind == "bounce":
        bodies, at, flat, spin = [ball("b0", 1, size)], size + rng.uniform(0.1, 0.6), vector(rng, 0.3)[:2], vector(rng, 1)
    elif kind == "roll":
        bodies, at, spin = [ball("b0", 1, size)], size, [-flat[1] / size, flat[0] / size, rng.uniform(-1, 1)]
    elif kind == "cylinder":
        bodies, at, spin = [cylinder("b0", 1, size, 2 * size)], size, [0, flat[0] / size, 0]
        flat[1] = 0
    else:
        bodies = [box(f"b{i}", 1, [2 * size] * 3) for i in range(3 if kind == "stack" else 1)]
        at, flat = size, flat if kind == "slide" else [0, 0]
    for i, body in enumerate(bodies):
        bases[body["name"]] = {"at": [0, 0, at + 2 * size * i], "velocity": [*flat, 0], "angular_velocity": spin}
    if kind == "cylinder":
        bases["b0"]["rpy"] = [math.pi / 2, 0, 0]
    contacts = [contact("b*", name="ground", **how)] + ([contact("b*", "b*", name="among", **how)] if len(bodies) > 1 else [])
    return {"bodies": bodies, "bases": bases, "contacts": contacts, "gravity": G, "duration": 2.0, "surfaces": [GROUND]}


KINDS = {"arm": arm, "hand": hand, "drop": drop, "throw": throw, "calm": calm}


def written(kind, seed, method, integrator):
    """Scene number `seed` of a kind as a scenario."""
    parts = KINDS[kind](random.Random(f"{kind} {seed}"))
    start = {"bases": parts["bases"], "joints": parts.get("joints", {}), "rates": parts.get("rates", {})}
    whole = {"name": f"{kind}{seed}{method}", "model": {"freebody": 1, "bodies": parts["bodies"]}, "start": start,
             "gravity": [0, 0, -parts["gravity"]], "contacts": parts["contacts"], "duration": parts["duration"],
             "integrator": integrator, "log": {"period": parts["duration"] / 100, "signals": ["q"]}}
    for key in ("events", "surfaces"):
        if key in parts:
            whole[key] = parts[key]
    return whole


def reach(body):
    """How far its mass reaches from its origin [m]."""
    com = body.get("com", [0, 0, 0])
    return math.sqrt(sum(x * x for x in com) + sum(body["inertia"][:3]) / 2 / body["mass"])


def scale(name, bodies):
    """What a difference of this signal is relative to: the size of a tree for lengths, a rad for angles; half of one for quaternions."""
    parts = name.split(".")
    if len(parts) < 3:
        return 1
    if int(parts[2]) > 2:
        return 0.5
    if parts[1] == "base":
        return reach(bodies[0]) + sum(2 * b["com"][2] for b in bodies[1:] if "parent" in b)
    return next(reach(b) for b in bodies if b["name"] == parts[1])


def apart(a, b, bodies):
    """The largest difference of positions, relative."""
    worst = 0.0
    for name in (n for n in a.columns if n.startswith("q.")):
        by = scale(name, bodies)
        off = max(abs(x - y) for x, y in zip(a.columns[name], b.columns[name]))
        worst = max(worst, off / by)
    return worst


class Tally:
    """What came out, by kind."""

    def __init__(self, verbose):
        self.verbose, self.rows = verbose, {}

    def count(self, kind, what, label):
        row = self.rows.setdefault(kind, {})
        row.setdefault(what, []).append(label)

    def of(self, kind, what):
        return self.rows.get(kind, {}).get(what, [])

    def show(self):
        for kind in self.rows:
            n = {what: len(self.of(kind, what)) for what in ("compared", "unknown", "off", "silent", "slightly", "warned", "false")}
            print(f"{kind}: {n['compared']} compared, {n['unknown']} too sensitive, {n['off']} off by more than {10 * PROMISE:g}, "
                  f"{n['silent']} of them silently; {n['slightly']} off by {2 * PROMISE:g} to {10 * PROMISE:g} silently; "
                  f"{n['warned']} warn, {n['false']} falsely {self.of(kind, 'false')[:9]}")


def check_scene(bench, kind, seed, tally):
    """One scene, by moreau and twice by dopri5."""
    bench.begin(f"{kind} {seed}")
    runs = []
    for method, integrator in (("exact", {"method": "dopri5", "accuracy": 1e-10}), ("finer", {"method": "dopri5", "accuracy": 1e-12}),
                               ("moreau", {"method": "moreau"})):
        content = written(kind, seed, method, integrator)
        try:
            runs.append(bench.run(content, method))
        except RuntimeError:
            tally.count(kind, "unknown", seed)
            return
        if method == "finer" and not apart(runs[0], runs[1], content["model"]["bodies"]) < PROMISE / 100:
            tally.count(kind, "unknown", seed)
            return
    off, said = apart(runs[2], runs[0], content["model"]["bodies"]), runs[2].summary.get("warning", "")
    tally.count(kind, "compared", seed)
    for what, holds in (("off", off > 10 * PROMISE), ("silent", off > 10 * PROMISE and not said), ("warned", said),
                        ("slightly", 2 * PROMISE < off <= 10 * PROMISE and not said), ("false", off < PROMISE / 10 and said)):
        if holds:
            tally.count(kind, what, seed)
    if tally.verbose:
        print(f"{kind} {seed}: off by {off:.1e}, estimated {runs[2].summary.get('error_estimate', math.nan):.1e}, "
              f"{runs[2].summary['wall']['seconds']:.3f} s; {said[:400]}", flush=True)


# Errors of the first four kinds had no warning; the last of each had a false one, or had neither.
SAMPLE = {"arm": (1003, 1025, 1061, 1016, 1001), "hand": (1005, 1036, 1068, 1000), "drop": (1022, 1038, 1096, 1003),
          "throw": (1025, 1036, 1038, 1012, 1000), "calm": range(6)}
MOST_SILENT = 0.02  # of those compared: the estimate is of first order


def main():
    """The exit code."""
    given = [a for a in sys.argv[4:] if a != "-v"]
    first = int(given[1]) if len(given) > 1 else 0
    scenes = {kind: range(first, first + int(given[0])) for kind in given[2:3] or KINDS} if given else SAMPLE
    bench, tally = Bench(Command(sys.argv[1], sys.argv[3])), Tally("-v" in sys.argv)
    for kind, numbers in scenes.items():
        for seed in numbers:
            bench.attempt(check_scene, kind, seed, tally)
    tally.show()
    for kind in tally.rows:
        compared, silent, false = (tally.of(kind, what) for what in ("compared", "silent", "false"))
        bench.what = kind
        bench.true("errors have a warning", len(silent) <= MOST_SILENT * len(compared), silent)
        bench.true("warnings have a cause", len(false) <= (0 if kind == "calm" else len(compared) / 20), false)
    return bench.report("contact_errors")


if __name__ == "__main__":
    sys.exit(main())
