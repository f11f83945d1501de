"""contact_impacts.py -- the benchmarks of impacts; see contact_friction.py.

Where a case is planar, its y is the world's z, and its rotation is about -y.
"""
import itertools
import math

from contact_friction import TIGHT, loose, step_of
from contact_rig import ball, contact, lump


def bouncing_ball(bench, case, method):
    """Until long after the last impact."""
    e, g, end = case["e"], case["g"], case["t_accumulation"]
    radius, duration, count = 0.1, 1.1 * end, 4000
    scene = bench.scene([ball("ball", 2, radius)], {"ball": {"at": [0, 0, case["h0"] + radius]}},
                        [contact("ball", restitution=e)], method, duration, step_of(method, duration, count),
                        samples=1000, gravity=g)
    run = bench.run(scene)
    # Steps find an impact up to one and a half of them late, and every bounce begins there.
    late = 2 * len(case["impact_times"]) * duration / count if method == "moreau" else TIGHT * end
    hits = run.times("contact.c.hits")
    for k, t in enumerate(case["impact_times"]):
        bench.near(f"impact {k}", hits[k], t, late)
    for k, (t, next_t) in enumerate(itertools.pairwise(case["impact_times"])):
        middle = run.columns["t"][run.index((t + next_t) / 2)]
        speed, height = run.value("v.ball.2", middle), run.value("p.ball.z", middle) - radius
        bench.near(f"speed {k}", speed + g * (middle - t), case["rebound_speeds"][k], g * late)
        apex = height + speed**2 / (2 * g)
        bench.near(f"apex {k}", apex, case["apex_heights"][k], case["rebound_speeds"][k] * late)
        bench.near(f"impulse {k}", run.value("contact.c.impulse.z", middle),
                   2 * (1 + 1 / e) * case["rebound_speeds"][k], 4 * g * late)
    # Impacts slower than 1e-6 m/s do not bounce: what is cut off of the series is shorter than this.
    bench.near("rest", hits[-1], end, 5 * late + 2e-6 / (g * (1 - e)))
    bench.near("height", run.value("p.ball.z"), radius, 1e-8)
    bench.near("weight", run.value("contact.c.normal"), 2 * g, TIGHT)


def thrown(bench, case, method, body, base, contacts, **more):
    """A body that touches from the start, hits at once and flies freely: what it has at the end it had after the impact."""
    name = body["name"]
    run = bench.run(bench.scene([body], {name: base}, contacts, method, 0.01, None if method == "dopri5" else 1e-3,
                                samples=1, **more))
    return run, [run.value(f"v.{name}.{k}") for k in range(6)], run.vector("contact.c.impulse")


def spinning_ball_impact(bench, case, method):
    R = case["R"]
    base = {"at": [0, 0, R], "velocity": [case["vt"], 0, case["vn"]], "angular_velocity": [0, case["omega0"], 0]}
    for law in ("newton", "poisson"):
        how = {"friction": case["mu"], "restitution": case["e"], "restitution_law": law}
        run, v, impulse = thrown(bench, case, method, ball("ball", case["m"], R, case["k"]), base, [contact("ball", **how)])
        bench.what += " " + law
        bench.near("normal impulse", impulse[2], case["P_N"], TIGHT)
        bench.near("tangential impulse", impulse[0], case["P_T"], TIGHT)
        bench.near("normal speed", v[2], case["vn_plus"], TIGHT)
        bench.near("tangential speed", v[0], case["vt_plus"], TIGHT)
        bench.near("spin", v[4], case["omega_plus"], TIGHT)
        bench.true("friction takes energy", run.value("contact.c.friction_work") <= 0)
        bench.equal("gains", run.value("solver.gains"), 0)


def lander_leg_impact_frictionless(bench, case, method):
    (x, y), e = case["r"], case["e"]
    body = lump("lander", case["m"], case["I"], [[x, 0, y]])
    base = {"at": [0, 0, -y], "velocity": [0, 0, case["vn"]]}
    for law in ("newton", "poisson"):
        contacts = [contact("lander_p1", restitution=e, restitution_law=law)]
        _, v, impulse = thrown(bench, case, method, body, base, contacts)
        bench.near("impulse", impulse[2], case["P_N"], TIGHT)
        bench.near("speed", v[2], case["vy_plus"], TIGHT)
        bench.near("spin", -v[4], case["omega_plus"], TIGHT)
        bench.near("leg's normal speed", v[2] - v[4] * x, case["contact_vn_plus"], TIGHT)
        bench.near("leg's tangential speed", v[0] + v[4] * y, case["contact_vt_plus"], TIGHT)


