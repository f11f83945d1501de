"""Models: names, closed forms of a pendulum, the reference files, errors."""
import gc
import json
import math
import tempfile
import unittest

from common import DATA, G, INERTIA, PENDULUM, SCENARIOS, distance, freebody_command

import freebody
from freebody._numbers import numpy

TIGHT = 1e-12  # a few roundings
REFERENCE = 1e-9  # that of tests/data/reference


def pendulum():
    return freebody.Model.parse(PENDULUM)


class Names(unittest.TestCase):
    def test_a_model_tells_its_parts(self):
        m = freebody.Model.load(SCENARIOS / "inspector" / "inspector.yaml")
        self.assertEqual((m.name, m.nq, m.nv, m.nbody), ("inspector", 9, 8, 4))
        self.assertEqual(m.bodies, ["world", "base", "upper", "lower"])
        self.assertEqual(list(m.joints), ["base", "shoulder", "elbow"])
        self.assertEqual(m.joints["elbow"], ("elbow", "revolute", "lower", "upper", slice(8, 9), slice(7, 8)))
        self.assertEqual(m.frames[4:], ["camera", "tool"])
        self.assertEqual(m.frame_id("lower"), m.body_id("lower"))
        self.assertEqual(m.mass, 2605)
        self.assertIn("inspector", repr(m))

    def test_the_base_of_a_urdf_may_be_chosen(self):
        file = SCENARIOS / "ets7" / "ets7.urdf"
        free, fixed = freebody.Model.load(file), freebody.Model.load(file, base="fixed")
        self.assertEqual(free.nv, fixed.nv + 6)
        self.assertIsInstance(free.notes, list)

    def test_frames_of_centroids_and_joints_have_numbers(self):
        m = pendulum()
        k = m.kinematics([math.pi / 2])
        self.assertLess(distance(k.pose(m.com_frame("rod"))[0], [-0.5, 0, 0]), TIGHT)
        self.assertLess(distance(k.pose(m.joint_frame("rod"))[0], [0, 0, 0]), TIGHT)


class Pendulum(unittest.TestCase):
    def test_poses_velocities_and_jacobian(self):
        m, q, v = pendulum(), 0.3, 2.0
        k = m.kinematics([q], [v], [0])
        s, c = math.sin(q), math.cos(q)
        p, R = k.pose("tip")
        self.assertLess(distance(p, [-s, 0, -c]), TIGHT)
        self.assertLess(distance(R, [[c, 0, s], [0, 1, 0], [-s, 0, c]]), TIGHT)
        self.assertLess(distance(k.velocity("tip"), [[-c * v, 0, s * v], [0, v, 0]]), TIGHT)
        self.assertLess(distance(k.acceleration("tip")[0], [s * v * v, 0, c * v * v]), TIGHT)
        self.assertLess(distance(k.bias_acceleration("tip")[:3], [s * v * v, 0, c * v * v]), TIGHT)
        self.assertLess(distance(k.jacobian("tip"), [[-c], [0], [s], [0], [1], [0]]), TIGHT)
        self.assertLess(distance(k.jacobian_rate("tip"), [[s * v], [0], [c * v], [0], [0], [0]]), TIGHT)
        self.assertLess(distance(m.jacobian([q], "tip"), k.jacobian("tip")), TIGHT)
        self.assertLess(distance(k.centre_of_mass()[0], [-s / 2, 0, -c / 2]), TIGHT)

    def test_a_state_stays_while_the_model_is_asked_for_another(self):
        m = pendulum()
        k = m.kinematics([0.0])
        m.kinematics([1.0])
        m.inertia_matrix([2.0])
        self.assertLess(distance(k.pose("tip")[0], [0, 0, -1]), TIGHT)

    def test_dynamics(self):
        m, q, v, tau = pendulum(), 0.3, 2.0, 1.5
        gravity = (0, 0, -G)
        moment = -2 * G * 0.5 * math.sin(q)
        self.assertLess(distance(m.inertia_matrix([q]), [[INERTIA]]), TIGHT)
        self.assertLess(distance(m.bias([q], [v], gravity), [-moment]), TIGHT)
        vdot = (tau + moment) / INERTIA
        self.assertLess(distance(m.forward_dynamics([q], [v], [tau], gravity), [vdot]), TIGHT)
        self.assertLess(distance(m.inverse_dynamics([q], [v], [vdot], gravity), [tau]), TIGHT)
        self.assertLess(distance(m.gravity_compensation([q], gravity), [-moment]), TIGHT)
        got = m.mixed_dynamics([q], [v], ["pin"], vdot=[vdot], gravity=gravity)
        self.assertLess(distance(got, [[vdot], [tau]]), TIGHT)
        push = [freebody.Wrench("tip", force=(0, 0, 3))]
        self.assertLess(distance(m.inverse_dynamics([q], wrenches=push), [-3 * math.sin(q)]), TIGHT)
        own = [("tip", (1, 0, 0), (0, 0, 0), True)]
        self.assertLess(distance(m.inverse_dynamics([q], wrenches=own), [1]), TIGHT)

    def test_reactions(self):
        m, q, v = pendulum(), 0.3, 2.0
        vdot = m.forward_dynamics([q], [v], gravity=(0, 0, -G))
        force, torque = m.kinematics([q], [v], vdot).reactions(gravity=(0, 0, -G))["pin"]
        a = 0.5 * vdot[0]  # of the centre of mass, along its path; towards the pin it has v^2 / 2
        s, c, n = math.sin(q), math.cos(q), 0.5 * v * v
        self.assertLess(distance(force, [2 * (n * s - a * c), 0, 2 * (n * c + a * s + G)]), TIGHT)
        self.assertLess(distance(torque, [0, 0, 0]), TIGHT)
        push = [freebody.Wrench("tip", force=(0, 0, 3))]
        held = m.kinematics([0], [0], [0]).reactions((0, 0, -G), push)["pin"]
        self.assertLess(distance(held, [[0, 0, 2 * G - 3], [0, 0, 0]]), TIGHT)
        self.assertTrue(math.isnan(m.kinematics([0]).reactions()["pin"][0][0]))

    def test_momentum_and_energies(self):
        m, q, v = pendulum(), 0.3, 2.0
        linear, angular = m.momentum([q], [v])
        self.assertLess(distance(linear, [-math.cos(q) * v, 0, math.sin(q) * v]), TIGHT)
        self.assertLess(distance(angular, [0, INERTIA * v, 0]), TIGHT)
        self.assertLess(distance(m.energies([q], [v], (0, 0, -G)), [INERTIA * v * v / 2, -G * math.cos(q)]), TIGHT)

    def test_a_single_number_and_an_array_serve_as_q(self):
        import array
        m = pendulum()
        for q in (0.3, [0.3], (0.3,), array.array("d", [0.3])):
            self.assertLess(distance(m.kinematics(q).pose("tip")[0][0], -math.sin(0.3)), TIGHT)


