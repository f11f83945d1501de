"""contact_ground.py -- bodies on height fields and meshes by event-driven methods: they go on from face to face, and nothing jumps.

  contact_ground.py FREEBODY DATA FOLDER      makes its files in FOLDER

Of every run: no sample is farther from the last than its speed explains, nothing is inside the ground, and the rows of the ledger add up.
"""
import math
import os
import random
import sys

import contact_rig
from contact_rig import box, contact

GRAVITY = 9.81
ROWS = ("work", "external", "impacts", "normal", "friction", "projection", "loops", "residual")


def capsule(name, radius, length):
    """Of 1 kg along z; its inertia is that of the cylinder."""
    across = (3 * radius**2 + length**2) / 12
    shape = {"kind": "capsule", "radius": radius, "length": length}
    return {"name": name, "mass": 1, "inertia": [across, across, radius**2 / 2, 0, 0, 0], "shapes": [shape]}


def ellipsoid(name, radii):
    """Of 1 kg."""
    a, b, c = (r * r / 5 for r in radii)
    return {"name": name, "mass": 1, "inertia": [b + c, a + c, a + b, 0, 0, 0],
            "shapes": [{"kind": "ellipsoid", "radii": list(radii)}]}


def field(heights, spacing, at):
    """Ground between heights, row by row."""
    return {"name": "ground", "kind": "heightfield", "at": at, "spacing": spacing, "heights": heights}


def folded(height):
    """A valley along y, or a ridge: two planes."""
    row = [2 * height, height, 0, height, 2 * height] if height > 0 else [0, -height, -2 * height, -height, 0]
    return field([row, row], [0.5, 2], [-1, -1, 0])


def waves():
    """Hills of 5 cm."""
    return field([[0.05 * math.sin(0.7 * i) * math.cos(0.5 * j) for i in range(40)] for j in range(40)], 0.2, [-4, -4, 0])


def rough(folder):
    """A mesh of triangles between random heights, as a file."""
    rng, n, path = random.Random(5), 12, os.path.join(folder, "rough.obj")
    with open(path, "w", encoding="utf-8") as file:
        for j in range(n):
            for i in range(n):
                file.write(f"v {-1.5 + 0.27 * i} {-1.5 + 0.27 * j} {rng.uniform(0, 0.06):.4f}\n")
        for j in range(n - 1):
            for a in range(j * n + 1, j * n + n):
                file.write(f"f {a} {a + 1} {a + n + 1}\nf {a} {a + n + 1} {a + n}\n")
    return {"name": "ground", "kind": "mesh", "file": os.path.abspath(path)}


def drop(bench, body, base, ground, method, duration, **law):
    """The scene of a body that falls on the ground, with samples of all that moves."""
    scene = {"name": bench.where, "model": {"bodies": [body]}, "gravity": [0, 0, -GRAVITY], "start": {"base": base},
             "surfaces": [ground], "contacts": [contact(body["name"], **law)], "duration": duration,
             "integrator": method, "log": {"period": 0.001}}
    return bench.run(scene)


def farthest(run, body):
    """By how much a sample is farther from the last one than its speed explains [m]."""
    times, most = run.columns["t"], 0.0
    for k in range(3):
        x, v = run.columns[f"q.{body}.{k}"], run.columns[f"v.{body}.{k}"]
        for i in range(1, len(times)):
            dt = times[i] - times[i - 1]
            most = max(most, abs(x[i] - x[i - 1]) - max(abs(v[i]), abs(v[i - 1])) * dt - GRAVITY * dt * dt)
    return most


def left_over(run):
    """What the rows of the ledger lack of the end."""
    energy = run.summary["energy"]
    return energy["end"] - energy["start"] - sum(energy.get(row, 0) for row in ROWS) + energy["dissipated"]


def judge(bench, run, end):
    """end: the energy that more exact runs end with."""
    bench.near("no sample jumps", farthest(run, "b"), 0, 1e-6)
    bench.true("nothing is in the ground", min(run.columns["contact.c.gap"]) > -1e-9, min(run.columns["contact.c.gap"]))
    bench.near("the rows add up", left_over(run), 0, 1e-9)
    bench.near("energy at the end", run.summary["energy"]["end"], end, 1e-4)


