"""contact_compliant.py -- random bodies dropped on compliant ground, or thrown at obstacles from afar, by every kind of method,
against tight references.

  contact_compliant.py FREEBODY DATA FOLDER [COUNT [SEED]]      makes its files in FOLDER

Scene SEED has a law, a kind of friction, a shape, a ground and stiffnesses by its number. The reference is dopri5 at a tolerance of 1e-11,
which is compared with itself at 1e-9. Of default runs, `implicit` and `dopri5` with an accuracy: they end, and are wrong by more than
ten times their accuracy only where they say so. Of rk4: a tenth of the step is nearer, unless it is near enough, or says so.
Friction takes energy. Without COUNT a sample.
"""
import math
import random
import sys

from contact_random import any_body, vector
from contact_rig import Bench, Command, contact, methods_of

LAWS = ("spring", "hunt_crossley", "hertz")
RUBBING = ("none", "regularised", "bristle")
REFERENCE = {"method": "dopri5", "rtol": 1e-11, "atol": 1e-13}
LOOSER = {"method": "dopri5", "rtol": 1e-9, "atol": 1e-11}
CHECKED = ({}, {"method": "implicit"}, {"method": "dopri5", "accuracy": 1e-6}, {"method": "implicit", "accuracy": 1e-4})
ACCURACY, PROMISED = 1e-6, 10
# Each failed once: a bristle, errors that nothing estimated, bodies that fell through the ground; others that flew through an obstacle.
SAMPLE = (8, 9, 15, 18, 5)
STEP, NEAR = 1e-4, 1e-4  # of rk4 [s]; what it may be off by [m]


def law(rng, seed, mass):
    """Of the contact: periods of 10 to 100 ms, without damping or with much of it."""
    how = {"law": LAWS[seed % 3], "stiffness": mass * 10 ** rng.uniform(3.5, 5.5)}
    if how["law"] == "spring":
        how["damping"] = 2 * rng.choice([0, 0.1, 0.4]) * math.sqrt(how["stiffness"] * mass)
    else:
        how["stiffness"] *= 10
    if how["law"] == "hunt_crossley":
        how["damping"] = rng.choice([0, 0.3, 0.8])
    rubbing = RUBBING[seed // 3 % 3]
    if rubbing != "none":
        how.update(friction=rng.uniform(0.1, 0.7), rubbing=rubbing)
    return how


def ground(rng):
    """A plane, a box or rough ground."""
    kind = rng.choice(["plane", "plane", "box", "heightfield"])
    parts = {"plane": {}, "box": {"size": [4, 4, 0.6], "at": [0, 0, -0.3]},
             "heightfield": {"at": [-1.8, -1.8, 0], "spacing": 0.4, "heights": [[rng.gauss(0, 0.05) for _ in range(10)] for _ in range(10)]}}
    return dict({"name": "ground", "kind": kind}, **parts[kind])


def obstacle(rng):
    """Something to throw at, thin or round, and the radius of a sphere about it."""
    kind, size = rng.choice(["box", "sphere", "ellipsoid"]), rng.uniform(0.1, 0.5)
    parts = {"box": ({"size": [0.05, size, size]}, size / 1.4), "sphere": ({"radius": size}, size),
             "ellipsoid": ({"radii": [0.05, size, 0.5 * size]}, size)}
    return dict({"name": "ground", "kind": kind, "rpy": vector(rng, 3)}, **parts[kind][0]), parts[kind][1]


def make_thrown(seed):
    """A body that flies past an obstacle, or at it, faster than steps of free flight are short."""
    rng = random.Random(f"thrown {seed}")
    body, radius = any_body(rng, "b")
    target, size = obstacle(rng)
    speed, way = 10 ** rng.uniform(0, 2), rng.uniform(1, 4)
    aside = rng.uniform(0, 1.1) * (radius + size)
    turn = rng.uniform(0, 2 * math.pi)
    base = {"at": [-way, aside * math.cos(turn), aside * math.sin(turn)], "rpy": vector(rng, 3), "velocity": [speed, 0, 0],
            "angular_velocity": vector(rng, 3)}
    how = law(rng, seed, body["mass"])
    how["stiffness"] *= max(1, speed ** 2)  # so that they overlap by a part of their sizes
    if how["law"] == "spring":
        how["damping"] *= max(1, speed)
    if how.get("rubbing") == "regularised":
        how["slip_speed"] = 1e-3 * speed
    duration = 2 * way / speed
    return {"model": {"freebody": 1, "bodies": [body]}, "start": {"bases": {"b": base}}, "surfaces": [target],
            "contacts": [contact("b", **how)], "duration": duration, "log": {"period": duration / 30, "signals": ["q", "v", "contact"]}}


def is_thrown(seed):
    """Every seventh."""
    return seed % 7 == 5


def make(seed):
    """A scenario without its integrator."""
    if is_thrown(seed):
        return make_thrown(seed)
    rng = random.Random(f"compliant {seed}")
    body, _ = any_body(rng, "b")
    scale = 10 ** rng.uniform(-3, 3)  # heavy and light
    body.update(mass=body["mass"] * scale, inertia=[x * scale for x in body["inertia"]])
    base = {"at": [*(0.1 * x for x in vector(rng, 1)[:2]), rng.uniform(0.4, 0.8)], "rpy": vector(rng, 3), "velocity": vector(rng, 0.6),
            "angular_velocity": vector(rng, 3)}
    return {"model": {"freebody": 1, "bodies": [body]}, "gravity": [0, 0, -9.81], "start": {"bases": {"b": base}}, "surfaces": [ground(rng)],
            "contacts": [contact("b", **law(rng, seed, body["mass"]))], "duration": 0.6, "log": {"period": 0.02, "signals": ["q", "v", "contact"]}}


def places(run):
    """Positions and attitudes, sample by sample."""
    return [run.columns[f"q.b.{k}"] for k in range(7)]


def apart(a, b):
    """The largest difference at any time [m]; of attitudes as quaternions of either sign."""
    most = max(abs(x - y) for p, q in zip(places(a)[:3], places(b)[:3]) for x, y in zip(p, q))
    for p, q in zip(zip(*places(a)[3:]), zip(*places(b)[3:])):
        most = max(most, min(math.dist(p, q), math.dist(p, [-x for x in q])))
    return most


def run_by(bench, seed, how, what):
    """The run and what was said; a run that fails is a fault."""
    content = dict(make(seed), name=f"compliant{seed}{what}")
    if how:
        content["integrator"] = how
    bench.what = f"{bench.where} {what} {how}"
    folder = f"{bench.command.folder}/{content['name']}.run"
    done = bench.command.call("run", "--quiet", "--force", "-o", folder, bench.command.write(content))
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[:300])
    run = bench.command.read(folder)
    energy = run.summary["energy"]
    bench.true("friction takes energy", energy["friction"] <= 1e-9 * energy["peak_kinetic"], f"{energy['friction']:.2e} J")
    return run, done.stderr


