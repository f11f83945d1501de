"""contact_benchmarks.py -- every case of tests/data/contact/benchmarks_analytic.json as a scenario, run by `freebody run`.

  contact_benchmarks.py FREEBODY DATA FOLDER [FAMILY]      makes its files in FOLDER

Event-driven methods (dopri5, rk4) must give the numbers of the file to 1e-8 or better; time stepping (moreau) exactly where
forces or impulses are constant over a step, otherwise to first order in the step.
"""
import json
import os
import subprocess
import sys

import contact_friction
import contact_impacts
import contact_rig

METHODS = ("dopri5", "rk4", "moreau")
FAMILIES = {**contact_friction.FAMILIES, **contact_impacts.FAMILIES}


class Bench:
    """Runs the scenes of a case and notes what is not as it should be."""

    def __init__(self, command):
        self.command, self.where, self.what, self.bad, self.count = command, "", "", [], 0

    def begin(self, where):
        self.where = self.what = where

    def scene(self, *arguments, **more):
        return contact_rig.scene(self.where, *arguments, **more)

    def run(self, scene, what=""):
        self.what = f"{self.where} {what}".strip()
        return self.command.run(scene)

    def true(self, what, holds, found=""):
        self.count += 1
        if not holds:
            self.bad.append(f"{self.what}: {what}: not so: {found}")

    def equal(self, what, found, want):
        self.true(what, found == want, f"{found!r}, expected {want!r}")

    def near(self, what, found, want, tolerance):
        error = abs(found - want)
        self.true(what, error <= tolerance, f"{found!r}, expected {want!r}, off by {error:.2e} of {tolerance:.0e}")


def main():
    freebody, data, folder = sys.argv[1:4]
    with open(os.path.join(data, "benchmarks_analytic.json"), encoding="utf-8") as file:
        benchmarks = json.load(file)["benchmarks"]
    bench = Bench(contact_rig.Command(freebody, folder))
    for family, content in benchmarks.items():
        if sys.argv[4:] and family not in sys.argv[4:]:
            continue
        for i, case in enumerate(content["cases"]):
            for method in METHODS:
                bench.begin(f"{family}_{i}_{method}")
                try:
                    FAMILIES[family](bench, case, method)
                except (RuntimeError, IndexError, KeyError, subprocess.TimeoutExpired) as error:
                    bench.bad.append(f"{bench.what}: {type(error).__name__}: {error}")
    for line in bench.bad:
        print(line)
    print(f"contact_benchmarks: {bench.count} comparisons, {len(bench.bad)} failed")
    return 1 if bench.bad else 0


if __name__ == "__main__":
    sys.exit(main())
