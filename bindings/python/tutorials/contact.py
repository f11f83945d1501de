"""Contact: a ball that bounces, and a box that slides until it sticks."""
import numpy as np

import freebody
from figure import plt, save

g = 9.81
ball = freebody.Model.parse("""
freebody: 1
bodies: [{name: ball, joint: {type: free}, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0]}]
""")


def bounces(restitution):
    """Drops the ball from 1 m; hard contact, impacts are events."""
    sim = freebody.Simulation(ball, method="rk4", step=0.005, gravity=(0, 0, -g))
    sim.add_contact("floor", freebody.sphere("ball", 0.1), freebody.plane(), restitution=restitution, friction=0.5)
    q = ball.neutral()
    q[2] = 1.1
    return sim.start(q).record(3, 0.01, "p.ball.z", "energy.total")


heights = {e: bounces(e) for e in (0.9, 0.7, 0.0)}
first = heights[0.7]["p.ball.z"][45:130].max() - 0.1
print(f"restitution 0.7: the first bounce reaches {first:.4f} m, and {0.7 ** 2:.4f} m by theory")
assert abs(first - 0.49) < 2e-3

# A box that is pushed: Coulomb's friction brakes it by mu g until it sticks.
box = freebody.Model.parse("""
freebody: 1
bodies: [{name: box, joint: {type: free}, mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}]
""")


def slides(mu, speed=2.0):
    sim = freebody.Simulation(box, method="moreau", step=0.002, gravity=(0, 0, -g))
    sim.add_contact("table", freebody.box("box", (0.2, 0.2, 0.1)), freebody.plane(), friction=mu)
    q, v = box.neutral(), box.zero()
    q[2], v[0] = 0.05, speed
    table = sim.start(q, v).record(1.5, 0.01, "p.box.x", "v.box")
    return table, sim.ledger


fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
for mu in (0.2, 0.4, 0.8):
    table, ledger = slides(mu)
    way, theory = table["p.box.x"][-1], 2.0 ** 2 / (2 * mu * g)
    print(f"friction {mu}: the box slides {way:.4f} m, and {theory:.4f} m by theory; friction did {ledger.friction:.3f} J")
    assert abs(way - theory) < 2e-3
    right.plot(table["t"], table["p.box.x"], label=f"friction {mu}")
for e, table in heights.items():
    left.plot(table["t"], table["p.ball.z"], label=f"restitution {e}")
left.legend()
left.set(xlabel="t [s]", ylabel="height [m]", title="A ball bounces")
right.legend()
right.set(xlabel="t [s]", ylabel="way [m]", title="A box slides and sticks")
save(fig, "contact")
