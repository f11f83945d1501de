"""Runs: what the C library wrote is what Python reads, also while it is being written."""
import csv
import ctypes
import io
import json
import math
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from common import SCENARIOS, freebody_command

import freebody
from freebody import _library, _structs


SIGNALS = (("p.hand.x", "m", "world", "position of a frame"), ("p.hand.y", "m", "world", "position of a frame"),
           ("q.elbow", "rad", "joint", "coordinate"))


class Writer:
    """fb_store of the C library, as much as the tests write."""

    def __init__(self, folder):
        self.c = ctypes.CDLL(_library.library().path)
        self.error = ctypes.create_string_buffer(4096)
        self.run = ctypes.c_void_p()
        rows = (_structs.fb_store_signal * len(SIGNALS))(*[tuple(word.encode() for word in signal) for signal in SIGNALS])
        self.check(self.c.fb_store_create(os.fsencode(folder), rows, len(rows), 0, ctypes.byref(self.run), self.error))

    def check(self, status):
        assert status == 0, self.error.raw

    def append(self, first, count):
        for i in range(first, first + count):
            values = (ctypes.c_double * 3)(i, -i, i / 3)
            self.check(self.c.fb_store_append(self.run, ctypes.c_double(i / 10), values, self.error))

    def event(self, t, name, text):
        self.check(self.c.fb_store_add_event(self.run, ctypes.c_double(t), name, text, self.error))

    def text(self, key, text):
        self.check(self.c.fb_store_set_text(self.run, key, text, self.error))

    def commit(self):
        self.check(self.c.fb_store_commit(self.run, self.error))

    def close(self):
        self.check(self.c.fb_store_close(self.run, self.error))