# ---- several bodies ----


def row(bench, method, masses, speeds, gap, e, law, duration=0.05):
    """Balls in a row along x, `gap` between them; their speeds at the end, and the run."""
    bodies = [ball(f"b{i}", m, 0.05) for i, m in enumerate(masses)]
    bases = {f"b{i}": {"at": [i * (0.1 + gap), 0, 0], "velocity": [v, 0, 0]} for i, v in enumerate(speeds)}
    how = {"restitution": e, "restitution_law": law}
    contacts = [contact(f"b{i}", f"b{i + 1}", f"c{i}", **how) for i in range(len(masses) - 1)]
    step = None if method == "dopri5" else 1e-3
    run = bench.run(bench.scene(bodies, bases, contacts, method, duration, step, samples=1), f"{law} gap {gap}")
    return [run.value(f"v.b{i}.0") for i in range(len(masses))], run


def newton_cradle(bench, case, method):
    n, e = case["n"], case["e"]
    speeds = [case["v0"]] + [0] * (n - 1)
    found, run = row(bench, method, [1] * n, speeds, 0, e, "newton")
    for i, v in enumerate(case["simultaneous_newton_lcp"]):
        bench.near(f"ball {i}", found[i], v, TIGHT)
    for i, impulse in enumerate(case["simultaneous_impulses"]):
        bench.near(f"impulse {i}", run.value(f"contact.c{i}.impulse.x"), -impulse, TIGHT)
    if method == "moreau" or not case["sequential_gapped"]:
        return
    for law in ("newton", "poisson"):
        found, _ = row(bench, method, [1] * n, speeds, 1e-6, e, law)
        for i, v in enumerate(case["sequential_gapped"]):
            bench.near(f"ball {i}", found[i], v, TIGHT)


def two_body_collision_mass_ratio(bench, case, method):
    right = case["note"] == "body 1 on the right"
    first, second = (2, 1) if right else (1, 2)
    for law in ("newton", "poisson"):
        found, run = row(bench, method, [case[f"m{first}"], case[f"m{second}"]], [case[f"v{first}"], case[f"v{second}"]],
                         1e-4, case["e"], law)
        bench.near("body 1", found[1 if right else 0], case["v1_plus"], TIGHT)
        bench.near("body 2", found[0 if right else 1], case["v2_plus"], TIGHT)
        bench.near("impulse", abs(run.value("contact.c0.impulse.x")), case["impulse"], TIGHT)
        bench.near("energy", run.value("ledger.normal"), -case["energy_loss"], TIGHT)


# ---- wheels ----


def wheel_step_impact(bench, case, method):
    """A wheel rolls over the ground against the edge of a step: a box, or a point."""
    R, k, h, spin = 0.5, case["k"], case["h_over_R"] * 0.5, 2.0
    reach = math.sqrt(R**2 - (R - h) ** 2)
    lying = {"kind": "cylinder", "radius": R, "length": 0.1, "rpy": [math.pi / 2, 0, 0]}
    step = {"name": "step", "kind": "box", "size": [1, 2, 1], "at": [0.5, 0, h - 0.5]}
    edge = {"name": "post", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "joint": {"type": "fixed"},
            "frames": [{"name": "edge", "at": [0, 0, h]}]}
    surfaces = [{"name": "ground", "kind": "plane"}, step]
    for shape, other in ((None, "edge"), (None, "step"), (lying, "step")):
        for start in (reach, reach + 0.01):
            base = {"at": [-start, 0, R], "velocity": [R * spin, 0, 0], "angular_velocity": [0, spin, 0]}
            contacts = [contact("wheel", friction=10), contact("wheel", other, "hit", friction=10)]
            run = bench.run(bench.scene([edge, ball("wheel", 1, R, k, shape)], {"wheel": base}, contacts, method, 0.02,
                                        None if method == "dopri5" else 1e-4, samples=200, surfaces=surfaces,
                                        gravity=9.81), f"{other} {'cylinder' if shape else 'sphere'} from {start:.3f}")
            # Energy about the edge gives the spin just after the impact.
            g, z, w = 9.81, run.value("p.wheel.z"), run.value("v.wheel.4")
            after = math.sqrt(w**2 + 2 * g * (z - R) / ((1 + k) * R**2))
            near = TIGHT if method != "moreau" else 2e-3
            bench.near("spin", after / spin, case["ratio"], near)
            bench.equal("the ground is left", run.value("contact.c.state"), 0)


