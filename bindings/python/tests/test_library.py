"""The rest of the library: floating bases, inverse kinematics, trim, loops, joins, paths, laws, events, pages."""
import math
import os
import tempfile
import unittest

import freebody
from common import G, PENDULUM, SCENARIOS, distance, flat, freebody_command
from freebody._numbers import numpy

INSPECTOR = SCENARIOS / "inspector" / "inspector.yaml"
TIGHT = 1e-12
FOUR_BAR = """\
freebody: 1
bodies:
  - {name: crank, joint: {name: crank, type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1, 0, 0, 0],
     frames: [{name: top, at: [0, 0, 1]}]}
  - {name: rod, parent: crank, joint: {name: knee, type: revolute, axis: [0, 1, 0], at: [0, 0, 1]}, mass: 1, com: [1, 0, 0],
     inertia: [0.1, 0.1, 0.1, 0, 0, 0], frames: [{name: end, at: [2, 0, 0]}]}
  - {name: rocker, joint: {name: rocker, type: revolute, axis: [0, 1, 0], at: [2, 0, 0]}, mass: 1, com: [0, 0, 0.5],
     inertia: [0.1, 0.1, 0.1, 0, 0, 0], frames: [{name: tip, at: [0, 0, 1]}]}
loops: [{name: close, type: revolute, a: end, b: tip, axis: [0, 1, 0]}]
"""
TWO = """\
freebody: 1
bodies:
  - {name: chaser, joint: {type: free}, mass: 10, inertia: [1, 1, 1, 0, 0, 0], frames: [{name: hook, at: [1, 0, 0]}]}
  - {name: target, joint: {type: free}, mass: 5, inertia: [1, 1, 1, 0, 0, 0], frames: [{name: ring, at: [-1, 0, 0]}]}
"""


def inspector():
    m = freebody.Model.load(INSPECTOR)
    q = m.neutral()
    q[m.joints["shoulder"].q], q[m.joints["elbow"].q] = [0.5], [-1.0]
    return m, q


def arm(joints):
    """An arm on a floating base."""
    bodies = "  - {name: base, joint: {type: free}, mass: 90, inertia: [20, 20, 20, 0, 0, 0]}\n"
    for i in range(joints):
        bodies += (f"  - {{name: l{i}, parent: {f'l{i - 1}' if i else 'base'}, joint: {{type: revolute, axis: "
                   f"[{i % 2}, 0.3, {1 - i % 2}], at: [0.4, 0, 0]}}, mass: 2, com: [0.2, 0, 0], "
                   "inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n")
    return freebody.Model.parse("freebody: 1\nbodies:\n" + bodies)


class FloatingBase(unittest.TestCase):
    def test_the_generalized_jacobian_gives_the_velocity_of_a_floating_arm(self):
        m, q = inspector()
        f, v_m = m.floating(), [0.3, -0.2]
        v = f.velocity(q, v_m)
        self.assertLess(distance(f.momentum(q, v), [0] * 6), TIGHT)
        J = f.jacobian(q, "tool")
        moved = [sum(a * b for a, b in zip(row, v_m)) for row in J]
        self.assertLess(distance(moved, flat(m.velocity(q, v, "tool"))), TIGHT)
        self.assertLess(distance(f.base_velocity(q, v_m), flat(m.velocity(q, v, "base"))), TIGHT)
        rates, smallest = f.resolved_rate(q, "tool", moved)
        self.assertLess(distance(rates, v_m), 1e-11)
        self.assertAlmostEqual(smallest, f.singular_values(q, "tool")[-1])
        self.assertAlmostEqual(f.manipulability(q, "tool"), math.prod(f.singular_values(q, "tool")))

    def test_its_rate_is_the_difference_of_two(self):
        m, q = inspector()
        f, h = m.floating(), 1e-5
        v = f.velocity(q, [0.3, -0.2])
        after, before = (f.jacobian(m.integrate(q, v, dt), "tool") for dt in (h, -h))
        slope = [[(a - b) / (2 * h) for a, b in zip(*rows)] for rows in zip(after, before)]
        self.assertLess(distance(f.jacobian_rate(q, v, "tool"), slope), 1e-8)

    def test_the_null_space_leaves_the_base_alone(self):
        m = arm(5)
        f, q = m.floating(), m.random(2).q
        basis = f.null_space(q)
        self.assertEqual((len(basis), len(basis[0])), (5, 2))
        for column in zip(*basis):
            self.assertLess(distance(f.base_velocity(q, list(column))[3:], [0, 0, 0]), TIGHT)
        self.assertEqual(len(f.loop_motions(q)[0]), 5)
        self.assertRaisesRegex(freebody.Error, "no floating base", freebody.Model.parse(PENDULUM).floating)