class Reading(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name, "a run? 50%")

    def write(self, count=3000):
        writer = Writer(self.folder)
        writer.append(0, count)
        writer.event(1.5, b"docked", b"locked elbow")
        writer.text(b"status", "fertig \N{CHECK MARK}".encode())
        writer.close()

    def test_signals_samples_events_and_texts(self):
        self.write()
        run = freebody.Run(self.folder)
        self.assertEqual(list(run), [signal[0] for signal in SIGNALS])
        self.assertEqual(run.signals["q.elbow"], SIGNALS[2])
        self.assertEqual(run.signals["q.elbow"].unit, "rad")
        self.assertEqual((len(run), run.nsample), (3, 3000))
        self.assertEqual(list(run.t), [i / 10 for i in range(3000)])
        self.assertEqual(list(run["q.elbow"]), [i / 3 for i in range(3000)])
        self.assertEqual([list(row) for row in run["p.hand"]], [[i, -i] for i in range(3000)])
        self.assertEqual(list(run["t"]), list(run.t))
        self.assertEqual(list(run.samples("p.hand.y", "q.elbow")), [(i / 10, -i, i / 3) for i in range(3000)])
        self.assertEqual(run.events, [(1.5, "docked", "locked elbow")])
        self.assertEqual(run.texts["status"], "fertig \N{CHECK MARK}")
        self.assertEqual(dict(run.items()).keys(), run.signals.keys())
        self.assertEqual((run.get("none"), "q.elbow" in run, "none" in run), (None, True, False))
        self.assertIn("3000 samples", repr(run))

    def test_a_run_is_read_while_it_is_written(self):
        writer = Writer(self.folder)
        run = freebody.Run(self.folder)
        self.assertEqual((run.nsample, len(run.t), len(run["p.hand"])), (0, 0, 0))
        done = 0
        for count in (10, 1500, 3):
            writer.append(done, count)
            writer.event(done / 10, b"more", b"")
            self.assertFalse(run.refresh())
            writer.commit()
            self.assertEqual(len(run.t), done)  # all that a Run gives belongs to one moment
            done += count
            self.assertTrue(run.refresh())
            self.assertEqual((list(run.t), list(run["p.hand.x"])), ([i / 10 for i in range(done)], list(range(done))))
        self.assertEqual(len(run.events), 3)
        writer.close()
        self.assertEqual(run.t[-1], (done - 1) / 10)

    def test_a_run_of_a_folder_that_cannot_be_written_is_read(self):
        self.write(5)
        os.chmod(self.folder / "run.db", 0o444)
        os.chmod(self.folder, 0o555)
        try:
            with freebody.Run(self.folder / "run.db") as run:
                self.assertEqual(list(run["q.elbow"]), [i / 3 for i in range(5)])
        finally:
            os.chmod(self.folder, 0o755)

    def test_what_is_no_run_is_told(self):
        self.write(5)
        other, text, old = (self.folder / name for name in ("other.db", "text.db", "old.db"))
        sqlite3.connect(other).execute("CREATE TABLE x(y)")
        text.write_text("not a database, but long enough to be taken for one" * 20)
        for file, version in ((old, 0), (self.folder / "new.db", 99)):
            file.write_bytes((self.folder / "run.db").read_bytes())
            with sqlite3.connect(file) as db:
                db.execute(f"PRAGMA user_version = {version}")
            db.close()
        cases = {"no such folder": self.folder / "gone", "no run.db": self.folder.parent, "not a run of": other,
                 "not a database": text, "older Freebody": old, "newer Freebody": self.folder / "new.db"}
        for words, place in cases.items():
            with self.subTest(words), self.assertRaises(freebody.Error) as caught:
                freebody.Run(place)
            self.assertIn(words, str(caught.exception))
            self.assertEqual(caught.exception.status, "FB_ERR_IO")

    def test_a_wrong_name_and_a_lost_block_are_told(self):
        self.write()
        run = freebody.Run(self.folder)
        with self.assertRaisesRegex(freebody.Error, "did you mean 'q.elbow'"):
            run["q.elbw"]
        with sqlite3.connect(self.folder / "run.db") as db:
            db.execute("DELETE FROM block WHERE first > 0")
        db.close()
        with self.assertRaisesRegex(freebody.Error, "from number 1024 on are damaged or gone"):
            run["q.elbow"]

    def change(self, text):
        with sqlite3.connect(self.folder / "run.db") as db:
            db.executescript(text)
        db.close()

    def test_damage_and_what_strangers_add_are_told(self):
        cases = {"row 'status' of its table 'meta'": "UPDATE meta SET text = 'x' WHERE key = 'status'",
                 "row '0' of its table 'event'": "UPDATE event SET t = 7",
                 "row '2' of its table 'signal'": "UPDATE signal SET unit = 'deg' WHERE id = 2",
                 "it has 0 events and should have 1": "DELETE FROM event",
                 "the view 'more'": "CREATE VIEW more AS SELECT 1",
                 "the trigger 'act'": "CREATE TRIGGER act AFTER INSERT ON meta BEGIN DELETE FROM block; END"}
        self.write(5)
        whole = (self.folder / "run.db").read_bytes()
        for words, text in cases.items():
            (self.folder / "run.db").write_bytes(whole)
            self.change(text)
            with self.subTest(words), self.assertRaises(freebody.Error) as caught:
                freebody.Run(self.folder)
            self.assertIn(words, str(caught.exception))
        (self.folder / "run.db").write_bytes(whole)
        self.change("UPDATE block SET data = zeroblob(length(data))")
        with freebody.Run(self.folder) as run, self.assertRaisesRegex(freebody.Error, "from number 0 on are damaged"):
            run["q.elbow"]

    def test_second_names_beside_a_run_are_not_written(self):
        self.write(5)
        mine = self.folder.parent / "mine"
        mine.write_text("precious")
        for make in (os.link, os.symlink):
            make(mine, self.folder / "run.db-shm")
            with self.assertRaisesRegex(freebody.Error, "run.db-shm, which is a (link|second name)"):
                freebody.Run(self.folder)
            os.unlink(self.folder / "run.db-shm")
        self.assertEqual(mine.read_text(), "precious")


class Loading(unittest.TestCase):
    def test_a_library_that_is_not_there_is_named(self):
        environment = dict(os.environ, FREEBODY_LIBRARY="/nowhere/at/all")
        done = subprocess.run([sys.executable, "-c", "import freebody; freebody.version()"], env=environment,
                              capture_output=True, text=True)
        self.assertIn("freebody.Error: cannot load the Freebody library /nowhere/at/all", done.stderr)


