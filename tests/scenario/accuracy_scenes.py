"""accuracy_scenes.py -- realistic scenarios with default settings: shipped ones whose integrator is left to auto, and these."""
import math
import random

G = [0, 0, -9.81]


def rod(name, parent=None, mass=1.0, length=1.0, axis=(0, 1, 0), frames=(), **joint):
    """A rod that hangs down from a hinge."""
    i = mass * length**2 / 12
    made = {"name": name, "mass": mass, "com": [0, 0, -length / 2], "inertia": [i, i, i / 50, 0, 0, 0],
            "joint": dict({"name": "j_" + name, "type": "revolute", "axis": list(axis)}, **joint)}
    if frames:
        made["frames"] = list(frames)
    if parent:
        made["parent"] = parent
        made["joint"].setdefault("at", [0, 0, -length])
    return made


def hull(mass=100.0, inertia=10.0):
    return {"name": "hull", "mass": mass, "com": [0, 0, 0], "inertia": [inertia, inertia, 1.5 * inertia, 0, 0, 0],
            "joint": {"name": "base", "type": "free"}}


def wheel(offset, parent="hull", name="wheel", axis=(1, 0, 0)):
    return {"name": name, "parent": parent, "mass": 2, "com": [0, offset, 0], "inertia": [0.01, 0.006, 0.006, 0, 0, 0],
            "joint": {"name": "j_" + name, "type": "revolute", "axis": list(axis), "at": [0.3, 0, 0]}}


def arm6(parent=None, friction=0.0, damping=0.0):
    """Six joints with masses and lengths of a common arm."""
    bodies, axes = [], [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0)]
    masses, lengths = [3.7, 8.4, 2.3, 1.2, 1.2, 0.25], [0.16, 0.425, 0.392, 0.11, 0.09, 0.08]
    for k in range(6):
        more = {"friction": friction} if friction else {}
        if damping:
            more["damping"] = damping
        at = [0, 0, 0] if k == 0 else [lengths[k - 1], 0, 0]
        i = masses[k] * lengths[k] ** 2 / 12 + 0.001
        b = {"name": f"link{k + 1}", "mass": masses[k], "com": [lengths[k] / 2, 0, 0], "inertia": [i / 3, i, i, 0, 0, 0],
             "joint": dict({"name": f"a{k + 1}", "type": "revolute", "axis": list(axes[k]), "at": at}, **more)}
        if k or parent:
            b["parent"] = f"link{k}" if k else parent
        bodies.append(b)
    return bodies


def scene(name, bodies, duration, **more):
    return dict({"scenario": 1, "name": name, "model": {"freebody": 1, "bodies": bodies}, "duration": duration,
                 "log": {"signals": ["q", "v"]}}, **more)


def pd(joints, kp, kd, **more):
    return [dict({"name": "pd", "type": "joint_pd", "joints": joints, "kp": kp, "kd": kd}, **more)]


def geared(made):
    made["model"]["loops"] = [{"name": "g", "type": "gear", "a": "j_b", "b": "j_a", "ratio": -3}]
    return made


def lander(number):
    """Four feet that bounce and slide on the Moon: errors of the few steps in which they touch are those that matter."""
    r = random.Random(number)
    how = {"name": "f", "a": "foot*", "b": "ground", "law": r.choice(["hunt_crossley", "hunt_crossley", "hertz"]),
           "stiffness": 10 ** r.uniform(5, 7), "friction": r.choice([0.1, 0.2, 0.3, 0.4, 0.5])}
    if how["law"] == "hunt_crossley":
        how["damping"] = r.uniform(0.2, 3)
    feet = [{"name": f"foot{i}", "at": [x, y, -0.5]}
            for i, (x, y) in enumerate(((0.6, 0.6), (-0.6, 0.6), (-0.6, -0.6), (0.6, -0.6)))]
    body = dict(hull(100, 20), frames=feet)
    base = {"at": [0, 0, 0.7], "rpy": [r.gauss(0, 0.05), r.gauss(0, 0.05), 0],
            "velocity": [r.gauss(0, 0.2), r.gauss(0, 0.2), -1]}
    return scene(f"lander_{number}", [body], 4, gravity=[0, 0, -1.62], start={"base": base},
                 surfaces=[{"name": "ground", "kind": "plane"}], contacts=[how])


