"""contact_benchmarks.py -- every case of tests/data/contact/benchmarks_analytic.json as a scenario, run by `freebody run`.

  contact_benchmarks.py FREEBODY DATA FOLDER [FAMILY]      makes its files in FOLDER

Event-driven methods (dopri5, rk4) must give the numbers of the file to 1e-8 or better; time stepping (moreau) exactly where
forces or impulses are constant over a step, otherwise to first order in the step.
"""
import json
import os
import sys

import contact_friction
import contact_impacts
import contact_rig

METHODS = ("dopri5", "rk4", "moreau")
FAMILIES = {**contact_friction.FAMILIES, **contact_impacts.FAMILIES}


def main():
    freebody, data, folder = sys.argv[1:4]
    with open(os.path.join(data, "benchmarks_analytic.json"), encoding="utf-8") as file:
        benchmarks = json.load(file)["benchmarks"]
    bench = contact_rig.Bench(contact_rig.Command(freebody, folder))
    for family, content in benchmarks.items():
        if sys.argv[4:] and family not in sys.argv[4:]:
            continue
        for i, case in enumerate(content["cases"]):
            for method in contact_rig.methods_of(i, METHODS):
                bench.begin(f"{family}_{i}_{method}")
                bench.attempt(FAMILIES[family], case, method)
    return bench.report("contact_benchmarks")


if __name__ == "__main__":
    sys.exit(main())