class Arrays(unittest.TestCase):
    def test_results_are_arrays_of_numpy_or_lists(self):
        m = pendulum()
        H, p = m.inertia_matrix([0]), m.kinematics([0]).pose("tip")[0]
        if numpy is None:
            self.assertEqual((H, p), ([[INERTIA]], [0, 0, -1]))
            return
        self.assertEqual((H.shape, H.dtype, p.shape), ((1, 1), numpy.float64, (3,)))
        H += 1  # it is the caller's own
        self.assertEqual(m.inertia_matrix([0])[0, 0], INERTIA)
        every_other = numpy.arange(4, dtype=numpy.float32)[2::2]
        self.assertLess(distance(m.kinematics(every_other).pose("tip")[0][0], -math.sin(2)), TIGHT)
        free = freebody.Model.load(SCENARIOS / "inspector" / "inspector.yaml")
        with self.assertRaisesRegex(freebody.Error, "q is 3 x 8; it needs 9 numbers, or that many in each of its rows"):
            free.bias(numpy.ones((3, 8)))

    def test_a_model_without_coordinates_gives_empty_results(self):
        m = freebody.Model.parse("freebody: 1\nbodies: [{name: rock, joint: {type: fixed}, mass: 1, "
                                 "inertia: [1, 1, 1, 0, 0, 0]}]\n")
        self.assertEqual((m.nq, len(m.neutral()), len(m.forward_dynamics([]))), (0, 0, 0))
        self.assertEqual(len(m.inertia_matrix([])), 0)


class Configurations(unittest.TestCase):
    def test_difference_undoes_integrate_on_every_joint(self):
        m = freebody.Model.load(DATA / "models" / "every_joint.yaml")
        q, v = m.random(7)
        half = [0.5 * x for x in v]
        self.assertLess(distance(m.difference(q, m.integrate(q, half)), half), TIGHT)
        self.assertLess(distance(m.normalise(q), q), TIGHT)
        self.assertEqual(len(m.neutral()), m.nq)
        self.assertEqual(list(m.zero()), [0.0] * m.nv)

    def test_a_seed_gives_one_state_within_the_limits(self):
        text = PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], limits: [0.2, 0.3]")
        m = freebody.Model.parse(text)
        state = m.random(7)
        self.assertEqual((list(state.q), list(state.v)), tuple(map(list, m.random(seed=7))))
        self.assertEqual([list(x) for x in state], [list(x) for x in freebody.Model.parse(text).random(7)])
        self.assertNotEqual(list(state.q), list(m.random(8).q))
        self.assertEqual(list(m.random().q), list(m.random(0).q))
        if numpy is not None:
            self.assertEqual(list(m.random(numpy.int64(7)).q), list(state.q))
        for seed in list(range(50)) + [2**64 - 1]:
            q, v = m.random(seed)
            self.assertTrue(0.2 <= q[0] <= 0.3 and -1 <= v[0] <= 1)
        for seed in (-1, 2**64, 1.5, None, "7"):
            with self.assertRaisesRegex(freebody.Error, "seed must be a whole number from 0 to"):
                m.random(seed)

    def test_a_state_in_the_place_of_q_is_refused_in_words(self):
        m = freebody.Model.load(SCENARIOS / "inspector" / "inspector.yaml")
        with self.assertRaisesRegex(freebody.Error, "q must be 9 numbers, not|q has 17 numbers"):
            m.inertia_matrix(m.random(3))
        with self.assertRaisesRegex(freebody.Error, "q must be 9 numbers, not 'nine'"):
            m.inertia_matrix("nine")


