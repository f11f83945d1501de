"""contact_events.py -- instants at which contacts change: what is logged there, and what is kept.

  contact_events.py FREEBODY DATA FOLDER      makes its files in FOLDER
"""
import itertools
import json
import math
import os
import random
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


def opens_as_a_corner_leaves_a_rim(bench, data, method):
    """A box slides off a turntable: its normal turns from that of the box to that of the side as its corner passes. The velocity
    must not be made to fit the side."""
    run = bench.run(dict(read(bench, data, "corner_off_rim"), integrator=method))
    bench.equal("events", [name for _, name in run.events], ["contact.k.slips", "contact.k.opens"])
    for k in range(2):
        bench.near(f"horizontal rate {k}", run.value(f"v.b.{k}"), run.value(f"v.b.{k}", 0), 1e-4)
    bench.near("energy of projections", run.value("ledger.projection"), 0, 1e-9)


def slides_off_an_edge(bench, method):
    """A ball slides off a table, however long the steps are: stages of a step beyond the edge are no impact, and give no rebound."""
    table = {"name": "ground", "kind": "box", "size": [1, 1, 0.2], "at": [0, 0, -0.1]}
    start = {"b": {"at": [0.1234, 0, 0.1], "velocity": [1, 0, 0]}}
    run = bench.run(bench.scene([ball("b", 1, 0.1)], start, [contact("b", restitution=0.9)], method, 0.7, 0.01, gravity=9.81,
                                surfaces=[table]))
    bench.equal("events", [name for _, name in run.events], ["contact.c.slips", "contact.c.opens"])
    fall = 0.7 - (0.5 - 0.1234)
    bench.near("vertical rate", run.value("v.b.2"), -9.81 * fall, 1e-6)
    bench.near("height", run.value("p.b.z"), 0.1 - 9.81 * fall**2 / 2, 1e-6)


def rolls_on_from_rim_to_rim(bench, data, method):
    """A cylinder rolls over the rim of another: as the two rims meet the place of the contact is theirs, and nothing collides."""
    run = bench.run(dict(read(bench, data, "rim_on_rim"), integrator=method))
    bench.equal("one impact", [name for _, name in run.events], ["contact.k.hits", "contact.k.slips"])


def logs_no_impact_of_rounding(bench):
    """A trolley carries a box, which slides over the ground, to its stop: the contact has no part in that impact."""
    trolley, box = (contact_rig.box(name, 1, [0.2, 0.2, 0.2]) for name in "tb")
    trolley.update(joint={"name": "x", "type": "prismatic", "axis": [1, 0, 0], "at": [0, 0, 0.1], "limits": [-1, 0.5]},
                   frames=[{"name": "h", "at": [0.3, 0, 0]}])
    join = {"name": "j", "at": 0.01, "do": [{"join": {"name": "J", "frame": "b", "to": "h", "type": "weld", "force": True}}]}
    scene = bench.scene([trolley, box], {}, [contact("b", friction=0.3)], "dopri5", 0.5, gravity=9.81, limits="contact",
                        start={"bases": {"b": {"at": [0.3, 0, 0.1]}}, "rates": {"x": 3}}, events=[join])
    run = bench.run(scene)
    bench.equal("impacts", run.times("contact.c.hits"), [])
    bench.equal("of the stop", len(run.times("limits.x.upper")), 1)


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


