"""contact_stress.py -- scenes that are hard on contacts: what must hold in all of them, and runs that are killed and resumed.

  contact_stress.py FREEBODY DATA FOLDER      makes its files in FOLDER

No closed form is known for most of these. Whatever happens, bodies stay out of one another, friction and impacts take
energy unless Newton's restitution says otherwise, the ledger closes, and what rests weighs what it weighs.
"""
import itertools
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import contact_rig
from contact_rig import ball, box, contact

FAR = [7e6, -1e6, 2e6]


def coin(tilt, spin):
    """A disc on its rim, tilted, that rolls."""
    R, m, thick = 0.1, 0.1, 0.01
    body = {"name": "b", "mass": m, "inertia": [m * R * R / 4] * 2 + [m * R * R / 2, 0, 0, 0],
            "shapes": [{"kind": "cylinder", "radius": R, "length": thick}]}
    base = {"at": [0, 0, R * math.cos(tilt) + thick / 2 * math.sin(tilt)], "rpy": [math.pi / 2 - tilt, 0, 0],
            "velocity": [spin * R, 0, 0], "angular_velocity": [0, spin, 0]}
    return [body], {"b": base}


def dropped(mass=1, height=0.4, at=(0, 0, 0), rpy=(0.5, 0.4, 0.3), size=(0.2, 0.2, 0.2), **base):
    """A box that falls."""
    place = [at[0], at[1], at[2] + height]
    return [box("b", mass, size)], {"b": dict({"at": place, "rpy": list(rpy)}, **base)}


def pile(count):
    """Balls that fall on one another, each heavier than the one below."""
    bases = {f"b{i}": {"at": [0.05 * i - 0.1, 0.03 * (i % 2), 0.2 + 0.25 * i]} for i in range(count)}
    return [ball(f"b{i}", 1 + i, 0.1) for i in range(count)], bases


def pile_contacts(count, **how):
    """Each against the ground and each other."""
    ground = [contact(f"b{i}", name=f"g{i}", **how) for i in range(count)]
    return ground + [contact(f"b{i}", f"b{j}", f"c{i}{j}", **how) for i, j in itertools.combinations(range(count), 2)]


def stack(heavy):
    """A box of one kilogram on the ground and another on it."""
    bases = {"lo": {"at": [0, 0, 0.05]}, "hi": {"at": [0.01, 0, 0.2]}}
    return [box("lo", 1, [0.3, 0.3, 0.1]), box("hi", heavy, [0.2, 0.2, 0.1])], bases


def dropped_stack(count):
    """Equal boxes above one another, apart, which fall and bounce; and their contacts."""
    bases = {f"b{i}": {"at": [0.01 * i, 0, 0.1 + 0.25 * i]} for i in range(count)}
    law = {"friction": 0.5, "restitution": 0.4}
    contacts = [contact("b0", **law)] + [contact(f"b{i}", f"b{i - 1}", name=f"d{i}", **law) for i in range(1, count)]
    return [box(f"b{i}", 1, [0.2, 0.2, 0.2]) for i in range(count)], bases, contacts


def leaning(count, off):
    """Equal boxes on one another, each further over the edge of the one below; and their contacts."""
    bases = {f"b{i}": {"at": [off * i, off * i / 2, 0.1 + 0.2 * i]} for i in range(count)}
    each = [contact(f"b{i + 1}", f"b{i}", f"d{i}", friction=0.5) for i in range(count - 1)]
    return [box(f"b{i}", 1, [0.2] * 3) for i in range(count)], bases, [contact("b0", friction=0.5), *each]


