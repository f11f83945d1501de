"""Forward dynamics: accelerations from forces, and a simulation that accounts for its energy."""
import numpy as np

import freebody
from figure import SCENARIOS, plt, save

g = (0, 0, -9.81)
arm = freebody.Model.load(SCENARIOS / "ets7" / "ets7.urdf", base="fixed")
q, v = arm.random(3)

# The equations of motion: H vdot + bias = tau. Forward dynamics solves them in O(n) without forming H.
tau = np.array([5.0, -3, 2, 1, 0.5, 0.2])
vdot = arm.forward_dynamics(q, v, tau, gravity=g)
H, bias = arm.inertia_matrix(q), arm.bias(q, v, gravity=g)
print("H vdot + bias - tau:", np.abs(H @ vdot + bias - tau - arm.passive_forces(q, v)).max())
assert np.allclose(arm.inverse_dynamics(q, v, vdot, gravity=g), tau, atol=1e-9)

# A thousand states in one call. With out= nothing is allocated.
Q = np.array([arm.random(i).q for i in range(1000)])
V = np.array([arm.random(i).v for i in range(1000)])
out = np.empty_like(V)
arm.forward_dynamics(Q, V, gravity=g, out=out)
print("largest acceleration of 1000 random states:", np.abs(out).max().round(1), "rad/s^2")

# A simulation: the arm falls from rest. The ledger says how well energy is kept.
start = np.array([0.0, 0.5, 1.0, 0, 0, 0])
fall = freebody.Simulation(arm, method="dopri5", gravity=g)
fall.start(start)
falling = fall.record(4.0, 0.01, "q", "energy.kinetic", "energy.potential", "energy.total")
print(f"falling: {fall.steps} steps, {fall.ledger.worst:.1e} of the energy exchanged is not explained")
assert fall.ledger.worst < 1e-6

# The same with a law in Python, sampled at 100 Hz: the torques that bring the joints to their targets (computed torque).
target = start + 0.2
held = freebody.Simulation(arm, method="rk4", step=0.002, gravity=g)
held.add_force("hold", lambda t, q, v: arm.inverse_dynamics(q, v, 25 * (target - q) - 10 * v, g), period=0.01)
held.start(start)
holding = held.record(4.0, 0.01, "q")
print("held: joint angles miss their targets by", np.abs(holding["q"][-1] - target).max().round(6), "rad")
assert np.abs(holding["q"][-1] - target).max() < 1e-4

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4))
left.plot(falling["t"], np.degrees(falling["q"]))
left.set(xlabel="t [s]", ylabel="joint angle [deg]", title="The arm falls")
for name in "kinetic", "potential", "total":
    middle.plot(falling["t"], falling[f"energy.{name}"], label=name)
middle.legend()
middle.set(xlabel="t [s]", ylabel="energy [J]", title="Its energy")
right.plot(holding["t"], np.degrees(holding["q"]))
right.set(xlabel="t [s]", ylabel="joint angle [deg]", title="Held by a law in Python")
save(fig, "forward_dynamics")
