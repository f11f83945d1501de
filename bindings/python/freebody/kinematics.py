"""Where every part of a robot is and how it moves, at one state."""
from __future__ import annotations

import threading
import typing

from ._copies import Shared
from ._numbers import empty, numbers, result
from ._threads import Scratch

if typing.TYPE_CHECKING:
    from ._types import Array, Frame, Numbers


class Kinematics(Shared):
    """The state given to Model.kinematics; it stays as it is whatever else the model is asked.

    World axes, SI. A frame is its name (a body's name: the frame at the body's origin) or its number. What the state
    does not give, velocities without v and accelerations without vdot, reads as NaN.
    """

    def __init__(self, model, q, v=None, vdot=None):
        self.model = model
        self._c = model._c
        self._m = model._m
        self._q, self._v = model._state(q, v)
        rates = None if vdot is None else numbers(vdot, model.nv, "vdot")
        self._scratch = Scratch(self._c, self._m)
        self._d = self._scratch.pointer
        self._c.fb_kinematics(self._m, self._d, self._q, self._v, rates)
        self._has_com = False
        self._lock = threading.Lock()

    def _pair(self, function, frame, first, second):
        one, two = empty(first), empty(second)
        getattr(self._c, function)(self._m, self._d, self.model.frame_id(frame), one, two)
        return one, two

    def pose(self, frame: Frame) -> typing.Tuple[Array, Array]:
        """Origin p and rotation R (frame axes to world axes, 3 x 3)."""
        p, R = self._pair("fb_frame_pose", frame, 3, 9)
        return result(p), result(R, 3, 3)

    def velocity(self, frame: Frame) -> typing.Tuple[Array, Array]:
        """Velocity of the origin and angular velocity."""
        v, w = self._pair("fb_frame_velocity", frame, 3, 3)
        return result(v), result(w)

    def acceleration(self, frame: Frame) -> typing.Tuple[Array, Array]:
        """Time derivatives of both; gravity is not in them."""
        a, wdot = self._pair("fb_frame_acceleration", frame, 3, 3)
        return result(a), result(wdot)

    def jacobian(self, frame: Frame) -> Array:
        """J, 6 x nv, linear rows first: [velocity; angular velocity] = J v."""
        return self._matrix("fb_frame_jacobian", self.model.frame_id(frame))

    def jacobian_rate(self, frame: Frame) -> Array:
        """The time derivative of J along v."""
        return self._matrix("fb_frame_jacobian_rate", self.model.frame_id(frame))

    def _matrix(self, function, *arguments):
        J = empty(6 * self.model.nv)
        getattr(self._c, function)(self._m, self._d, *arguments, J)
        return result(J, 6, self.model.nv)

    def bias_acceleration(self, frame: Frame) -> Array:
        """The frame's acceleration (6) at vdot = 0."""
        a = empty(6)
        self._c.fb_frame_bias_acceleration(self._m, self._d, self._rates(), self.model.frame_id(frame), a)
        return result(a)

    def _rates(self):
        return numbers([float("nan")] * self.model.nv, self.model.nv, "v") if self._v is None else self._v

    def _need_com(self):
        with self._lock:  # all else only reads
            if not self._has_com:
                self._c.fb_centre_of_mass(self._m, self._d)
                self._has_com = True

    def centre_of_mass(self, body: Frame = 0) -> typing.Tuple[Array, Array]:
        """Position and velocity of the centre of mass of a body and all that hangs on it; 0: the whole scene."""
        self._need_com()
        p, v = empty(3), empty(3)
        self._c.fb_subtree_com(self._m, self._d, self.model.body_id(body), p, v, None)
        return result(p), result(v)

    def reactions(self, gravity=(0, 0, 0), wrenches=()):
        """What each joint transmits for the vdot given: {joint: (force, torque)}, by the parent on the child, at the
        origin of the joint's frame. The torque that accelerates rotors (armature) is not in it."""
        loads = self.model._loads(gravity, wrenches, True)
        rows = empty(6 * self.model.nbody)
        self._c.fb_joint_reactions(self._m, self._d, self._c.ref(loads), rows)
        by_body = result(rows, self.model.nbody, 6)  # the world first
        return {name: (row[:3], row[3:]) for name, row in zip(self.model.joints, by_body[1:])}

    def centroidal_matrix(self) -> Array:
        """A, 6 x nv: [linear; angular momentum about the centre of mass] = A v."""
        self._need_com()
        return self._matrix("fb_centroidal_matrix")

    def momentum(self, point: Numbers = (0, 0, 0)) -> typing.Tuple[Array, Array]:
        """Linear momentum, and angular momentum about a point."""
        linear, angular = empty(3), empty(3)
        self._c.fb_momentum(self._m, self._d, numbers(point, 3, "point"), linear, angular)
        return result(linear), result(angular)

    def kinetic_energy(self) -> float:
        """v^T H v / 2."""
        return self._c.fb_kinetic_energy(self._m, self._d, self._rates())

    def potential_energy(self, gravity: Numbers = (0, 0, 0)) -> float:
        """Of gravity, zero at the world's origin, and of the springs."""
        loads = self.model._loads(gravity, (), True)
        return self._c.fb_potential_energy(self._m, self._d, self._q, self._c.ref(loads))