STACKED = [contact("lo", friction=0.4), contact("hi", "lo", name="d", friction=0.4)]
TIPS = leaning(3, 0.07)
FALLEN = dropped_stack(5)
B = {"friction": 0.5}
FAST = {"velocity": [1, 0.3, 0], "angular_velocity": [2, 1, 3]}
# name, bodies and bases, contacts, duration, methods, other keys; "rests": the weight on contact c at the end
SCENES = [
    ("corner", dropped(), [contact("b", **B)], 1.5, "all", {"rests": 9.81}),
    ("edge_newton", dropped(), [contact("b", restitution=0.5, **B)], 1.0, "all", {"newton": 1, "rests": 9.81}),
    ("poisson", dropped(**FAST), [contact("b", friction=10, restitution=1, restitution_law="poisson")], 1, "all", {}),
    ("rough", dropped(**FAST, size=[0.3, 0.2, 0.1]), [contact("b", friction=10)], 1, "all", {}),
    ("smooth", dropped(**FAST, size=[0.3, 0.2, 0.1]), [contact("b")], 1, "all", {}),
    ("light", dropped(1e-3), [contact("b", **B)], 1.5, "all", {"rests": 9.81e-3}),
    ("heavy", dropped(1e6), [contact("b", **B)], 1.5, "all", {"rests": 9.81e6}),
    ("coin_rolls", coin(0.1, 20), [contact("b", **B)], 1, "all", {}),
    ("coin_falls", coin(0.4, 0), [contact("b", **B)], 1, "all", {"rests": 0.981}),
    ("far_ball", ([ball("b", 1, 0.1)], {"b": {"at": [7e6, -1e6, 2e6 + 0.5], "velocity": [1, 0.5, 0]}}),
     [contact("b", restitution=0.5, **B)], 1.5, "all", {"surfaces": [dict(contact_rig.GROUND, at=FAR)], "rests": 9.81}),
    ("pile", pile(4), pile_contacts(4, friction=0.5, restitution=0.3), 0.8, "all", {"newton": 1}),
    ("heavy_on_light", stack(1e3), STACKED, 0.4, "all", {"rests": 9.81 * 1001}),
    ("tips_over_an_edge", TIPS[:2], TIPS[2], 0.05, "all", {}),
    ("stack_comes_to_rest", FALLEN[:2], FALLEN[2], 3, "moreau", {"newton": 1, "rests": 5 * 9.81}),
    ("million_on_one", stack(1e6), STACKED, 0.4, "moreau", {"rests": 9.81 * (1 + 1e6)}),
]


def judge(bench, run, method, newton=0, rests=None):
    columns = run.columns
    names = [key[:-4] for key in columns if key.startswith("contact.") and key.endswith(".gap")]
    for name in names:
        # Steps end a penetration; at 7000 km positions are rounded to 1e-9 m.
        bench.true(f"{name} stays out", min(columns[name + ".gap"]) > -1e-5 if method == "moreau" else
                   min(columns[name + ".gap"]) > -2e-8, min(columns[name + ".gap"]))
        works = columns[name + ".friction_work"]
        gain = max(b - a for a, b in itertools.pairwise(works))
        scale = columns["ledger.peak_kinetic"][-1]
        bench.true(f"{name}: friction takes energy", newton or gain <= 1e-12 * scale, gain)
    if not newton:
        bench.equal("gains", columns["solver.gains"][-1], 0)
    most = {"moreau": 1e-4, "dopri5": 1e-6}.get(method, 1e-5)
    bench.true("the ledger closes", columns["ledger.worst"][-1] < most, columns["ledger.worst"][-1])
    bench.true("momentum is kept", columns["ledger.momentum_worst"][-1] < 1e-3, columns["ledger.momentum_worst"][-1])
    if rests:
        bench.near("weight", columns["contact.c.normal"][-1], rests, 1e-7 * rests)


def endure(bench, row, method):
    name, (bodies, bases), contacts, duration, _, more = row
    rules = {key: more[key] for key in ("newton", "rests") if key in more}
    keys = {key: value for key, value in more.items() if key not in rules}
    scene = bench.scene(bodies, bases, contacts, method, duration, None if method == "dopri5" else 2e-3, gravity=9.81,
                        **keys)
    judge(bench, bench.run(scene), method, **rules)


# ---- killed and resumed ----


