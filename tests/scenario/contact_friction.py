"""contact_friction.py -- the benchmarks of sliding, sticking and rolling.

Each function takes a bench (contact_benchmarks.py), a case of benchmarks_analytic.json and a method, runs the case and
compares. `loose` is what first-order stepping may be wrong by, `tight` what is exact but for rounding and event location.
"""
import math

from contact_rig import ball, box, contact, lump

TIGHT = 1e-8


def step_of(method, duration, count=2000):
    """So many steps of time stepping, a tenth of them of fourth order; dopri5 has its own."""
    return None if method == "dopri5" else duration / (count if method == "moreau" else count / 10)


def loose(method, size, count=1000):
    """First order: a few steps' worth of `size`; event-driven methods are exact."""
    return 3 * size / count if method == "moreau" else TIGHT * max(1, size)


def tilted(angle, gravity):
    """Gravity in axes whose x points down the slope."""
    return [gravity * math.sin(angle), 0, -gravity * math.cos(angle)]


# ---- blocks ----


def block_scene(bench, case, method, shape, duration):
    """The block at rest: `box` touches with its underside, `points` with two corners, in a planar joint."""
    m, w, h = case["m"], case["width"], case["height"]
    gravity = tilted(math.radians(case["angle_deg"]), case["g"])
    how = {"friction": case["mu"]}
    step = step_of(method, duration, 200)
    if shape == "box":
        body = box("block", m, [w, 0.3, h])
        contacts = [contact("block", **how)]
        return bench.scene([body], {"block": {"at": [0, 0, h / 2]}}, contacts, method, duration, step, gravity=gravity)
    inertia = m * (w**2 + h**2) / 12
    body = lump("block", m, inertia, [[w / 2, -h / 2, 0], [-w / 2, -h / 2, 0]])
    body["joint"] = {"type": "planar", "at": [0, 0, h / 2], "rpy": [math.pi / 2, 0, 0]}
    contacts = [contact("block_p1", name="low", **how), contact("block_p2", name="up", **how)]
    return bench.scene([body], {}, contacts, method, duration, step, gravity=gravity)


def block_on_incline(bench, case, method):
    duration = 0.1
    for shape in ("box", "points"):
        run = bench.run(block_scene(bench, case, method, shape, duration), shape)
        names = ["c"] if shape == "box" else ["low", "up"]
        total = {key: sum(run.value(f"contact.{n}.{key}") for n in names) for key in ("normal", "tangential")}
        speed = run.value("v.block.0")
        if case["tips"]:
            gap = run.value("contact.c.gap" if shape == "box" else "contact.low.gap")
            turned = -run.value("v.block.4") if shape == "box" else run.value("v.block.2")
            bench.true("it tips over its lower edge", turned < -0.01 and abs(gap) < 1e-6, (turned, gap))
            if shape == "points":
                bench.true("the upper corner lifts", run.value("contact.up.gap") > 1e-4, run.value("contact.up.gap"))
            continue
        bench.near("normal force", total["normal"], case["normal_total"], TIGHT)
        bench.near("friction", total["tangential"], case["friction_total"], TIGHT)
        bench.near("speed", speed, (case["accel_if_sliding"] or 0) * duration, TIGHT)
        if shape == "points":
            bench.near("lower corner", run.value("contact.low.normal"), case["normal_lower_corner"], TIGHT)
            bench.near("upper corner", run.value("contact.up.normal"), case["normal_upper_corner"], TIGHT)
        for name in names:
            bench.equal("state", run.value(f"contact.{name}.state"), 2 if case["sticks"] else 1)