class Making(unittest.TestCase):
    """Runs made from Python are those of the command."""

    SCENARIO = SCENARIOS / "pendulum" / "pendulum.yaml"

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.place = pathlib.Path(holder.name)

    def content(self, folder):
        """All that a run holds, but for the times of day and where blocks end, which depends on the clock."""
        summary = json.loads((self.place / folder / "summary.json").read_text())
        del summary["wall"]
        with freebody.Run(self.place / folder) as run:
            samples = {name: list(run[name]) for name in ["t", *run]}
            signals, events, texts = run.signals, run.events, run.texts
        db = sqlite3.connect(self.place / folder / "run.db")
        self.addCleanup(db.close)
        kept = [db.execute(f"SELECT * FROM {table}").fetchall() for table in ("checkpoint", "meta_before", "total")]
        return summary, samples, signals, events, texts, kept

    def command(self, folder, *options):
        freebody_command("run", self.SCENARIO, "-o", self.place / folder, "--quiet", *options)

    def test_a_run_is_that_of_the_command(self):
        self.command("command", "--duration", "3", "--set", "start.joints.hinge=80 deg")
        run = freebody.run(self.SCENARIO, self.place / "python", duration=3, set={"start.joints.hinge": "80 deg"})
        self.assertEqual((run.nsample, run.texts["status"]), (151, "finished"))
        self.assertEqual(self.content("python"), self.content("command"))
        self.assertIn("complete", freebody_command("run", "--resume", self.place / "python"))

    def test_a_run_is_left_by_its_progress_and_resumed(self):
        whole, left, seen = self.place / "whole", self.place / "left", []
        freebody.run(self.SCENARIO, whole, duration=3).close()
        with freebody.Job(self.SCENARIO, left, duration=3) as job:
            job.advance(until=1)
            self.assertTrue(job.running)
            self.assertEqual((job.t, job.summary.duration), (1.0, 3.0))
        self.assertEqual((job.state, job.t), ("interrupted", 1.0))
        with self.assertRaisesRegex(freebody.Error, "was finished"):
            job.advance()
        run = freebody.resume(left, progress=lambda job: seen.append(job.t) or False)
        self.assertLessEqual(len(seen), 1)
        run = freebody.resume(left)
        self.assertEqual(run.texts["status"], "finished")
        self.assertEqual(self.content("left"), self.content("whole"))
        self.assertIsNone(freebody.Job.resume(left))

    def test_a_run_is_extended(self):
        for name, duration in ("more", 2), ("whole", 3):
            freebody.run(self.SCENARIO, self.place / name, duration=duration, set={"checkpoint": "0.1s"}).close()
        self.assertEqual(freebody.resume(self.place / "more", duration=3).t[-1], 3)
        self.assertFalse(freebody.compare(self.place / "more", self.place / "whole", tolerance=0)["beyond"])
        with self.assertRaisesRegex(freebody.Error, "cannot be shortened to 1 s"):
            freebody.resume(self.place / "more", duration=1)
        with self.assertRaisesRegex(freebody.Error, "cannot be extended to -1 s"):
            freebody.resume(self.place / "more", duration=-1)

    def test_a_run_begins_with_the_state_of_another(self):
        first = freebody.run(self.SCENARIO, self.place / "first", duration=2)
        second = freebody.run(self.SCENARIO, self.place / "second", duration=1, start_from=(self.place / "first", 1.5))
        self.assertEqual(second["q.hinge"][0], first["q.hinge"][75])
        with freebody.Job(self.SCENARIO, self.place / "third", duration=1, start_from=first.folder) as job:
            self.assertIn("begins with the state of", job.notes[0])
            job.advance(until=0.1)
        self.assertEqual(freebody.Run(self.place / "third")["v.hinge"][0], first["v.hinge"][-1])
        with self.assertRaisesRegex(freebody.Error, "no state at t = 3 s"):
            freebody.run(self.SCENARIO, self.place / "fourth", start_from=(first.folder, 3))

    def test_runs_are_compared(self):
        a = freebody.run(self.SCENARIO, self.place / "a", duration=2)
        b = freebody.run(self.SCENARIO, self.place / "b", duration=2, set={"start.joints.hinge": "61 deg"})
        same, other = freebody.compare(a, a, tolerance=0), freebody.compare(self.place / "a", b, "q", tolerance=0.01)
        self.assertEqual((same["beyond"], same["instants"], same["times"]), (False, 101, "same"))
        self.assertEqual((other["beyond"], [s["name"] for s in other["signals"]]), (True, ["q.hinge"]))
        self.assertGreater(other["signals"][0]["difference"], 0.0174)
        self.assertEqual(freebody.compare(a, b, end=0.5)["to"], 0.5)
        self.assertIn("steps", other["summary"])
        with self.assertRaisesRegex(freebody.Error, "no signal 'nothing'"):
            freebody.compare(a, b, ["q", "nothing"])

    def test_a_run_without_a_folder_gives_its_summary(self):
        with freebody.Job(self.SCENARIO, None, duration=2) as job:
            job.advance()
        self.assertEqual((job.state, job.t, job.summary.samples), ("finished", 2.0, 101))
        self.assertEqual((job.summary.warning, job.summary.wall.factor), ("", 0))
        self.assertLess(job.summary.ledger.worst, 1e-6)

    def test_an_exception_in_progress_comes_out_and_leaves_the_run_in_order(self):
        def fail(job):
            raise KeyError("mine")
        with self.assertRaises(KeyError):
            freebody.run(self.SCENARIO, self.place / "raised", duration=3600, progress=fail)
        self.assertEqual(freebody.Run(self.place / "raised").texts["status"], "interrupted")

    def test_a_folder_with_a_run_is_not_replaced_unasked(self):
        freebody.run(self.SCENARIO, self.place / "kept", duration=1)
        with self.assertRaisesRegex(freebody.Error, "this folder already contains a run") as caught:
            freebody.run(self.SCENARIO, self.place / "kept")
        self.assertEqual(caught.exception.status, "FB_ERR_IO")
        self.assertEqual(freebody.run(self.SCENARIO, self.place / "kept", duration=2, replace=True).nsample, 101)


