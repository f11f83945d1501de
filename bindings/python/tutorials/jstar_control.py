"""Control of an arm on a floating base by the generalized Jacobian J*, and motions that leave the base alone.

When an arm moves in orbit its base reacts. J* = J_m - J_b H_b^-1 H_bm (Umetani, Yoshida 1989) has that reaction in it:
the velocity of the hand is J* times the joint rates, whatever the base does.
"""
import numpy as np

import freebody
from figure import SCENARIOS, plt, save

ets7 = freebody.Model.load(SCENARIOS / "ets7" / "ets7.urdf", base="free")
floating = ets7.floating()
joints = ets7.nq - floating.nj  # where the joints begin in q
start = ets7.neutral()
start[joints:] = [-1.22, 0.46, 2.28, 1.07, 0.3, 0.36]
hand, R = ets7.pose(start, "hand")

# What the base does when one joint turns at 1 rad/s: it has 0 momentum before and after.
base = floating.base_velocity(start, [1, 0, 0, 0, 0, 0])
print("joint1 at 1 rad/s turns the base at", np.linalg.norm(base[3:]).round(4), "rad/s")

# A path for the hand: 0.4 m and back in 60 s, by three trapezoids.
times = [0, 30, 60]
path = [freebody.trapezoid(times, [x, x + dx, x], ramp=0.1) for x, dx in zip(hand, (0.4, -0.3, 0.0))]


def rates(q, wanted, star):
    """Joint rates for a velocity of the hand: by J*, or by the Jacobian of an arm whose base is held."""
    J = floating.jacobian(q, "hand") if star else ets7.jacobian(q, "hand")[:, 6:]
    return np.linalg.lstsq(J, wanted, rcond=None)[0]


def follow(star):
    """Simulates a law in Python, sampled at 20 Hz: joint rates by J* or J, and the torques that bring them about."""
    def law(t, q, v):
        now = [one(t) for one in path]
        p, R_now = ets7.pose(q, "hand")
        wanted = np.concatenate(([one[1] + 0.5 * (one[0] - x) for one, x in zip(now, p)],
                                 0.5 * freebody.rotation.difference(R, R_now)))
        vdot = np.zeros(ets7.nv)
        vdot[6:] = 4 * (rates(q, wanted, star) - v[6:])
        return ets7.mixed_dynamics(q, v, prescribed=arm, vdot=vdot)[1]  # the base floats: no force on it

    arm = [name for name in ets7.joints if name != "base"]
    sim = freebody.Simulation(ets7, step=0.025)
    sim.add_force("hand", law, period=0.05)
    sim.start(start)
    return sim.record(60, 0.25, "p.hand", "rpy.base", "q")


runs = {"J*": follow(True), "J of a base that is held": follow(False)}
wanted = np.array([one(runs["J*"]["t"])[0] for one in path]).T
errors = {name: np.linalg.norm(run["p.hand"] - wanted, axis=1) for name, run in runs.items()}
for name, error in errors.items():
    print(f"{name}: the hand misses its path by up to {1e3 * error.max():.2f} mm")
assert errors["J*"].max() < errors["J of a base that is held"].max()

# Motions of the joints that do not turn the base: the reaction null space.
null = floating.null_space(start)
print("null space:", null.shape[1], "of", floating.nj, "motions leave the attitude of the base alone")
assert np.abs(np.array([floating.base_velocity(start, column)[3:] for column in null.T])).max() < 1e-12

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
for name, error in errors.items():
    left.plot(runs[name]["t"], 1e3 * error, label=name)
left.legend()
left.set(xlabel="t [s]", ylabel="error of the hand [mm]", title="Following a path from a floating base")
right.plot(runs["J*"]["t"], np.degrees(runs["J*"]["rpy.base"]), label=["roll", "pitch", "yaw"])
right.legend()
right.set(xlabel="t [s]", ylabel="attitude of the base [deg]", title="What the base does meanwhile")
save(fig, "jstar_control")