def holds_a_tip_that_only_its_hinge_moves(bench):
    """Normal and friction work on the same single motion: of the forces that hold it the least are not in the cone, others are."""
    link = {"name": "l", "mass": 1, "com": [0.15, 0, 0], "inertia": [1e-3, 8e-3, 8e-3, 0, 0, 0],
            "joint": {"name": "j", "type": "revolute", "axis": [0, 1, 0], "at": [0, 0, 0.3]},
            "shapes": [{"kind": "sphere", "radius": 0.04, "at": [0.35, 0, 0]}]}
    run = bench.run(bench.scene([link], {}, [contact("l", friction=0.5)], "dopri5", 1, gravity=9.81))
    bench.equal("it holds", run.value("contact.c.state"), 2)
    normal, friction = run.value("contact.c.force.z"), run.value("contact.c.force.x")
    bench.true("in its cone", abs(friction) <= 0.5 * normal * (1 + 1e-9), f"{friction} of {normal}")
    reach = math.cos(math.asin(0.26 / 0.35))
    bench.near("moment", 0.35 * reach * normal + 0.3 * friction, 9.81 * 0.15 * reach, 1e-6)
    bench.true("in few steps", run.summary["steps"] < 300, run.summary["steps"])


def arm(seed):
    """Three or four links, each with stops and a ball at its tip, in free fall over a floor."""
    draw = random.Random(seed)
    bodies, contacts, start, previous = [], [], {}, 0
    for i in range(draw.choice([3, 4])):
        length, mass, q = draw.uniform(0.3, 0.6), draw.uniform(0.5, 2), draw.uniform(-1, 1) if i else draw.uniform(-0.8, 0.3)
        limits = [q - draw.uniform(0.05, 0.8), q + draw.uniform(0.05, 0.8)]
        joint = {"name": f"j{i}", "type": "revolute", "axis": [0, 1, 0], "limits": limits,
                 "at": [previous, 0, 0 if i else draw.uniform(0.2, 0.5)]}
        across = mass * length**2 / 12
        bodies.append({"name": f"l{i}", "mass": mass, "com": [length / 2, 0, 0], "joint": joint,
                       "inertia": [1e-3 * mass, across, across, 0, 0, 0],
                       "shapes": [{"kind": "sphere", "radius": 0.04, "at": [length, 0, 0]}]} | ({"parent": f"l{i - 1}"} if i else {}))
        contacts.append(contact(f"l{i}", name=f"c{i}", friction=draw.choice([0, 0.5]), restitution=draw.choice([0, 0.4])))
        start[f"j{i}"], previous = q, length
    return bodies, contacts, start


def settles_stops_and_points_together(bench, seed):
    """Which stops hold a joint depends on the points that touch, and the other way round: all methods find the same."""
    bodies, contacts, start = arm(seed)
    ends = []
    for method, step in (("dopri5", None), ("rk4", 1e-3)):
        scene = bench.scene(bodies, {}, contacts, method, 1, step, gravity=9.81, start={"joints": start},
                            events=[{"name": "stops", "limit": "all", "do": [{"bounce": {"restitution": 0.4}}]}])
        run = bench.run(scene, method)
        ends.append([run.value(f"p.{body['name']}.{axis}") for body in bodies for axis in "xz"])
        bench.true("by few events", run.summary["steps"] < 3000, run.summary["steps"])
        bench.equal("without moreau", run.summary.get("warning", ""), "")
    for a, b in zip(*ends):
        bench.near("place", a, b, 1e-6)


# ---- a light body between two others, thrown to and fro in ever shorter hops ----


def between(bench, masses, speed, how, method, *, gap=0.01, size=1.0, gravity=0.0, stop=False):
    """A heavy ball falls on a light one just above the ground, or on a slider just above its stop; `size` scales lengths."""
    light, heavy = (ball(name, mass, 0.1 * size) for name, mass in zip("lh", masses))
    bases = {"h": {"at": [0, 0, (0.3 + 5 * gap) * size], "velocity": [0, 0, -speed * size]}}
    contacts, more = [contact("h", "l", "d", **how)], {}
    if stop:
        low = 0.1 * size
        light["joint"] = {"name": "jl", "type": "prismatic", "axis": [0, 0, 1], "limits": [low, low + size]}
        more = {"events": [{"name": "stop", "limit": "all", "do": [{"bounce": {"restitution": how["restitution"]}}]}],
                "start": {"bases": bases, "joints": {"jl": low + gap * size}}}
    else:
        bases["l"] = {"at": [0, 0, (0.1 + gap) * size]}
        contacts.append(contact("l", **how))
    scene = bench.scene([light, heavy], bases, contacts, method, min(0.2, 20 * gap),
                        {"rk4": 1e-3, "moreau": 1e-4}.get(method),
                        gravity=gravity * size, **more)
    run = bench.run(scene, f"{how} {method} gap {gap} size {size}")
    return run, [v / size for v in run.columns["v.h.2"]]