class Command(unittest.TestCase):
    def test_a_run_of_the_command_reads_as_its_export(self):
        with tempfile.TemporaryDirectory() as holder:
            folder = pathlib.Path(holder, "run")
            freebody_command("run", SCENARIOS / "pendulum" / "pendulum.yaml", "-o", folder, "--duration", "2",
                             "--quiet")
            rows = list(csv.reader(io.StringIO(freebody_command("export", folder, "-o", "-"))))
            run = freebody.Run(folder)
            rows = [row for row in rows if row and not row[0].startswith("#")]
            heads = [head.split(" ")[0] for head in rows[0]]
            numbers = [[float(x) for x in row] for row in rows[1:]]
            self.assertEqual(heads, ["t"] + list(run))
            for t, row in zip(run.t, numbers):
                self.assertLessEqual(abs(t - row[0]), math.ulp(t))  # without the rounding of n * period
            for i, name in enumerate(heads[1:], 1):
                self.assertEqual(list(run[name]), [row[i] for row in numbers])
            self.assertGreater(run.nsample, 10)
            sim = freebody.Simulation.from_scenario(SCENARIOS / "pendulum" / "pendulum.yaml")
            self.assertAlmostEqual(run["q.hinge"][-1], sim.run(2).q[0], places=12)


class Controllers(unittest.TestCase):
    def test_ctrl_c_is_heard_while_a_controller_is_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            script = (f"import freebody\nfreebody.run({str(SCENARIOS / 'remote_arm' / 'remote_arm.yaml')!r}, {folder + '/run'!r},"
                      f" set={{'control.computer.address': 'unix:{folder}/nobody', 'control.computer.wait': '60 s'}},"
                      " print=print)")
            child = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
            with self.assertRaises(subprocess.TimeoutExpired):
                child.wait(3)  # it waits
            child.send_signal(signal.SIGINT)
            self.assertIn("KeyboardInterrupt", child.communicate(timeout=30)[1])
            self.assertFalse((pathlib.Path(folder) / "run").exists())

    def test_a_run_is_replayed_without_its_controller(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            address, scenario = folder / "sock", SCENARIOS / "remote_arm" / "remote_arm.yaml"
            changes = {"control.computer.address": f"unix:{address}"}
            controller = subprocess.Popen([sys.executable, SCENARIOS / "remote_arm" / "controller.py", address])
            try:
                first = freebody.run(scenario, folder / "first", set=changes, duration=1)
            finally:
                controller.kill()
                controller.wait()
            again = freebody.run(scenario, folder / "again", set=changes, duration=1, replay=folder / "first")
            self.assertEqual(list(first["computer.shoulder"]), list(again["computer.shoulder"]))
            self.assertTrue(any(first["computer.shoulder"]))
            self.assertEqual(list(first["q.elbow"]), list(again["q.elbow"]))


if __name__ == "__main__":
    unittest.main()
