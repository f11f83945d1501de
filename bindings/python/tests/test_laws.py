"""Functions of Python as forces: what they get, what they may return, what they raise; additions to scenarios and runs."""
import array
import gc
import math
import sys
import tempfile
import traceback
import unittest
import weakref

import freebody
from common import PENDULUM, SCENARIOS, distance
from freebody._numbers import numpy

SCENARIO = SCENARIOS / "pendulum" / "pendulum.yaml"


def simulation(function, **options):
    sim = freebody.Simulation(freebody.Model.parse(PENDULUM), step=0.01, gravity=(0, 0, -9.81))
    sim.add_force("motor", function, **options)
    return sim.start([0.3])


class Laws(unittest.TestCase):
    def test_numbers_lists_tuples_and_arrays_are_the_same_force(self):
        ways = [lambda x: x, lambda x: [x], lambda x: (x,), lambda x: [[x]], lambda x: array.array("d", [x])]
        if numpy is not None:
            ways += [lambda x: numpy.float64(x), lambda x: numpy.array(x), lambda x: numpy.array([x]),
                     lambda x: numpy.array([x, 0])[::2]]
        want = simulation(lambda t, q, v: -2 * v[0]).run(1).q
        for number, way in enumerate(ways):
            with self.subTest(number):
                self.assertEqual(list(simulation(lambda t, q, v: way(-2 * float(v[0]))).run(1).q), list(want))
        still = simulation(lambda t, q, v: 0).run(1).q
        self.assertEqual(list(still), list(simulation(lambda t, q, v: None).run(1).q))

    def test_what_a_function_keeps_stays_as_it_was(self):
        kept = []
        simulation(lambda t, q, v: kept.append((t, q, v)), period=0.1).run(0.5)
        self.assertEqual(len({id(q) for _, q, _ in kept}), len(kept))
        again = []
        simulation(lambda t, q, v: again.append((t, list(q), list(v))), period=0.1).run(0.5)
        self.assertEqual([(t, list(q), list(v)) for t, q, v in kept], again)

    def test_whatever_a_function_does_to_its_arrays_the_next_call_has_the_state(self):
        def turned(x):
            x.shape = (1, 1)

        def typed(x):
            x.dtype = numpy.int64

        ways = {"longer": lambda x: x.resize(1 << 20, refcheck=False), "empty": lambda x: x.resize(0, refcheck=False),
                "fixed": lambda x: x.setflags(write=False), "another shape": turned, "another type": typed,
                "another memory": lambda x: x.__setstate__(numpy.zeros(3).__reduce__()[2])}
        if numpy is None:  # lists are made anew for each call
            ways = {"empty": lambda x: x.clear()}
        seen = []
        simulation(lambda t, q, v: seen.append((float(q[0]), float(v[0])))).run(0.1)
        for name, way in ways.items():
            with self.subTest(name):
                got = []

                def law(t, q, v):
                    got.append((float(q[0]), float(v[0])))
                    for x in q, v:
                        try:
                            way(x)
                        except ValueError:
                            pass  # by ctypes the memory is not the array's own
                simulation(law).run(0.1)
                self.assertEqual(got, seen)

    def test_what_is_no_force_is_told(self):
        nan = float("nan")
        for value, text in ((nan, "'motor' returned at t = 0 s is not finite"), ([math.inf], "is not finite"),
                            ("word", "'motor' returned must be 1 number, not 'word'"),
                            ([1, 2], "returned has 2 numbers; it needs 1"), (1j, "must be 1 number"),
                            (object(), "must be 1 number"), ([[1, 2], [3, 4]], "returned is 2 x 2|4 numbers")):
            with self.subTest(text), self.assertRaisesRegex(freebody.Error, text):
                simulation(lambda t, q, v: value).run(1)
        sim = freebody.Simulation(freebody.Model.parse(PENDULUM))
        self.assertRaisesRegex(freebody.Error, "must be a function of t, q and v", sim.add_force, "f", 3)
        self.assertRaisesRegex(freebody.Error, "period of the force 'f' is nan", sim.add_force, "f", print, period=nan)

    def test_an_exception_comes_with_its_place(self):
        def fails(t, q, v):
            return 1 / (q[0] - q[0])
        try:
            simulation(lambda t, q, v: fails(t, [0], v)).run(1)
        except ZeroDivisionError as error:
            self.assertIn("fails", "".join(traceback.format_tb(error.__traceback__)))
        else:
            self.fail("nothing was raised")

    def test_a_simulation_that_its_law_knows_is_collected(self):
        sim = freebody.Simulation(freebody.Model.parse(PENDULUM), step=0.01)
        sim.add_force("own", lambda t, q, v: -sim["v.pin"] if t > 0 else 0.0, period=0.1)
        sim.start([0.3]).run(0.3)
        gone = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(gone())

    def test_calls_leave_nothing_behind(self):
        model = freebody.Model.parse(PENDULUM)

        def simulate(kind):
            sim = freebody.Simulation(model, step=0.01)
            sim.add_force("motor", kind)
            sim.add_wrench("push", "tip", lambda t, q, v: [0.1, 0, 0, 0, 0, 0])
            try:
                sim.start([0.3]).run(1)
            except (ZeroDivisionError, freebody.Error):
                pass
        kinds = (lambda t, q, v: -v[0], lambda t, q, v: [1.0], lambda t, q, v: 1 / 0, lambda t, q, v: "no")
        for kind in kinds * 3:
            simulate(kind)
        gc.collect()
        before = sys.getallocatedblocks()
        for kind in kinds * 10:
            simulate(kind)
        gc.collect()
        self.assertLess(sys.getallocatedblocks() - before, 100)

    def test_a_law_cannot_pull_the_ground_from_under_its_simulation(self):
        for name, do in {"close": lambda sim: sim.close(), "start": lambda sim: sim.start(), "run": lambda sim: sim.run(9),
                         "step": lambda sim: sim.step(), "restore": lambda sim: sim.restore(b"")}.items():
            sim = simulation(lambda t, q, v: do(sim) if t > 0.5 else None)
            with self.subTest(name), self.assertRaisesRegex(freebody.Error, f"Simulation.{name} was called by a function"):
                sim.run(1)
            self.assertAlmostEqual(sim.t, 0.5, delta=0.02)
        job = freebody.Job(SCENARIO, None, add=lambda sim: sim.add_force("f", lambda t, q, v: job.finish() if t > 1 else None))
        self.assertRaisesRegex(freebody.Error, "Job.finish was called by a function", job.advance)

    def test_a_closed_simulation_says_so(self):
        sim = simulation(lambda t, q, v: None)
        with sim:
            sim.run(0.1)
        for use in (lambda: sim.t, lambda: sim.q, lambda: sim.run(1), lambda: sim["q.pin"], lambda: sim.start(),
                    lambda: sim.lock("pin"), lambda: sim.add_force("f", print), lambda: sim.save(), lambda: sim.stop(),
                    lambda: sim.mode, lambda: sim.epoch, lambda: sim.changes, lambda: sim.add_contact("c", "tip", "rod"),
                    lambda: sim.set_parameter("motor", "kp", 1), lambda: sim.unit("q.pin")):
            self.assertRaisesRegex(freebody.Error, "was closed", use)
        self.assertIn("closed", repr(sim))


