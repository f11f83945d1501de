"""Contacts from Python: closed forms of balls and blocks, laws, shapes with geometry, errors."""
import math
import unittest

from common import G

import freebody

BALL = """\
freebody: 1
bodies:
  - {name: ball, joint: {type: free}, mass: 2, inertia: [0.008, 0.008, 0.008, 0, 0, 0]}
"""
SIZE = 0.1


def ball_over(ground, method="dopri5", height=1.0, **law):
    sim = freebody.Simulation(freebody.Model.parse(BALL), method=method, gravity=(0, 0, -G), step=1e-3)
    sim.add_contact("c", freebody.sphere("ball", SIZE), ground, **law)
    sim.start([0, 0, height + SIZE, 1, 0, 0, 0])
    return sim


class Contacts(unittest.TestCase):
    def test_a_ball_rebounds_with_its_restitution(self):
        sim = ball_over(freebody.plane(), restitution=0.8)
        sim.run(0.6)
        fall = math.sqrt(2 / G)
        self.assertLess(abs(sim.v[2] - (0.8 * G * fall - G * (0.6 - fall))), 1e-9)

    def test_it_rests_on_every_ground(self):
        flat = [[0.0] * 5 for _ in range(5)]
        corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 0)]
        grounds = {"plane": freebody.plane(), "box": freebody.box(None, (4, 4, 2), at=(0, 0, -1)),
                   "heights": freebody.heightfield(flat, (1, 1), at=(-2, -2, 0)), "hull": freebody.hull(None, corners)}
        for name, ground in grounds.items():
            with self.subTest(ground=name):
                sim = ball_over(ground, method="moreau", height=0.01, friction=0.5)
                sim.run(0.3)
                self.assertLess(abs(sim.q[2] - SIZE), 1e-6)
                self.assertLess(abs(sim["contact.c.normal"] - 2 * G), 1e-6)
                self.assertEqual(sim["contact.c.state"], 2)

    def test_a_spring_carries_it_at_its_depth(self):
        sim = ball_over(freebody.plane(), height=0, law="spring", stiffness=1e4, damping=300)
        sim.run(1.0)
        self.assertLess(abs(sim["contact.c.gap"] + 2 * G / 1e4), 1e-6)

    def test_a_frame_is_a_point_and_energy_is_only_lost(self):
        sim = freebody.Simulation(freebody.Model.parse(BALL), method="moreau", gravity=(0, 0, -G), step=1e-3)
        sim.add_contact("c", "ball", freebody.plane(normal=(0.1, 0, 1)), friction=0.3)
        sim.start([0, 0, 0.5, 1, 0, 0, 0])
        sim.run(1.0)
        ledger = sim.ledger
        self.assertLess(ledger.normal, 0)
        self.assertLess(ledger.friction, 0)

    def test_errors_say_what_is_wrong(self):
        sim = freebody.Simulation(freebody.Model.parse(BALL))
        for arguments, text in (({"law": "glue"}, "no law 'glue'"), ({"friction": -1}, "friction"), ({"mass": 1}, "no 'mass'"),
                                ({"law": "soil", "soil": "mud"}, "mud")):
            with self.subTest(**arguments), self.assertRaisesRegex(freebody.Error, text):
                sim.add_contact("c", "ball", freebody.plane(), **arguments)
        with self.assertRaisesRegex(freebody.Error, "no length"):
            sim.add_contact("c", "ball", freebody.plane(normal=(0, 0, 0)))
        sim = freebody.Simulation(freebody.Model.parse(BALL), method="momentum")
        sim.add_contact("c", "ball", freebody.plane())
        with self.assertRaisesRegex(freebody.Error, "momentum"):
            sim.start()


if __name__ == "__main__":
    unittest.main()
