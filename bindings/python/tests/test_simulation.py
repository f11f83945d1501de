"""Simulations: closed forms, forces from Python, the ledger, errors."""
import gc
import math
import os
import signal
import tempfile
import unittest
import weakref

from common import G, INERTIA, PENDULUM, SCENARIOS, distance

import freebody

SPINNER = """\
freebody: 1
bodies:
  - name: block
    joint: {name: slide, type: prismatic, axis: [1, 0, 0]}
    mass: 2
    inertia: [1, 1, 1, 0, 0, 0]
"""


def swinging(**options):
    return freebody.Simulation(freebody.Model.parse(PENDULUM), gravity=(0, 0, -G), **options)


class Motion(unittest.TestCase):
    def test_small_swings_have_the_period_of_the_closed_form(self):
        sim = swinging(method="dopri5", rtol=1e-11, atol=1e-14)
        a, w = 1e-4, math.sqrt(2 * G * 0.5 / INERTIA)
        sim.start([a])
        sim.run(3.0)
        self.assertEqual(sim.t, 3.0)
        # The cube that the closed form leaves out is worth a^3.
        self.assertLess(abs(sim.q[0] - a * math.cos(w * 3)), 1e-10)
        self.assertLess(abs(sim.v[0] + a * w * math.sin(w * 3)), 1e-10)

    def test_every_method_keeps_the_energy_that_its_order_promises(self):
        bounds = {"euler": 0.3, "semi_implicit": 0.3, "rk4": 1e-9, "rkmk4": 1e-9, "dopri5": 1e-8, "momentum": 1e-4, "implicit": 1e-4,
                  "cvode": 1e-6, "arkode": 1e-6}
        for method, bound in bounds.items():
            with self.subTest(method):
                sim = swinging(method=method, step=None if method in ("dopri5", "cvode", "arkode") else 0.002).start([1.0])
                sim.run(1.0)
                self.assertLess(sim.ledger.relative, bound)

    def test_a_step_is_a_step_and_run_stops_where_it_is_told(self):
        sim = swinging(step=0.01).start([0.5])
        sim.step()
        self.assertEqual((sim.t, sim.steps), (0.01, 1))
        sim.step(until=0.015)
        self.assertEqual(sim.t, 0.015)
        sim.run(0.1)
        self.assertAlmostEqual(sim.t, 0.1, delta=1e-15)
        sim.run(0.05)  # already past
        self.assertAlmostEqual(sim.t, 0.1, delta=1e-15)
        self.assertFalse(sim.stopped)

    def test_a_simulation_starts_anew(self):
        sim = swinging().start([0.5])
        first = sim.run(1).q[0]
        self.assertEqual(sim.start([0.5]).run(1).q[0], first)
        self.assertEqual(list(sim.start().q), [0.0])

    def test_a_locked_joint_stays(self):
        sim = swinging().start([0.5], [1.0])
        sim.lock("pin")
        sim.run(1)
        self.assertEqual(list(sim.q), [0.5])
        self.assertAlmostEqual(sim.ledger.impacts, -INERTIA / 2, places=12)
        sim.release("pin")
        self.assertLess(sim.run(1.2).q[0], 0.5)

    def test_limits_become_stops_rigid_or_soft(self):
        model = freebody.Model.parse(PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], limits: [-0.3, 0.4]"))
        for options in ({"restitution": 0.5}, {"stiffness": 1e4, "damping": 30}):
            for joint in (None, "pin"):
                with self.subTest(options, joint=joint):
                    sim = freebody.Simulation(model, gravity=(0, 0, -G), step=1e-3)
                    sim.add_limits(joint, **options)
                    sim.start([0.39], [-3.0])
                    angles = sim.record(3.0, 0.01, "q.pin")["q.pin"]
                    depth = 0.05 if "stiffness" in options else 1e-9
                    self.assertGreater(min(angles), -0.3 - depth)
                    self.assertLess(min(angles), -0.29)
                    self.assertLess(sim.ledger.relative, 1e-5)
                    self.assertGreater(sim.ledger.dissipated - sim.ledger.impacts, 0.1)

    def test_damping_of_the_joint_acts_unless_told_not_to(self):
        text = PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], damping: 0.7")
        m = freebody.Model.parse(text)
        free = freebody.Simulation(m, passive=False).start([0], [1]).run(1)
        damped = freebody.Simulation(m, step=0.01).start([0], [1]).run(1)
        self.assertAlmostEqual(free.v[0], 1, places=12)
        self.assertAlmostEqual(damped.v[0], math.exp(-0.7 / INERTIA), places=8)
        self.assertAlmostEqual(damped.ledger.dissipated, INERTIA / 2 * (1 - math.exp(-1.4 / INERTIA)), places=8)