LONG = """<robot name='r'>
<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='5' ixy='0' ixz='0' iyz='0'/></inertial></link>
</robot>"""


class Inertias(unittest.TestCase):
    def test_impossible_ones_are_repaired_refused_or_kept(self):
        moments = {}
        for policy in (None, "repair", "keep"):
            m = freebody.Model.parse(LONG, base="free", inertia=policy)
            moments[policy] = [round(m.inertia_matrix(m.neutral())[3 + i][3 + i], 12) for i in range(3)]
            self.assertEqual(len(m.notes), 0 if policy == "keep" else 1)
        self.assertEqual(moments, {None: [2, 2, 4], "repair": [2, 2, 4], "keep": [1, 1, 5]})
        with self.assertRaisesRegex(freebody.Error, "triangle inequality"):
            freebody.Model.parse(LONG, inertia="strict")
        with self.assertRaisesRegex(freebody.Error, 'inertia is \'loose\'; it must be "strict", "repair", "keep" or None'):
            freebody.Model.parse(LONG, inertia="loose")

    def test_scenarios_and_runs_take_the_same_word(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"a.urdf": LONG, "s.yaml": "scenario: 1\nmodel: a.urdf\nduration: 1 s\n"}.items():
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            sim = freebody.Simulation.from_scenario(f"{folder}/s.yaml", inertia="keep")
            self.assertEqual(sim.model.inertia_matrix(sim.q)[5][5], 5)
            with self.assertRaisesRegex(freebody.Error, "triangle inequality"):
                freebody.Simulation.from_scenario(f"{folder}/s.yaml", inertia="strict")
            with freebody.Job(f"{folder}/s.yaml", f"{folder}/run", inertia="keep") as job:
                job.advance(until=0.5)
            run = freebody.resume(f"{folder}/run")
            self.assertEqual((run.texts["status"], run.texts["inertia"]), ("finished", "keep"))
            self.assertIn('"inertia": "keep"', run.texts["model"])

    def test_a_massless_joint_is_named_and_may_be_prescribed(self):
        text = "freebody: 1\nbodies: [{name: tip, mass: 0, joint: {name: wrist, type: revolute, axis: [0, 0, 1]}}]\n"
        m = freebody.Model.parse(text)
        with self.assertRaisesRegex(freebody.Error, 'joint "wrist" has nothing to move') as caught:
            m.forward_dynamics([0], tau=[1])
        self.assertEqual(caught.exception.status, "FB_ERR_NO_SOLUTION")
        self.assertEqual(list(m.inverse_dynamics([0], vdot=[3])), [0])
        vdot, tau = m.mixed_dynamics([0], prescribed=["wrist"], vdot=[3])
        self.assertEqual((list(vdot), list(tau)), ([3], [0]))