def stop(bench, case, method, body, at, gravity, angle, distance, **more):
    """A body that slides along `angle` until friction has stopped it, and stays."""
    time, v0 = 2 * case["v0"] / 2 / (case["mu"] * more.pop("acceleration")), case["v0"]
    way = [math.cos(angle), math.sin(angle)]
    base = {"at": at, "velocity": [v0 * way[0], v0 * way[1], 0]}
    name = "block" if body["shapes"] else "block_p1"
    duration = 1.5 * time
    run = bench.run(
        bench.scene([body], {"block": base}, [contact(name, friction=case["mu"])], method, duration,
                    step_of(method, duration), gravity=gravity, **more), body["shapes"] and "box" or "point")
    bench.near("stopping time", run.times("contact.c.sticks")[0], time, loose(method, time))
    for k in range(2):
        bench.near("distance", run.vector("p.block")[k], distance * way[k], loose(method, distance))
    bench.near("speed", math.hypot(run.value("v.block.0"), run.value("v.block.1")), 0, TIGHT)
    bench.near("friction at rest", run.value("contact.c.tangential"), 0, TIGHT)
    bench.equal("state", run.value("contact.c.state"), 2)
    return run


def sliding_block_stop(bench, case, method):
    m, force = case["m"], case["normal_force"]
    bodies = (box("block", m, [1, 0.5, 0.1]), lump("block", m, m, [[0, 0, 0]]))
    for body in bodies:
        at = [0, 0, 0.05] if body["shapes"] else [0, 0, 0]
        for pressed in (0, 1):
            more = {"forces": [{"name": "press", "frame": "block", "force": [0, 0, -force]}]} if pressed else {}
            run = stop(bench, case, method, body, at, 0 if pressed else force / m, 0, case["stop_distance"],
                       acceleration=force / m, **more)
            work = run.value("contact.c.friction_work")
            bench.near("work of friction", work, case["friction_work"], loose(method, abs(work)))
            bench.near("the ledger's", run.value("ledger.friction"), work, 1e-12 * abs(work))


def polyhedral_cone_stop(bench, case, method):
    """The exact cone: the same distance at any angle."""
    angle = math.radians(case["angle_deg"])
    for body, z in ((lump("block", 1, 1, [[0, 0, 0]]), 0), (box("block", 1, [0.4, 0.4, 0.1]), 0.05)):
        stop(bench, case, method, body, [0, 0, z], case["g"], angle, case["stop_distance_true_cone"],
             acceleration=case["g"])


def spring_block_coulomb(bench, case, method):
    """A spring from far away pulls the block to x = 0; samples are taken where it turns."""
    m, half, x0, far = case["m"], case["half_period"], case["x0"], 10.0
    turns = len(case["turning_points"]) - 1
    body = lump("block", m, m, [[0, 0, 0]])
    body["joint"] = {"type": "free"}
    body["frames"].append({"name": "hook", "at": [0, 0, 0]})
    anchor = {"name": "wall", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "joint": {"type": "fixed", "at": [-far, 0, 0]}}
    forces = [{"name": "spring", "type": "spring", "a": "wall", "b": "hook", "stiffness": case["k"], "length": far},
              {"name": "press", "frame": "block", "force": [0, 0, -case["normal_force"]]}]
    duration = half * (turns + 1)
    step = half / (2000 if method == "moreau" else 200)
    run = bench.run(bench.scene([anchor, body], {"block": {"at": [x0, 0, 0]}}, [contact("block_p1", friction=case["mu"])],
                                method, duration, None if method == "dopri5" else step, samples=turns + 1, forces=forces))
    for i, x in enumerate(case["turning_points"][:-1]):
        bench.near(f"turning point {i}", run.columns["p.block.x"][i], x, loose(method, x0, 2000))
    bench.near("rest", run.value("p.block.x"), case["rest_position"], loose(method, x0, 2000))
    bench.near("friction at rest", run.value("contact.c.force.x"), case["static_friction_at_rest"],
               case["k"] * loose(method, x0, 2000))
    bench.equal("state", run.value("contact.c.state"), 2)


# ---- what rolls ----


