"""Threads that share an object: a Model gives each the numbers that it would get alone, a Simulation and a Job refuse the
second, a Run takes turns."""
import gc
import sys
import tempfile
import threading
import unittest

from common import PENDULUM, SCENARIOS, flat

import freebody

ETS7 = SCENARIOS / "ets7" / "ets7.urdf"
ROUNDS = 60
THREADS = 4


def chain(count):
    """A chain of so many links, which keeps C busy for long enough that calls of several threads overlap."""
    rows = [f"- {{name: b{i}, parent: {f'b{i - 1}' if i else 'world'}, mass: 1, com: [0.1, 0, 0], inertia: "
            f"[0.1, 0.1, 0.1, 0, 0, 0], joint: {{type: revolute, axis: [{i % 2}, 1, {i % 3}], at: [0.2, 0, 0]}}}}"
            for i in range(count)]
    return freebody.Model.parse("freebody: 1\nbodies:\n" + "\n".join(rows) + "\n")


def together(work, count=THREADS):
    """Runs work(i) in so many threads that begin at once; what each returned, or raised."""
    results = [None] * count
    gate = threading.Barrier(count)

    def go(i):
        gate.wait()
        try:
            results[i] = work(i)
        except BaseException as reason:  # told by the caller
            results[i] = reason

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns often, between any two lines
    threads = [threading.Thread(target=go, args=(i,)) for i in range(count)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    return results


def everything(model, seed):
    """All that a model computes in scratch memory, at one state."""
    q, v = model.random(seed)
    gravity = (0, 0, -9.81)
    tau = model.inverse_dynamics(q, v, v, gravity)
    mixed = model.mixed_dynamics(q, v, [list(model.joints)[1]], v, tau, gravity)
    return flat([tau, model.forward_dynamics(q, v, tau, gravity), *mixed, model.bias(q, v, gravity),
                 model.inertia_matrix(q), model.passive_forces(q, v), model.gravity_compensation(q, gravity),
                 *model.momentum(q, v), model.energies(q, v, gravity), model.jacobian(q, "hand")])


class SharedModel(unittest.TestCase):
    def test_threads_get_the_numbers_that_one_alone_gets(self):
        model = freebody.Model.load(ETS7)
        seeds = [[100 * i + k for k in range(ROUNDS)] for i in range(THREADS)]
        want = [[everything(model, seed) for seed in row] for row in seeds]
        got = together(lambda i: [everything(model, seed) for seed in seeds[i]])
        self.assertEqual(got, want)

    def test_calls_that_overlap_in_c_do_not_disturb_one_another(self):
        model = chain(500)
        states = [model.random(seed) for seed in range(THREADS)]
        want = [list(model.forward_dynamics(q, v)) for q, v in states]

        def work(i):
            return [list(model.forward_dynamics(*states[i])) == want[i] for _ in range(ROUNDS)]

        self.assertEqual(together(work), [[True] * ROUNDS] * THREADS)

    def test_one_kinematics_may_be_read_by_all(self):
        model = freebody.Model.load(ETS7)
        for seed in range(ROUNDS):
            q, v = model.random(seed)
            want = flat([*model.kinematics(q, v).centre_of_mass(), model.kinematics(q, v).centroidal_matrix()])
            shared = model.kinematics(q, v)
            got = together(lambda i: flat([*shared.centre_of_mass(), shared.centroidal_matrix()]))
            self.assertEqual(got, [want] * THREADS)

    def test_scratch_goes_with_its_thread_and_with_its_model(self):
        from freebody import _threads
        made, freed = [], []
        usual = _threads.Scratch.__init__

        def counted(scratch, c, model, base=-1):
            usual(scratch, c, model, base)
            made.append(scratch.pointer)
            _threads.weakref.finalize(scratch, freed.append, scratch.pointer)

        _threads.Scratch.__init__ = counted
        try:
            model = freebody.Model.parse(PENDULUM)
            together(lambda i: model.mixed_dynamics([0.1 * i]))
            gc.collect()
            self.assertEqual((len(made), len(freed)), (THREADS, THREADS))
            model.mixed_dynamics([1])
            model.mixed_dynamics([2])
            self.assertEqual((len(made), len(freed)), (THREADS + 1, THREADS))
            del model
            gc.collect()
            self.assertEqual(len(freed), THREADS + 1)
        finally:
            _threads.Scratch.__init__ = usual


class OneAtATime(unittest.TestCase):
    def blocked(self, begin, ask):
        """begin(wait) calls wait() inside a call, during which another thread asks; what that raised."""
        inside, go_on = threading.Event(), threading.Event()

        def wait():
            inside.set()
            go_on.wait(60)

        worker = threading.Thread(target=begin, args=(wait,))
        worker.start()
        self.assertTrue(inside.wait(60))
        try:
            with self.assertRaises(freebody.Error) as caught:
                ask()
        finally:
            go_on.set()
            worker.join()
        return caught.exception

    def test_a_simulation_refuses_a_second_thread_and_goes_on(self):
        questions = {
            "run": lambda sim: sim.run(2), "step": lambda sim: sim.step(), "q": lambda sim: sim.q,
            "v": lambda sim: sim.v, "ledger": lambda sim: sim.ledger, "record": lambda sim: sim.record(2, 1, "q.pin"),
            "__getitem__": lambda sim: sim["q.pin"], "start": lambda sim: sim.start(),
            "lock": lambda sim: sim.lock("pin"),
        }
        for name, question in questions.items():
            with self.subTest(name):
                sim = freebody.Simulation(freebody.Model.parse(PENDULUM), step=0.1)
                waits = []
                sim.add_force("pause", lambda t, q, v: waits.pop()() if waits else None)
                sim.start([0.5])

                def begin(wait):
                    waits.append(wait)
                    sim.run(1)

                error = self.blocked(begin, lambda: question(sim))
                self.assertEqual(error.status, "FB_ERR_STATE")
                self.assertIn(f"Simulation.{name} was called while another thread is in a call", str(error))
                self.assertEqual(sim.t, 1)
                alone = freebody.Simulation(freebody.Model.parse(PENDULUM), step=0.1).start([0.5]).run(1)
                self.assertEqual(list(sim.q), list(alone.q))

    def test_a_force_may_read_its_own_simulation(self):
        sim = freebody.Simulation(freebody.Model.parse(PENDULUM), step=0.1)
        seen = []
        sim.add_force("look", lambda t, q, v: seen.append(sim["q.pin"] - q[0]) if t > 0 else None, period=0.5)
        sim.start([0.5]).run(1)
        self.assertEqual(seen, [0, 0])

    def test_a_job_refuses_a_second_thread(self):
        script = "scenario: 1\nmodel: model.yaml\nduration: 1 s\ncontrol: [{name: say, type: lua, file: say.lua}]\n"
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"model.yaml": PENDULUM, "s.yaml": script,
                               "say.lua": "function act(t, q, v) print('here') end\n"}.items():
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            waits = []
            job = freebody.Job(f"{folder}/s.yaml", None, print=lambda line: waits.pop()() if waits else None)

            def begin(wait):
                waits.append(wait)
                job.advance()

            self.assertIn("Job.advance was called", str(self.blocked(begin, lambda: job.advance())))
            job.finish()
            self.assertEqual(job.state, "finished")

    def test_threads_read_one_run_in_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            run = freebody.run(SCENARIOS / "pendulum" / "pendulum.yaml", f"{folder}/run", duration=5)
            names = list(run)
            want = {name: list(run[name]) for name in names}
            got = together(lambda i: all(list(run[name]) == want[name] for name in names[i:] + names[:i]))
            self.assertEqual(got, [True] * THREADS)
            run.close()


if __name__ == "__main__":
    unittest.main()
