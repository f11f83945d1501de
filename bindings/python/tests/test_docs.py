"""The Python blocks of docs/python.md run in order, and so does the example script."""
import contextlib
import io
import os
import re
import runpy
import tempfile
import unittest

from common import ROOT, SCENARIOS, freebody_command


def blocks(fence):
    text = (ROOT / "docs" / "python.md").read_text()
    return re.findall(rf"^```{fence}\n(.*?)^```", text, flags=re.M | re.S)


def printed(do):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        do()
    return out.getvalue()


class Docs(unittest.TestCase):
    def test_the_blocks_of_the_page_run(self):
        codes = blocks("python")
        self.assertLessEqual(len([line for line in codes[0].splitlines() if line]), 10)
        home = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(SCENARIOS, os.path.join(folder, "scenarios"))
            run_line = next(line for block in blocks("sh") for line in block.splitlines() if "freebody run" in line)
            os.chdir(folder)
            try:
                freebody_command(*run_line.split()[1:])
                texts = [printed(lambda: exec(compile(code, "docs/python.md", "exec"), {})) for code in codes]
            finally:
                os.chdir(home)
        self.assertEqual(len(texts), 9)
        first, many, floating, motion, additions, scenario, run, reading, comparison = texts
        self.assertIn("'inspector': 3 bodies, nq 9, nv 8> ['base', 'shoulder', 'elbow']", first)
        self.assertIn("1000 accelerations", many)
        self.assertIn("J* is 6 x 6", floating)
        self.assertEqual(len(motion.splitlines()), 12)
        self.assertRegex(motion, r"ledger: \de-(0[89]|1\d) of")
        self.assertRegex(additions, r"^\d\.\d+ s  half way; elbow 0\.[78]")
        self.assertIn("20.0 s, 4000 steps", scenario)
        self.assertRegex(run, r"finished 251 samples\n10.0 \d\S+\nfinished 20.0")
        self.assertIn("m position of a frame", reading)
        self.assertIn("beyond the tolerance: False", comparison)

    def test_the_example_measures_the_exact_periods(self):
        text = printed(lambda: runpy.run_path(str(ROOT / "bindings/python/examples/pendulum.py"), run_name="__main__"))
        periods = re.findall(r"deg +([\d.]+) s +([\d.]+) s", text)
        self.assertEqual(len(periods), 3)
        for measured, exact in periods:
            self.assertAlmostEqual(float(measured), float(exact), delta=5e-6)
        self.assertIn("180.000 deg", text)

    def test_the_example_of_tables_runs_with_what_there_is(self):
        text = printed(lambda: runpy.run_path(str(ROOT / "bindings/python/examples/tables.py"))["main"]())
        self.assertIn("samples>", text)
        self.assertIn("q.hinge", text)
        self.assertIn("figure: ", text)


if __name__ == "__main__":
    unittest.main()
