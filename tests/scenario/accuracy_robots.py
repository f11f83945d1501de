"""accuracy_robots.py -- robots of our own making, and scenarios for them, by number: the same number gives the same one."""
import math
import random

G = 9.81


def unit(r):
    while True:
        v = [r.gauss(0, 1) for _ in range(3)]
        n = math.sqrt(sum(x * x for x in v))
        if n > 1e-3:
            return [x / n for x in v]


def inertia(r, mass, size):
    """A box's, so that a body can have it."""
    a, b, c = (size * r.uniform(0.3, 1) for _ in range(3))
    k = mass / 12
    return [k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0]


def body(r, i, parent, size, mass, free):
    kinds = ["revolute"] * 6 + ["prismatic", "universal", "spherical", "cylindrical"]
    kind = "free" if free else r.choice(kinds)
    joint = {"type": kind, "name": f"j{i}"}
    if kind in ("revolute", "prismatic", "cylindrical", "universal"):
        joint["axis"] = r.choice([[1, 0, 0], [0, 1, 0], [0, 0, 1], unit(r)])
    if kind == "universal":
        a = joint["axis"]
        b = unit(r)
        along = sum(x * y for x, y in zip(a, b))
        joint["axis2"] = [y - along * x for x, y in zip(a, b)]
    if parent:
        joint["at"] = [r.uniform(-size, size) for _ in range(3)]
    made = {"name": f"b{i}", "joint": joint, "mass": mass, "com": [r.uniform(-0.5, 0.5) * size for _ in range(3)],
            "inertia": inertia(r, mass, size)}
    if parent:
        made["parent"] = parent
    return made


def count_of(joint):
    return {"revolute": 1, "prismatic": 1, "universal": 2, "cylindrical": 2, "spherical": 3, "free": 6}[joint["type"]]


def per_coordinate(joint, value):
    n = count_of(joint)
    return value if n == 1 else [value] * n


def robot(number):
    """A scene: a tree of one to ten bodies, with what the number's kind adds to it."""
    r = random.Random(number)
    kind = ["plain", "floating", "damped", "friction", "springs", "gravity", "stiff law", "fast wheel", "mass ratios",
            "sampled law", "limits", "stiction", "stiff spring", "elements"][number % 14]
    n = r.randint(1, 10) if kind != "stiction" else r.randint(1, 5)
    size = 10 ** r.uniform(-1.5, 0.7)
    floats = kind in ("floating", "fast wheel") or (r.random() < 0.4 and kind not in ("gravity", "limits", "stiction"))
    bodies = []
    for i in range(n):
        parent = None if i == 0 else f"b{max(0, i - 1 - int(r.expovariate(1.2)))}"
        mass = 10 ** (r.uniform(-2.5, 2.5) if kind == "mass ratios" else r.uniform(-0.5, 1)) * size ** 3
        bodies.append(body(r, i, parent, size * r.uniform(0.3, 1), mass, floats and i == 0))
    movable = [b for b in bodies if b["joint"]["type"] != "free"]
    turning = [b for b in movable if b["joint"]["type"] == "revolute"]
    unit_torque = sum(b["mass"] for b in bodies) * size * size
    for b in movable:
        j, own = b["joint"], b["mass"] * size * size
        if kind in ("damped", "gravity", "stiff law", "sampled law", "limits") or r.random() < 0.2:
            j["damping"] = per_coordinate(j, own * r.uniform(0.5, 5))
        if kind in ("friction", "stiction"):
            j["friction"] = per_coordinate(j, own * r.uniform(0.3, 3))
        if kind == "springs" and j["type"] not in ("spherical",):
            j["stiffness"] = per_coordinate(j, own * r.uniform(1, 400))
        if kind == "stiff spring" and j["type"] != "spherical":
            k = own * 10 ** r.uniform(2, 6)
            j["stiffness"] = per_coordinate(j, k)
            j["damping"] = per_coordinate(j, r.uniform(0.1, 2) * 2 * math.sqrt(k * own))
        if kind == "limits" and j["type"] in ("revolute", "prismatic"):
            j["limits"] = [-r.uniform(0.2, 1) * (1 if j["type"] == "revolute" else size),
                           r.uniform(0.2, 1) * (1 if j["type"] == "revolute" else size)]
    rates = {}
    for b in bodies:
        m = count_of(b["joint"])
        speeds = [r.gauss(0, 1) * (size if b["joint"]["type"] == "prismatic" else 1) for _ in range(m)]
        if b["joint"]["type"] == "free":
            speeds = [x * size for x in speeds[:3]] + speeds[3:]
        rates[b["joint"]["name"]] = speeds[0] if m == 1 else speeds
    scene = {"scenario": 1, "name": f"robot{number}", "model": {"freebody": 1, "bodies": bodies},
             "start": {"rates": {k: v for k, v in rates.items() if k not in ("j0",) or not floats}},
             "duration": r.choice([1, 2, 5, 10]), "log": {"signals": ["q", "v"]}}
    if floats:
        scene["start"]["base"] = {"velocity": rates["j0"][:3], "angular_velocity": rates["j0"][3:]}
    if not floats or r.random() < 0.2:
        scene["gravity"] = [0, 0, -G * r.choice([1, 1, 0.17]) * min(1, size / 0.3)]
    if kind == "fast wheel" and turning:
        scene["start"]["rates"][turning[-1]["joint"]["name"]] = r.uniform(50, 300)
        scene["duration"] = min(scene["duration"], 5)
    if kind in ("stiff law", "sampled law") and turning:
        # a sampled law that is too stiff for its period is unstable, in truth
        stiff = 10 ** r.uniform(1, 5) if kind == "stiff law" else 10 ** r.uniform(0, 1)
        law = {"name": "law", "type": "joint_pd", "joints": [b["joint"]["name"] for b in turning],
               "kp": [b["mass"] * size * size * stiff for b in turning],
               "kd": [b["mass"] * size * size * 2 * math.sqrt(stiff) * r.uniform(0.5, 2) for b in turning]}
        if kind == "sampled law":
            law["sample"] = {"period": r.choice(["1 ms", "2 ms", "5 ms"])}
        scene["control"] = [law]
    if kind == "limits":
        scene["limits"] = "contact"
    if kind == "stiction":
        scene["friction_law"] = "stiction"
    if kind == "elements" and n > 1:
        scene["forces"] = [{"type": "spring", "name": "spring", "a": "b0", "b": f"b{n - 1}",
                            "stiffness": unit_torque / size ** 2 * r.uniform(5, 500),
                            "damping": unit_torque / size ** 2 * r.uniform(0, 2), "length": size * r.uniform(0.1, 1)}]
    return kind, scene