def shaken(x):
    """A body on a bushing and two tethers, a stiff one taut at the start: the errors of few steps matter."""
    body = {"name": "a", "mass": 18.4, "com": [0.0818, -0.0227, 0.208], "inertia": [0.264, 0.317, 0.093, 0, 0, 0],
            "frames": [{"name": "f", "at": [0.546, -0.151, -0.183]}], "joint": {"name": "base", "type": "free"}}
    base = {"at": [x, 0.136, -0.537], "quat": [-1.84, -0.157, -0.747, -1.62], "velocity": [-0.222, 0.225, 0.172],
            "angular_velocity": [0.324, -0.554, 0.979]}
    return scene(f"shaken_{round(-1000 * x)}", [body], 2, start={"base": base}, forces=[
        {"name": "bushing", "type": "bushing", "a": "f", "b": "world", "stiffness": [4740, 4740, 4740, 0, 0, 0],
         "damping": [17.1, 17.1, 17.1, 0, 0, 0]},
        {"name": "loose", "type": "spring", "a": "f", "b": "world", "stiffness": 597, "damping": 12.2, "length": 1.88, "slack": True},
        {"name": "taut", "type": "spring", "a": "f", "b": "world", "stiffness": 385000, "damping": 309, "length": 1.13,
         "slack": True}])


def rotor(offset, rate, duration):
    """An unbalanced rotor under gravity: the errors of its steps alternate with the phase, and nearly cancel in a turn."""
    body = {"name": "rotor", "mass": 1, "com": [offset, 0, 0], "inertia": [0.01, 0.01, 0.01, 0, 0, 0],
            "joint": {"name": "axle", "type": "revolute", "axis": [0, 1, 0]}}
    return scene(f"rotor_{round(1000 * offset)}", [body], duration, gravity=G, start={"rates": {"axle": rate}})


def flail(number):
    """A joint that an event throws back when the tip meets a level comes to rest; then another joint is released."""
    r = random.Random(number)
    floats, links = r.random() < 0.4, "ab"
    lengths = {c: r.uniform(0.4, 1) for c in links}
    bodies = [hull(r.choice([5, 20, 100]), r.choice([1, 2, 10]))] if floats else []
    bodies.append(rod("a", "hull" if floats else None, r.uniform(0.5, 2), lengths["a"], at=[0.3, 0, -0.2] if floats else [0, 0, 0]))
    bodies.append(rod("b", "a", r.uniform(0.5, 2), lengths["b"], at=[0, 0, -lengths["a"]],
                      frames=[{"name": "tip", "at": [0, 0, -lengths["b"]]}]))
    q, tau = {c: r.uniform(-1.5, 1.5) for c in links}, {c: r.uniform(-3, 3) for c in links}
    thrown, held = r.sample(links, 2)

    def height(q):
        return (-0.2 if floats else 0) - lengths["a"] * math.cos(q["a"]) - lengths["b"] * math.cos(q["a"] + q["b"])

    there = dict(q, **{thrown: q[thrown] + math.copysign(r.uniform(0.005, 0.3), tau[thrown])})
    way = "falling" if height(there) < height(q) else "rising"
    bounce = {"joint": f"j_{thrown}", "restitution": r.choice([0, 0, 0.2, 0.5, 0.7])}
    return scene(f"flail_{number}", bodies, 1.2, start={"joints": {f"j_{c}": q[c] for c in links}},
                 forces=[{"joint": f"j_{c}", "tau": tau[c]} for c in links],
                 motions=[{"name": "hold", "joint": f"j_{held}", "lock": True}],
                 events=[{"name": "floor", "when": "p.tip.z", "crosses": height(there), "direction": way, "do": [{"bounce": bounce}]},
                         {"name": "free", "at": r.uniform(0.1, 0.8), "do": [{"release": f"j_{held}"}]}])


