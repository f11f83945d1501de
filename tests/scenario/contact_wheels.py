"""contact_wheels.py -- what slides on more points than carry it, by moreau: loads are shared as equal springs share them.

  contact_wheels.py FREEBODY DATA FOLDER [COUNT [SEED]]      makes its files in FOLDER

Boxes and plates on legs that slide and turn on a plane, compared with dopri5. Rovers whose wheels touch along lines and are driven at
different speeds, and carts that roll with a turned wheel in front, compared with stiff springs under the same points. Rigid
bodies do not determine the loads; before moreau shared them, rovers drove a tenth further than on springs, by other amounts at each step, and
nothing warned. COUNT scenes of each kind, numbered from SEED.
"""
import math
import random
import sys

import contact_rig
from contact_rig import box, contact

G = 9.81


def legged(rng):
    """A plate on spheres, the load of which no plane of three determines."""
    body = box("b", rng.uniform(0.5, 5), [0.4, 0.3, 0.1])
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(4, 6)))
    body["shapes"] = [{"kind": "sphere", "radius": 0.02, "at": [0.3 * math.cos(a), 0.25 * math.sin(a), -0.08]} for a in angles]
    return body, 0.1


def slab(rng):
    """A box on its face."""
    edges = [rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.5), rng.uniform(0.02, 0.08)]
    return box("b", rng.uniform(0.5, 5), edges), edges[2] / 2


def slides(bench, number):
    """A body that slides and turns until it rests, by moreau at two steps and by dopri5."""
    rng = random.Random(number)
    body, height = rng.choice([legged, slab])(rng)
    start = {"at": [0, 0, height], "velocity": [rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), 0],
             "angular_velocity": [0, 0, rng.uniform(-8, 8)]}
    friction, found = rng.uniform(0.05, 0.4), {}
    for method, step in (("dopri5", None), ("moreau", 1e-3), ("moreau", 1e-4)):
        scene = bench.scene([body], {"b": start}, [contact("b", friction=friction)], method, 0.6, step, samples=4, gravity=G)
        run = bench.run(scene, f"{method} {step}")
        found[step] = run.vector("p.b") + [run.value("q.b.6")]
    for step, tolerance in ((1e-3, 2e-3), (1e-4, 3e-4)):
        bench.what = f"{bench.where} {step}"
        for i, name in enumerate(["x", "y", "z", "attitude"]):
            bench.near(name, found[step][i], found[None][i], tolerance)


def wheel(rng, name, parent, at):
    """A wheel on an axle along y."""
    mass, radius, width = rng.uniform(0.5, 1.5), 0.1, rng.uniform(0.02, 0.08)
    across = mass * (3 * radius**2 + width**2) / 12
    shape = {"kind": rng.choice(["cylinder", "capsule"]), "radius": radius, "length": width, "rpy": [math.pi / 2, 0, 0]}
    return {"name": name, "parent": parent, "joint": {"type": "revolute", "axis": [0, 1, 0], "at": at}, "mass": mass,
            "inertia": [across, mass * radius**2 / 2, across, 0, 0, 0], "shapes": [shape]}


def chassis():
    """Without shapes for contact."""
    return {"name": "base", "mass": 8, "inertia": [0.1, 0.2, 0.25, 0, 0, 0]}


def rover(rng):
    """Wheels at the corners, or six, those of each side at one speed."""
    along = rng.choice([[-0.25, 0.25], [-0.3, 0.0, 0.3]])
    bodies, motions = [chassis()], []
    for side, y in (("l", 0.25), ("r", -0.25)):
        end = rng.uniform(4, 20)
        for i, x in enumerate(along):
            bodies.append(wheel(rng, f"w{side}{i}", "base", [x, y, 0]))
            motions.append({"joint": f"w{side}{i}", "path": {"times": [0, 1.5], "values": [0, end]}})
    return bodies, {"motions": motions}, {"at": [0, 0, 0.1]}, {}


def cart(rng):
    """Three wheels that turn freely, that in front on a fork."""
    angle = rng.uniform(0.05, 0.3)
    fork = {"name": "fork", "parent": "base", "joint": {"type": "revolute", "axis": [0, 0, 1], "at": [0.3, 0, 0]}, "mass": 0.2,
            "inertia": [1e-3, 1e-3, 1e-3, 0, 0, 0]}
    bodies = [chassis(), wheel(rng, "wl", "base", [-0.3, 0.2, 0]), wheel(rng, "wr", "base", [-0.3, -0.2, 0]), fork,
              wheel(rng, "wf", "fork", [0, 0, 0])]
    speed = rng.uniform(0.5, 1.5)
    return (bodies, {"motions": [{"joint": "fork", "value": angle}]}, {"at": [0, 0, 0.1], "velocity": [speed, 0, 0]},
            {name: speed / 0.1 for name in ("wl", "wr", "wf")})


def rolls(bench, number):
    """A rover or a cart on wheels that touch along lines."""
    rng = random.Random(number)
    bodies, more, base, rates = rng.choice([rover, cart])(rng)
    friction, found = rng.uniform(0.3, 0.9), {}
    springs = {"law": "spring", "stiffness": 1e6, "damping": 2e3, "slip_speed": 1e-4}
    for kind, law, integrator in (("springs", springs, {"method": "dopri5", "rtol": 1e-6, "atol": 1e-8}),
                                  ("steps of 1 ms", {}, {"method": "moreau"}),
                                  ("steps of 0.2 ms", {}, {"method": "moreau", "step": 2e-4})):
        scene = bench.scene(bodies, {"base": base}, [contact("w*", friction=friction, **law)], "moreau", 1.5, samples=4, gravity=G,
                            **more)
        scene["integrator"] = integrator
        scene["start"] = {"base": base, "rates": rates}
        run = bench.run(scene, kind)
        found[kind] = run.vector("p.base") + [run.value("q.base.6")]
    for kind in ("steps of 1 ms", "steps of 0.2 ms"):
        bench.what = f"{bench.where} {kind}"
        for i, name in ((0, "x"), (1, "y"), (3, "attitude")):
            bench.near(name, found[kind][i], found["springs"][i], 2e-3)


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 6
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    for number in range(first, first + count):
        for what in (slides, rolls):
            bench.begin(f"{what.__name__}_{number}")
            bench.attempt(what, number)
    return bench.report("contact_wheels")


if __name__ == "__main__":
    sys.exit(main())
