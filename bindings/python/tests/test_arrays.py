"""Algorithms on arrays: rows of states, outputs that are given, and what is refused."""
import gc
import math
import signal
import sys
import unittest

import freebody
from common import SCENARIOS, distance, flat
from freebody._numbers import numpy

INSPECTOR = SCENARIOS / "inspector" / "inspector.yaml"
TIGHT = 1e-13
G = (0, 0, -9.81)


def states(model, count):
    """q and v of some states, as arrays where there are arrays."""
    rows = [model.random(seed) for seed in range(count)]
    q, v = [list(row.q) for row in rows], [list(row.v) for row in rows]
    return (q, v) if numpy is None else (numpy.array(q), numpy.array(v))


class Rows(unittest.TestCase):
    def test_rows_give_what_each_state_gives_alone(self):
        m = freebody.Model.load(INSPECTOR)
        f = m.floating()
        wrench = [("tool", (1, 2, 3), (0.1, 0.2, 0.3))]
        algorithms = {
            "forward": lambda q, v: m.forward_dynamics(q, v, gravity=G, wrenches=wrench),
            "inverse": lambda q, v: m.inverse_dynamics(q, v, v, G),
            "bias": lambda q, v: m.bias(q, v, G),
            "compensation": lambda q, v: m.gravity_compensation(q, G),
            "passive": lambda q, v: m.passive_forces(q, v),
            "inertia": lambda q, v: m.inertia_matrix(q),
            "integrate": lambda q, v: m.integrate(q, v, 0.1),
            "difference": lambda q, v: m.difference(q, m.integrate(q, v)),
            "pose": lambda q, v: m.pose(q, "tool"),
            "velocity": lambda q, v: m.velocity(q, v, "tool"),
            "acceleration": lambda q, v: m.acceleration(q, v, v, "tool"),
            "jacobian": lambda q, v: m.jacobian(q, "tool"),
            "jacobian_rate": lambda q, v: m.jacobian_rate(q, v, "tool"),
            "parts": lambda q, v: m.jacobian_parts(q, "tool"),
            "momentum": lambda q, v: m.momentum(q, v, (1, 2, 3)),
            "centroidal": lambda q, v: m.centroidal_matrix(q),
            "centroidal_rate": lambda q, v: m.centroidal_matrix_rate(q, v),
            "com": lambda q, v: m.centre_of_mass(q, v, "upper"),
            "energies": lambda q, v: m.energies(q, v, G),
            "reactions": lambda q, v: m.reactions(q, v, v, G),
            "J*": lambda q, v: f.jacobian(q, "tool"),
            "J* rate": lambda q, v: f.jacobian_rate(q, v, "tool"),
            "base acceleration": lambda q, v: f.base_acceleration(q, v),
            "L": lambda q, v: f.momentum(q, v),
            "resolved": lambda q, v: f.resolved_rate(q, "tool", (0.1, 0, 0, 0, 0, 0), damping=0.01),
            "resolved acceleration": lambda q, v: f.resolved_acceleration(q, v, "tool", (0.1, 0, 0, 0, 0, 0)),
            "singular": lambda q, v: f.singular_values(q, "tool"),
            "coupling": lambda q, v: f.coupling(q),
        }
        q, v = states(m, 4)
        for name, algorithm in algorithms.items():
            with self.subTest(name):
                together = algorithm(q, v)
                for i in range(4):
                    alone = algorithm(q[i], v[i])
                    if isinstance(alone, tuple):
                        got, want = [list(part[i]) if hasattr(part[i], "__len__") else part[i] for part in together], alone
                    else:
                        got, want = together[i], alone
                    self.assertEqual(flat(got), flat(want))

    def test_one_state_goes_with_rows_of_others(self):
        m = freebody.Model.load(INSPECTOR)
        q, v = states(m, 3)
        together = m.forward_dynamics(q[0], v)
        self.assertEqual(len(together), 3)
        for i in range(3):
            self.assertEqual(flat(together[i]), flat(m.forward_dynamics(q[0], v[i])))

    def test_no_rows_are_no_rows_and_one_row_is_one(self):
        m = freebody.Model.load(INSPECTOR)
        q, v = states(m, 1)
        self.assertEqual(len(m.forward_dynamics(q, v)), 1)
        if numpy is not None:
            self.assertEqual(m.jacobian(numpy.zeros((0, m.nq)), "tool").shape, (0, 6, m.nv))

    def test_rotations_take_rows(self):
        angles = [[0.1, 0.2, 0.3], [-1, 0.5, 2]]
        R = freebody.rotation.from_rpy(angles)
        self.assertLess(distance(freebody.rotation.to_rpy(R), angles), TIGHT)
        axis, angle = freebody.rotation.to_axis_angle(freebody.rotation.from_rotvec([0, 0, 0.5]))
        self.assertLess(distance([axis, [angle, 0, 0]], [[0, 0, 1], [0.5, 0, 0]]), TIGHT)
        self.assertLess(distance(freebody.rotation.apply(freebody.rotation.z(math.pi / 2), [1, 0, 0]), [0, 1, 0]), TIGHT)
        self.assertLess(distance(freebody.rotation.quat_multiply([1, 0, 0, 0], [0, 1, 0, 0]), [0, 1, 0, 0]), TIGHT)


