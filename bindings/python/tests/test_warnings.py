"""What the command warns of, Python warns of too: motions not to be trusted, starts where nobody would put a robot."""
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

from common import G, PENDULUM

import freebody

# An unbalanced wheel that turns by 3 rad in a step of 10 ms.
WHEEL = """\
freebody: 1
bodies:
  - {name: hull, joint: {type: free}, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: wheel, parent: hull, joint: {name: axle, type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.1, 0, 0],
     inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
"""

# A ball below the ground, and an arm beyond its stop.
BURIED = """\
scenario: 1
model:
  freebody: 1
  bodies:
    - {name: ball, joint: {type: free}, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, radius: 0.1}]}
    - {name: arm, joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [3, 0, 1], limits: [-10 deg, 10 deg]}, mass: 1,
       com: [0.1, 0, 0], inertia: [0.004, 0.004, 0.004, 0, 0, 0]}
start: {joints: {ball: {at: [0, 0, 0.05]}, elbow: 40 deg}}
surfaces: [{name: ground, kind: plane}]
contacts: [{name: floor, a: ball, b: ground, friction: 0.3}]
duration: 0.02 s
"""


def caught(call):
    """The texts of freebody's warnings while call() runs."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
    return [str(w.message) for w in seen if issubclass(w.category, freebody.MotionWarning)]


def started(model, speed, **options):
    sim = freebody.Simulation(freebody.Model.parse(model), **options)
    v = [0.0] * sim.model.nv
    v[-1] = speed
    return sim.start(v=v)


class Doubts(unittest.TestCase):
    def test_a_motion_not_to_be_trusted_is_warned_of_once(self):
        sim = started(WHEEL, 300.0, step=0.01)
        said = caught(lambda: sim.run(1.0))
        self.assertEqual(len(said), 1)
        self.assertIn("do not trust this motion", said[0])
        self.assertIn("the ledger does not close", said[0])
        self.assertEqual(caught(lambda: sim.run(1.1)), [])
        sim = started(WHEEL, 300.0, step=0.01)
        self.assertEqual(len(caught(lambda: sim.record(1.0, 0.1, "q"))), 1)

    def test_a_good_motion_is_silent(self):
        sim = started(WHEEL, 300.0, method="dopri5")
        self.assertEqual(caught(lambda: sim.run(0.2)), [])

    def test_a_run_warns_as_the_command_does(self):
        text = "scenario: 1\nmodel:\n" + "".join("  " + line + "\n" for line in WHEEL.splitlines())
        text += "start: {rates: {axle: 300}}\nduration: 1 s\nintegrator: {method: rk4, step: 10 ms}\n"
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "wheel.yaml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            said = caught(lambda: freebody.run(file, os.path.join(folder, "wheel.run")))
            self.assertEqual(len(said), 1)
            self.assertIn("do not trust this motion", said[0])
            sim = freebody.Simulation.from_scenario(file)
            self.assertEqual(len(caught(sim.run)), 1)

    def test_a_warning_may_be_made_an_exception(self):
        sim = started(WHEEL, 300.0, step=0.01)
        with warnings.catch_warnings():
            warnings.simplefilter("error", freebody.MotionWarning)
            with self.assertRaisesRegex(freebody.MotionWarning, "do not trust"):
                sim.run(1.0)


class Starts(unittest.TestCase):
    WANTED = ["the joint 'elbow' starts at 40 deg, outside its limits of -10 to 10",
              "the contact 'floor' starts with its sides 0.05 m inside each other; they are moved apart at once"]

    def test_starts_outside_limits_and_below_ground_are_warned_of(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "buried.yaml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(BURIED)
            sim = freebody.Simulation.from_scenario(file)
            self.assertEqual(caught(sim.run), self.WANTED)
            self.assertEqual(caught(lambda: freebody.run(file, os.path.join(folder, "buried.run"))), self.WANTED)

    def test_a_model_started_outside_its_limits_is_warned_of_before_it_moves(self):
        text = PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], limits: [-1 rad, 1 rad]")
        self.assertNotEqual(text, PENDULUM)
        sim = freebody.Simulation(freebody.Model.parse(text), gravity=(0, 0, -G)).start([2.0])
        said = caught(sim.step)
        self.assertEqual(len(said), 1)
        self.assertIn("outside its limits", said[0])
        self.assertEqual(caught(sim.step), [])


# A finger without mass, whose mesh is not there.
HAND = """\
<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="f"><visual><geometry><mesh filename="nix.stl"/></geometry></visual></link><joint name="j" type="prismatic">
<parent link="base"/><child link="f"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>
"""

# Answers three times and leaves.
PEER = """\
import socket, struct
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
H = struct.Struct("<IHHIIQd")
for i in range(4):
    m, peer = s.recvfrom(65536)
    magic, version, kind, size, session, number, t = H.unpack_from(m)
    more = m[32:40] if kind == 1 else struct.pack("<d", 0.1)
    s.sendto(H.pack(magic, version, 2 if kind == 1 else 4, 40, session, number, t) + more, peer)