class Searches(unittest.TestCase):
    def test_inverse_kinematics_reaches_what_it_can(self):
        m, q = inspector()
        p, R = m.pose(q, "tool")
        found = m.inverse_kinematics(m.neutral(), ("tool", p), restarts=5)
        self.assertTrue(found.solved)
        self.assertLess(distance(m.pose(found.q, "tool")[0], p), 1e-9)
        found = m.inverse_kinematics(m.neutral(), freebody.Target("tool", p, R), movable=["shoulder", "elbow"], restarts=5)
        self.assertLess(distance(m.pose(found.q, "tool")[1], R), 1e-9)
        with self.assertRaisesRegex(freebody.Error, "m and 0 rad away") as caught:
            m.inverse_kinematics(q, ("tool", [50, 0, 0]))
        self.assertEqual(caught.exception.status, "FB_ERR_NO_SOLUTION")
        self.assertGreater(caught.exception.result.position_error, 40)
        self.assertFalse(m.inverse_kinematics(q, ("tool", [50, 0, 0]), check=False).solved)
        for targets, text in (((), "needs a target"), ((("tool", [1, 2]),), "position has 2 numbers"),
                              ((("tul", [1, 2, 3]),), "no frame 'tul'")):
            self.assertRaisesRegex(freebody.Error, text, m.inverse_kinematics, q, *targets)

    def test_trim_finds_where_a_pendulum_hangs(self):
        m = freebody.Model.parse(PENDULUM)
        hangs = m.trim([2.0], gravity=(0, 0, -G))
        self.assertEqual((hangs.solved, hangs.stability), (True, "stable"))
        self.assertLess(abs(math.sin(hangs.q[0])), 1e-9)
        held = m.trim([0.2], tau=[2 * G * 0.5 * math.sin(0.4)], gravity=(0, 0, -G))
        self.assertAlmostEqual(held.q[0], 0.4, places=8)
        self.assertRaisesRegex(freebody.Error, "no joint 'pan'", m.trim, [0], movable=["pan"])


class Loops(unittest.TestCase):
    def test_a_four_bar_is_closed_and_moves_with_one_freedom(self):
        m = freebody.Model.parse(FOUR_BAR)
        self.assertEqual(m.loops, ["close"])
        q, v = m.close_loops([0.3, 0, 0], [0.5, 0, 0], held=["crank"])
        self.assertEqual((q[0], v[0]), (0.3, 0.5))
        self.assertLess(m.loop_errors(q)["close"], 1e-11)
        self.assertLess(distance(q, [0.3, -0.3, 0.3]), 1e-9)  # a parallelogram
        self.assertEqual(m.mobility(q), 1)
        vdot, tau, forces = m.constrained_dynamics(q, v, gravity=(0, 0, -G))
        ends = [flat(m.acceleration(q, v, vdot, frame))[:3] for frame in ("end", "tip")]
        self.assertLess(distance(*ends), 1e-9)
        self.assertGreater(sum(map(abs, forces["close"].force)), 0.1)
        back = m.constrained_inverse_dynamics(q, v, vdot, gravity=(0, 0, -G), actuated=["crank"])
        self.assertLess(distance(back.tau, [0, 0, 0]), 1e-9)
        self.assertEqual(m.loop_id("close"), 0)
        self.assertRaisesRegex(freebody.Error, "no loop 'clos'; did you mean 'close'", m.loop_id, "clos")


