"""contact_work.py -- scenarios/contact_work against the contact references and against the figures of the paper.

  contact_work.py FREEBODY DATA FOLDER      makes its files in FOLDER

Every check prints what it found, by which the README's figures are made.
"""
import json
import os
import sys

import contact_rig

COORDINATES = ["base.0", "base.1", "base.2", "joint1", "joint2", "joint3"]
CHANGES = {"OPEN": "contact.tip.opens", "STICK": "contact.tip.sticks", "SLIP": "contact.tip.slips"}
FRICTION = 0.1
BAD = []


def check(what, found, least, most):
    """A number that must be in a range."""
    good = least <= found <= most
    print(f"{'ok ' if good else 'BAD'} {what}: {found:.6g} in [{least:g}, {most:g}]")
    if not good:
        BAD.append(what)


def furthest(run, reference, letter, first):
    """The largest difference of coordinates (q) or rates (v) from the samples of a reference."""
    worst = 0
    for k, name in enumerate(COORDINATES):
        for sample, found in zip(reference["samples"], run.columns[f"{letter}.{name}"]):
            worst = max(worst, abs(sample[first + k] - found))
    return worst


def lateness(run, reference):
    """The largest error of an event; phases that begin by an impact have two."""
    wanted = [(phase["t0"], CHANGES[phase["mode"].rstrip("+-")]) for phase in reference["phases"]]
    wanted += [(impact["t"], "contact.tip.hits") for impact in reference["impacts"]]
    found = [(t, name) for t, name in run.events if name.startswith("contact")]
    check("events", len(found), len(wanted), len(wanted))
    return max(min([abs(t - when) for t, event in found if event == name], default=9) for when, name in wanted)


def excursion(run, name):
    return max(run.columns[name]) - min(run.columns[name])


def friction_error(run):
    """How far friction is from mu times the normal force while the tip slips."""
    rows = zip(run.columns["contact.tip.state"], run.columns["contact.tip.force.x"], run.columns["contact.tip.normal"])
    return max([abs(abs(force) - FRICTION * normal) for state, force, normal in rows if state == 1])


def largest_normal(run):
    return max(run.columns["contact.tip.normal"])


def reference_inputs(command, scenarios, data):
    """The inputs of the reference: with located events, with restitution, by time stepping, with a compliant contact."""
    path = os.path.join(scenarios, "contact_work.yaml")
    run = command.run_file(path, "contact_work")
    file = data("robot_A_feedback")
    check("states, located events", furthest(run, file, "q", 1), 0, 1e-8)
    check("rates, located events", furthest(run, file, "v", 7), 0, 1e-8)
    check("instants [s]", lateness(run, file), 0, 1e-8)
    check("excursion of the tip [m]", excursion(run, "p.tip.x"), 0.27865, 0.27875)
    check("largest normal force [N]", largest_normal(run), 6.865, 6.875)
    check("separations", len(run.times("contact.tip.opens")), 2, 2)
    check("friction while slipping [N]", friction_error(run), 0, 1e-12)
    check("friction work [J]", run.value("contact.tip.friction_work"), -0.27, -0.26)
    labels = command.call("export", os.path.join(command.folder, "contact_work.run"), "--list").stdout
    check("signals called a contact force", labels.count("contact force"), 5, 5)
    bouncing = command.run_file(path, "bouncing", "--set", "contacts.tip.restitution=0.5")
    check("states, restitution 0.5", furthest(bouncing, data("robot_A_feedback_e05"), "q", 1), 0, 1e-8)
    for step, stated in (("10 ms", 4.36e-3), ("1 ms", 4.35e-4), ("0.1 ms", 3.68e-5)):
        stepped = command.run_file(path, "stepped", "--set", f"integrator={{method: moreau, step: {step}}}")
        check(f"states, steps of {step}", furthest(stepped, file, "q", 1), 0, 1.2 * stated)
        check("its friction [N]", friction_error(stepped), 0, 1e-12 * largest_normal(stepped))
    for stiffness, most in (("1e6", 2.4e-3), ("1e8", 2.8e-4)):
        law = f"{{name: tip, a: tip, b: target, friction: {FRICTION}, law: hunt_crossley, stiffness: {stiffness}, damping: 50}}"
        soft = command.run_file(path, "soft", "--set", f"contacts.tip={law}", "--set", "integrator=null")
        check(f"states, stiffness {stiffness}", furthest(soft, data("robot_A_feedback_routh"), "q", 1), 0, most)


def made_inputs(command, scenarios):
    """The inputs made by task_qp; times and figures are those of the paper."""
    path = os.path.join(scenarios, "contact_work_qp.yaml")
    run = command.run_file(path, "contact_work_qp")
    opens, hits = run.times("contact.tip.opens"), run.times("contact.tip.hits")
    for what, found, paper in zip(("leaves", "leaves again"), opens, (0.08, 1.89)):
        check(f"the tip {what} [s]", found, paper - 0.01, paper + 0.01)
    for what, found, paper in zip(("is back", "is back again"), hits, (0.66, 2.43)):
        check(f"the tip {what} [s]", found, paper - 0.01, paper + 0.01)
    check("separations", len(opens), 2, 2)
    check("impacts", len(hits), 2, 2)
    check("excursion of the tip [m]", excursion(run, "p.tip.x"), 0.2785, 0.2787)
    check("largest normal force [N]", largest_normal(run), 6, 8)
    check("friction while slipping [N]", friction_error(run), 0, 1e-12)
    force = run.columns["contact.tip.force.x"]
    check("friction to the left before 2.78 s [N]", max(force[: run.index(2.78)]), -1e-9, 0.01)
    check("and to the right after 2.84 s [N]", min(force[run.index(2.84) : run.index(4.9)]), 0, 1)
    check("the base moves by [m]", max(excursion(run, "q.base.0"), excursion(run, "q.base.1")), 0, 1e-4)
    check("status of task_qp", max(run.columns["press.status"]), 0, 0)
    stepped = command.run_file(path, "stepped_qp", "--set", "integrator=null")
    apart = max(abs(a - b) for k in COORDINATES for a, b in zip(run.columns[f"q.{k}"], stepped.columns[f"q.{k}"]))
    check("time stepping, 1 ms, from this", apart, 0, 1e-3)


def continued(command, scenarios, name):
    """A run that ends in the air, where nothing is solved, and is then extended: the same bits as one in one go."""
    path, steady = os.path.join(scenarios, name + ".yaml"), ("--set", "checkpoint=0.25")
    whole = command.run_file(path, "whole", *steady, "--duration", "1")
    command.run_file(path, "continued", *steady, "--duration", "0.5")
    done = command.call("run", "--quiet", "--resume", os.path.join(command.folder, "continued.run"), "--duration", "1")
    again = contact_rig.Run(os.path.join(command.folder, "continued.run"))
    other = [signal for signal in whole.columns if whole.columns[signal] != again.columns[signal]]
    check(f"signals of {name} that change when it is continued", len(other) + done.returncode, 0, 0)


def main():
    freebody, references, folder = sys.argv[1:]
    scenarios = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenarios", "contact_work")

    def data(name):
        with open(os.path.join(references, name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    command = contact_rig.Command(freebody, folder)
    reference_inputs(command, scenarios, data)
    made_inputs(command, scenarios)
    continued(command, scenarios, "contact_work")
    continued(command, scenarios, "contact_work_qp")
    return 1 if BAD else 0


sys.exit(main())
