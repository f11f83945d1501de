"""contact_random.py -- random scenes with hard contacts, by moreau, rk4 and dopri5: they agree within their orders, or say why not.

  contact_random.py FREEBODY DATA FOLDER [COUNT [SEED [KIND]]]      makes its files in FOLDER

Kinds: one body of any shape that is dropped or rolls on a plane; one on a height field of random heights; two that collide in space, near the origin and in orbit; piles of
four; small robots that float, with joint limits, stiction and a ball that hits them; cylinders at tight tolerances. COUNT scenes
of each, numbered from SEED; a scene that fails is made again by its number and kind, with COUNT = 1. Without COUNT a sample.

Of every run: it ends, or its message says why and what to do; a ledger that does not close is announced; contacts give no energy
that is not restitution's; lasting contact is not logged as impacts; on height fields nothing jumps or sinks in, and the rows of the ledger
add up. Two runs by dopri5 whose starts differ by a little say how
sensitive a scene is: rk4 and moreau are near to dopri5 times that, or come nearer with a shorter step as their order says. Scenes that amplify by more than
MOST_SENSITIVE are counted, and not compared.
"""
import math
import os
import random
import sys

from contact_rig import Bench, Command, ball, box, contact, scene

ORBIT = {"at": [7e6, -1e6, 2e6], "velocity": [-2e3, 7e3, 1.5e3]}


def solid(name, mass, moments, shape):
    """A body with its principal moments of inertia."""
    return {"name": name, "mass": mass, "inertia": [*moments, 0, 0, 0], "shapes": [shape]}


def cylinder(name, mass, radius, length):
    """A solid cylinder along z."""
    across = mass * (3 * radius**2 + length**2) / 12
    return solid(name, mass, [across, across, mass * radius**2 / 2], {"kind": "cylinder", "radius": radius, "length": length})


def capsule(name, mass, radius, length):
    """A capsule along z; its inertia is that of the cylinder."""
    body = cylinder(name, mass, radius, length + radius)
    body["shapes"] = [{"kind": "capsule", "radius": radius, "length": length}]
    return body


def ellipsoid(name, mass, radii):
    """A solid ellipsoid."""
    a, b, c = (r * r for r in radii)
    return solid(name, mass, [mass * (b + c) / 5, mass * (a + c) / 5, mass * (a + b) / 5],
                 {"kind": "ellipsoid", "radii": list(radii)})


def any_body(rng, name, size=0.1):
    """A body of any shape, and the radius of a sphere about it."""
    mass, kind = rng.uniform(0.5, 2), rng.choice(["ball", "box", "cylinder", "capsule", "ellipsoid"])
    edge = lambda: size * rng.uniform(0.6, 1.6)
    if kind == "ball":
        radius = edge()
        return ball(name, mass, radius), radius
    if kind == "box":
        edges = [2 * edge() for _ in range(3)]
        return box(name, mass, edges), math.hypot(*edges) / 2
    if kind == "ellipsoid":
        radii = [edge() for _ in range(3)]
        return ellipsoid(name, mass, radii), max(radii)
    radius, length = edge(), 2 * edge()
    if kind == "cylinder":
        return cylinder(name, mass, radius, length), math.hypot(radius, length / 2)
    return capsule(name, mass, radius, length), radius + length / 2


def vector(rng, size):
    """Each part between -size and size."""
    return [rng.uniform(-size, size) for _ in range(3)]


def law(rng):
    """Friction and restitution; each is zero now and then."""
    how = {"friction": rng.choice([0, rng.uniform(0.1, 0.8)]), "restitution": rng.choice([0, rng.uniform(0.1, 0.8)])}
    if rng.random() < 0.3:
        how["restitution_law"] = "poisson"
    return how


def one(rng):
    """A body that is dropped, or rolls."""
    body, radius = any_body(rng, "b")
    base = {"at": [0, 0, radius * rng.uniform(1, 2)], "rpy": vector(rng, 3), "velocity": vector(rng, 1),
            "angular_velocity": vector(rng, 6)}
    return {"bodies": [body], "bases": {"b": base}, "contacts": [contact("b", **law(rng))], "gravity": 9.81, "duration": 1.5}


def ground(rng):
    """A body that falls on a height field."""
    body, radius = any_body(rng, "b")
    base = {"at": [0.1 * x for x in vector(rng, 1)[:2]] + [radius + 0.12], "rpy": vector(rng, 3), "velocity": vector(rng, 0.5)[:2] + [0],
            "angular_velocity": vector(rng, 2)}
    height = rng.uniform(0.02, 0.1)
    heights = [[rng.uniform(0, height) for _ in range(10)] for _ in range(10)]
    field = {"name": "ground", "kind": "heightfield", "at": [-1.35, -1.35, 0], "spacing": 0.3, "heights": heights}
    return {"bodies": [body], "bases": {"b": base}, "contacts": [contact("b", **law(rng))], "gravity": 9.81, "duration": 0.8,
            "surfaces": [field]}


