"""contact_speeds.py -- slips that are slow for a step, and bodies that are fast for one.

  contact_speeds.py FREEBODY DATA FOLDER      makes its files in FOLDER
"""
import itertools
import math
import sys

import contact_rig
from contact_rig import ball, box, contact

G = 9.81


def turns_into_the_pull(bench, method, step, speed):
    """A box that creeps along y and is pulled along x: friction takes the creep away, and adds none."""
    scene = bench.scene([box("b", 1, [0.4, 0.4, 0.1])], {"b": {"at": [0, 0, 0.05], "velocity": [0, speed, 0]}},
                        [contact("b", friction=0.3)], method, 0.1, step, samples=20, gravity=[5, 0, -G])
    run = bench.run(scene)
    # What is left after the first steps; fixed ones take about a step to stop it.
    across = [abs(v) for t, v in zip(run.columns["t"], run.columns["v.b.1"]) if t > 0]
    bench.true(f"no more lateral slip than there was at {speed}", max(across) <= speed, max(across))
    bench.true(f"it ends at {speed}", across[-1] < 0.02 * speed, across[-1])
    bench.near(f"speed at {speed}", run.value("v.b.0"), (5 - 0.3 * G) * 0.1, 0.5 * speed + 1e-9)


def creeps_straight(bench, beyond):
    """A box on a slope by a little beyond its friction angle: a parabola, and no reason for short steps."""
    angle, mu = math.atan(0.5), 0.5 * (1 - beyond)
    pull = G * (math.sin(angle) - mu * math.cos(angle))
    scene = bench.scene([box("b", 1, [0.3, 0.3, 0.02])], {"b": {"at": [0, 0, 0.01]}}, [contact("b", friction=mu)],
                        "dopri5", 2, gravity=[G * math.sin(angle), 0, -G * math.cos(angle)])
    scene["integrator"] = {"method": "dopri5"}
    run = bench.run(scene)
    bench.near(f"place at {beyond}", run.value("p.b.x"), pull * 2**2 / 2, 1e-9)
    bench.near(f"across at {beyond}", max(abs(y) for y in run.columns["p.b.y"]), 0, 1e-8)
    bench.true(f"few steps at {beyond}", run.summary["steps"] < 2000, run.summary["steps"])


def reverses_in_line(bench, method, step):
    """A cube on a platform that shakes along x: all reversals are found, and nothing moves along y."""
    platform = {"name": "plat", "joint": {"type": "prismatic", "axis": [1, 0, 0]}, "mass": 1,
                "inertia": [1, 1, 1, 0, 0, 0], "shapes": [{"kind": "box", "size": [4, 2, 0.1]}]}
    times = [0.1 * i for i in range(31)]
    path = {"times": times, "values": [0.1 * math.sin(4 * math.pi * t) for t in times], "shape": "cubic"}
    scene = bench.scene([platform, box("cube", 1, [0.2] * 3)], {"cube": {"at": [0, 0, 0.15]}},
                        [contact("cube", "plat", friction=0.3)], method, 2.9, step, gravity=G, surfaces=[],
                        motions=[{"joint": "plat", "path": path}])
    run = bench.run(scene)
    slips = run.times("contact.c.slips")
    found = slips[:1] + [b for a, b in zip(slips, slips[1:]) if b - a > 1e-6]  # four corners: not quite together
    bench.true("the beginning and twelve reversals", len(found) == 13, slips)
    bench.near("across", max(abs(y) for y in run.columns["p.cube.y"]), 0, 1e-8)
    bench.near("turned", max(abs(w) for w in run.columns["v.cube.5"]), 0, 1e-6)


def hits_the_plate(bench, method, step):
    """A bullet of 1 cm that moves by a metre and more in a step, and a plate of 1 cm."""
    bodies = [ball("bullet", 0.01, 0.005), box("plate", 100, [0.01, 1, 1])]
    bases = {"bullet": {"at": [-10.3, 0, 0], "velocity": [1000, 0, 0]}, "plate": {"at": [0, 0, 0]}}
    run = bench.run(bench.scene(bodies, bases, [contact("bullet", "plate", restitution=0.5)], method, 0.05, step,
                                surfaces=[]))
    plate = 1.5 * 0.01 * 1000 / 100.01
    bench.near("speed of the plate", run.value("v.plate.0"), plate, 1e-6)
    bench.near("rebound", run.value("v.bullet.0"), plate - 500, 1e-6)
    bench.near("when", run.times("contact.c.hits")[0], 0.01029, 1e-9)