class Joins(unittest.TestCase):
    def setUp(self):
        self.m = freebody.Model.parse(TWO)
        q, v = self.m.neutral(), self.m.zero()
        q[self.m.joints["target"].q] = [2, 0, 0, 1, 0, 0, 0] if numpy is None else numpy.array([2, 0, 0, 1, 0, 0, 0])
        v[0] = 1.5
        self.q, self.v = q, v

    def test_a_capture_keeps_momentum_and_can_be_undone(self):
        m = self.m
        joined = m.join("grasp", "ring", "hook", self.q)
        state = m.join_velocities(joined, "grasp", self.q, self.v)
        self.assertLess(distance(flat(m.momentum(self.q, self.v)), flat(joined.momentum(state.q, state.v))), TIGHT)
        self.assertAlmostEqual(state.impulse.energy, 0.5 * 10 * 5 / 15 * 1.5 ** 2)
        parted = joined.part("grasp")
        q, v = joined.carry(parted, state.q, state.v)
        self.assertEqual((parted.nv, len(q)), (12, 14))
        self.assertLess(distance(flat(parted.momentum(q, v)), flat(joined.momentum(state.q, state.v))), TIGHT)
        self.assertRaisesRegex(freebody.Error, "no type of joint 'glue'", m.join, "g", "ring", "hook", self.q, type="glue")

    def test_an_event_of_a_simulation_joins_and_parts(self):
        sim = freebody.Simulation(self.m, step=0.01)
        sim.add_event("catch", at=0.0, once=True, do=lambda sim: sim.join("grasp", "ring", "hook"))
        sim.add_event("let", at=1.0, once=True, do=lambda sim: sim.part("grasp"))
        sim.start(self.q, self.v).run(2)
        self.assertEqual([(change.joint, change.type) for change in sim.changes], [("grasp", "fixed"), ("grasp", "")])
        self.assertAlmostEqual(sim.changes[0].impulse.energy, 3.75)
        self.assertLess(distance(sim.v[:3], [1, 0, 0]), TIGHT)
        self.assertEqual((sim.epoch, [event.name for event in sim.events]), (2, ["catch", "let"]))


class Paths(unittest.TestCase):
    def test_paths_have_values_rates_and_accelerations(self):
        path = freebody.quintic([0, 2], [0, 1])
        self.assertLess(distance(path(1.0), [0.5, 15 / 16, 0]), TIGHT)
        x, rate, _ = freebody.trapezoid([0, 2], [0, 1], ramp=0.25)([0, 1, 2, 3])
        self.assertLess(distance([list(x), list(rate)], [[0, 0.5, 1, 1], [0, 2 / 3, 0, 0]]), TIGHT)
        self.assertEqual(freebody.cubic([0, 1, 3], [0, 1, 2]).next_knot(0.5), 1)
        shaped = freebody.quintic([0, 1], [0, 1]).shaped(frequency=0.5)
        self.assertAlmostEqual(shaped.value(1.0), 0.75, delta=0.3)
        self.assertEqual(shaped.value(2.0), 1)
        self.assertEqual(freebody.constant(3).value(7.0), 3)
        self.assertRaisesRegex(freebody.Error, "must rise", freebody.cubic, [0, 0], [1, 2])
        self.assertRaisesRegex(freebody.Error, "values has 3 numbers; it needs 2", freebody.cubic, [0, 1], [1, 2, 3])