def moved(bases, orbit):
    """The same scene elsewhere, and moving."""
    return {name: dict(base, at=[x + dx for x, dx in zip(base["at"], orbit["at"])],
                       velocity=[v + dv for v, dv in zip(base["velocity"], orbit["velocity"])])
            for name, base in bases.items()}


def pair(rng):
    """Two bodies that collide in space."""
    bodies, bases = [], {}
    for name, side in (("a", -1), ("b", 1)):
        body, radius = any_body(rng, name)
        bodies.append(body)
        bases[name] = {"at": [side * radius * 1.05, *(0.3 * radius * x for x in vector(rng, 1)[:2])], "rpy": vector(rng, 3),
                       "velocity": [-side * rng.uniform(0.2, 1), 0, 0], "angular_velocity": vector(rng, 4)}
    return {"bodies": bodies, "bases": bases, "contacts": [contact("a", "b", **law(rng))], "gravity": 0.0, "duration": 1.0}


def pile(rng):
    """Four mixed bodies that fall on one another."""
    bodies, bases, height = [], {}, 0.0
    how = law(rng)
    for i in range(4):
        body, radius = any_body(rng, f"b{i}")
        bodies.append(body)
        height += radius * 1.02
        bases[body["name"]] = {"at": [0.04 * x for x in vector(rng, 1)[:2]] + [height], "rpy": vector(rng, 3),
                               "velocity": vector(rng, 0.3), "angular_velocity": vector(rng, 2)}
        height += radius * 1.02
    contacts = [contact("b*", name="ground", **how), contact("b*", "b*", name="among", **how)]
    return {"bodies": bodies, "bases": bases, "contacts": contacts, "gravity": 9.81, "duration": 1.0}


