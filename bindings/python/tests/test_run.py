"""Runs: what the C library wrote is what Python reads, also while it is being written."""
import csv
import ctypes
import io
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from common import SCENARIOS, freebody_command

import freebody
from freebody import _library


class RunSignal(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in ("name", "unit", "axes", "meaning")]


SIGNALS = (("p.hand.x", "m", "world", "position of a frame"), ("p.hand.y", "m", "world", "position of a frame"),
           ("q.elbow", "rad", "joint", "coordinate"))


class Writer:
    """fb_store of the C library, as much as the tests write."""

    def __init__(self, folder):
        self.c = _library.library()._c
        self.error = ctypes.create_string_buffer(4096)
        self.run = ctypes.c_void_p()
        rows = (RunSignal * len(SIGNALS))(*[tuple(word.encode() for word in signal) for signal in SIGNALS])
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
                 "as many samples": "DELETE FROM event",
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

    def test_a_store_from_before_checksums_is_read(self):
        self.write(5)
        self.change("""PRAGMA user_version = 1; DROP TABLE total;
            ALTER TABLE meta DROP COLUMN sum; ALTER TABLE signal DROP COLUMN sum; ALTER TABLE event DROP COLUMN sum;
            ALTER TABLE block DROP COLUMN sum; ALTER TABLE block DROP COLUMN data_sums""")
        with freebody.Run(self.folder) as run:
            self.assertEqual(list(run["q.elbow"]), [i / 3 for i in range(5)])
            self.assertEqual(run.events, [(1.5, "docked", "locked elbow")])

    def test_second_names_beside_a_run_are_not_written(self):
        self.write(5)
        mine = self.folder.parent / "mine"
        mine.write_text("precious")
        for make in (os.link, os.symlink):
            make(mine, self.folder / "run.db-shm")
            with self.assertRaisesRegex(freebody.Error, "run.db-shm, which is a link or a second name"):
                freebody.Run(self.folder)
            os.unlink(self.folder / "run.db-shm")
        self.assertEqual(mine.read_text(), "precious")

    def test_reading_needs_no_library(self):
        self.write(5)
        code = f"import freebody; print(list(freebody.Run({str(self.folder)!r})['q.elbow']))"
        environment = dict(os.environ, FREEBODY_LIBRARY="/nowhere/at/all")
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout.strip(), str([i / 3 for i in range(5)]), done.stderr)


class Loading(unittest.TestCase):
    def test_a_library_that_is_not_there_is_named(self):
        environment = dict(os.environ, FREEBODY_LIBRARY="/nowhere/at/all")
        done = subprocess.run([sys.executable, "-c", "import freebody; freebody.version()"], env=environment,
                              capture_output=True, text=True)
        self.assertIn("freebody.Error: cannot load the Freebody library /nowhere/at/all", done.stderr)


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
            for i, name in enumerate(heads):
                self.assertEqual(list(run[name]), [row[i] for row in numbers])
            self.assertGreater(run.nsample, 10)
            sim = freebody.Simulation.from_scenario(SCENARIOS / "pendulum" / "pendulum.yaml")
            self.assertAlmostEqual(run["q.hinge"][-1], sim.run(2).q[0], places=12)


if __name__ == "__main__":
    unittest.main()