class Forces(unittest.TestCase):
    def test_a_python_function_pushes(self):
        sim = freebody.Simulation(freebody.Model.parse(SPINNER))
        sim.add_force("push", lambda t, q, v: [6 * t])
        sim.start()
        sim.run(2)
        self.assertAlmostEqual(sim.v[0], 6, places=12)  # 6 t^2 / (2 m)
        self.assertAlmostEqual(sim.q[0], 4, places=12)
        self.assertAlmostEqual(sim.ledger.work, 36, places=9)
        self.assertAlmostEqual(sim.work[0], 36, places=9)

    def test_a_spring_and_damper_of_python_follow_the_closed_form(self):
        sim = freebody.Simulation(freebody.Model.parse(SPINNER), step=0.001)
        sim.add_force("spring", lambda t, q, v: -8 * q[0], joint="slide")
        sim.start([1.0])
        sim.run(2)
        self.assertAlmostEqual(sim.q[0], math.cos(2 * 2), places=9)

    def test_a_sampled_law_is_held_between_its_ticks(self):
        asked = []

        def law(t, q, v):
            asked.append(t)
            return [2 * (1 + round(t / 0.5))]

        sim = freebody.Simulation(freebody.Model.parse(SPINNER))
        sim.add_force("law", law, period=0.5)
        sim.start()
        sim.run(1.0)
        self.assertEqual(asked, [0, 0.5, 1.0])
        self.assertAlmostEqual(sim.v[0], 0.5 * 1 + 0.5 * 2, places=12)

    def test_a_wrench_acts_at_its_frame(self):
        sim = swinging(step=0.001)
        sim.add_wrench("thruster", "tip", lambda t, q, v: [1, 0, 0, 0, 0, 0], in_frame_axes=True)
        sim.start()
        sim.step()
        want = sim.model.forward_dynamics([0], wrenches=[("tip", (1, 0, 0))])[0]
        self.assertAlmostEqual(sim["a.pin"], want, places=4)
        self.assertAlmostEqual(want, -1 / INERTIA, places=12)

    def test_none_is_no_force(self):
        sim = swinging()
        sim.add_force("nothing", lambda t, q, v: None)
        sim.add_wrench("nothing either", "tip", lambda t, q, v: None, period=0.1)
        self.assertEqual(list(sim.start().run(1).q), [0])

    def test_what_a_function_raises_comes_out_unchanged(self):
        class Mine(Exception):
            pass

        def fails(t, q, v):
            if t > 0.05:
                raise Mine("as it was")

        for period in (0, 0.01):
            sim = swinging()
            sim.add_force("fails", fails, period=period)
            sim.start()
            with self.assertRaisesRegex(Mine, "as it was"):
                sim.run(1)
            self.assertLess(sim.t, 0.07)

    def test_ctrl_c_in_a_function_ends_the_run(self):
        def interrupted(t, q, v):
            if t > 0.05:
                signal.raise_signal(signal.SIGINT)

        sim = swinging()
        sim.add_force("slow", interrupted)
        sim.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.run(1)

    def test_a_wrong_number_of_forces_names_the_block(self):
        sim = swinging()
        sim.add_force("wide", lambda t, q, v: [1, 2])
        with self.assertRaisesRegex(freebody.Error, "'wide' returned has 2 numbers; it needs 1"):
            sim.start()

    def test_a_law_that_asks_for_signals_before_the_start_is_told_where_the_state_is(self):
        sim = swinging()
        sim.add_force("asks", lambda t, q, v: [sim["q.pin"]])
        with self.assertRaisesRegex(freebody.Error, "is being started: a law has the state in its arguments"):
            sim.start()

    def test_a_simulation_with_forces_is_freed(self):
        sim = swinging()
        sim.add_force("own", lambda t, q, v: [0 * sim.t])  # a circle of references
        sim.start().run(0.1)
        gone = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(gone())