def lies_in_a_valley(bench):
    """A capsule that touches both sides of a valley, at gaps of rounding; rk4 with half the step, dopri5 and moreau at 0.05 ms end here."""
    base = {"at": [0.1824137087556998, 0, 0.5], "rpy": [2.686964922356096, -2.660691793639148, -2.49076802904647],
            "angular_velocity": [1.3419955125177983, 0.9438799562740932, 0.6789216057608836]}
    run = drop(bench, capsule("b", 0.05, 0.2), base, folded(0.1), {"method": "rk4", "step": 1e-3}, 0.8, friction=0.4)
    judge(bench, run, 0.65338)
    bench.near("x", run.value("q.b.0"), 0.07336, 1e-4)


def tips_over_a_ridge(bench, method):
    """A box over the edge of a ridge."""
    base = {"at": [-0.14625430235503953, 0, 0.5], "rpy": [2.084602421623396, 1.582647713859684, -1.4695858455634698],
            "angular_velocity": [-0.018259651632236196, -0.2020357408450475, 0.6063718908910518]}
    run = drop(bench, box("b", 1, [0.2, 0.15, 0.1]), base, folded(-0.1), method, 0.8, friction=0.4)
    judge(bench, run, 1.7386)


def slides_over_a_mesh(bench):
    """A capsule without friction, over edges and from face to face."""
    base = {"at": [0.07793700406355916, -0.0821274197333096, 0.5],
            "rpy": [-0.7478538491847013, 0.9926200621201975, -1.994375459513905],
            "velocity": [0.13155647490615963, -0.015111751445662014, 0],
            "angular_velocity": [-1.0520642691983153, 1.8991236320192, -1.234312287801791]}
    run = drop(bench, capsule("b", 0.07099653382228939, 0.35253188998910523), base, rough(bench.command.folder),
               {"method": "dopri5"}, 1.2)
    judge(bench, run, 0.90871)


def rolls_over_hills(bench):
    """An ellipsoid that is pressed to the ground as it rolls: it does not open where a step ends with what drift has left."""
    base = {"at": [0.03, 0.01, 0.45], "rpy": [1.2, 0.3, 0.1], "velocity": [0.5, 0.2, 0]}
    run = drop(bench, ellipsoid("b", [0.1, 0.15, 0.25]), base, waves(), {"method": "dopri5"}, 0.3, friction=0.5)
    judge(bench, run, 2.14677)
    bench.equal("it stays closed", run.times("contact.c.opens"), [])


def tips_over_a_divided_border(bench):
    """A box slides off a height field without friction: along its border it tips about the whole edge, however many cells that has,
    and does not roll."""
    for cells in (1, 4):
        table = {"name": "ground", "kind": "heightfield", "at": [-0.5, -0.5, 0], "spacing": 1 / cells,
                 "heights": [[0] * (cells + 1)] * (cells + 1)}
        base = {"at": [0.1234, 0.013, 0.1], "velocity": [1, 0.1, 0]}
        for e in (0, 0.5):
            run = bench.run(bench.scene([box("b", 1, [0.2, 0.2, 0.2])], {"b": base}, [contact("b", restitution=e)], "moreau", 0.6,
                                        1e-3, gravity=9.81, surfaces=[table]), f"{cells} cells, e = {e}")
            for k, wanted in zip((3, 4, 5, 6), (0.962193, 0, 0.272367, 0)):  # dopri5, of one cell
                bench.near(f"attitude {k}", run.value(f"q.b.{k}"), wanted, 5e-3)


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    bench.begin("valley")
    bench.attempt(lies_in_a_valley)
    for method in ({"method": "dopri5"}, {"method": "rk4", "step": 1e-3}):
        bench.begin(f"ridge_{method['method']}")
        bench.attempt(tips_over_a_ridge, method)
    bench.begin("mesh")
    bench.attempt(slides_over_a_mesh)
    bench.begin("hills")
    bench.attempt(rolls_over_hills)
    bench.begin("border")
    bench.attempt(tips_over_a_divided_border)
    return bench.report("contact_ground")


if __name__ == "__main__":
    sys.exit(main())
