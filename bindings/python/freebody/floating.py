"""How a floating base reacts to the motion of its arms: the generalized Jacobian and what follows from it."""
from __future__ import annotations

import ctypes
import typing

from ._copies import Shared
from ._error import Error
from ._numbers import empty, numbers, numpy, result
from ._threads import Scratch

if typing.TYPE_CHECKING:
    from ._types import Array, Frame, Numbers, Out


class Floating(Shared):
    """The analysis of one tree whose base has a free joint; Model.floating makes it. Threads may share one.

    v_m, the rates of the joints, are nj numbers: v without the six of the base, in the order of v; joints has their
    indices. L is the tree's momentum: linear, and angular about the base's origin. World axes, linear part first. As in
    Model, states may be rows of arrays. docs/theory/floating.md has the equations.
    """

    def __init__(self, model, base: typing.Optional[Frame] = None):
        self.model, self._c = model, model._c
        if base is None:
            free = [joint.body for joint in model.joints.values() if joint.type == "free" and joint.parent == "world"]
            if not free:
                raise Error(f"{model.name} has no floating base")
            base = free[0]
        self.base: str = base if isinstance(base, str) else model.bodies[model.body_id(base)]
        number = model.body_id(base)
        self._h = self._c.handle(model._m, model._owner, number)
        scratch = self._new()
        self.nj: int = self._c.fb_floating_nj(scratch.pointer)
        found = self._c.fb_floating_joints(scratch.pointer)
        self.joints: typing.List[int] = list((ctypes.c_int * self.nj).from_address(found)) if self.nj else []

    def _new(self):
        return Scratch(self._c, self.model._m, self.model.body_id(self.base))

    def __repr__(self):
        return f"<freebody.Floating {self.base!r} of {self.model.name!r}: {self.nj} joint coordinates>"

    def _do(self, name, *arguments):
        return self._c.algorithm(name)(self._h, *arguments)

    def jacobian(self, q: Numbers, frame: Frame, out: Out = None) -> Array:
        """The generalized Jacobian J* (6 x nj): frame velocity = J* v_m + J_b H_b^-1 L. (Umetani, Yoshida 1989)"""
        return self._do("floating_jacobian", q, self.model.frame_id(frame), out)

    def jacobian_rate(self, q: Numbers, v: Numbers, frame: Frame, out: Out = None) -> Array:
        """The time derivative of J* along v."""
        return self._do("floating_jacobian_rate", q, v, self.model.frame_id(frame), out)

    def base_velocity(self, q: Numbers, v_m: typing.Optional[Numbers] = None, L: typing.Optional[Numbers] = None,
                      out: Out = None) -> Array:
        """[v; w] of the base for joint rates and a momentum; None is zero."""
        return self._do("floating_base_velocity", q, v_m, L, out)

    def velocity(self, q: Numbers, v_m: Numbers, L: typing.Optional[Numbers] = None) -> Array:
        """The same as a whole v: the base's six entries in its joint's axes, and v_m; other trees at rest."""
        scratch, v = self._new(), empty(self.model.nv)
        self._c.fb_floating_update(scratch.pointer, self.model._state(q)[0], None)
        self._c.fb_floating_velocity(scratch.pointer, numbers(v_m, self.nj, "v_m"),
                                     None if L is None else numbers(L, 6, "L"), v)
        return result(v)

    def base_acceleration(self, q: Numbers, v: Numbers, vdot_m: typing.Optional[Numbers] = None, out: Out = None) -> Array:
        """[v'; w'] of the base for joint accelerations, without forces from outside."""
        return self._do("floating_base_acceleration", q, v, vdot_m, out)

    def momentum(self, q: Numbers, v: Numbers, out: Out = None) -> Array:
        """L of the tree."""
        return self._do("floating_momentum", q, v, out)

    def resolved_rate(self, q: Numbers, frame: Frame, velocity: Numbers, L: typing.Optional[Numbers] = None,
                      damping: float = 0.0) -> typing.Tuple[Array, Array]:
        """Joint rates for a wanted [v; w] of a frame, and the smallest singular value of J*.

        Singular values s are inverted as s / (s^2 + damping^2); without damping those below 1e-12 of the largest are
        dropped. L: the constant momentum, None is zero.
        """
        return self._do("resolved_rate", q, self.model.frame_id(frame), velocity, L, damping, None)

    def resolved_acceleration(self, q: Numbers, v: Numbers, frame: Frame, acceleration: Numbers,
                              damping: float = 0.0) -> typing.Tuple[Array, Array]:
        """Joint accelerations for a wanted acceleration of a frame, and the smallest singular value of J*."""
        return self._do("resolved_acceleration", q, v, self.model.frame_id(frame), acceleration, damping, None)

    def null_space(self, q: Numbers, rows: int = 3) -> Array:
        """An orthonormal basis, its vectors in columns, of the joint rates that do not disturb the base: its attitude
        (rows 3) or attitude and position (rows 6)."""
        if not isinstance(rows, int) or rows not in (3, 6):
            raise Error(f"rows is {rows!r}; it must be 3, for the attitude, or 6")
        return self._basis(q, lambda f, basis: self._c.fb_floating_reaction_null_space(f, rows, basis))

    def loop_motions(self, q: Numbers) -> Array:
        """A basis, likewise, of the joint rates that keep the loops of the tree closed."""
        return self._basis(q, self._c.fb_floating_loop_motions)

    def _basis(self, q, fill):
        scratch, basis = self._new(), empty(self.nj * self.nj)
        self._c.fb_floating_update(scratch.pointer, self.model._state(q)[0], None)
        count = fill(scratch.pointer, basis)
        square = result(basis, self.nj, self.nj)
        return square[:, :count].copy() if numpy is not None else [row[:count] for row in square]

    def manipulability(self, q: Numbers, frame: Frame) -> Array:
        """The product of the singular values of J*: zero at a dynamic singularity."""
        return self._do("manipulability", q, self.model.frame_id(frame), None)[1]

    def singular_values(self, q: Numbers, frame: Frame) -> Array:
        """The singular values of J*, largest first: min(6, nj) of them."""
        values = self._do("manipulability", q, self.model.frame_id(frame), None)[0]
        count = min(6, self.nj)
        if numpy is not None:
            return values[..., :count]
        return [row[:count] for row in values] if values and isinstance(values[0], list) else values[:count]

    def coupling(self, q: Numbers) -> Array:
        """The largest angular rate of the base for joint rates of norm one."""
        return self._do("coupling", q, None)