def passes_by(bench, method, step):
    """The same bullet past the edge of the plate."""
    bodies = [ball("bullet", 0.01, 0.005), box("plate", 100, [0.01, 1, 1])]
    bases = {"bullet": {"at": [-10.3, 0.5051, 0], "velocity": [1000, 0, 0]}, "plate": {"at": [0, 0, 0]}}
    run = bench.run(bench.scene(bodies, bases, [contact("bullet", "plate")], method, 0.05, step, surfaces=[]))
    bench.equal("nothing is hit", run.events, [])


def warns_of_passing(bench):
    """moreau does not look in between, but names the contact; not where bodies are slow, or bounce."""
    for speed, gap, warns in ((1000, 10.3, True), (100, 10.32, True), (15, 0.1, False), (1, 0.1, False)):
        bodies = [ball("bullet", 0.01, 0.005), box("plate", 100, [0.01, 1, 1])]
        bases = {"bullet": {"at": [-gap, 0, 0], "velocity": [speed, 0, 0]}, "plate": {"at": [0, 0, 0]}}
        # Those that pass are 1 cm and more from touching at the ends and in the middle of their steps.
        scene = bench.scene(bodies, bases, [contact("bullet", "plate")], "moreau", 0.35, 0.001, surfaces=[])
        path, folder = bench.command.write(scene), bench.command.folder + "/passing.run"
        done = bench.command.call("run", "--quiet", "--force", "-o", folder, path)
        said = 'contact "c" moves by more than its thickness in a step' in done.stderr
        hits = len(contact_rig.Run(folder).times("contact.c.hits")) > 0
        bench.true(f"a warning or an impact at {speed}", (said, hits) == (warns, not warns), f"{hits}: {done.stderr}")


def warns_where_it_ends_behind(bench):
    """A ball whose centre is past a thin plate in the middle of a step is pushed out behind it: no impact, but a warning."""
    for shot in range(24):
        speed, gap = 250 + 37 * shot, 5 + 0.013 * shot
        bodies = [ball("shot", 1, 0.1), box("plate", 3, [0.3, 0.3, 0.01])]
        bases = {"shot": {"at": [0, 0.05, gap], "velocity": [0, 0, -speed]}, "plate": {"at": [0, 0, 0]}}
        scene = bench.scene(bodies, bases, [contact("shot", "plate", restitution=0.7, friction=0.4)], "moreau",
                            10 / speed, 0.001, surfaces=[])
        path, folder = bench.command.write(scene), bench.command.folder + "/behind.run"
        done = bench.command.call("run", "--quiet", "--force", "-o", folder, path)
        run = contact_rig.Run(folder)
        passed = run.value("v.shot.2") < -0.9 * speed
        said = 'contact "c" moves by more than its thickness in a step' in done.stderr
        bench.true(f"an impact, or a warning at {speed}", said or not passed, done.stderr)


def warns_behind_open_meshes(bench):
    """A ball or a point that flies through an open mesh within steps is seen: by an impact, or by a warning."""
    file = bench.command.folder + "/panel.obj"
    with open(file, "w", encoding="utf-8") as obj:
        obj.write("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n")
    panel = {"name": "panel", "kind": "mesh", "file": file}
    for shot in range(12):
        speed = (60, 400, 1500)[shot % 3]
        bodies = [ball("shot", 1e-3, 0.004)]
        bases = {"shot": {"at": [0.01, 0.02, 0.1 + 0.017 * shot], "velocity": [0, 0, -speed]}}
        scene = bench.scene(bodies, bases, [contact("shot", "panel", restitution=0.5)], "moreau", 30 / speed, 0.001,
                            surfaces=[panel])
        seen(bench, scene, f"through a panel at {speed}")


