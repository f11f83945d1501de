"""Mechanisms with closed loops: four-bars, parallel robots, gears (freebody/loop.h)."""
from __future__ import annotations

import ctypes
import typing

from ._error import unknown_name
from ._numbers import empty, result
from ._types import Part
from .parts import State

if typing.TYPE_CHECKING:
    from ._types import Array, Numbers


class LoopForce(typing.NamedTuple):
    """What a loop does: force and torque on its frame b, at that frame's origin, world axes; effort: of a gear."""
    force: typing.Sequence[float]
    torque: typing.Sequence[float]
    effort: float


class Constrained(typing.NamedTuple):
    """Accelerations and joint forces with the loops closed, and the forces of the loops by name."""
    vdot: Array
    tau: Array
    loops: typing.Dict[str, LoopForce]


class Loops(Part):
    """The part of Model that knows of loops. All else computes with the tree as if they were open."""

    def close_loops(self, q: Numbers, v: typing.Optional[Numbers] = None, held: typing.Iterable[str] = ()):
        """The State nearest to q and v that closes the loops; joints named in held keep their coordinates."""
        q, v = self._state(q, self.zero() if v is None else v)
        self._c.call("fb_loops_close", self._m, self._data(), self._mask(held), q, v)
        return State(result(q), result(v))

    def loop_errors(self, q: Numbers) -> typing.Dict[str, float]:
        """How far each loop is open at q [m or rad]."""
        errors = empty(len(self.loops))
        self._c.fb_loop_errors(self._m, self._data(), self._state(q)[0], errors)
        return dict(zip(self.loops, errors))

    def mobility(self, q: Numbers) -> int:
        """How many motions the loops leave at q; nv without loops."""
        return self._c.fb_loops_mobility(self._m, self._data(), self._state(q)[0])

    def constrained_dynamics(self, q: Numbers, v: typing.Optional[Numbers] = None, tau: typing.Optional[Numbers] = None,
                             prescribed: typing.Iterable[str] = (), vdot: typing.Optional[Numbers] = None,
                             gravity: Numbers = (0, 0, 0), wrenches: typing.Iterable = (), passive=True) -> Constrained:
        """Forward, or mixed, dynamics with the loops closed: q and v must satisfy them (close_loops)."""
        moved, forces = self._mixed("fb_constrained_dynamics", q, v, prescribed, vdot, tau, gravity, wrenches, passive)
        return Constrained(moved, forces, self._loop_forces())

    def constrained_inverse_dynamics(self, q: Numbers, v: typing.Optional[Numbers] = None,
                                     vdot: typing.Optional[Numbers] = None, gravity: Numbers = (0, 0, 0),
                                     wrenches: typing.Iterable = (), passive=True,
                                     actuated: typing.Optional[typing.Iterable[str]] = None) -> Constrained:
        """The least joint forces, of the actuated joints only, for a vdot that keeps the loops closed."""
        c = self._c
        q, v = self._state(q, self.zero() if v is None else v)
        vdot, tau = self._rates(vdot, "vdot"), empty(self.nv)
        loads = self._loads(gravity, wrenches, passive)
        mask = None if actuated is None else self._mask(actuated)
        options = c.fb_default_loop_inverse_options()
        options.loads = ctypes.pointer(loads)
        options.actuated = None if mask is None else ctypes.addressof(mask)
        c.call("fb_loop_inverse_dynamics", self._m, self._data(), q, v, vdot, c.ref(options), tau)
        return Constrained(result(vdot), result(tau), self._loop_forces())

    def _loop_forces(self):
        """Those of the call just made, of this thread."""
        c, forces = self._c, {}
        for i, name in enumerate(self.loops):
            force, torque = empty(3), empty(3)
            c.fb_loop_force(self._m, self._data(), i, force, torque)
            forces[name] = LoopForce(result(force), result(torque), c.fb_loop_effort(self._m, self._data(), i))
        return forces

    def loop_id(self, name: str) -> int:
        """The number of a loop."""
        if name not in self.loops:
            raise unknown_name("loop", name, self.loops)
        return self.loops.index(name)
