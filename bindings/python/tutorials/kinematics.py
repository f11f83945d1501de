"""Kinematics: where the hand is, how it moves, and which joint angles bring it somewhere."""
import numpy as np

import freebody
from figure import SCENARIOS, plt, save

# The arm of ETS-VII on a base that is held: six joints, one frame at the hand.
arm = freebody.Model.load(SCENARIOS / "ets7" / "ets7.urdf", base="fixed")
print(arm, list(arm.joints))

# One configuration. Angles in rad; q has one entry for each joint here.
q = np.array([-1.22, 0.46, 2.28, 1.07, 0.3, 0.36])
p, R = arm.pose(q, "hand")
print("hand at", p.round(4), "m; roll, pitch, yaw", freebody.rotation.to_rpy(R).round(4))

# The Jacobian maps joint rates to [velocity; angular velocity] of the hand; its columns are differences of poses.
v = np.array([0.1, -0.2, 0.05, 0.1, 0.0, 0.3])
J = arm.jacobian(q, "hand")
velocity = np.concatenate(arm.velocity(q, v, "hand"))
h = 1e-6
moved = (arm.pose(arm.integrate(q, v, h), "hand")[0] - arm.pose(arm.integrate(q, v, -h), "hand")[0]) / (2 * h)
print("J v - velocity:", np.abs(J @ v - velocity).max(), "; against a difference:", np.abs(moved - velocity[:3]).max())
assert np.allclose(J @ v, velocity, atol=1e-12) and np.allclose(moved, velocity[:3], atol=1e-8)

# Many configurations in one call: an array of rows goes in, an array of rows comes out.
rng = np.random.default_rng(1)
many = rng.uniform(-np.pi, np.pi, (20000, arm.nq))
reach = arm.pose(many, "hand")[0]
print("farthest of 20000 random configurations:", np.linalg.norm(reach, axis=1).max().round(3), "m")

# Inverse kinematics along a straight line, each point starting from the last solution.
line = p + np.linspace(0, 1, 60)[:, None] * np.array([0.4, -0.3, 0])
angles, start = [], q
for point in line:
    start = arm.inverse_kinematics(start, ("hand", point, R)).q
    angles.append(start)
angles = np.array(angles)
error = np.linalg.norm(arm.pose(angles, "hand")[0] - line, axis=1).max()
print("largest distance from the line:", error, "m")
assert error < 1e-9

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot(reach[:, 0], reach[:, 2], ",", color="0.7")
left.plot(line[:, 0], line[:, 2], "C3", lw=2)
left.set(xlabel="x [m]", ylabel="z [m]", title="Reach, and the line of the hand", aspect="equal")
names = [joint.name for joint in arm.joints.values() if joint.type == "revolute"]
right.plot(np.linspace(0, 1, 60), np.degrees(angles), label=names)
right.legend(fontsize=8)
right.set(xlabel="along the line", ylabel="joint angle [deg]", title="Inverse kinematics")
save(fig, "kinematics")