def collapses_without_a_rebound(bench, stop):
    """Hops shrink without end long before the heavy one is slow: by single impacts nothing of its speed is left in the limit, and
    an impact of all that touches must not throw it back."""
    for masses, speed, e in (((0.2, 5), 3, 0.4), ((0.05, 5), 3, 0.5), ((0.2, 5), 30, 0.4)):
        cases = [("newton", "dopri5", 1), ("poisson", "dopri5", 1), ("newton", "rk4", 1), ("newton", "dopri5", 1024)]
        for law, method, size in cases + [("newton", "moreau", 1), ("poisson", "moreau", 1)] * stop:
            how = {"restitution": e, "restitution_law": law}
            _, speeds = between(bench, masses, speed, how, method, size=size, gravity=9.81, stop=stop)
            bench.near("rebound", max(speeds), 0, 1e-3)


def separates_by_single_impacts(bench, stop):
    """Where hops do end, what comes of it does not depend on the gap that they begin with."""
    light, heavy, e = 1e-4, 1, 0.985
    a, b = 0.0, -1.0
    while a > b or a < 0:
        impulse = (1 + e) * (a - b) * light * heavy / (light + heavy) if a > b else 0
        a, b = (a - impulse / light, b + impulse / heavy) if a > b else (-e * a, b)
    for gap in (1e-2, 1e-5, 1e-7):
        run, speeds = between(bench, (light, heavy), 1, {"restitution": e}, "dopri5", gap=gap, stop=stop)
        bench.near("the heavy one", speeds[-1], b, 1e-9)
        bench.near("the light one", run.value("v.jl" if stop else "v.l.2"), a, 1e-7)


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    data = sys.argv[2]
    for method in ({"method": "dopri5"}, {"method": "rk4", "step": 1e-3}):
        bench.begin(f"lift_off_{method['method']}")
        bench.attempt(keeps_angular_momentum, data, method)
    for method in ({"method": "dopri5"}, {"method": "rk4", "step": 1e-4}, {"method": "dopri5", "rtol": 1e-10, "atol": 1e-13}):
        bench.begin(f"rims_{method['method']}_{len(method)}")
        bench.attempt(opens_as_a_corner_leaves_a_rim, data, method)
        bench.attempt(rolls_on_from_rim_to_rim, data, method)
    for method in ("rk4", "rkmk4"):
        bench.begin(f"edge_{method}")
        bench.attempt(slides_off_an_edge, method)
    for law in ("newton", "poisson"):
        bench.begin(f"rebound_{law}")
        bench.attempt(logs_rebounds_as_hits, law)
    bench.begin("stop")
    bench.attempt(logs_no_impact_of_rounding)
    bench.begin("linkage")
    bench.attempt(passes_impulses_on_through_loops)
    bench.begin("jam")
    bench.attempt(passes_over_a_jam, data)
    bench.begin("hinge")
    bench.attempt(holds_a_tip_that_only_its_hinge_moves)
    for seed in (2, 5, 17, 23, 51, 53):
        bench.begin(f"arm_{seed}")
        bench.attempt(settles_stops_and_points_together, seed)
    for stop in (False, True):
        bench.begin("on_a_stop" if stop else "on_the_ground")
        bench.attempt(collapses_without_a_rebound, stop)
        bench.attempt(separates_by_single_impacts, stop)
    return bench.report("contact_events")


if __name__ == "__main__":
    sys.exit(main())