class Signals(unittest.TestCase):
    def test_signals_by_name(self):
        sim = swinging().start([0.3], [2.0])
        self.assertEqual(sim["q.pin"], 0.3)
        self.assertLess(distance(sim["p.tip"], [-math.sin(0.3), 0, -math.cos(0.3)]), 1e-14)
        self.assertEqual(sim.signal_names("p.tip"), ["p.tip.x", "p.tip.y", "p.tip.z"])
        self.assertEqual((sim.unit("p.tip"), sim.unit("q.pin")), ("m", "rad"))
        with self.assertRaisesRegex(freebody.Error, "q.pin"):
            sim["q.pim"]

    def test_a_record_does_not_change_the_steps(self):
        plain = swinging(method="dopri5").start([1.0]).run(2)
        sim = swinging(method="dopri5").start([1.0])
        table = sim.record(2.0, 0.125, "q.pin", "p.tip")
        self.assertEqual((sim.steps, sim.q[0]), (plain.steps, plain.q[0]))
        self.assertEqual(list(table["t"]), [0.125 * k for k in range(17)])
        self.assertEqual((table["q.pin"][0], table["q.pin"][-1]), (1.0, plain.q[0]))
        self.assertEqual((len(table["p.tip"]), len(table["p.tip"][3])), (17, 3))
        for q, p in zip(table["q.pin"], table["p.tip"]):
            self.assertAlmostEqual(p[0], -math.sin(q), places=12)

    def test_a_period_that_does_not_divide_is_fine(self):
        sim = swinging().start([1.0])
        table = sim.record(1.0, 0.3, "t")
        self.assertLess(distance(table["t"], [0, 0.3, 0.6, 0.9]), 1e-14)
        self.assertLess(distance(table["t"], list(table["t"])), 1e-15)
        self.assertEqual(sim.t, 1.0)


class Errors(unittest.TestCase):
    def test_faults_are_told(self):
        m = freebody.Model.parse(PENDULUM)
        sim = freebody.Simulation(m)
        running = freebody.Simulation(m).start()
        cases = {
            "did you mean 'rk4'": lambda: freebody.Simulation(m, method="rk5"),
            "the step is -1": lambda: freebody.Simulation(m, step=-1),
            "start": sim.step,
            "call start": lambda: sim.q,
            "has not been started": lambda: sim["q.pin"],
            "gravity has 2": lambda: freebody.Simulation(m, gravity=(0, 1)),
            "finite": lambda: running.run(math.inf),
            "needs a finite time": running.run,
            "after fb_sim_start": lambda: running.add_force("late", lambda t, q, v: None),
            "did you mean 'pin'": lambda: sim.lock("pim"),
            "the joint 'pin' has no limits": lambda: sim.add_limits("pin", stiffness=3),
            "no joint of the model has limits": sim.add_limits,
            "q has 2 numbers": lambda: sim.start([1, 2]),
        }
        for text, do in cases.items():
            with self.subTest(text), self.assertRaises(freebody.Error) as caught:
                do()
            self.assertIn(text, str(caught.exception))


class Scenarios(unittest.TestCase):
    def test_coordinates_are_those_of_the_scene_through_joins(self):
        text = """
scenario: 1
model:
  freebody: 1
  bodies:
    - {name: a, joint: {type: free}, mass: 100, inertia: [10, 10, 10, 0, 0, 0]}
    - {name: b, joint: {type: free}, mass: 40, inertia: [4, 4, 4, 0, 0, 0]}
start: {bases: {b: {at: [2, 0, 0], velocity: [-0.1, 0, 0]}}}
events: [{at: 1, do: [{join: {name: grasp, frame: b, to: a, force: true}}]}]
duration: 2
"""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "join.yaml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            sim = freebody.Simulation.from_scenario(file)
            sim.run(2.0)
        self.assertEqual(sim.epoch, 1)
        self.assertEqual((len(sim.q), len(sim.v), len(sim.work)), (14, 12, 12))
        self.assertAlmostEqual(sim.q[7], 1.9 - 0.1 * 40 / 140, places=12)
        self.assertAlmostEqual(sim.v[6], -0.1 * 40 / 140, places=14)
        self.assertRaisesRegex(freebody.Error, "has gone", sim.lock, "b")

    def test_a_scenario_runs_to_its_end(self):
        sim = freebody.Simulation.from_scenario(SCENARIOS / "pendulum" / "pendulum.yaml")
        self.assertAlmostEqual(sim.q[0], math.pi / 3, places=15)
        sim.run()
        self.assertEqual(sim.t, sim.duration)
        self.assertLess(sim.ledger.relative, 1e-6)

    def test_values_are_overridden(self):
        file = SCENARIOS / "pendulum" / "pendulum.yaml"
        sim = freebody.Simulation.from_scenario(file, set={"start.joints.hinge": "90 deg"}, duration=0.5)
        self.assertAlmostEqual(sim.q[0], math.pi / 2, places=15)
        self.assertEqual(sim.duration, 0.5)

    def test_a_fault_in_a_scenario_has_its_place(self):
        with self.assertRaises(freebody.Error) as caught:
            freebody.Simulation.from_scenario(SCENARIOS / "no.yaml")
        self.assertIn("no.yaml", caught.exception.file)


if __name__ == "__main__":
    unittest.main()