def warns_of_rotors(bench):
    """A blade that turns by more than a right angle in a step does not pass through a ball in silence."""
    for turn in (0.5, 1, 1.2, 1.571, 2, 2.5, 3.1416, 5):
        blade = box("blade", 1, [1, 0.01, 0.1])
        blade["joint"] = {"name": "blade", "type": "revolute", "axis": [0, 0, 1]}
        blade["shapes"][0]["at"] = [0.5, 0, 0]
        scene = bench.scene([blade, ball("b", 0.1, 0.01)], {"b": {"at": [0.6845, 0.37395, 0]}},
                            [contact("b", "blade", restitution=1)], "moreau", 0.1, 0.01, surfaces=[])
        scene["start"]["rates"] = {"blade": turn / 0.01}
        seen(bench, scene, f"a blade at {turn} rad a step")


def seen(bench, scene, label):
    """Runs it: contact c has an impact, or the run says that it was passed."""
    path, folder = bench.command.write(scene), bench.command.folder + "/seen.run"
    done = bench.command.call("run", "--quiet", "--force", "-o", folder, path)
    said = 'contact "c" moves by more than its thickness in a step' in done.stderr
    hits = len(contact_rig.Run(folder).times("contact.c.hits")) > 0
    bench.true(label, said or hits, done.stderr)


def warns_of_long_steps(bench):
    """moreau makes a sample of its steps in halves as well, and says when they are too long."""
    for step, warns in ((0.005, True), (0.00025, False)):
        coin = ball("coin", 1, 0.1, 0.25, {"kind": "cylinder", "radius": 0.1, "length": 0.002})
        bases = {"coin": {"at": [0, 0, 0.0924955], "rpy": [1.170796, 0, 0], "velocity": [1.0, 0, 0],
                          "angular_velocity": [0, -11, 7]}}
        scene = bench.scene([coin], bases, [contact("coin", friction=5)], "moreau", 1, step, gravity=9.81)
        path, folder = bench.command.write(scene), bench.command.folder + "/long.run"
        done = bench.command.call("run", "--quiet", "--force", "-o", folder, path)
        said = "are long for these contacts" in done.stderr
        bench.true(f"a warning at {step}", said == warns, done.stderr)


SETTLING = [  # shape, mass, height, attitude, velocity, angular velocity, gravity along x, how it touches
    ({"kind": "ellipsoid", "radii": [0.18038091766265024, 0.1850245194008607, 0.11288823802690227]}, 0.41535445369470736,
     0.5516325058535626, [-2.065723055014593, 0.8241113339104178, -2.4062858194501744],
     [0.2993206638620136, -0.6251300150996071, -1.9940079884355961],
     [-0.7231396725854324, 4.548162743135121, -4.49127580601007], -0.5634456495272193, {"friction": 0.2}),
    ({"kind": "box", "size": [0.3636632788945081, 0.33118554253740135, 0.3479064969783948]}, 33.56947962926456,
     0.5826880329552266, [-1.3903955217166426, 0.9582027314108084, -1.1908707366833169],
     [0.5298869729892022, -0.2071512101980746, -0.920579876614356],
     [-2.446147254836321, -4.853324174537885, 2.573731917578584], 0.5638309338327698,
     {"friction": 1.0, "restitution": 0.7, "restitution_law": "poisson"}),
]


def slows_to_rest(bench, shape, mass, height, rpy, velocity, spin, pull, how):
    """Slip that all but stops turns from event to event; it ends all the same, where finer steps end it."""
    body = {"name": "b", "mass": mass, "inertia": [0.01 * mass] * 3 + [0, 0, 0], "shapes": [shape]}
    base = {"at": [0, 0, height], "rpy": rpy, "velocity": velocity, "angular_velocity": spin}
    places = []
    for tolerances in ({}, {"rtol": 1e-10, "atol": 1e-12}):
        scene = bench.scene([body], {"b": base}, [contact("b", **how)], "dopri5", 3.0, gravity=[pull, 0, -G])
        scene["integrator"] = {"method": "dopri5", **tolerances}
        run = bench.run(scene)
        bench.true("it sticks", len(run.times("contact.c.sticks")) > 0)
        bench.near("depth", min(0, *run.columns["contact.c.gap"]), 0, 1e-9)
        places.append(run.vector("p.b"))
    for coarse, fine in zip(*places):
        bench.near("place", coarse, fine, 1e-6)