def has_checkpoint(folder):
    try:
        db = sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)
        return db.execute("SELECT count(*) FROM checkpoint").fetchone()[0] > 1
    except sqlite3.OperationalError:
        return 0


def kill_once(bench, scenario, folder):
    """Begins a run, and kills it where it has something to resume from; how far it came does not matter."""
    arguments = [bench.command.freebody, "run", "--quiet", "-o", folder, scenario]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not has_checkpoint(folder):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)


def resume(bench, row, method):
    """The same bits as a run that was not interrupted, contacts and solver included."""
    _, (bodies, bases), contacts, duration, _, _ = row
    scene = bench.scene(bodies, bases, contacts, method, duration, None if method == "dopri5" else 1e-3, gravity=9.81,
                        checkpoint=duration / 40)
    bench.run(scene, "resumed")
    whole, part = (os.path.join(bench.command.folder, scene["name"] + end) for end in (".run", ".part"))
    shutil.rmtree(part, ignore_errors=True)
    kill_once(bench, bench.command.write(scene), part)
    done = bench.command.call("run", "--quiet", "--resume", part)
    bench.true("it resumes", done.returncode == 0, done.stderr)
    same = bench.command.call("compare", "--tolerance", "0", whole, part)
    bench.true("the same bits", same.returncode == 0, same.stdout)


# ---- what is reported ----

LITTLE = {"period": 0.1, "signals": ["contact"]}  # without hard contacts there is no solver


def off_the_side(bench, method):
    """Off the side of a height field there is nothing: the gap is infinite in logs, files and pictures, and null in JSON."""
    field = {"name": "ground", "kind": "heightfield", "heights": [[0] * 3] * 3, "spacing": 0.5}
    bases = {"b": {"at": [0.5, 0.5, 0.3], "velocity": [2, 0, 0]}}
    lost = {"name": "lost", "when": "contact.c.gap", "crosses": 100}
    scene = bench.scene([ball("b", 1, 0.1)], bases, [contact("b", **B)], method, 0.6, None, gravity=9.81, surfaces=[field],
                        events=[lost])
    run = bench.run(scene)
    bench.equal("the gap", run.columns["contact.c.gap"][-1], math.inf)
    bench.true("no other signal is infinite", not [key for key, values in run.columns.items() if key != "contact.c.gap" and
                                                   not all(map(math.isfinite, values))])
    bench.equal("it is lost once", len(run.times("lost")), 1)
    folder = os.path.join(bench.command.folder, scene["name"] + ".run")
    for kind, command in (("svg", "plot"), ("csv", "export"), ("h5", "export")):
        chosen = ["contact.c.gap"] if command == "plot" else ["--signals", "contact.c.gap"]
        done = bench.command.call(command, folder, *chosen, "-o", f"{folder}.{kind}")
        bench.true(f"as {kind}", done.returncode == 0, done.stderr)
    with open(folder + ".csv", encoding="utf-8") as file:
        bench.true("CSV", file.read().rstrip().endswith(",inf"))
    with open(folder + ".svg", encoding="utf-8") as file:
        bench.true("SVG", "inf" not in file.read().lower())
    compared = bench.command.call("compare", "--json", folder, folder)
    bench.true("JSON", not any(word in compared.stdout for word in ("Infinity", "inf,", "nan")), compared.stdout[:200])


def ends_at_a_jump(bench, method):
    """At 1e5 N s/m a landing at 0.1 m/s begins with a jump of 40 kN, before which cvode made steps of 1e-15 s without end."""
    bases = {"b": {"at": [0, 0, 0.6], "velocity": [0.02, 0, -0.1]}}
    spring = contact("b", law="spring", stiffness=1e7, damping=1e5, friction=0.5)
    scene = bench.scene([box("b", 500, [1, 1, 1])], bases, [spring], method, 3, None, gravity=1e-4, log=LITTLE)
    done = bench.command.call("run", "--force", "--quiet", "-o", os.path.join(bench.command.folder, "jump.run"),
                              bench.command.write(scene))
    bench.true("it ends, or says what to use", done.returncode == 0 or "law: hunt_crossley" in done.stderr, done.stderr)


