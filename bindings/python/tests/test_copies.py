"""Copies and pickles of objects that point into the library: none may free its memory twice, or read it when it is gone."""
import copy
import gc
import pickle
import tempfile
import unittest

from common import PENDULUM, SCENARIOS

import freebody

SWING = SCENARIOS / "pendulum" / "pendulum.yaml"


class Copies(unittest.TestCase):
    def setUp(self):
        self.model = freebody.Model.parse(PENDULUM)

    def test_copies_of_what_never_changes_are_the_thing_itself(self):
        path = freebody.quintic([0, 1], [0, 2])
        floating = freebody.Model.load(SCENARIOS / "ets7" / "ets7.urdf", base="free").floating()
        for thing in (self.model, path, floating, self.model.kinematics([0.1])):
            self.assertIs(copy.copy(thing), thing)
            self.assertIs(copy.deepcopy([thing])[0], thing)
        twin = copy.deepcopy(path)
        del path, thing
        gc.collect()
        self.assertEqual(twin(1)[0], 2)

    def test_simulations_jobs_and_runs_are_not_copied(self):
        simulation = freebody.Simulation(self.model, step=0.01).start()
        with freebody.Job(SWING, None, duration=1) as job:
            for thing in (simulation, job):
                for way in (copy.copy, copy.deepcopy):
                    with self.assertRaisesRegex(TypeError, "cannot be copied: make another one"):
                        way(thing)

    def test_nothing_that_points_into_the_library_is_pickled(self):
        triangles = freebody.mesh(None, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        for thing in (self.model, freebody.constant(1), freebody.Simulation(self.model), triangles):
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(thing)

    def test_a_simulation_kept_from_a_run_ends_with_it(self):
        kept = []
        freebody.run(SWING, None, duration=0.1, add=kept.append)
        with self.assertRaisesRegex(freebody.Error, "the run that this simulation belongs to has ended"):
            kept[0].t
        with self.assertRaisesRegex(freebody.Error, "has ended"):
            kept[0].add_force("late", lambda t, q, v: 0, joint="hinge")

        def fails(sim):
            kept.append(sim)
            raise ValueError("no")
        with self.assertRaisesRegex(ValueError, "no"):
            freebody.run(SWING, None, duration=0.1, add=fails)
        with tempfile.TemporaryDirectory() as folder:
            freebody.run(SWING, f"{folder}/run", duration=0.1)
            with self.assertRaisesRegex(freebody.Error, "already contains a run"):
                freebody.run(SWING, f"{folder}/run", duration=0.1, add=kept.append)
        for sim in kept[1:]:
            with self.assertRaisesRegex(freebody.Error, "has ended"):
                sim.t


class Arguments(unittest.TestCase):
    def test_durations_that_are_not_positive_are_refused(self):
        for duration in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(freebody.Error, "duration is .*; it must be more than 0 s"):
                freebody.run(SWING, None, duration=duration)

    def test_wrenches_that_are_not_a_list_are_explained(self):
        model = freebody.Model.parse(PENDULUM)
        for wrenches in ({"tip": ([0, 0, 1], [0, 0, 0])}, ("tip", [0, 0, 1]), ["tip"], "tip"):
            with self.assertRaisesRegex(freebody.Error, "it must be a list"):
                model.forward_dynamics([0], wrenches=wrenches)


if __name__ == "__main__":
    unittest.main()