def slip_to_roll(bench, case, method):
    R, T = case["R"], case["t_roll"]
    duration = 1.5 * T
    base = {"at": [0, 0, R], "velocity": [case["v0"], 0, 0], "angular_velocity": [0, case["omega0"], 0]}
    run = bench.run(bench.scene([ball("ball", 1, R, case["k"])], {"ball": base}, [contact("ball", friction=case["mu"])],
                                method, duration, step_of(method, duration), gravity=case["g"]))
    bench.near("rolls from", run.times("contact.c.sticks")[0], T, loose(method, T))
    bench.near("speed", run.value("v.ball.0"), case["v_final"], TIGHT)
    bench.near("spin", run.value("v.ball.4"), case["omega_final"], TIGHT * max(1, case["omega_final"]))
    x = case["x_roll"] + case["v_final"] * (duration - T)
    bench.near("place", run.value("p.ball.x"), x, loose(method, abs(x)))
    energy = case["energy_ratio_per_mass"]
    bench.near("work of friction", run.value("contact.c.friction_work"), energy["E1"] - energy["E0"],
               loose(method, energy["E0"]))
    bench.equal("state", run.value("contact.c.state"), 2)


def rolling_incline(bench, case, method):
    angle, duration, R = math.radians(case["angle_deg"]), 1.0, 0.3
    run = bench.run(bench.scene([ball("ball", 1, R, case["k"])], {"ball": {"at": [0, 0, R]}},
                                [contact("ball", friction=case["mu"])], method, duration, step_of(method, duration),
                                gravity=tilted(angle, case["g"])))
    bench.near("speed", run.value("v.ball.0"), case["accel"] * duration, TIGHT)
    bench.near("spin", R * run.value("v.ball.4"), case["alpha_times_R"] * duration, TIGHT)
    bench.near("friction", run.value("contact.c.tangential"), case["friction_per_mass"], TIGHT)
    bench.equal("state", run.value("contact.c.state"), 2 if case["rolls"] else 1)


def driven_wheel(bench, case, method):
    """A sphere, and a cylinder that lies on its side."""
    m, R, duration = case["m"], case["R"], 0.5
    lying = {"kind": "cylinder", "radius": R, "length": 0.1, "rpy": [math.pi / 2, 0, 0]}
    for shape in (None, lying):
        forces = [{"name": "motor", "frame": "wheel", "torque": [0, case["torque"], 0]}]
        run = bench.run(bench.scene([ball("wheel", m, R, case["k"], shape)], {"wheel": {"at": [0, 0, R]}},
                                    [contact("wheel", friction=case["mu"])], method, duration,
                                    step_of(method, duration, 500), gravity=case["g"], forces=forces),
                        "cylinder" if shape else "sphere")
        bench.near("speed", run.value("v.wheel.0"), case["accel"] * duration, TIGHT)
        bench.near("spin", run.value("v.wheel.4"), case["ang_accel"] * duration, TIGHT * max(1, case["ang_accel"]))
        bench.near("friction", run.value("contact.c.force.x"), case["friction"], TIGHT * max(1, case["friction"]))
        bench.equal("state", run.value("contact.c.state"), 2 if case["rolls"] else 1)


def billiard_ball_3d(bench, case, method):
    R, T = case["R"], case["t_roll"]
    duration = 1.2 * T
    base = {"at": [0, 0, R], "velocity": case["v0"], "angular_velocity": case["omega0"]}
    run = bench.run(bench.scene([ball("ball", 1, R, case["k"])], {"ball": base}, [contact("ball", friction=case["mu"])],
                                method, duration, step_of(method, duration), gravity=case["g"]))
    bench.near("rolls from", run.times("contact.c.sticks")[0], T, loose(method, T))
    for k in range(3):
        v = case["v_final"][k]
        x = case["x_roll"][k] + v * (duration - T) + (R if k == 2 else 0)
        bench.near("velocity", run.value(f"v.ball.{k}"), v, TIGHT)
        bench.near("place", run.vector("p.ball")[k], x, loose(method, 1))
        bench.near("spin", run.value(f"v.ball.{3 + k}"), case["omega_at_roll"][k], 10 * TIGHT)


FAMILIES = {f.__name__: f for f in (block_on_incline, sliding_block_stop, slip_to_roll, rolling_incline, driven_wheel,
                                    spring_block_coulomb, polyhedral_cone_stop, billiard_ball_3d)}
