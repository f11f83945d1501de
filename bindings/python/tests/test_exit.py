"""The end of a program: functions of atexit still use objects, threads are still in C, and neither crashes."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from common import ROOT, SCENARIOS

import freebody

TRIALS = int(os.environ.get("FB_EXIT_TRIALS", "2"))  # programs for each way of ending
BEGIN = "import sys\n" + ("sys.modules['numpy'] = None\n" if sys.modules.get("numpy", 0) is None else "") + f"""\
import atexit, threading, time
SCENARIOS = {str(SCENARIOS)!r}
atexit.register(lambda: late())  # registered first, so called last
import freebody
model = freebody.Model.load(SCENARIOS + "/ets7/ets7.urdf")

def late():
    print("late")
"""


def program(body, *arguments):
    """What a program prints that ends by itself, by the way of calling C that this one has."""
    environment = dict(os.environ, FREEBODY_BACKEND=freebody.backend(), PYTHONPATH=str(ROOT / "bindings" / "python"))
    done = subprocess.run([sys.executable, "-c", BEGIN + textwrap.dedent(body), *arguments], env=environment, text=True,
                          capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr[-2000:]


class EndOfProgram(unittest.TestCase):
    def test_objects_serve_functions_of_atexit(self):
        body = """\
            sim = freebody.Simulation(model, step=0.01)
            sim.add_force("nothing", lambda t, q, v: None)
            sim.start().run(0.1)
            path = freebody.quintic([0, 5], [0, 0.8])

            def late():
                sim.run(0.2)
                print(round(sim.t, 9), len(model.forward_dynamics(*model.random(1))), round(path(5)[0], 9))
            """
        self.assertEqual(program(body), (0, f"0.2 {freebody.Model.load(SCENARIOS / 'ets7' / 'ets7.urdf').nv} 0.8\n", ""))

    def test_threads_may_be_in_c(self):
        body = """\
            def simulate(law):
                sim = freebody.Simulation(model, step=1e-4)
                if law:
                    sim.add_force("nothing", lambda t, q, v: None)
                sim.start()
                while True:
                    sim.run(sim.t + 1)

            def compute():
                q, v = model.random(1)
                while True:
                    model.mixed_dynamics(q, v, [list(model.joints)[1]], v, v)
                    model.forward_dynamics(q, v)

            for work in [(simulate, True), (simulate, False), (compute,)]:
                threading.Thread(target=work[0], args=work[1:], daemon=True).start()
            time.sleep(0.1)
            """
        for trial in range(TRIALS):
            with self.subTest(trial):
                self.assertEqual(program(body), (0, "late\n", ""))

    def test_a_run_that_was_not_finished_keeps_what_it_logged_and_is_closed_to_late_calls(self):
        body = """\
            job = freebody.Job(SCENARIOS + "/pendulum/pendulum.yaml", sys.argv[1])
            job.advance(until=2)

            def late():
                print(round(job.t, 9))
                try:
                    job.advance()
                except freebody.Error as error:
                    print(error)
            """
        with tempfile.TemporaryDirectory() as folder:
            status, out, error = program(body, f"{folder}/run")
            self.assertEqual((status, error), (0, ""))
            self.assertRegex(out, r"\A2\.0\nthe run was finished; Job\.resume goes on with one that was interrupted\n\Z")
            self.assertGreater(freebody.Run(f"{folder}/run").t[-1], 1.9)

    def test_a_thread_may_be_in_a_run(self):
        body = """\
            def go():
                freebody.run(SCENARIOS + "/pendulum/pendulum.yaml", sys.argv[1], duration=1e6)
            threading.Thread(target=go, daemon=True).start()
            time.sleep(0.3)
            """
        for trial in range(TRIALS):
            with self.subTest(trial), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(program(body, f"{folder}/run"), (0, "late\n", ""))


class Interpreters(unittest.TestCase):
    def test_a_second_interpreter_of_a_process_calls_the_library_by_ctypes(self):
        body = """\
            try:
                import _interpreters as interpreters
            except ImportError:
                import _xxsubinterpreters as interpreters
            code = "import os; os.environ.pop('FREEBODY_BACKEND', None)\\nimport sys; sys.modules['numpy'] = None\\n" \\
                   "import freebody; print(freebody.backend(), flush=True)\\n" \\
                   "print(freebody.Model.load(%r).nv, flush=True)" % (SCENARIOS + "/ets7/ets7.urdf")
            print(freebody.backend(), flush=True)
            made = interpreters.create()
            interpreters.run_string(made, code)
            interpreters.destroy(made)
            try:
                freebody.Model.load("nowhere")
            except freebody.Error:
                print("refused", flush=True)
            """
        second = "ctypes" if freebody.backend() == "extension" else "extension"
        if sys.version_info < (3, 11) or sys.version_info >= (3, 12):
            second = "ctypes"  # the extension is not for interpreters with a lock of their own
        nv = freebody.Model.load(SCENARIOS / "ets7" / "ets7.urdf").nv
        self.assertEqual(program(body), (0, f"{freebody.backend()}\n{second}\n{nv}\nrefused\nlate\n", ""))


if __name__ == "__main__":
    unittest.main()