if numpy is not None:  # outputs are arrays of NumPy
    class Out(unittest.TestCase):
        def setUp(self):
            self.m = freebody.Model.load(INSPECTOR)
            self.q, self.v = self.m.random(1)

        def test_results_are_written_where_they_are_wanted(self):
            m, q, v = self.m, self.q, self.v
            out = numpy.full(m.nv, numpy.nan)
            self.assertIs(m.forward_dynamics(q, v, out=out), out)
            self.assertEqual(list(out), list(m.forward_dynamics(q, v)))
            p, R = numpy.empty(3), numpy.empty((3, 3))
            self.assertIs(m.pose(q, "tool", out=(p, R))[1], R)
            self.assertEqual(flat(R), flat(m.pose(q, "tool")[1]))
            many = numpy.empty((5, m.nv))
            m.forward_dynamics(numpy.tile(q, (5, 1)), v, out=many)
            self.assertEqual(list(many[4]), list(out))

        def test_outputs_that_do_not_fit_are_refused(self):
            m, q, v, nv = self.m, self.q, self.v, self.m.nv
            frozen = numpy.empty(nv)
            frozen.flags.writeable = False
            rows = numpy.tile(q, (5, 1))
            for out, text in ((numpy.empty(nv + 1), "out, for vdot, is 9; it must be 8"),
                              (numpy.empty((1, nv)), "is 1 x 8; it must be 8"),
                              (numpy.empty(nv, dtype=numpy.float32), "doubles without gaps"),
                              (numpy.empty(2 * nv)[::2], "doubles without gaps"),
                              (frozen, "that can be written"), ([0.0] * nv, "that can be written"), ("text", "can be written")):
                with self.subTest(text), self.assertRaisesRegex(freebody.Error, text):
                    m.forward_dynamics(q, v, out=out)
            with self.assertRaisesRegex(freebody.Error, "it must be 5 x 8"):
                m.forward_dynamics(rows, v, out=numpy.empty(nv))
            with self.assertRaisesRegex(freebody.Error, "out must be a tuple of 2 arrays"):
                m.pose(q, "tool", out=numpy.empty(3))
            both = numpy.tile(m.random(2).v, (5, 1))
            with self.assertRaisesRegex(freebody.Error, "shares its memory with v"):
                m.forward_dynamics(rows, both, out=both)

        def test_arrays_of_other_kinds_are_converted(self):
            m, q, v = self.m, self.q, self.v
            want = list(m.forward_dynamics(q, v))
            wide = numpy.zeros((m.nq, 3))
            wide[:, 1] = q
            for given in (list(q), tuple(q), wide[:, 1], q[::-1][::-1], numpy.asfortranarray(q), q.astype(">f8"),
                          q.astype(object), q.reshape(-1, 1), memoryview(q)):
                self.assertEqual(list(m.forward_dynamics(given, v)), want)


