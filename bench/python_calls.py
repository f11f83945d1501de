#!/usr/bin/env python3
"""What calls from Python cost, measured in one run beside a loop of C: needs NumPy, and a build with its benchmarks.

    cmake --build build --target bench_python_loop
    PYTHONPATH=bindings/python python3 bench/python_calls.py [--model FILE] [--count N] [--rounds N] [--check]

Times are processor time, which other programs disturb less, and the least over rounds in which C and Python alternate.
--check fails where a figure is above what is promised: an array of states 1.2 times the loop of C, a single call with
out= 1.5 us over the algorithm, a law 3 us.
"""
import argparse
import pathlib
import subprocess
import sys
import time

import numpy

import freebody

ROOT = pathlib.Path(__file__).resolve().parents[1]
SEEDS, AGAIN = 1000, 20000


def least(function, again, rounds):
    """The least time of a call [s]."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        for _ in range(again):
            function()
        best = min(best, (time.thread_time() - start) / again)
    return best


def c_loop(build, model, count):
    """The loop of C: seconds a state, of arrays and of one state."""
    line = subprocess.run([build / "bin" / "bench_python_loop", model, str(count), "1"], capture_output=True, text=True,
                          check=True).stdout.split()
    return 1e-9 * float(line[0]), 1e-9 * float(line[1])


def law_cost(model, rounds):
    """What one call of a law adds to a simulation [s], and what the function takes by itself."""
    calls, q, v = 0, model.neutral(), model.zero()

    def law(t, q, v):
        nonlocal calls
        calls += 1
        return 20 * (0.5 - q[-1]) - 30 * v[-1]

    def simulate(with_law):
        sim = freebody.Simulation(model, step=0.01)
        if with_law:
            sim.add_force("motor", law, joint=list(model.joints)[-1])
        sim.start()
        start = time.thread_time()
        sim.run(20.0)
        return time.thread_time() - start

    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        calls = 0
        best[1] = min(best[1], simulate(True))
        made = calls
        best[0] = min(best[0], simulate(False))
    return (best[1] - best[0]) / made, least(lambda: law(0.0, q, v), AGAIN, rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", default=str(ROOT / "scenarios" / "inspector" / "inspector.yaml"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--count", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()

    model = freebody.Model.load(given.model)
    states = [model.random(i) for i in range(min(SEEDS, given.count))]
    rows = numpy.arange(given.count) % len(states)
    Q = numpy.array([q for q, _ in states])[rows]
    V = numpy.array([v for _, v in states])[rows]
    T = numpy.array([model.random(i + 1).v for i in range(len(states))])[rows]
    out = numpy.empty_like(V)
    q, v, tau, vdot = Q[0].copy(), V[0].copy(), T[0].copy(), numpy.empty(model.nv)

    c_many = c_one = many = one = fresh = float("inf")
    for _ in range(given.rounds):
        a, b = c_loop(given.build, given.model, given.count)
        c_many, c_one = min(c_many, a), min(c_one, b)
        many = min(many, least(lambda: model.forward_dynamics(Q, V, T, out=out), 1, 1) / given.count)
        one = min(one, least(lambda: model.forward_dynamics(q, v, tau, out=vdot), AGAIN, 1))
        fresh = min(fresh, least(lambda: model.forward_dynamics(q, v, tau), AGAIN, 1))
    law, function = law_cost(model, given.rounds)

    print(f"{model.name}, nv = {model.nv}, {freebody.backend()}, least of {given.rounds} rounds")
    print(f"  {given.count} states in one call   {1e9 * many:6.0f} ns a state, C loop {1e9 * c_many:.0f} ns: "
          f"{many / c_many:.2f} times")
    print(f"  one call with out=         {1e6 * one:6.2f} us, {1e6 * (one - c_one):.2f} us over the algorithm "
          f"({1e6 * c_one:.2f} us)")
    print(f"  one call with a new array  {1e6 * fresh:6.2f} us")
    print(f"  a law of Python            {1e6 * law:6.2f} us a call, of which its own code {1e6 * function:.2f} us")
    failed = [name for name, wrong in (("array", many > 1.2 * c_many), ("call", one - c_one > 1.5e-6), ("law", law > 3e-6))
              if wrong]
    if given.check and failed:
        sys.exit(f"python_calls: above what is promised: {', '.join(failed)}")


if __name__ == "__main__":
    main()