def rimless_wheel_impact(bench, case, method):
    """It stands on one spoke and falls onto the next; energies give the spin just before and after."""
    m, l, I, half = case["m"], case["l"], case["I"] or 1e-7, math.radians(case["half_angle_deg"])
    g, spin, lead = 9.81, 1.0, 0.01
    feet = [[-l * math.sin(half), 0, -l * math.cos(half)], [l * math.sin(half), 0, -l * math.cos(half)]]
    # Turned back by `lead` about the first foot.
    c, s = math.cos(lead), math.sin(lead)
    hub = [s * feet[0][2] - c * feet[0][0], 0, -s * feet[0][0] - c * feet[0][2]]
    base = {"at": hub, "rpy": [0, -lead, 0], "angular_velocity": [0, spin, 0], "velocity": [spin * hub[2], 0, -spin * hub[0]]}
    contacts = [contact("wheel_p1", name="old", friction=10), contact("wheel_p2", name="new", friction=10)]
    run = bench.run(bench.scene([lump("wheel", m, I, feet)], {"wheel": base}, contacts, method, 0.03,
                                None if method == "dopri5" else 1e-5 if method == "moreau" else 1e-3, samples=30, gravity=g))
    rim, low = I + m * l**2, l * math.cos(half)
    before = math.sqrt(spin**2 + 2 * m * g * (hub[2] - low) / rim)
    after = math.sqrt(run.value("v.wheel.4") ** 2 + 2 * m * g * (run.value("p.wheel.z") - low) / rim)
    near = 1e-7 if method != "moreau" else 1e-3
    bench.near("spin", after / before, case["ratio"], near)
    bench.equal("the new foot sticks", run.value("contact.new.state"), 2)
    bench.equal("the old one is left", run.value("contact.old.state"), 0)


# ---- Painleve ----


def painleve_rod(bench, case, method):
    """Sliding to the left with the upper end to the right; compared is what the first instant, or step, has."""
    m, l, th, spin = case["m"], case["half_length"], math.radians(case["theta_deg"]), case["theta_dot"]
    x, z = l * math.cos(th), l * math.sin(th)
    base = {"at": [x, 0, z], "velocity": [case["v_t"] - spin * z, 0, spin * x], "angular_velocity": [0, -spin, 0]}
    body = lump("rod", m, m * l**2 / 3, [[-x, 0, -z]])
    step = 1e-8
    duration = step if method == "moreau" else 1e-6
    run = bench.run(bench.scene([body], {"rod": base}, [contact("rod_p1", friction=case["mu"])], method, duration,
                                None if method == "dopri5" else step if method == "moreau" else duration, samples=1,
                                gravity=case["g"]))
    first = math.inf if method == "moreau" else 0
    v = [run.value(f"v.rod.{k}") for k in range(6)]
    tip = [v[0] - v[4] * z, v[2] + v[4] * x]
    near = 1e-6 * (1 if method == "moreau" else 0.1)
    if case["type"].startswith("inconsistent"):
        hit = case["impact_without_collision"]
        force = [duration * run.value(f"contact.c.force.{axis}") for axis in "xz"]
        impulse = force if method == "moreau" else [run.value(f"contact.c.impulse.{axis}") for axis in "xz"]
        bench.near("normal impulse", impulse[1], hit["P_N"], near)
        bench.near("tangential impulse", impulse[0], hit["P_T"], near)
        bench.near("tangential speed", tip[0], hit["v_t_plus"], 2e-5)
        bench.near("normal speed", tip[1], hit["v_n_plus"], 2e-5)
    elif case["type"].startswith("regular"):
        bench.near("force", run.value("contact.c.normal", first), case["lambda_N"], 1e-5 * case["lambda_N"])
    else:
        normal = run.value("contact.c.normal", first)
        flight, slip = case["lambda_N_solutions"]
        jam = method == "moreau" and abs(tip[0]) < 1e-5 and abs(tip[1]) < 1e-5
        jam = jam or run.times("contact.c.hits") and abs(tip[0]) < 1e-5
        bench.true("one of the three solutions", abs(normal - flight) < 1e-9 or abs(normal - slip) < 1e-5 * slip or jam,
                   (normal, tip))


FAMILIES = {f.__name__: f for f in (bouncing_ball, spinning_ball_impact, lander_leg_impact_frictionless, newton_cradle,
                                    two_body_collision_mass_ratio, wheel_step_impact, rimless_wheel_impact, painleve_rod)}