class Refusals(unittest.TestCase):
    def test_numbers_that_are_not_finite_are_named(self):
        m = freebody.Model.load(INSPECTOR)
        q, v = states(m, 3)
        nan, tau = float("nan"), [0.0] * 8
        bad = [list(row) for row in v]
        bad[2][5] = nan
        cases = [(lambda: m.forward_dynamics(q[0], v[0], tau[:3] + [nan] + tau[4:]), r"tau\[3\] is nan; it must be finite"),
                 (lambda: m.forward_dynamics(q, v, [tau, tau, tau[:7] + [math.inf]]), r"tau\[2\]\[7\] is inf"),
                 (lambda: m.forward_dynamics(q, bad), r"row 2: v\[5\] of joint \"base\" is nan"),
                 (lambda: m.inverse_dynamics(q[0], None, None, (0, 0, nan)), "gravity is not finite"),
                 (lambda: m.integrate(q[0], v[0], nan), "dt is not finite"),
                 (lambda: m.pose([nan] * 9, "tool"), "is nan; a state must be finite"),
                 (lambda: freebody.rotation.from_rpy([0, nan, 0]), r"rpy\[1\] is nan")]
        for call, text in cases:
            with self.subTest(text), self.assertRaisesRegex(freebody.Error, text):
                call()

    def test_wrong_shapes_and_types_are_told(self):
        m = freebody.Model.load(INSPECTOR)
        q, v = states(m, 3)
        cases = [(lambda: m.forward_dynamics(q, v[:2]), "v has 2 rows, and what was given before it has 3"),
                 (lambda: m.forward_dynamics(q[0], [1, 2]), "v has 2 numbers; it needs 8"),
                 (lambda: m.forward_dynamics([[1, 2], [3, 4]]), "q is 2 x 2; it needs 9 numbers, or that many in each of"),
                 (lambda: m.forward_dynamics("word"), "q must be 9 numbers, not 'word'"),
                 (lambda: m.forward_dynamics(None), "q must be given"),
                 (lambda: m.forward_dynamics({}), "q "), (lambda: m.forward_dynamics([[1], [2, 3]]), "q must be 9 numbers"),
                 (lambda: m.forward_dynamics([1j] * 9), "q must be 9 numbers"),
                 (lambda: m.forward_dynamics(q[0], gravity=(1, 2)), "gravity has 2 numbers; it needs 3"),
                 (lambda: m.forward_dynamics(q[0], wrenches=[("tool", (1, 2))]), "force has 2 numbers; it needs 3"),
                 (lambda: m.forward_dynamics(q[0], wrenches=[("toool", (1, 2, 3))]), "did you mean 'tool'"),
                 (lambda: m.velocity(q[0], None, "tool"), "v must be given"),
                 (lambda: m.pose(q[0], 1000), "there is no frame 1000"), (lambda: m.pose(q[0], -1), "there is no frame -1"),
                 (lambda: m.pose(q[0], 1.5), "by its name or number, not by 1.5"),
                 (lambda: m.floating("upper"), "free|root"), (lambda: m.floating().null_space(q[0], 4), "3, for the attitude")]
        for call, text in cases:
            with self.subTest(text), self.assertRaisesRegex(freebody.Error, text):
                call()


def interrupted(test, call, after=0.2):
    """Whether a call ends by what Ctrl-C raises, some time after it began."""
    def interrupt(*_):
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, after)
        with test.assertRaises(KeyboardInterrupt):
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class CtrlC(unittest.TestCase):
    def test_a_long_call_hears_it(self):
        if numpy is None:  # lists of this size take longer than the call
            return
        m = freebody.Model.load(SCENARIOS / "snake" / "chain.yaml")  # 101 bodies: about half a second
        rows = numpy.tile(m.neutral(), (60000, 1))
        out = numpy.empty((60000, m.nv))
        interrupted(self, lambda: m.forward_dynamics(rows, out=out), 0.05)
        self.assertEqual(len(m.forward_dynamics(rows[:3])), 3)

    def test_a_long_run_hears_it_and_goes_on(self):
        sim = freebody.Simulation(freebody.Model.load(INSPECTOR), step=1e-4).start()
        interrupted(self, lambda: sim.run(1e6))
        t = sim.t
        self.assertTrue(0 < t < 1e6)
        self.assertAlmostEqual(sim.run(t + 0.01).t, t + 0.01)
        job = freebody.Job(SCENARIOS / "pendulum" / "pendulum.yaml", None, duration=1e7)
        interrupted(self, job.advance)
        self.assertTrue(0 < job.t < 1e7)


class Memory(unittest.TestCase):
    def test_calls_and_refusals_leave_nothing_behind(self):
        m = freebody.Model.load(INSPECTOR)
        q, v = states(m, 3)
        f = m.floating()

        def some():
            m.forward_dynamics(q, v, gravity=G, wrenches=[("tool", (1, 2, 3))])
            m.pose(q[0], "tool")
            m.forward_dynamics(list(q[0]), None)
            f.resolved_rate(q[1], "tool", [0.1, 0, 0, 0, 0, 0])
            freebody.rotation.to_quat(freebody.rotation.x(0.1))
            for wrong in (lambda: m.forward_dynamics(q, v[:2]), lambda: m.forward_dynamics(q[0], [float("nan")] * 8),
                          lambda: m.forward_dynamics("no"), lambda: m.pose(q[0], "tool", out=[1])):
                try:
                    wrong()
                except freebody.Error:
                    pass
        for _ in range(20):
            some()
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(300):
            some()
        gc.collect()
        self.assertLess(sys.getallocatedblocks() - before, 100)


if __name__ == "__main__":
    unittest.main()
