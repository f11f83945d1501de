"""A run as a table of pandas, and as lines of matplotlib.

    PYTHONPATH=bindings/python python3 bindings/python/examples/tables.py [figure.png]

Both are optional: without pandas the table is printed by hand, without matplotlib there is no figure.
"""
import pathlib
import sys
import tempfile

import freebody

SCENARIO = pathlib.Path(__file__).resolve().parents[3] / "scenarios" / "pendulum" / "pendulum.yaml"
SIGNALS = ["q.hinge", "v.hinge", "energy.kinetic"]


def as_table(run):
    """The first and last samples, in words."""
    try:
        import pandas
    except ImportError:
        rows = list(run.samples(*SIGNALS))
        lines = ["t " + " ".join(SIGNALS)] + [" ".join(f"{x:.4f}" for x in row) for row in rows[:3] + rows[-3:]]
        return "\n".join(lines)
    table = pandas.DataFrame({name: run[name] for name in SIGNALS}, index=run.t)
    table.index.name = "t"
    return str(table.describe())


def draw(run, file):
    """A figure of the signals."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return "no figure: matplotlib is not installed"
    fig, axes = plt.subplots(len(SIGNALS), 1, sharex=True, figsize=(7, 6))
    for axis, name in zip(axes, SIGNALS):
        axis.plot(run.t, run[name])
        axis.set_ylabel(f"{name} [{run.signals[name].unit}]")
    axes[-1].set_xlabel("t [s]")
    fig.savefig(file)
    plt.close(fig)
    return f"figure: {file}"


def main(file=None):
    with tempfile.TemporaryDirectory() as folder:
        run = freebody.run(SCENARIO, pathlib.Path(folder, "pendulum"), duration=10)
        print(run)
        print(as_table(run))
        print(draw(run, file or pathlib.Path(folder, "pendulum.png")))
        run.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
