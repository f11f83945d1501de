"""contact_events.py -- instants at which contacts change: what is logged there, and what is kept.

  contact_events.py FREEBODY DATA FOLDER      makes its files in FOLDER
"""
import itertools
import json
import os
import sys

import contact_rig
from contact_rig import ball, contact


def turned(q, x):
    """x from the axes of the body with the quaternion q to those of the world."""
    w, u = q[0], q[1:]
    a = [u[(i + 1) % 3] * x[(i + 2) % 3] - u[(i + 2) % 3] * x[(i + 1) % 3] + w * x[i] for i in range(3)]
    return [x[i] + 2 * (u[(i + 1) % 3] * a[(i + 2) % 3] - u[(i + 2) % 3] * a[(i + 1) % 3]) for i in range(3)]


def angular_momentum(run, bodies, i):
    """Of free bodies about the origin of the world at sample i; their inertias are diagonal, about their own origins."""
    total = [0.0] * 3
    for body in bodies:
        x = [run.columns[f"q.{body['name']}.{k}"][i] for k in range(7)]
        v = [run.columns[f"v.{body['name']}.{k}"][i] for k in range(6)]
        own = turned([x[3]] + [-c for c in x[4:]], v[3:])
        spin = turned(x[3:], [j * w for j, w in zip(body["inertia"], own)])
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            total[k] += spin[k] + body["mass"] * (x[a] * v[b] - x[b] * v[a])
    return total


def read(bench, data, name):
    """A scene of the data, by the name of the case."""
    with open(os.path.join(data, name + ".json"), encoding="utf-8") as file:
        return dict(json.load(file), name=bench.where)


def keeps_angular_momentum(bench, data, method):
    """Three bodies that touch each other and nothing else. As the last point parts its gap jumps by 2e-6 m, and is closed."""
    scene = read(bench, data, "lift_off")
    scene["model"]["bodies"][1]["shapes"][0]["file"] = os.path.abspath(os.path.join(data, "octahedron.obj"))
    run = bench.run(dict(scene, integrator=method))
    first, *others = (angular_momentum(run, scene["model"]["bodies"], i) for i in range(len(run.columns["t"])))
    lost = max(abs(a - b) for now in others for a, b in zip(now, first))
    bench.true("points open", len(run.times("contact.c21.opens")) > 0)
    bench.near("angular momentum", lost, 0, 2e-11)


def logs_rebounds_as_hits(bench, law):
    """A ball that spins, thrown at a wall and at a floor: it rebounds, and neither sticks nor slips in between."""
    base = {"at": [0, 0, 0.3], "velocity": [0.4, 0, -2], "angular_velocity": [1, 2, 3]}
    logged = {}
    for method, step in (("moreau", 1e-3), ("dopri5", None)):
        scene = bench.scene([ball("b", 1, 0.1)], {"b": base},
                            [contact("b", friction=0.3, restitution=0.6, restitution_law=law)], method, 0.6, step,
                            gravity=9.81)
        logged[method] = [name for _, name in bench.run(scene, method).events]
    bench.equal("two impacts", logged["dopri5"], 2 * ["contact.c.hits"])
    bench.equal("the same by steps", logged["moreau"], logged["dopri5"])


def passes_over_a_jam(bench, data):
    """A light body is wedged in between two heavy ones: the normal force grows without bound until slip has ended. A few steps by
    moreau pass over that, and the run says so."""
    bodies, run = ("b0", "b1", "b2"), {}
    for method in ({"method": "dopri5", "rtol": 1e-11, "atol": 1e-13}, {"method": "moreau", "step": 2e-5}):
        scene = dict(read(bench, data, "squeezed"), duration=0.2627, integrator=method)
        run[method["method"]] = bench.run(scene, method["method"])
    bench.true("it is told", "by moreau" in run["dopri5"].summary["warning"], run["dopri5"].summary["warning"])
    for body, k in itertools.product(bodies, range(6)):
        speed, reference = (run[method].value(f"v.{body}.{k}") for method in ("dopri5", "moreau"))
        bench.near(f"rate {k} of {body}", speed, reference, 0.03)


def passes_impulses_on_through_loops(bench):
    """A four-bar linkage falls with its coupler on the ground: the pin between two trees takes part in the impact."""
    rod = {"mass": 1, "com": [0, 0, 0.5], "inertia": [0.08, 0.08, 0.001, 0, 0, 0]}
    hinge = {"type": "revolute", "axis": [0, 1, 0]}
    capsule = {"kind": "capsule", "radius": 0.05, "length": 0.9, "at": [0.5, 0, 0], "rpy": [0, 1.5707963267948966, 0]}
    bodies = [dict(rod, name="crank", joint=hinge),
              {"name": "coupler", "parent": "crank", "joint": dict(hinge, at=[0, 0, 1]), "mass": 1, "com": [0.5, 0, 0],
               "inertia": [0.001, 0.08, 0.08, 0, 0, 0], "frames": [{"name": "ce", "at": [1, 0, 0]}], "shapes": [capsule]},
              dict(rod, name="rocker", joint=dict(hinge, at=[1, 0, 0]), frames=[{"name": "re", "at": [0, 0, 1]}])]
    pin = {"name": "pin", "type": "revolute", "a": "ce", "b": "re", "axis": [0, 1, 0]}
    run = bench.run({"name": bench.where, "model": {"bodies": bodies, "loops": [pin]}, "gravity": [0, 0, -9.81],
                     "start": {"joints": {"crank": 0.4}}, "surfaces": [{"name": "ground", "kind": "plane"}],
                     "contacts": [contact("coupler")], "duration": 0.7, "integrator": {"method": "moreau", "step": 1e-3}})
    bench.equal("no warning", run.summary.get("warning", ""), "")
    bench.near("worst", run.summary["energy"]["worst_relative"], 0, 1e-4)


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    data = sys.argv[2]
    for method in ({"method": "dopri5"}, {"method": "rk4", "step": 1e-3}):
        bench.begin(f"lift_off_{method['method']}")
        bench.attempt(keeps_angular_momentum, data, method)
    for law in ("newton", "poisson"):
        bench.begin(f"rebound_{law}")
        bench.attempt(logs_rebounds_as_hits, law)
    bench.begin("linkage")
    bench.attempt(passes_impulses_on_through_loops)
    bench.begin("jam")
    bench.attempt(passes_over_a_jam, data)
    return bench.report("contact_events")


if __name__ == "__main__":
    sys.exit(main())