def caught(number):
    """A hook catches a body that spins, and lets it go: what is off before is carried over both."""
    r = random.Random(number)
    bodies = [dict(hull(), frames=[{"name": "hook", "at": [1, 0, 0]}]), rod("a", "hull", 5, 1, (1, 0, 0), at=[0, 0, 0.5]),
              {"name": "load", "mass": 10, "com": [0, 0, 0], "inertia": [0.5, 0.6, 0.8, 0, 0, 0],
               "frames": [{"name": "grip", "at": [-0.3, 0, 0]}], "joint": {"name": "load", "type": "free"}},
              rod("b", "load", 1, 0.5, at=[0, 0, -0.2], stiffness=20)]
    load = {"at": [2, 0.1, 0], "velocity": [-0.3, 0, 0], "angular_velocity": [r.gauss(0, 0.1) for _ in range(3)]}
    grasp = {"name": "grasp", "frame": "grip", "to": "hook", "force": True, "type": r.choice(["weld", "revolute", "spherical"])}
    return scene(f"caught_{number}", bodies, 15, start={"bases": {"load": load}, "rates": {"j_a": 0.5, "j_b": 0.5}}, events=[
        {"name": "catch", "when": "p.grip.x", "crosses": 1.2, "once": True, "do": [{"join": grasp}]},
        {"name": "let_go", "at": 10, "do": [{"part": "grasp"}]}])


A6 = [f"a{k}" for k in range(1, 7)]
KP = [600, 600, 400, 120, 60, 10]
KD = [60, 60, 40, 12, 6, 1]
PATH = {"times": [0, 2, 4], "values": {j: [0, 0.3 + 0.1 * k, -0.2] for k, j in enumerate(A6)}}