"""

REMOTE = """\
scenario: 1
model: {freebody: 1, bodies: [{name: arm, joint: {type: revolute, name: elbow, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]}
control: [{name: computer, type: remote, address: "udp://127.0.0.1:PORT", period: 10 ms, timeout: 50 ms, signals: [q.elbow],
           joints: [elbow], on_timeout: hold}]
duration: 0.1 s
"""


class Remarks(unittest.TestCase):
    def test_joints_that_are_held_and_meshes_that_are_not_there_are_warned_of(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "hand.urdf")
            with open(file, "w", encoding="utf-8") as out:
                out.write(HAND)
            sim = freebody.Simulation.from_scenario(file)
            for said in (caught(lambda: sim.run(0.1)), caught(lambda: freebody.run(file, file + ".run", duration=0.1))):
                self.assertEqual(len(said), 2, said)
                self.assertTrue(any("1 joint is held at the start, with nothing to move: 'j'" in text for text in said), said)
                self.assertTrue(any("mesh 'nix.stl' of body 'f' is not there" in text for text in said), said)
            self.assertEqual(len(sim.notes), 2)
            self.assertEqual(caught(lambda: sim.run(0.2)), [])

    def test_a_controller_that_has_gone_is_warned_of(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "remote.yaml")
            for way in (lambda: freebody.run(file, file + ".run", replace=True),
                        lambda: freebody.Simulation.from_scenario(file).run()):
                with subprocess.Popen([sys.executable, "-c", PEER], stdout=subprocess.PIPE, text=True) as peer:
                    with open(file, "w", encoding="utf-8") as out:
                        out.write(REMOTE.replace("PORT", peer.stdout.readline().strip()))
                    said = caught(way)
                self.assertTrue(any("controller 'computer'" in text and "inputs are held" in text for text in said), said)

    def test_warnings_name_the_line_that_led_to_them(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "hand.urdf")
            with open(file, "w", encoding="utf-8") as out:
                out.write(HAND)
            for way in (lambda: freebody.Job(file, file + ".run", duration=0.1, replace=True).finish(),
                        lambda: freebody.run(file, file + ".run", duration=0.1, replace=True),
                        lambda: freebody.Simulation.from_scenario(file).run(0.1),
                        lambda: freebody.Simulation.from_scenario(file).record(0.1, 0.05, "q")):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    way()
                self.assertEqual({w.filename for w in seen}, {__file__})


class Accuracy(unittest.TestCase):
    def test_an_accuracy_without_a_method_is_followed(self):
        model = freebody.Model.parse(PENDULUM)
        ends = []
        for accuracy in (1e-5, 1e-10):
            sim = freebody.Simulation(model, gravity=(0, 0, -9.81), accuracy=accuracy)
            sim.start([1.0])
            caught(lambda: sim.run(5.0))
            ends.append((sim.q[0], sim.steps))
        self.assertLess(abs(ends[0][0] - ends[1][0]), 1e-4)
        self.assertGreater(ends[1][1], 3 * ends[0][1])

    def test_without_method_and_step_the_error_is_followed(self):
        model = freebody.Model.parse(PENDULUM)
        ends = []
        for options in ({}, {"accuracy": 1e-6}, {"accuracy": 1e-11}, {"step": 0.01}, {"refine": True}, {"max_step": 0.01}):
            sim = freebody.Simulation(model, gravity=(0, 0, -9.81), **options)
            sim.start([3.0], [5.0])  # a turn takes less than a second
            caught(lambda: sim.run(5.0))
            ends.append((sim.q[0], sim.steps))
        self.assertEqual(ends[0], ends[1])
        self.assertLess(abs(ends[0][0] - ends[2][0]), 1e-5)
        self.assertEqual(ends[3][1], 500)
        self.assertGreaterEqual(ends[5][1], 500)

    def test_an_accuracy_that_nothing_follows_is_refused(self):
        model = freebody.Model.parse(PENDULUM)
        for options in ({"method": "rk4"}, {"method": "momentum"}, {"method": "implicit", "step": 0.01},
                        {"method": "dopri5", "adaptive": False, "step": 0.01}):
            with self.assertRaisesRegex(freebody.Error, "accuracy is for steps that follow the error"):
                freebody.Simulation(model, accuracy=1e-8, **options)


if __name__ == "__main__":
    unittest.main()