def robot(rng):
    """A small robot that floats, with limits and stiction, and a ball that comes at it."""
    base = box("base", rng.uniform(2, 6), [0.3 * rng.uniform(0.7, 1.3) for _ in range(3)])
    bodies, parent = [base], "base"
    joints = {}
    for i in range(rng.randint(1, 3)):
        link = box(f"link{i}", rng.uniform(0.3, 1), [0.08, 0.08, 0.3])
        link["shapes"][0]["at"] = [0, 0, 0.2]
        link["com"] = [0, 0, 0.2]
        link["parent"] = parent
        link["joint"] = {"name": f"j{i}", "type": "revolute", "axis": rng.choice([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
                         "at": [0, 0, 0.2 if i == 0 else 0.4], "limits": [-rng.uniform(0.2, 1), rng.uniform(0.2, 1)],
                         "friction": rng.choice([0, rng.uniform(0.02, 0.5)])}
        bodies.append(link)
        joints[f"j{i}"] = rng.uniform(-0.15, 0.15)
        parent = f"link{i}"
    target = rng.choice(bodies)["name"]
    radius = rng.uniform(0.05, 0.1)
    bodies.append(ball("ball", rng.uniform(0.2, 2), radius))
    height = 0 if target == "base" else 0.2 + 0.2 + 0.4 * int(target[4:])
    bases = {"base": {"at": [0, 0, 0], "velocity": [0, 0, 0], "angular_velocity": vector(rng, 0.3)},
             "ball": {"at": [0.5, 0.05 * rng.uniform(-1, 1), height], "velocity": [-rng.uniform(0.5, 3), 0, 0],
                      "angular_velocity": vector(rng, 3)}}
    others = [body["name"] for body in bodies[:-1]]
    return {"bodies": bodies, "bases": bases, "contacts": [contact("ball", others, **law(rng))], "gravity": 0.0,
            "duration": 1.5, "joints": joints, "rates": {name: rng.uniform(-2, 2) for name in joints},
            "friction_law": "stiction",
            "events": [{"name": "stops", "limit": "all", "do": [{"bounce": {"restitution": rng.choice([0, 0.4])}}]}]}


def tight(rng):
    """A cylinder, to be run at tight tolerances."""
    body = cylinder("b", 1, rng.uniform(0.05, 0.15), rng.uniform(0.05, 0.4))
    base = {"at": [0, 0, rng.uniform(0.25, 0.4)], "rpy": vector(rng, 3), "velocity": vector(rng, 1),
            "angular_velocity": vector(rng, 6)}
    return {"bodies": [body], "bases": {"b": base}, "contacts": [contact("b", friction=rng.uniform(0, 0.7))], "gravity": 9.81,
            "duration": 1.5}


KINDS = {"one": one, "ground": ground, "pair": pair, "pile": pile, "robot": robot, "tight": tight}


def make(kind, seed):
    """The parts of scene number `seed` of a kind."""
    return KINDS[kind](random.Random(f"{kind} {seed}"))


def written(kind, seed, method, orbit=None, step=1e-3):
    """The same as a scenario."""
    parts = make(kind, seed)
    bases = moved(parts["bases"], orbit) if orbit else parts["bases"]
    whole = scene(f"{kind}{seed}{method}{'far' if orbit else ''}", parts["bodies"], bases, parts["contacts"], method,
                  parts["duration"], None if method == "dopri5" else step, gravity=parts["gravity"])
    if kind in ("one", "ground", "pile", "robot", "pair") and method == "dopri5":
        whole["integrator"] = {"method": "dopri5", "rtol": 1e-9, "atol": 1e-11}
    for key in ("joints", "rates"):
        if key in parts:
            whole["start"][key] = parts[key]
    for key in ("events", "friction_law", "surfaces"):
        if key in parts:
            whole[key] = parts[key]
    return whole


# ---- what must hold ----

NUDGE = 1e-8  # of the start, to see how sensitive a scene is [m/s]
MOST_SENSITIVE = 1e4  # beyond, times the nudge
ALLOWED = {"rk4": 5e-5, "moreau": 0.02}  # of the positions, times the sensitivity [m]
FAR = {"dopri5": 2e-6, "rk4": 1e-5, "moreau": 1e-4}  # rounding of 1000 steps at 7000 km; moreau may see an impact a step later [m]
SAME = 5e-3  # motions that are nearer than this have the same impacts [m]
ADVICE = ("use ", "take ", "shorten", "release", "give")


def nudged(content):
    """The same scene with another start, by next to nothing."""
    bases = {name: dict(base, velocity=[v + NUDGE for v in base["velocity"]]) for name, base in content["start"]["bases"].items()}
    start = dict(content["start"], bases=bases)
    return dict(content, name=content["name"] + "nudged", start=start)


def apart(runs, names, origin):
    """How far the bodies of two runs are apart at the end, relative to one of them where there is an origin."""
    def places(run):
        zero = run.vector(f"p.{origin}") if origin else [0, 0, 0]
        return [[x - z for x, z in zip(run.vector(f"p.{name}"), zero)] for name in names]

    return max(math.dist(p, q) for p, q in zip(places(runs[0]), places(runs[1])))


def run_or_reason(bench, content, what):
    """The run, or None where it ended early and said why."""
    path = bench.command.write(content)
    folder = os.path.join(bench.command.folder, content["name"] + ".run")
    bench.what = f"{bench.where} {what}"
    done = bench.command.call("run", "--quiet", "--force", "-o", folder, path)
    if done.returncode == 0:
        return bench.command.read(folder), done.stderr
    bench.true("a run that ends early says what to do", done.returncode == 1 and any(word in done.stderr for word in ADVICE),
               done.stderr.strip()[:300])
    bench.early.append(bench.what)
    return None, done.stderr


def check_run(bench, run, said, elastic):
    """What holds of every run by itself."""
    energy = run.summary["energy"]
    off = energy["worst_relative"]
    bench.true("a ledger that does not close is announced", off < 1e-3 or "ledger" in said or "trust" in said, f"off by {off:.1e}")
    if not elastic:
        gained = energy["normal"] + energy["friction"]
        bench.true("contacts without restitution take energy", gained <= 1e-6 * max(1, energy["peak_kinetic"]), f"{gained:.3e} J")


ROWS = ("work", "external", "impacts", "normal", "friction", "projection", "loops", "residual")
DEEPEST = {"dopri5": 1e-6, "rk4": 1e-6}  # of closed points [m]


def check_ground(bench, run, method):
    """What holds on rough ground: no sample is farther from the last than its speed explains, nothing sinks in, the rows add up."""
    times, most, energy = run.columns["t"], 0.0, run.summary["energy"]
    hits = run.times("contact.c.hits")
    for k in range(3):
        x, v = run.columns[f"q.b.{k}"], run.columns[f"v.b.{k}"]
        for i in range(1, len(times)):
            if any(times[i - 1] <= t <= times[i] for t in hits):  # velocities jumped in between
                continue
            dt = times[i] - times[i - 1]
            most = max(most, abs(x[i] - x[i - 1]) - max(abs(v[i]), abs(v[i - 1])) * dt - 20 * dt * dt)
    bench.true("no sample jumps", most < 1e-5, f"{most:.1e} m")
    deepest = -min(run.columns["contact.c.gap"])
    bench.true("nothing is in the ground", deepest < DEEPEST.get(method, math.inf), f"{deepest:.1e} m")
    left = energy["end"] - energy["start"] - sum(energy.get(row, 0) for row in ROWS) + energy["dissipated"]
    bench.true("the rows add up", abs(left) < 1e-8 * max(1, energy["peak_kinetic"]), f"{left:.1e} J")


def hits_of(run):
    """The impacts of all contacts."""
    return sum(1 for _, name in run.events if name.endswith(".hits"))


def check_scene(bench, kind, seed):
    """One scene, by all methods."""
    bench.begin(f"{kind} {seed}")
    parts = make(kind, seed)
    names, elastic = [body["name"] for body in parts["bodies"]], any(c.get("restitution", 0) > 0 for c in parts["contacts"])
    runs = {}
    for method in ("dopri5", "rk4", "moreau"):
        run, said = run_or_reason(bench, written(kind, seed, method), method)
        if run:
            runs[method] = run
            check_run(bench, run, said, elastic)
            if kind == "ground" and method != "moreau":
                check_ground(bench, run, method)
    if "dopri5" not in runs:
        return
    other, _ = run_or_reason(bench, nudged(written(kind, seed, "dopri5")), "nudged")
    if not other:
        return
    sensitivity = max(1, apart((runs["dopri5"], other), names, None) / NUDGE)
    if sensitivity > MOST_SENSITIVE:
        bench.sensitive.append(f"{kind} {seed}")
        return
    bench.compared += 1
    for method in ("rk4", "moreau"):
        if method in runs:
            check_order(bench, kind, seed, method, runs, sensitivity)
    # A disc that falls flat runs around its rim faster than steps of 1 ms follow: there impacts are those of another motion.
    if not elastic and "moreau" in runs and apart((runs["moreau"], runs["dopri5"]), names, None) < SAME:
        bench.what = bench.where
        bench.true("moreau logs no more impacts", hits_of(runs["moreau"]) <= 3 * hits_of(runs["dopri5"]) + 3,
                   f"{hits_of(runs['moreau'])}, and dopri5 {hits_of(runs['dopri5'])}")
    if kind == "pair":
        check_far(bench, seed, runs, names, sensitivity)


def check_order(bench, kind, seed, method, runs, sensitivity):
    """A run is near that by dopri5, or a shorter step brings it as much nearer as a method of first order can."""
    names = [body["name"] for body in make(kind, seed)["bodies"]]
    bench.what = f"{bench.where} {method}, sensitivity {sensitivity:.1g}"
    far = apart((runs[method], runs["dopri5"]), names, None)
    if far > ALLOWED[method] * sensitivity:
        step = 1e-4 if kind == "ground" else 2.5e-4  # over edges longer ones may take another way
        run, _ = run_or_reason(bench, dict(written(kind, seed, method, None, step), name=f"{kind}{seed}{method}short"), method)
        nearer = apart((run, runs["dopri5"]), names, None) if run else 0
        bench.true("a shorter step is nearer to dopri5", nearer < 0.5 * far, f"{far:.2e} m, then {nearer:.2e} m")
    else:
        bench.near("distance from dopri5 [m]", far, 0, ALLOWED[method] * sensitivity)


def check_far(bench, seed, runs, names, sensitivity):
    """The same in orbit, at 7.5 km/s."""
    for method, near in runs.items():
        run, _ = run_or_reason(bench, written("pair", seed, method, ORBIT), f"{method} in orbit")
        if run:
            bench.near("distance from the same near the origin [m]", apart((run, near), names, names[0]), 0, FAR[method] * sensitivity)


# Each failed once: hits of lasting contact, edges without friction, faces and lines that lean, boxes that pass each other's edges,
# orbits, a lift-off in the rounding of its force.
SAMPLE = [("one", 205), ("one", 304), ("ground", 1), ("ground", 2), ("pair", 101), ("pair", 105), ("pair", 111), ("pair", 307), ("robot", 302), ("tight", 3)]


def main():
    """The exit code."""
    given = sys.argv[4:]
    count, seed = int(given[0]) if given else 0, int(given[1]) if len(given) > 1 else 0
    scenes = [(kind, seed + i) for kind in given[2:3] or KINDS for i in range(count)] if given else SAMPLE
    bench = Bench(Command(sys.argv[1], sys.argv[3]))
    bench.early, bench.sensitive, bench.compared = [], [], 0
    for kind, number in scenes:
        bench.attempt(check_scene, kind, number)
    for what, which in (("ended early, with their reason", bench.early), ("too sensitive to compare", bench.sensitive)):
        if which:
            print(f"{len(which)} {what}: {', '.join(which)}")
    print(f"{bench.compared} scenes compared")
    return bench.report("contact_random")


if __name__ == "__main__":
    sys.exit(main())