def gains_are_reported(bench):
    """Undamped, at the corners and edges of two boxes, points change while they press, and stored energy jumps, either way."""
    block = {"name": "ground", "kind": "box", "size": [0.25, 0.25, 0.2], "at": [0.05, 0.02, -0.1]}
    folder, gained = os.path.join(bench.command.folder, "gains.run"), []
    starts = (([0.2, 0.2, 0], [1, 2, 0]), ([0.3, 0.2, 0], [1, 2, 0]), ([-0.87, -0.98, 0.67], [2.7, -2.07, 0]))
    for rpy, rates in starts:
        bases = {"b": {"at": [0, 0, 0.3], "rpy": rpy, "angular_velocity": rates}}
        scene = bench.scene([box("b", 1, [0.2] * 3)], bases, [contact("b", law="hertz", stiffness=1e5)], "dopri5", 1,
                            gravity=9.81, surfaces=[block], log=LITTLE)
        done = bench.command.call("run", "--force", "-o", folder, bench.command.write(scene))
        run = contact_rig.Run(folder)
        work, apart = run.value("contact.c.normal_work"), run.value("contact.c.gap") > 0
        bench.true(f"a warning at {rpy}", not apart or (work > 1e-3) == ("contacts gave" in done.stderr),
                   f"{work} J: {done.stderr}")
        gained += [work] if apart else []
    bench.true("some gain, some lose", min(gained) < -1e-3 and max(gained) > 1e-3, gained)