class Scenarios(unittest.TestCase):
    def test_forces_and_events_are_added_before_the_first_step(self):
        plain = freebody.Simulation.from_scenario(SCENARIO).run(3)
        sim = freebody.Simulation.from_scenario(SCENARIO)
        sim.add_force("brake", lambda t, q, v: -2 * v[0], joint="hinge")
        sim.add_event("second", at=1.0, every=1.0)
        sim.add_event("late", at=2.5, do=lambda sim: sim.stop())
        sim.run(3)
        self.assertLess(sim["energy.total"], plain["energy.total"] - 0.1)
        self.assertEqual([(event.t, event.name) for event in sim.events], [(1, "second"), (2, "second"), (2.5, "late")])
        self.assertEqual(sim.t, 2.5)
        self.assertRaisesRegex(freebody.Error, "before its first step", sim.add_force, "more", lambda t, q, v: None)

    def test_a_refused_addition_leaves_the_simulation_as_it_was(self):
        sim = freebody.Simulation.from_scenario(SCENARIO)
        sim.add_force("brake", lambda t, q, v: -2 * v[0], joint="hinge")
        self.assertRaisesRegex(freebody.Error, "brake", sim.add_force, "brake", lambda t, q, v: None)
        self.assertRaisesRegex(freebody.Error, "no joint 'hunge'", sim.add_force, "x", lambda t, q, v: None, joint="hunge")
        other = freebody.Simulation.from_scenario(SCENARIO)
        other.add_force("brake", lambda t, q, v: -2 * v[0], joint="hinge")
        self.assertEqual(list(sim.run(1).q), list(other.run(1).q))

    def test_a_run_takes_additions_and_resumes_with_them(self):
        def add(sim):
            sim.add_force("brake", lambda t, q, v: -0.5 * v[0], joint="hinge")
            sim.add_event("mark", at=1.0, do=lambda sim: marks.append(sim.t))
        marks = []
        with tempfile.TemporaryDirectory() as folder:
            whole = freebody.run(SCENARIO, f"{folder}/whole", duration=4, add=add)
            self.assertEqual(marks, [1.0])
            plain = freebody.run(SCENARIO, f"{folder}/plain", duration=4)
            self.assertGreater(distance(whole["q.hinge"], plain["q.hinge"]), 1e-2)
            with freebody.Job(SCENARIO, f"{folder}/half", duration=4, add=add) as job:
                job.advance(until=2)
            self.assertRaisesRegex(freebody.Error, "scenario file", freebody.resume, f"{folder}/half", add=add)
            done = freebody.resume(f"{folder}/half", scenario=SCENARIO, add=add)
            self.assertEqual(list(done["q.hinge"]), list(whole["q.hinge"]))

    def test_a_default_run_sees_a_push_that_nobody_announces(self):
        scenario = "scenario: 1\nmodel: model.yaml\nduration: 20\n"
        model = ("freebody: 1\nbodies:\n  - {name: a, joint: {name: j, type: revolute, axis: [0, 0, 1]}, mass: 1, "
                 "inertia: [1, 1, 1, 0, 0, 0]}\n")
        script = "function act(t, q, v) return {(t > 11.02 and t < 11.45) and 1 or 0} end"

        def pulse(t, q, v):
            return 1.0 if 11.02 < t < 11.45 else 0.0
        want = 0.43 * (20 - 11.235)  # to 3 places: what a jump that nobody announces costs is warned of
        adds = {"force": lambda sim: sim.add_force("f", pulse, joint="j"),
                "wrench": lambda sim: sim.add_wrench("f", "a", lambda t, q, v: [0, 0, 0, 0, 0, pulse(t, q, v)]),
                "script": lambda sim: sim.add_law("f", freebody.control.Lua(script))}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("model", model), ("scenario", scenario)):
                with open(f"{folder}/{name}.yaml", "w", encoding="utf-8") as file:
                    file.write(text)
            for name, add in adds.items():
                with self.subTest(name):
                    sim = freebody.Simulation.from_scenario(f"{folder}/scenario.yaml")
                    add(sim)
                    self.assertAlmostEqual(sim.run()["q.j"], want, 3)
                    sim = freebody.Simulation(freebody.Model.load(f"{folder}/model.yaml"), accuracy=1e-6)
                    add(sim)
                    self.assertAlmostEqual(sim.start().run(20)["q.j"], want, 3)
            run = freebody.run(f"{folder}/scenario.yaml", f"{folder}/run", add=adds["force"])
            self.assertAlmostEqual(run["q.j"][-1], want, 3)

    def test_what_an_addition_raises_goes_on(self):
        class Mine(Exception):
            pass

        def add(sim):
            raise Mine("here")
        self.assertRaisesRegex(Mine, "here", freebody.Job, SCENARIO, None, add=add)

        def law(t, q, v):
            if t > 1:
                raise Mine("there")
        job = freebody.Job(SCENARIO, None, add=lambda sim: sim.add_force("f", law))
        self.assertRaisesRegex(Mine, "there", job.advance)


if __name__ == "__main__":
    unittest.main()