def begins_to_slip(bench):
    """A cylinder whirls on its rim until friction does not suffice. It slips by some m/s^3 t^2 then, and what bends its way is
    the stiffer the slower it is: thousands of short steps, each longer than those before."""
    mass = 4.992106822484128
    body = {"name": "b", "mass": mass, "inertia": [0.01 * mass] * 3 + [0, 0, 0],
            "shapes": [{"kind": "cylinder", "radius": 0.2510473489983489, "length": 0.15514925124789564}]}
    base = {"at": [0, 0, 0.6751188077145713], "rpy": [2.434063843731126, 0.09949864083211479, 1.0145282890678367],
            "velocity": [-0.8691106177170638, 0.18312302954495618, -0.15013051517602283],
            "angular_velocity": [4.222495729840594, -0.4069432417344112, 3.7752189116851014]}
    scene = bench.scene([body], {"b": base}, [contact("b", friction=1.0)], "dopri5", 1.42,
                        gravity=[-0.07935863692271994, 0, -9.81])
    scene["integrator"] = {"method": "dopri5"}
    run = bench.run(scene)
    bench.near("when it slips", run.times("contact.c.slips")[-1], 1.413399, 1e-4)
    bench.true("how fast", run.columns["contact.c.slip"][-1] > 1e-4, str(run.columns["contact.c.slip"][-1]))
    bench.near("ledger", max(run.columns["ledger.relative"]), 0, 1e-7)


TRAINS = [  # how the bodies are joined, velocity, angular velocity about z, gravity along x, friction
    ({"type": "spherical", "at": [0.3, 0.024235396929720168, 0]}, [-0.10832279054169403, 0.342263936662764, 0],
     -1.4755910156249303, -0.45, 0.6),
    ({"type": "spherical", "at": [0.3, 0.04264975653113186, 0]}, [-0.003747507748592005, 0.2202405708920231, 0],
     -1.5990585289978871, 0, 0.6),
]


def train_comes_to_rest(bench, joint, velocity, spin, pull, friction):
    """A ball and a box on a joint slide to rest one after the other. Held by the joint the ball cannot slip along the line to it:
    what rounding leaves of a slip is no beginning of one. It rolls on."""
    bodies = [ball("b0", 1.1, 0.1), dict(box("b1", 1.9, [0.25, 0.22, 0.2]), parent="b0", joint=joint)]
    base = {"at": [0, 0, 0.1], "velocity": velocity, "angular_velocity": [0, 0, spin]}
    ends = []
    for method, step in (("dopri5", None), ("rk4", 1e-3)):
        run = bench.run(bench.scene(bodies, {"b0": base}, [contact(["b0", "b1"], friction=friction)], method, 0.5, step,
                                    samples=5, gravity=[pull, 0, -G]), method)
        bench.true("few evaluations", run.summary["evaluations"] < 30000, run.summary["evaluations"])
        bench.near("ledger", max(run.columns["ledger.relative"]), 0, 1e-5)
        ends.append(run.vector("p.b0") + run.vector("p.b1"))
    for one, other in zip(*ends):
        bench.near("place", one, other, 2e-6)


def turns_as_on_springs(bench):
    """A ball and a box on a hinge slide and turn; more points touch than carry the load. They share it as equal springs do, also
    where a corner comes to rest and slips again."""
    hinge = {"type": "revolute", "at": [0.3, -0.04883453062078589, 0], "axis": [0, 0, 1]}
    bodies = [ball("b0", 1.1, 0.1), dict(box("b1", 1.9, [0.25, 0.22, 0.2]), parent="b0", joint=hinge)]
    base = {"at": [0, 0, 0.1], "velocity": [0.37949126813467116, 0.18135066440141456, 0],
            "angular_velocity": [0, 0, 1.4293695299260993]}
    turned = []
    for law in ({}, {"law": "spring", "stiffness": 1e6, "damping": 2e3, "slip_speed": 1e-3}):
        scene = bench.scene(bodies, {"b0": base}, [contact(["b0", "b1"], friction=0.2, **law)], "dopri5", 0.15,
                            samples=5, gravity=[-0.45, 0, -G], signals=["q"])
        scene["integrator"] = {"method": "dopri5", "rtol": 1e-7, "atol": 1e-9}
        turned.append(bench.run(scene, str(len(turned))).value("q.b1"))
    bench.near("turned", turned[0], turned[1], 1e-4)
    for pull, step in ((0, None), (-0.45, None), (-0.45, 1e-3)):
        method = "rk4" if step else "dopri5"
        run = bench.run(bench.scene(bodies, {"b0": base}, [contact(["b0", "b1"], friction=0.2)], method, 0.5, step,
                                    samples=5, gravity=[pull, 0, -G]), f"{method} {pull}")
        bench.true("few evaluations", run.summary["evaluations"] < 30000, run.summary["evaluations"])


