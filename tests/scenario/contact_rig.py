"""contact_rig.py -- scenarios with contacts, written, run by the command `freebody`, and read back.

A scene is a dict as in docs/scenario.md, written as JSON, which is YAML too. What a run logged is read from its run.db
by Python's own library.
"""
import json
import math
import os
import sqlite3
import struct
import subprocess

TIMEOUT = 240 * (10 if os.environ.get("FB_USER_CFLAGS", "").strip() else 1)  # sanitizers, and busy machines, take their time [s]


class Run:
    """Signals as lists by name, and events as (t, name)."""

    def __init__(self, folder):
        db = sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)
        names = [name for (name,) in db.execute("SELECT name FROM signal ORDER BY id")]
        self.columns = {name: [] for name in ["t"] + names}
        for count, data in db.execute("SELECT count, data FROM block ORDER BY first"):
            for i, name in enumerate(self.columns):
                self.columns[name] += struct.unpack_from(f"<{count}d", data, 8 * count * i)
        self.events = list(db.execute("SELECT t, name FROM event ORDER BY id"))
        db.close()
        with open(f"{folder}/summary.json", encoding="utf-8") as file:
            self.summary = json.load(file)

    def times(self, name):
        """When the event of this name occurred."""
        return [t for t, event in self.events if event == name]

    def index(self, t):
        """The sample nearest to t."""
        times = self.columns["t"]
        return min(range(len(times)), key=lambda i: abs(times[i] - t))

    def value(self, name, t=math.inf):
        """A signal at the sample nearest to t; at the end without t."""
        return self.columns[name][-1 if t == math.inf else self.index(t)]

    def vector(self, name, t=math.inf):
        """Its x, y and z."""
        return [self.value(f"{name}.{axis}", t) for axis in "xyz"]


def methods_of(number, methods):
    """All methods of a case; builds with sanitizers are slow, and take one in turn."""
    sanitized = "sanitize" in os.environ.get("FB_USER_CFLAGS", "")
    return [methods[number % len(methods)]] if sanitized else methods


class Command:
    """The command, and the folder that it works in."""

    def __init__(self, freebody, folder):
        self.freebody, self.folder = freebody, folder

    def write(self, scene):
        """The scenario as a file; its path."""
        path = os.path.join(self.folder, scene["name"] + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict({"scenario": 1}, **scene), file, indent=1)
        return path

    def call(self, *arguments):
        """Runs the command; what it printed, and how it ended."""
        return subprocess.run([self.freebody, *arguments], capture_output=True, text=True, check=False, timeout=TIMEOUT)

    def read(self, folder):
        """What a run left."""
        return Run(folder)

    def run_file(self, path, name, *options):
        """Simulates a scenario file into the folder NAME.run."""
        folder = os.path.join(self.folder, name + ".run")
        done = self.call("run", "--quiet", "--force", *options, "-o", folder, path)
        if done.returncode:
            raise RuntimeError(f"{name}: exit {done.returncode}: {done.stderr.strip()}")
        return Run(folder)

    def run(self, scene, *options):
        """Simulates a scene."""
        return self.run_file(self.write(scene), scene["name"], *options)


# ---- parts of scenes; planar ones are in the world's x-z plane, and turn about -y ----


def integrator(method, step=None):
    """Tolerances of error control far below what is compared."""
    if method == "dopri5":
        return {"method": method, "rtol": 1e-11, "atol": 1e-13}
    return {"method": method, "step": step} if step else {"method": method}


def ball(name, mass, radius, k=0.4, shape=None):
    """A body whose inertia is k m R^2 about every axis; a sphere, unless told otherwise."""
    inertia = [k * mass * radius**2] * 3 + [0, 0, 0]
    shape = shape or {"kind": "sphere", "radius": radius}
    return {"name": name, "mass": mass, "inertia": inertia, "shapes": [shape]}


def lump(name, mass, inertia, points=(), shapes=()):
    """A body with points p1, p2 ... and the same inertia about all axes."""
    frames = [{"name": f"{name}_p{i + 1}", "at": list(p)} for i, p in enumerate(points)]
    return {"name": name, "mass": mass, "inertia": [inertia] * 3 + [0, 0, 0], "frames": frames, "shapes": list(shapes)}


def box(name, mass, size):
    """A solid box."""
    square = [edge**2 / 12 * mass for edge in size]
    inertia = [square[1] + square[2], square[0] + square[2], square[0] + square[1], 0, 0, 0]
    return {"name": name, "mass": mass, "inertia": inertia, "shapes": [{"kind": "box", "size": list(size)}]}


def contact(a, b="ground", name="c", **how):
    """A hard contact."""
    return dict({"name": name, "a": a, "b": b}, **how)


GROUND = {"name": "ground", "kind": "plane"}


def scene(name, bodies, bases, contacts, method, duration, step=None, samples=100, gravity=0.0, signals=(), **more):
    """A scenario; `gravity` a number, downwards, or a vector."""
    down = gravity if isinstance(gravity, list) else [0, 0, -gravity]
    signals = ["v", "contact", "solver", "ledger", *[f"p.{body['name']}" for body in bodies], *signals]
    return dict(
        {
            "name": name,
            "model": {"freebody": 1, "bodies": bodies},
            "gravity": down,
            "start": {"bases": bases},
            "surfaces": [GROUND],
            "contacts": contacts,
            "duration": duration,
            "integrator": integrator(method, step),
            "log": {"period": duration / samples, "signals": signals},
        },
        **more,
    )


class Bench:
    """Runs the scenes of a case and notes what is not as it should be."""

    def __init__(self, command):
        self.command, self.where, self.what, self.bad, self.count = command, "", "", [], 0

    def begin(self, where):
        self.where = self.what = where

    def scene(self, *arguments, **more):
        return scene(self.where, *arguments, **more)

    def run(self, content, what=""):
        self.what = f"{self.where} {what}".strip()
        return self.command.run(content)

    def true(self, what, holds, found=""):
        self.count += 1
        if not holds:
            self.bad.append(f"{self.what}: {what}: not so: {found}")

    def equal(self, what, found, want):
        self.true(what, found == want, f"{found!r}, expected {want!r}")

    def near(self, what, found, want, tolerance):
        error = abs(found - want)
        self.true(what, error <= tolerance, f"{found!r}, expected {want!r}, off by {error:.2e} of {tolerance:.0e}")

    def attempt(self, what, *arguments):
        """Calls what(bench, ...); a run that fails or does not end is a fault like others."""
        try:
            what(self, *arguments)
        except (RuntimeError, IndexError, KeyError, subprocess.TimeoutExpired) as error:
            self.bad.append(f"{self.what}: {type(error).__name__}: {error}")

    def report(self, name):
        """Prints what was found; the exit code."""
        for line in self.bad:
            print(line)
        print(f"{name}: {self.count} comparisons, {len(self.bad)} failed")
        return 1 if self.bad else 0
