"""Joining two trees at a joint, parting a tree at one, and the state across the change (freebody/join.h)."""
from __future__ import annotations

import ctypes
import typing

from . import _structs
from ._error import Error
from ._library import library, name_for_c
from ._numbers import empty, numbers, result
from ._threads import Scratch
from ._types import Part
from .parts import State

if typing.TYPE_CHECKING:
    from ._types import Array, Numbers


class Impulse(typing.NamedTuple):
    """What passed through a joint at the instant of a join: at `point`, on the side of the frame, world axes."""
    point: Array
    linear: Array
    angular: Array
    energy: float  # kinetic energy lost [J]


class Joined(typing.NamedTuple):
    """The state after an impact, and its impulse."""
    q: Array
    v: Array
    impulse: Impulse


def definition(name, frame, to, type="fixed", axis=None, axis2=None, pitch=None, force=False):
    """An fb_join_def."""
    c = library()
    how = c.fb_default_join_def()
    how.type = c.fb_joint_type_find(name_for_c(type, "the type of a joint"))
    if how.type < 0:
        raise Error(f"there is no type of joint '{type}'", status="FB_ERR_NAME")
    how.name, how.frame, how.to = (name_for_c(word, "name, frame and to") for word in (name, frame, to))
    how.force = bool(force)
    if axis is not None:
        how.axis = numbers(axis, 3, "axis")
    if axis2 is not None:
        how.axis2 = numbers(axis2, 3, "axis2")
    if pitch is not None:
        how.pitch = pitch
    return how


def impulse_of(raw):
    """An fb_join_impulse."""
    return Impulse(result(numbers(raw.point, 3, "")), result(numbers(raw.linear, 3, "")),
                   result(numbers(raw.angular, 3, "")), raw.energy)


def _state_of(model, scratch, q, v):
    """An fb_model_state over arrays of ours."""
    return _structs.fb_model_state(model=model._m, data=scratch.pointer, q=ctypes.addressof(q), v=ctypes.addressof(v))


class Joining(Part):
    """The part of Model that joins and parts trees. Bodies and frames keep their names."""

    def join(self, name: str, frame: str, to: str, q: Numbers, type: str = "fixed", axis: typing.Optional[Numbers] = None,
             axis2: typing.Optional[Numbers] = None, pitch: typing.Optional[float] = None, force: bool = False):
        """The Model in which `frame` of one tree is joined to `to`, a frame of another or "world", by a joint.

        q: the configuration at that instant. force: the frames may be apart and their axes askew.
        """
        made = ctypes.c_void_p()
        how = definition(name, frame, to, type, axis, axis2, pitch, force)
        self._c.call("fb_model_join", self._m, self._c.ref(how), self._state(q)[0], self._c.ref(made))
        return self._own(self._c, made.value)

    def part(self, joint: str):
        """The Model with a joint opened; one that join made is undone."""
        made = ctypes.c_void_p()
        self._c.call("fb_model_part", self._m, name_for_c(joint, "the name of a joint"), self._c.ref(made))
        return self._own(self._c, made.value)

    def carry(self, other, q: Numbers, v: typing.Optional[Numbers] = None):
        """A state of this model in another of the same bodies; what its joints do not allow of v is lost."""
        q, v = self._state(q, self.zero() if v is None else v)
        q_to, v_to = empty(other.nq), empty(other.nv)
        here, there = Scratch(self._c, self._m), Scratch(self._c, other._m)
        before, after = _state_of(self, here, q, v), _state_of(other, there, q_to, v_to)
        self._c.call("fb_model_state_carry", self._c.ref(before), self._c.ref(after))
        return State(result(q_to), result(v_to))

    def join_velocities(self, joined, joint: str, q: Numbers, v: Numbers, prescribed: typing.Iterable[str] = ()) -> Joined:
        """The state of the joined model just after the impact: momenta are those before; prescribed: joints of it that
        keep their rates."""
        q, v = self._state(q, v)
        q_to, v_to, blow = empty(joined.nq), empty(joined.nv), _structs.fb_join_impulse()
        here, there = Scratch(self._c, self._m), Scratch(self._c, joined._m)
        before, after = _state_of(self, here, q, v), _state_of(joined, there, q_to, v_to)
        self._c.call("fb_model_state_join", self._c.ref(before), self._c.ref(after),
                     name_for_c(joint, "the name of a joint"), joined._mask(prescribed), self._c.ref(blow))
        return Joined(result(q_to), result(v_to), impulse_of(blow))