def check_fixed(bench, seed, reference):
    """rk4, which promises nothing but its order."""
    coarse, said = run_by(bench, seed, {"method": "rk4", "step": STEP}, "rk4")
    off = apart(coarse, reference)
    if off <= NEAR or said.strip():
        return
    fine, _ = run_by(bench, seed, {"method": "rk4", "step": STEP / 10}, "rk4short")
    nearer = apart(fine, reference)
    bench.true("a shorter step is nearer", nearer < 0.5 * off, f"{off:.2e}, then {nearer:.2e}")


def short_steps(duration):
    """The reference of a scene whose contact a long step could pass, and the looser one."""
    return tuple({"method": "dopri5", "rtol": r, "atol": r / 100, "max_step": duration / 2000} for r in (1e-9, 1e-8))


def check_scene(bench, seed):
    """All methods of a scene."""
    parts = make(seed)
    how = parts["contacts"][0]
    shape = parts["model"]["bodies"][0]["shapes"][0]["kind"]
    bench.begin(f"{seed} {how['law']} {how.get('rubbing', '')} {shape} on {parts['surfaces'][0]['kind']}")
    by, less = (REFERENCE, LOOSER) if not is_thrown(seed) else short_steps(parts["duration"])
    reference, _ = run_by(bench, seed, by, "reference")
    looser, _ = run_by(bench, seed, less, "looser")
    size = max(1, *(abs(x) for x in places(reference)[0]))  # accuracies are relative to the way
    unsure = apart(reference, looser)
    for i, method in enumerate(methods_of(seed, CHECKED)):
        run, said = run_by(bench, seed, method, f"checked{i}")
        most = PROMISED * method.get("accuracy", ACCURACY) * size
        off = apart(run, reference)
        bench.true("an error of more than ten times the accuracy is announced", off <= most + unsure or said.strip(), f"{off:.2e}")
    if not is_thrown(seed):
        check_fixed(bench, seed, reference)


def main():
    """The exit code."""
    given = sys.argv[4:]
    seed = int(given[1]) if len(given) > 1 else 0
    scenes = range(seed, seed + int(given[0])) if given else SAMPLE
    bench = Bench(Command(sys.argv[1], sys.argv[3]))
    for number in scenes:
        bench.attempt(check_scene, number)
    return bench.report("contact_compliant")


if __name__ == "__main__":
    sys.exit(main())