class ControlLaws(unittest.TestCase):
    def simulate(self, law, until=5.0, model=None, **options):
        m, q = (model, [0] * 3 + [1] + [0] * 3 + [0.3] * (model.nv - 6)) if model else inspector()
        sim = freebody.Simulation(m, step=0.01)
        sim.add_law("law", law, **options)
        return sim.start(q).run(until)

    def test_joint_laws_bring_joints_to_their_targets(self):
        c = freebody.control
        gains = {"elbow": dict(kp=30, kd=20, target=0.2), "shoulder": dict(kp=60, kd=60, path=freebody.quintic([0, 4], [0.5, 0]))}
        for law in (c.JointPD(gains), c.ComputedTorque({name: dict(row, kp=9, kd=6) for name, row in gains.items()})):
            sim = self.simulate(law, 15, sampled={"period": 0.02}, limited=True)
            self.assertLess(distance(sim.q[-2:], [0, 0.2]), 5e-3)
        sim.set_parameter("law", "elbow.kp", 8)
        self.assertEqual(sim.parameter("law", "elbow.kp"), 8)
        self.assertRaisesRegex(freebody.Error, "has no parameter 'kp'", sim.parameter, "law", "kp")
        self.assertRaisesRegex(freebody.Error, "no block 'lew'", sim.parameter, "lew", "kp")

    def test_frame_laws_move_the_frame(self):
        c = freebody.control
        path = dict(position=[freebody.quintic([0, 4], [0, 0.05]), 0, 0], from_start=True, rows=3)
        m = arm(6)
        start = m.pose([0] * 3 + [1] + [0] * 3 + [0.3] * 6, "l5")[0][0]
        for law in (c.FrameTask("l5", kp=4, kd=4, **path), c.Impedance("l5", [50] * 6, [60] * 6, **path),
                    c.TaskQP([c.Task("frame", "l5", kp=4, kd=4, position=path["position"], from_start=True)], effort=100.0)):
            with self.subTest(law):
                self.assertAlmostEqual(self.simulate(law, 8, m)["p.l5"][0] - start, 0.05, delta=2e-3)
        self.simulate(c.ForcePosition("tool", [c.ForceAxis((0, 0, -1), 0.1)], rows=3), 0.5)
        self.simulate(c.TaskQP([c.Task("centre_of_mass", kp=1), c.Task("posture", joints={"elbow": {}}, priority=2)],
                               [c.Support("tool", most=5.0, friction=0.3)]), 0.1)

    def test_attitude_schedules_and_scripts(self):
        c = freebody.control
        sim = self.simulate(c.Attitude("base", turn=freebody.quintic([0, 5], [0, 0.3]), axis=(0, 0, 1), kp=5, kd=10),
                            30, arm(0))
        self.assertAlmostEqual(2 * math.atan2(sim.q[6], sim.q[3]), 0.3, delta=1e-3)
        pulse = self.simulate(c.FrameSchedule("base", [0, 1], [[1, 0, 0, 0, 0, 0], [0] * 6]), 2)
        self.assertAlmostEqual(pulse.ledger.linear[0], 1.0, places=9)
        self.assertGreater(self.simulate(c.JointSchedule("elbow", [0, 1, 2], [1, 2, 0]), 3).q[-1], -0.9)
        script = "parameters = {kp = 3}\nfunction act(t, q, v)\n  local tau = {}\n  for k = 1, nv do tau[k] = 0 end\n" \
                 "  tau[nv] = parameters.kp * (0.3 - q[nv + 1]) - 5 * v[nv]\n  return tau\nend\n"
        self.assertAlmostEqual(self.simulate(c.Lua(script, parameters={"kp": 6}), 20).q[-1], 0.3, delta=1e-3)

    def test_wrong_laws_are_told(self):
        c = freebody.control
        for law, text in ((c.JointPD({"elbow": dict(kq=1)}), "the joint 'elbow' has no 'kq'; it has coordinate, kp"),
                          (c.JointPD({"elbo": {}}), "did you mean 'elbow'"), (c.JointPD({("elbow", 1): {}}), "coordinate 1"),
                          (c.JointPD({"elbow": dict(kp="high")}), "kp of the joint 'elbow' cannot be 'high'"),
                          (c.FrameTask("tool", position=[1, 2]), "position has 2 paths; it needs 3"),
                          (c.FrameTask("tool", speed=1), "a frame's task has no 'speed'"),
                          (c.FrameTask("tool", position=["a", 0, 0]), "position must be a Path or a number"),
                          (c.Attitude("base", saturate="all"), "must be \"axis\" or"), (c.Attitude("upper"), "free|float"),
                          (c.TaskQP([c.Task("frame", "tool", axes="x w")]), "no axis 'w'"),
                          (c.TaskQP([c.Task("dance")]), "kind of a task is 'dance'"), (c.Lua("act = 3"), "act")):
            with self.subTest(text), self.assertRaisesRegex(freebody.Error, text):
                self.simulate(law)
        with self.assertRaisesRegex(freebody.Error, "sampled has no 'rate'"):
            self.simulate(c.JointPD({"elbow": {}}), sampled={"rate": 3})