class References(unittest.TestCase):
    def same(self, want, got):
        self.assertLess(distance(got, want), REFERENCE)

    def check_case(self, m, gravity, case):
        given, want = case["inputs"], case["outputs"]
        q, v, vdot = given["q"], given["v"], given["vdot"]
        k = m.kinematics(q, v, vdot)
        for name, body in zip(m.bodies[1:], want["bodies"]):
            self.same([body["p"], body["R"]], k.pose(name))
            self.same([body["v"], body["w"]], k.velocity(name))
            self.same([body["a"], body["wdot"]], k.acceleration(name))
        for frame in want["frames"]:
            self.same(frame["J"], k.jacobian(frame["name"]))
            self.same(frame["Jdot_v"], k.bias_acceleration(frame["name"]))
        self.same(want["H"], m.inertia_matrix(q))
        self.same(want["bias"], m.bias(q, v, gravity))
        self.same(want["com"], k.centre_of_mass()[0])
        self.same(want["momentum"], k.momentum(want["com"]))
        self.same([want["kinetic"], want["potential"]], m.energies(q, v, gravity))
        self.check_loaded(m, gravity, given, want)

    def check_loaded(self, m, gravity, given, want):
        q, v, vdot, tau = given["q"], given["v"], given["vdot"], given["tau"]
        passive = freebody.SPRINGS | freebody.DAMPERS
        wrenches = [freebody.Wrench(w["frame"], w["force"], w["torque"]) for w in given["wrenches"]]
        loads = {"gravity": gravity, "wrenches": wrenches, "passive": passive}
        self.same(want["passive"], m.passive_forces(q, v, passive))
        self.same(want["inverse"], m.inverse_dynamics(q, v, vdot, **loads))
        self.same(want["forward"], m.forward_dynamics(q, v, tau, **loads))
        mixed = m.mixed_dynamics(q, v, given["prescribed"], vdot, tau, **loads)
        self.same([want["mixed"]["vdot"], want["mixed"]["tau"]], mixed)

    def test_the_reference_files_agree(self):
        for name in ("j01_spherical", "j10_mixed15", "j11_fixed_inside", "j12_passive"):
            file = DATA / "reference" / "joints" / (name + ".json")
            reference = json.loads(file.read_text())
            m = freebody.Model.parse(json.dumps(reference["model"]), name)
            for i, case in enumerate(reference["cases"]):
                with self.subTest(name, case=i):
                    self.check_case(m, reference["gravity"], case)

    def test_the_command_says_the_same(self):
        file = SCENARIOS / "inspector" / "states.json"
        m = freebody.Model.load(SCENARIOS / "inspector" / "inspector.yaml")
        for case in json.loads(freebody_command("eval", file))["cases"]:
            given, want = case["inputs"], case["outputs"]
            self.assertLess(distance(m.inertia_matrix(given["q"]), want["H"]), TIGHT)
            self.assertLess(distance(m.inverse_dynamics(given["q"], given["v"], given["vdot"]), want["inverse"]), TIGHT)


class Errors(unittest.TestCase):
    def raised(self, do):
        with self.assertRaises(freebody.Error) as caught:
            do()
        return caught.exception

    def test_a_fault_in_a_file_has_its_place(self):
        e = self.raised(lambda: freebody.Model.parse("freebody: 1\nbodies:\n  - nme: rod\n", name="arm.yaml"))
        self.assertEqual((e.status, e.file, e.line, e.column), ("FB_ERR_CONTENT", "arm.yaml", 3, 5))
        self.assertIn("'name'", e.text)
        self.assertTrue(str(e).startswith("arm.yaml:3:5: bodies[0].nme: "))

    def test_a_missing_file_is_named(self):
        e = self.raised(lambda: freebody.Model.load("no/such.yaml"))
        self.assertEqual((e.status, e.file), ("FB_ERR_IO", "no/such.yaml"))

    def test_unknown_names_come_with_the_nearest(self):
        m = pendulum()
        for do in (lambda: m.jacobian([0], "tipp"), lambda: m.inverse_dynamics([0], wrenches=[("tipp",)])):
            self.assertIn("'tip'", str(self.raised(do)))
        self.assertIn("'pin'", str(self.raised(lambda: m.mixed_dynamics([0], prescribed=["pinn"]))))
        for number in (-1, 99):
            self.assertEqual(self.raised(lambda: m.jacobian([0], number)).status, "FB_ERR_NAME")

    def test_wrong_lengths_and_states_are_refused(self):
        m = freebody.Model.load(SCENARIOS / "inspector" / "inspector.yaml")
        self.assertEqual(str(self.raised(lambda: m.bias([1, 2]))), "q has 2 numbers; it needs 9")
        self.assertIn("has 1 number;", str(self.raised(lambda: m.bias(m.neutral(), [1]))))
        self.assertIn("quaternion", str(self.raised(lambda: m.bias([0] * 9))))
        self.assertEqual(self.raised(lambda: m.kinematics(m.neutral(), [math.nan] * 8)).status, "FB_ERR_STATE")
        self.assertIn("base", str(self.raised(lambda: freebody.Model.load("x.urdf", base="loose"))))

    def test_velocities_that_were_not_given_read_as_nan(self):
        k = pendulum().kinematics([0.1])
        self.assertTrue(math.isnan(k.velocity("tip")[0][0]))
        self.assertTrue(math.isnan(k.kinetic_energy()))


class Memory(unittest.TestCase):
    def test_models_come_and_go(self):
        for _ in range(200):
            m = pendulum()
            k = m.kinematics([0.1])
            m.forward_dynamics([0.1])
            del m
            self.assertLess(distance(k.pose("tip")[0][1], 0), TIGHT)  # it keeps its model
        gc.collect()


if __name__ == "__main__":
    unittest.main()