def no_force_where_nothing_gives(bench, method, friction):
    """A roller on an arm that turns about the centre of the ball it touches: no motion changes the gap, and no force acts."""
    bodies = [ball("ball", 10, 0.3, 0.4 / (10 * 0.3**2)),
              {"name": "arm", "parent": "ball", "joint": {"name": "g", "type": "revolute", "axis": [0, 0, 1]}, "mass": 5,
               "com": [0.5, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
               "shapes": [{"kind": "sphere", "radius": 0.2, "at": [0.5, 0, 0]}]}]
    scene = bench.scene(bodies, {}, [contact("arm", "ball", friction=friction)], method, 1, 0.001, surfaces=[])
    scene["start"] = {"base": {"rpy": [0.3, 0.2, 0.1], "angular_velocity": [0.2, 0.8, 0.4]}, "rates": {"g": 0.7}}
    run = bench.run(scene)
    bench.near("force", max(abs(f) for f in run.columns["contact.c.normal"]), 0, 1e-9)
    energy = run.summary["energy"]
    bench.near("energy", energy["end"], energy["start"], 1e-7)


def balls_about_a_joint_are_left_alone(bench, method):
    """They overlap for good, without friction: the start is not refused, also where a motion is given elsewhere."""
    shape = {"kind": "sphere", "radius": 0.05}
    inertia = [1, 1, 1, 0, 0, 0]
    bodies = [{"name": "thigh", "mass": 5, "inertia": inertia, "shapes": [shape]},
              {"name": "shin", "parent": "thigh", "mass": 1, "com": [0.1, 0.02, 0.03], "inertia": inertia, "joint":
               {"name": "knee", "type": "revolute", "axis": [0, 1, 0], "at": [0, 0.013, 0]}, "shapes": [shape]},
              {"name": "wheel", "parent": "thigh", "mass": 1, "inertia": [0.1, 0.1, 0.1, 0, 0, 0], "joint":
               {"name": "w", "type": "revolute", "axis": [0, 0, 1], "at": [1, 0, 0]}}]
    scene = bench.scene(bodies, {}, [contact("thigh", "shin")], method, 0.05, 0.001, surfaces=[],
                        motions=[{"joint": "w", "rate": 1}])
    scene["start"] = {"base": {"rpy": [0.3, 0.2, 0.1]}, "joints": {"knee": 0.3}}
    bench.near("end", bench.run(scene).columns["t"][-1], 0.05, 1e-12)


def begins_at_any_tolerance(bench, tolerance):
    """A heavy ball meets a damped spring: its force jumps, which no step is short enough for at a tight tolerance."""
    law = {"law": "spring", "stiffness": 1e7, "damping": 1e5, "friction": 0.3, "slip_speed": 1e-3}
    scene = bench.scene([ball("b", 1000, 1)], {"b": {"at": [0, 0, 1.5], "velocity": [1, 0, 0]}}, [contact("b", **law)], "dopri5", 1,
                        gravity=9.81, samples=4)
    scene["integrator"] = {"method": "dopri5", "rtol": tolerance, "atol": 1e-3 * tolerance}
    bench.near("height", bench.run(scene).value("p.b.z"), 1 - 1000 * 9.81 / 1e7, 1e-9)


def begins_anew(bench, law):
    """A run that begins with the state of another has a ledger of its own: no work of contacts from before."""
    scene = bench.scene([ball("b", 1, 0.1)], {"b": {"at": [0, 0, 0.5], "velocity": [1, 0, 0]}},
                        [contact("b", friction=0.3, **law)], "dopri5", 0.6, 0.001, gravity=9.81)
    first = bench.run(scene)
    folder = bench.command.folder + "/again.run"
    done = bench.command.call("run", "--quiet", "--force", "-o", folder, "--from",
                              f"{bench.command.folder}/{scene['name']}.run", "--duration", "0.05",
                              bench.command.write(scene))
    again = contact_rig.Run(folder)
    bench.true("no warning", "ledger" not in done.stderr, done.stderr)
    bench.true("it had worked before", abs(first.value("contact.c.normal_work")) > 0.1)
    bench.near("work at the start", again.columns["contact.c.normal_work"][0], 0, 0)
    bench.near("friction at the start", again.columns["contact.c.friction_work"][0], 0, 0)


def main():
    bench = contact_rig.Bench(contact_rig.Command(sys.argv[1], sys.argv[3]))
    rows = [row for row in SCENES if not sys.argv[4:] or row[0] in sys.argv[4:]]
    cases = [(row, m) for i, row in enumerate(rows)
             for m in contact_rig.methods_of(i, ("dopri5", "rk4", "moreau") if row[4] == "all" else (row[4],))]
    for row, method in cases:
        bench.begin(f"{row[0]}_{method}")
        bench.attempt(endure, row, method)
        if row[0] in ("edge_newton", "pile"):
            bench.attempt(resume, row, method)
    if not sys.argv[4:]:
        for method in ("dopri5", "rk4", "moreau"):
            bench.begin(f"off_the_side_{method}")
            bench.attempt(off_the_side, method)
        for method in ("cvode", "arkode"):
            bench.begin(f"jump_{method}")
            bench.attempt(ends_at_a_jump, method)
        for method, friction in itertools.product(("dopri5", "rk4", "moreau"), (0, 0.3)):
            bench.begin(f"idle_{method}_{friction}")
            bench.attempt(no_force_where_nothing_gives, method, friction)
        for method in ("dopri5", "rk4", "moreau"):
            bench.begin(f"about_a_joint_{method}")
            bench.attempt(balls_about_a_joint_are_left_alone, method)
        for law in ({"restitution": 0.5}, {"law": "hunt_crossley", "stiffness": 1e5, "damping": 0.3}):
            bench.begin(f"anew_{law.get('law', 'hard')}")
            bench.attempt(begins_anew, law)
        for tolerance in (1e-9, 1e-11, 1e-12):
            bench.begin(f"begins_at_{tolerance}")
            bench.attempt(begins_at_any_tolerance, tolerance)
        bench.begin("gains")
        bench.attempt(gains_are_reported)
    return bench.report("contact_stress")


if __name__ == "__main__":
    sys.exit(main())
