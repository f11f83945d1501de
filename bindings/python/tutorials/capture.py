"""Capture: a satellite takes hold of another. Two trees become one, and momentum is what it was."""
import numpy as np

import freebody
from figure import plt, save

MODEL = """
freebody: 1
bodies:
  - {name: servicer, joint: {type: free}, mass: 400, inertia: [150, 150, 150, 0, 0, 0]}
  - {name: arm, parent: servicer, joint: {name: shoulder, type: revolute, axis: [0, 0, 1], at: [1, 0, 0], damping: 20},
     mass: 20, com: [0.75, 0, 0], inertia: [1, 4, 4, 0, 0, 0], frames: [{name: hand, at: [1.5, 0, 0]}]}
  - {name: target, joint: {type: free}, mass: 150, inertia: [40, 40, 40, 0, 0, 0], frames: [{name: grip, at: [-0.5, 0, 0]}]}
"""
scene = freebody.Model.parse(MODEL)
q, v = scene.neutral(), scene.zero()
q[scene.joints["target"].q] = [3.0, 0, 0, 1, 0, 0, 0]  # the grip is at the hand
v[scene.joints["target"].v] = [-0.02, 0.05, 0, 0, 0, np.radians(4)]

# The impact by itself: the model after it, and the state just after it.
joined = scene.join("grasp", "grip", "hand", q)
after = scene.join_velocities(joined, "grasp", q, v)
before = np.concatenate(scene.momentum(q, v))
print("momentum before and after:", before.round(6), np.concatenate(joined.momentum(after.q, after.v)).round(6))
print("impulse", after.impulse.linear.round(4), "N s; energy lost", round(after.impulse.energy, 5), "J")
assert np.allclose(before, np.concatenate(joined.momentum(after.q, after.v)), atol=1e-12)
assert np.isclose(sum(scene.energies(q, v)) - sum(joined.energies(after.q, after.v)), after.impulse.energy)

# In a simulation: free flight, capture at 0 s, release at 30 s. The damper of the shoulder brakes the arm.
sim = freebody.Simulation(scene, step=0.01)
sim.add_event("capture", at=0.0, once=True, do=lambda sim: sim.join("grasp", "grip", "hand"))
sim.add_event("release", at=30.0, once=True, do=lambda sim: sim.part("grasp"))
sim.start(q, v)
table = sim.record(45, 0.1, "omega.servicer.z", "omega.target.z", "q.shoulder", "momentum.linear", "energy.kinetic")
for change in sim.changes:
    print(f"{change.t:5.1f} s  {'joined' if change.frame else 'parted'}: {change.joint}")
drift = np.abs(table["momentum.linear"] - table["momentum.linear"][0]).max()
print("linear momentum changes by", drift, "kg m/s")
assert drift < 1e-9 and len(sim.changes) == 2

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
for body in "servicer", "target":
    left.plot(table["t"], np.degrees(table[f"omega.{body}.z"]), label=body)
left.axvline(30, color="0.7", ls=":")
left.legend()
left.set(xlabel="t [s]", ylabel="turning [deg/s]", title="Capture at 0 s, release at 30 s")
right.plot(table["t"], 1e3 * table["energy.kinetic"])
right.axvline(30, color="0.7", ls=":")
right.set(xlabel="t [s]", ylabel="kinetic energy [mJ]", title="The damper of the shoulder takes energy out")
save(fig, "capture")
