"""What the tests share: where things are, closeness, the command."""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
SCENARIOS = ROOT / "scenarios"
BUILD = pathlib.Path(os.environ.get("FB_BUILD", ROOT / "build"))

PENDULUM = """\
freebody: 1
name: pendulum
bodies:
  - name: rod
    joint: {name: pin, type: revolute, axis: [0, 1, 0]}
    mass: 2
    com: [0, 0, -0.5]
    inertia: [0.2, 0.2, 0.01, 0, 0, 0]
    frames: [{name: tip, at: [0, 0, -1]}]
"""
G = 9.81
INERTIA = 0.2 + 2 * 0.5**2  # of the pendulum about its pin


def program(*command, check=True):
    """Runs a program without what a sanitizer put into this process; its output."""
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def freebody_command(*arguments):
    """Runs the freebody command of this build; its output."""
    return program(BUILD / "bin" / "freebody", *arguments)


def flat(values):
    """Numbers of nested lists or arrays, one after the other."""
    try:
        return [x for row in values for x in flat(row)]
    except TypeError:
        return [float(values)]


def distance(got, want):
    """The largest difference, relative to the largest number wanted or to 1."""
    got, want = flat(got), flat(want)
    if len(got) != len(want):
        raise AssertionError(f"{len(got)} numbers instead of {len(want)}")
    size = max([1.0] + [abs(x) for x in want])
    return max([0.0] + [abs(a - b) if a == a else float("inf") for a, b in zip(got, want)]) / size