SCENES = [
    scene("pendulum", [rod("a", damping=0.05)], 20, gravity=G, start={"joints": {"j_a": 1}}),
    scene("pendulum_over_the_top", [rod("a")], 10, gravity=G, start={"rates": {"j_a": 8}}),
    scene("double_pendulum_small", [rod("a"), rod("b", "a")], 20, gravity=G, start={"joints": {"j_a": 0.2}}),
    scene("double_pendulum_large", [rod("a"), rod("b", "a")], 20, gravity=G, start={"joints": {"j_a": 2.5}}),
    scene("double_pendulum_damped", [rod("a", damping=0.5), rod("b", "a", damping=0.5)], 20, gravity=G,
          start={"joints": {"j_a": 2.5}}),
    scene("arm_friction", [rod("a", friction=0.5), rod("b", "a", friction=0.3), rod("c", "b", friction=0.1)], 5, gravity=G,
          start={"joints": {"j_a": 1}}),
    scene("unbalanced_wheel", [hull(), wheel(0.02)], 5, start={"rates": {"j_wheel": 300}}),
    scene("balanced_wheel", [hull(), wheel(0)], 10, start={"rates": {"j_wheel": 600}}),
    scene("reaction_wheels", [hull(), wheel(0, name="x"), wheel(0, name="y", axis=(0, 1, 0))], 30,
          control=[{"name": "a", "type": "attitude", "kp": 5, "kd": 20, "wheels": ["j_x", "j_y"], "effort": 0.2}],
          start={"base": {"angular_velocity": [0.02, -0.01, 0]}}),
    scene("free_arm_torque", [hull(60, 5)] + arm6("hull"), 5, forces=[{"joint": "a2", "tau": 1}]),
    scene("free_arm_pd", [hull(60, 5)] + arm6("hull"), 10, control=pd(A6, KP, KD, path=PATH)),
    scene("arm_pd_gravity", arm6(), 10, gravity=G, control=pd(A6, KP, KD, path=PATH)),
    scene("arm_pd_sampled", arm6(damping=0.5), 4, gravity=G,
          control=pd(A6, KP, KD, path=PATH, sample={"period": "1 ms"})),
    scene("arm_pd_friction", arm6(friction=0.5), 5, gravity=G, control=pd(A6, KP, KD, path=PATH)),
    scene("arm_falls", arm6(), 5, gravity=G),
    scene("arm_falls_damped", arm6(damping=2), 5, gravity=G),
    scene("tumbling_box", [dict(hull(), inertia=[1, 2, 3, 0, 0, 0])], 60,
          start={"base": {"angular_velocity": [0.01, 1, 0.01]}}),
    scene("top", [{"name": "top", "mass": 0.5, "com": [0, 0, 0.1], "inertia": [0.001, 0.001, 0.002, 0, 0, 0],
                   "joint": {"name": "tip", "type": "spherical"}}], 5, gravity=G, start={"rates": {"tip": [0.5, 0, 150]}}),
    scene("cart_pole", [{"name": "cart", "mass": 2, "com": [0, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
                         "joint": {"name": "slide", "type": "prismatic", "axis": [1, 0, 0], "damping": 0.2}},
                        rod("pole", "cart", at=[0, 0, 0])], 10, gravity=G, start={"joints": {"j_pole": 3}}),
    scene("stiff_spring_pair", [rod("a", stiffness=2000, damping=1), rod("b", "a", stiffness=500)], 5, gravity=G,
          start={"joints": {"j_a": 0.3}}),
    scene("overdamped", [rod("a", damping=1e5)], 10, gravity=G, start={"joints": {"j_a": 1}}),
    scene("high_gains", [rod("a"), rod("b", "a")], 5, gravity=G, control=pd(["j_a", "j_b"], 1e6, 1e4, target=0.5)),
    scene("stops", [rod("a", limits=[-0.5, 0.5]), rod("b", "a", limits=[-1, 1], damping=0.1)], 5, gravity=G, limits="contact",
          start={"joints": {"j_a": 0.4}}),
    scene("stiction", [rod("a", friction=1), rod("b", "a", friction=0.3)], 10, gravity=G, friction_law="stiction",
          start={"joints": {"j_a": 1}}),
    scene("chain", [rod(f"l{k}", f"l{k - 1}" if k else None, mass=0.2, length=0.2, damping=0.002) for k in range(12)], 5,
          gravity=G, start={"joints": {"j_l0": 0.5}}),
    scene("flexible_panel", [hull()] + [dict(rod(f"p{k}", f"p{k - 1}" if k else "hull", mass=3, length=0.8, stiffness=40,
                                                 damping=0.05)) for k in range(4)], 30,
          start={"rates": {"j_p0": 0.05}}),
    scene("tether", [hull(50, 2), {"name": "load", "mass": 5, "com": [0, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
                                   "joint": {"name": "free", "type": "free", "at": [0, 0, -3]}}], 10,
          forces=[{"type": "spring", "name": "t", "a": "hull", "b": "load", "stiffness": 200, "damping": 1, "length": 3,
                   "slack": True}], start={"rates": {"free": [1, 0, -0.5, 0, 0, 0]}}),
    scene("far_and_fast", [hull(60, 5)] + arm6("hull", damping=0.1), 10, forces=[{"joint": "a3", "tau": 1}],
          start={"base": {"at": [7e6, 0, 0], "velocity": [0, 7500, 0]}}),
    scene("micro", [rod("a", mass=1e-9, length=1e-3), rod("b", "a", mass=1e-9, length=1e-3)], 0.5, gravity=G,
          start={"joints": {"j_a": 0.3}}),
    # What an estimate has to follow: drift over many swings, gears, impacts, cut steps, modes, jumps that nothing announces.
    scene("pendulum_long", [rod("a")], 60, gravity=G, start={"joints": {"j_a": 2.5}}),
    scene("pendulum_watched", [rod("a")], 60, gravity=G, start={"joints": {"j_a": 2.5}},
          events=[{"name": "passes", "when": "q.j_a", "crosses": 0}]),
    geared(scene("gear", [rod("a"), rod("b", "a")], 30, gravity=G, start={"joints": {"j_a": 1}})),
    scene("elastic_stops", [rod("a", limits=[-0.5, 0.5])], 30, gravity=G, start={"joints": {"j_a": 0.4}, "rates": {"j_a": 3}},
          events=[{"name": "stop", "limit": "all", "do": [{"bounce": {"restitution": 1}}]}]),
    scene("bungee", [{"name": "m", "mass": 1, "com": [0, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
                      "joint": {"name": "s", "type": "prismatic", "axis": [0, 0, 1]}}], 5, gravity=G,
          forces=[{"type": "spring", "name": "t", "a": "world", "b": "m", "stiffness": 1e5, "length": 0.5, "slack": True}]),
    scene("two_modes", [rod("a")], 60, gravity=G, start={"joints": {"j_a": 0.8}}, modes=["l", "r"],
          forces=[{"joint": "j_a", "tau": 1, "mode": "r"}, {"joint": "j_a", "tau": -1, "mode": "l"}],
          events=[{"when": "q.j_a", "crosses": 0.2, "direction": way, "do": [{"mode": mode}]}
                  for way, mode in (("rising", "r"), ("falling", "l"))]),
    scene("square_wave", [rod("a", damping=0.5)], 10, start={"joints": {"j_a": 1}},
          control=[{"name": "l", "type": "lua", "text": "function act(t, q, v) return {math.floor(t * 31) % 2 == 0 and -5 or 5} end"}]),
    scene("whirl", [hull(5, 0.1), rod("a", "hull", axis=(0, 0, 1), at=[0.5, 0, 0])], 10, forces=[{"joint": "j_a", "tau": 2}]),
    scene("vibration_beside_a_stiff_damper", [hull(18, 3.6), rod("v", "hull", at=[0.5, 0, 0], stiffness=67000),
                                              rod("d", "hull", at=[-0.5, 0, 0], damping=3e5)], 60,
          start={"rates": {"j_v": 0.1, "j_d": 1}}),
    # Joints that stick while others break away slowly.
    scene("pid_sticks", [hull(92, 7)] + [rod(c, p, m, 0.35, axis, friction=f, damping=0.05, at=at) for c, p, m, axis, f, at in (
        ("a", "hull", 4.6, (0, 0, 1), 0.14, [0.35, 0, 0]), ("b", "a", 3.7, (0, 1, 0), 0.47, [0, 0, -0.35]),
        ("c", "b", 2.9, (0, 1, 0), 0.3, [0, 0, -0.35]))], 20, friction_law="stiction",
        control=[{"name": "pid", "type": "joint_pid", "joints": ["j_a", "j_b", "j_c"], "kp": 5.5, "kd": 2.8, "ki": 1.8,
                  "target": 0.5, "effort": 1.1}]),
    rotor(0.025, 30.9, 30), rotor(0.04, 30.9, 30), rotor(0.031, 27.9, 60),
] + [caught(n) for n in range(6)] + [shaken(x) for x in (-0.518, -0.468, -0.448)] + [lander(n) for n in range(60)] + [flail(n) for n in [*range(60), 100, 200, 281]]

SHIPPED = ["assembly/assembly", "deploy/deploy", "deploy/deploy_cables", "dual_arm/dual_arm", "ets7/ets7", "ets7/ets7_plain",
           "ets7/ets7_lua", "flexible_base/flexible_base", "four_bar/four_bar", "free_vs_fixed/free_vs_fixed",
           "satellite/satellite", "snake/snake", "two_arms/two_arms", "pendulum/pendulum", "docking/docking_compliant"]
