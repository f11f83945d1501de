"""Configurations that satisfy something: inverse kinematics, static equilibrium."""
from __future__ import annotations

import ctypes
import typing

from . import _structs
from ._error import Error
from ._numbers import numbers, result
from ._types import Part

if typing.TYPE_CHECKING:
    from ._types import Array, Numbers


class Target(typing.NamedTuple):
    """Where a frame should be, world axes: position [m], rotation (3 x 3, frame axes to world axes). None: it is free."""
    frame: typing.Union[str, int]
    position: typing.Optional[typing.Sequence[float]] = None
    rotation: typing.Optional[typing.Sequence[typing.Sequence[float]]] = None
    position_weight: float = 1.0
    rotation_weight: float = 1.0


class Reached(typing.NamedTuple):
    """What inverse kinematics found: the configuration nearest to the targets."""
    q: Array
    solved: bool
    position_error: float  # largest [m]
    rotation_error: float  # largest [rad]
    iterations: int
    starts: int
    at_limit: int  # coordinates that rest at a limit


class Balance(typing.NamedTuple):
    """What Model.trim found."""
    q: Array
    solved: bool
    stability: str  # "stable", "neutral", "unstable"
    residual: float  # the largest imbalance [N or N m]
    scale: float  # of the acting forces
    worst: int  # coordinate of v with that imbalance, -1: none
    iterations: int
    starts: int
    at_limit: int


STABILITY = {1: "stable", 0: "neutral", -1: "unstable"}


class Solving(Part):
    """The part of Model that searches."""

    def _search(self, options, movable, fixed):
        """Sets what both searches share; the mask must live as long as the options."""
        mask = None if movable is None else self._mask(movable)
        options.movable = None if mask is None else ctypes.addressof(mask)
        for name, value in fixed.items():
            if value is not None:
                setattr(options, name, value)
        return mask

    def _solved(self, status, failure, found, check):
        if status and (check or status != _structs.FB_ERR_NO_SOLUTION):
            error = self._c.error(status, failure)
            error.result = found
            raise error
        return found

    def inverse_kinematics(self, q: Numbers, *targets, restarts: int = 0, seed: int = 0, move_base: bool = False,
                           movable: typing.Optional[typing.Iterable[str]] = None, ignore_limits: bool = False,
                           max_iterations: typing.Optional[int] = None, position_tolerance: typing.Optional[float] = None,
                           rotation_tolerance: typing.Optional[float] = None, check: bool = True) -> Reached:
        """The configuration, starting from q, that brings frames to their Targets (or tuples of the same order).

            found = model.inverse_kinematics(q, ("tool", [0.4, 0.1, 0.6]))

        restarts: further starts, from random configurations, when the first fails. movable: names of the joints that may
        move; by default all but floating bases, which move with move_base. Raises an Error, whose `result` has the
        nearest configuration, when the targets cannot be met; with check=False it is returned.
        """
        c = self._c
        if not targets:
            raise Error("inverse_kinematics needs a target: (frame, position) or (frame, position, rotation)")
        rows = (_structs.fb_ik_target * len(targets))(*[self._target(Target(*target)) for target in targets])
        options = c.fb_default_ik_options()
        mask = self._search(options, movable, {
            "restarts": restarts, "seed": seed, "move_base": bool(move_base), "ignore_limits": bool(ignore_limits),
            "max_iterations": max_iterations, "position_tolerance": position_tolerance,
            "rotation_tolerance": rotation_tolerance})
        found, report, failure = self._state(q)[0], _structs.fb_ik_report(), _structs.fb_error()
        status = c.fb_inverse_kinematics(self._m, self._data(), rows, len(targets), c.ref(options), found, c.ref(report),
                                         c.ref(failure))
        del mask
        answer = Reached(result(found), bool(report.solved), report.position_error, report.rotation_error,
                         report.iterations, report.starts, report.at_limit)
        return self._solved(status, failure, answer, check)

    def _target(self, target):
        row = self._c.fb_default_ik_target()
        row.frame = self.frame_id(target.frame)
        row.position_weight = 0 if target.position is None else target.position_weight
        row.rotation_weight = 0 if target.rotation is None else target.rotation_weight
        if target.position is not None:
            row.p_wf = numbers(target.position, 3, "position")
        if target.rotation is not None:
            row.R_wf = numbers(target.rotation, 9, "rotation")
        return row

    def trim(self, q: Numbers, tau: typing.Optional[Numbers] = None, gravity: Numbers = (0, 0, 0),
             wrenches: typing.Iterable = (), passive=True, restarts: int = 0, seed: int = 0, move_base: bool = False,
             movable: typing.Optional[typing.Iterable[str]] = None, ignore_limits: bool = False,
             leave_unstable: bool = False, max_iterations: typing.Optional[int] = None,
             tolerance: typing.Optional[float] = None, check: bool = True) -> Balance:
        """The configuration, starting from q, in which the joint forces tau, gravity, wrenches and springs balance.

        leave_unstable: an unstable equilibrium is left by a small push. The rest is as for inverse_kinematics.
        """
        c = self._c
        options = c.fb_default_trim_options()
        mask = self._search(options, movable, {
            "restarts": restarts, "seed": seed, "move_base": bool(move_base), "ignore_limits": bool(ignore_limits),
            "leave_unstable": bool(leave_unstable), "max_iterations": max_iterations, "tolerance": tolerance})
        found, report, failure = self._state(q)[0], _structs.fb_trim_report(), _structs.fb_error()
        loads = self._loads(gravity, wrenches, passive)
        status = c.fb_trim(self._m, self._data(), self._rates(tau, "tau"), c.ref(loads), c.ref(options), found,
                           c.ref(report), c.ref(failure))
        del mask
        answer = Balance(result(found), bool(report.solved), STABILITY[report.stability], report.residual, report.scale,
                         report.worst, report.iterations, report.starts, report.at_limit)
        return self._solved(status, failure, answer, check)
