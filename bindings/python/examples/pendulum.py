"""A pendulum, swung in Python: the period against the closed form, and a control law that stops it.

    PYTHONPATH=bindings/python python3 bindings/python/examples/pendulum.py
"""
import math

import freebody

MODEL = """
freebody: 1
name: pendulum
bodies:
  - name: rod
    joint: {name: pin, type: revolute, axis: [0, 1, 0]}
    mass: 2 kg
    com: [0, 0, -0.5]
    inertia: [0.2, 0.2, 0.01, 0, 0, 0]
    frames: [{name: tip, at: [0, 0, -1]}]
"""
GRAVITY = (0, 0, -9.81)


def measured_period(model, angle):
    """Twice the time between two passages through the lowest point."""
    sim = freebody.Simulation(model, method="dopri5", gravity=GRAVITY)
    sim.start([angle])
    table = sim.record(5.0, 0.001, "q.pin")
    q, passages = table["q.pin"], []
    for k in range(1, len(q)):
        if q[k - 1] * q[k] < 0:
            passages.append(table["t"][k - 1] + 0.001 * q[k - 1] / (q[k - 1] - q[k]))
    return 2 * (passages[1] - passages[0])


def exact_period(model, angle):
    """By the arithmetic-geometric mean (the complete elliptic integral)."""
    inertia = model.inertia_matrix([0])[0][0]
    a, b = 1.0, math.cos(angle / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi / a * math.sqrt(inertia / (2 * 9.81 * 0.5))


def main():
    model = freebody.Model.parse(MODEL, "pendulum.yaml")
    print(model)
    print("amplitude   measured period   exact")
    for degrees in (5, 45, 120):
        angle = math.radians(degrees)
        print(f"{degrees:6d} deg   {measured_period(model, angle):12.6f} s   {exact_period(model, angle):.6f} s")

    # Held upright by a PD law at 100 Hz, with the weight of the rod fed forward.
    def law(t, q, v):
        return model.gravity_compensation(q, GRAVITY)[0] + 20 * (math.pi - q[0]) - 5 * v[0]

    sim = freebody.Simulation(model, gravity=GRAVITY)
    sim.add_force("upright", law, joint="pin", period=0.01)
    sim.start([math.radians(120)])
    sim.run(5.0)
    print(f"after {sim.t:g} s: {math.degrees(sim.q[0]):.3f} deg, work {sim.ledger.work:.3f} J, "
          f"ledger closes to {sim.ledger.relative:.0e}")


if __name__ == "__main__":
    main()