def sticks_on_a_turntable(bench, method, step):
    """A cube on a table that is turned faster: near the end some corners are on their cones, and all hold until none can."""
    table = {"name": "table", "joint": {"type": "revolute", "axis": [0, 0, 1]}, "mass": 10, "inertia": [1, 1, 1, 0, 0, 0],
             "shapes": [{"kind": "box", "size": [6, 6, 0.1], "at": [0, 0, -0.05]}]}
    path = {"times": [0, 5], "values": [0, 10], "shape": "quintic"}
    scene = bench.scene([table, box("b", 1, [0.2] * 3)], {"b": {"at": [1, 0, 0.1]}},
                        [contact("b", "table", friction=0.5)], method, 1.24, step, samples=5, gravity=G, surfaces=[],
                        motions=[{"joint": "table", "path": path}])
    run = bench.run(scene)
    bench.near("when it slips", run.times("contact.c.slips")[0], 1.23977, 3e-5)
    bench.true("few evaluations", run.summary["evaluations"] < 20 * 1240, run.summary["evaluations"])


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    for beyond in (1e-7, 1e-6):
        bench.begin(f"creeps_{beyond}")
        bench.attempt(creeps_straight, beyond)
    for (method, step), speed in itertools.product(
            [("rk4", 0.01), ("rkmk4", 0.001), ("dopri5", None), ("cvode", None), ("arkode", None)],
            [1e-9, 1e-6, 1e-5, 1e-4]):
        bench.begin(f"creep_{method}_{speed:g}")
        bench.attempt(turns_into_the_pull, method, step, speed)
    for method, step in [("rk4", 0.001), ("rk4", 0.01), ("rkmk4", 0.005), ("rkmk4", 0.02), ("dopri5", None)]:
        bench.begin(f"shake_{method}_{step}")
        bench.attempt(reverses_in_line, method, step)
    for method, step in [("rk4", 0.001), ("rk4", 0.002), ("rkmk4", 0.001), ("euler", 0.001), ("dopri5", None), ("cvode", None)]:
        for what in (hits_the_plate, passes_by):
            bench.begin(f"{what.__name__}_{method}_{step}")
            bench.attempt(what, method, step)
    for i, case in enumerate(SETTLING):
        bench.begin(f"slows_to_rest_{i}")
        bench.attempt(slows_to_rest, *case)
    for i, case in enumerate(TRAINS):
        bench.begin(f"train_comes_to_rest_{i}")
        bench.attempt(train_comes_to_rest, *case)
    bench.begin("turns_as_on_springs")
    bench.attempt(turns_as_on_springs)
    for method, step in (("rk4", 1e-3), ("dopri5", None)):
        bench.begin(f"sticks_on_a_turntable_{method}")
        bench.attempt(sticks_on_a_turntable, method, step)
    bench.begin("begins_to_slip")
    bench.attempt(begins_to_slip)
    bench.begin("warns_of_passing")
    bench.attempt(warns_of_passing)
    bench.begin("warns_where_it_ends_behind")
    bench.attempt(warns_where_it_ends_behind)
    bench.begin("warns_behind_open_meshes")
    bench.attempt(warns_behind_open_meshes)
    bench.begin("warns_of_rotors")
    bench.attempt(warns_of_rotors)
    bench.begin("warns_of_long_steps")
    bench.attempt(warns_of_long_steps)
    return bench.report("contact_speeds")


if __name__ == "__main__":
    sys.exit(main())