class Additions(unittest.TestCase):
    def test_springs_bushings_motions_and_events(self):
        m, q = inspector()
        sim = freebody.Simulation(m, step=0.01)
        sim.add_spring("tether", "tool", "base", stiffness=5, damping=1)
        sim.add_bushing("mount", "base", "world", [10] * 6, [5] * 6)
        sim.add_motion("elbow", path=freebody.quintic([0, 2], [-1, 0]))
        later = sim.add_motion(rate=0.25)
        seen = []
        sim.add_event("up", when="q.elbow", crosses=-0.5, direction="rising", do=lambda sim: seen.append(sim["q.elbow"]))
        sim.add_event("go", at=3.0, once=True, do=lambda sim: sim.move("elbow", later))
        sim.start(q).run(4)
        self.assertAlmostEqual(sim.q[-1], 0.25, places=9)
        self.assertAlmostEqual(seen[0], -0.5, places=6)
        self.assertEqual([event.name for event in sim.events], ["up", "go"])
        self.assertTrue(math.isfinite(sim["tether.force"]))
        self.assertRaisesRegex(freebody.Error, "cannot be added after", sim.add_event, "late", at=1.0)
        other = freebody.Simulation(m)
        for options, text in ((dict(), "needs a time"), (dict(at=1.0, when="q.elbow"), "a contact or a limit"),
                              (dict(when="q.elbow", direction="up"), "direction is 'up'"), (dict(when="q"), "an event watches one")):
            self.assertRaisesRegex(freebody.Error, text, other.add_event, "e", **options)
        self.assertRaisesRegex(freebody.Error, "a path or a rate", other.add_motion, "elbow")

    def test_events_of_contacts_and_limits(self):
        ball = freebody.Model.parse("freebody: 1\nbodies: [{name: ball, joint: {type: free}, mass: 1, "
                                    "inertia: [0.01, 0.01, 0.01, 0, 0, 0]}]\n")
        sim = freebody.Simulation(ball, step=0.005, gravity=(0, 0, -G))
        sim.add_contact("floor", freebody.sphere("ball", 0.1), freebody.plane(), restitution=0.5)
        sim.add_event("hit", contact="floor", change="hits", once=True)
        sim.start([0, 0, 1.1, 1, 0, 0, 0]).run(1)
        self.assertAlmostEqual(sim.events[0].t, math.sqrt(2 / G), places=6)
        m, q = inspector()
        arm = freebody.Simulation(m, step=0.01)
        arm.add_limits("elbow", restitution=0.5)
        arm.add_force("push", lambda t, q, v: 5.0, joint="elbow")
        arm.add_event("stop", limit="elbow", side="upper", change="hits", do=lambda sim: sim.stop())
        arm.start(q).run(60)
        self.assertEqual((arm.stopped, arm.events[0].name), (True, "stop"))
        self.assertAlmostEqual(arm.q[-1], 2, places=6)  # its limit
        other = freebody.Simulation(m)
        other.add_limits("elbow")
        for options, text in ((dict(contact="floor"), "no hard contact"), (dict(limit="shoulder"), "has no such stop"),
                              (dict(limit="elbow", side="top"), "side is 'top'"), (dict(limit="elbow", change="opens"), "hits, rests")):
            self.assertRaisesRegex(freebody.Error, text, other.add_event, "e", **options)

    def test_a_law_of_a_hundred_coordinates(self):
        m = freebody.Model.load(SCENARIOS / "snake" / "chain.yaml")
        sims = []
        for law in (lambda t, q, v: [-0.1 * x for x in v], lambda t, q, v: tuple(-0.1 * x for x in v)):
            sim = freebody.Simulation(m, step=0.02)
            sim.add_force("brake", law)
            sims.append(list(sim.start(None, [0.1] * m.nv).run(0.1).v))
        self.assertEqual(*sims)

    def test_a_snapshot_goes_on_with_the_same_bits(self):
        m, q = inspector()
        sim = freebody.Simulation(m, step=0.01).start(q, [0.1] * m.nv).run(1)
        saved = sim.save()
        want = list(sim.run(2).q)
        self.assertEqual(list(sim.restore(saved).run(2).q), want)
        for damaged in (b"", saved[:50], saved[:-1] + bytes([saved[-1] ^ 1])):
            self.assertRaises(freebody.Error, sim.restore, damaged)


class Notebooks(unittest.TestCase):
    def test_objects_show_themselves(self):
        m, q = inspector()
        sim = freebody.Simulation(m)
        self.assertIn("not started", sim._repr_html_() + repr(sim))
        sim.start(q).run(0.1)
        with tempfile.TemporaryDirectory() as folder:
            run = freebody.run(SCENARIOS / "pendulum" / "pendulum.yaml", f"{folder}/run", duration=1)
            for shown, words in ((m, "Model inspector"), (sim, "Simulation of inspector"), (run, "q.hinge")):
                self.assertIn(words, shown._repr_html_())
                self.assertTrue(shown._repr_html_().startswith("<div>"))
            self.assertIn("t 0.1 s", repr(sim))

    def test_pages_are_those_of_the_command(self):
        m, _ = inspector()
        with tempfile.TemporaryDirectory() as folder:
            run = freebody.run(SCENARIOS / "pendulum" / "pendulum.yaml", f"{folder}/run", duration=1)
            page = run.view(f"{folder}/mine.html")
            freebody_command("view", f"{folder}/run", "-o", f"{folder}/theirs.html")
            with open(f"{folder}/mine.html", "rb") as mine, open(f"{folder}/theirs.html", "rb") as theirs:
                self.assertEqual(mine.read(), theirs.read())
            self.assertTrue(page._repr_html_().startswith("<iframe srcdoc=\""))
            ghost = run.view(others=[f"{folder}/run"])
            self.assertGreater(os.path.getsize(ghost.file), os.path.getsize(page.file))
            file = ghost.file
            del ghost
            self.assertFalse(os.path.exists(file))
            run.close()
            self.assertRaisesRegex(freebody.Error, "was closed", run.view)
            self.assertGreater(os.path.getsize(m.view(f"{folder}/model.html").file), 1000)


if __name__ == "__main__":
    unittest.main()
