"""What may be done to a simulation between steps, and by its events."""
from __future__ import annotations

import ctypes
import typing

from . import _structs
from ._error import Error, unknown_name
from ._library import name_for_c, text_of
from ._threads import alone
from .joins import Impulse, definition, impulse_of

if typing.TYPE_CHECKING:
    from ._types import Numbers


class Change(typing.NamedTuple):
    """A join or a parting that was made."""
    t: float
    joint: str
    frame: str  # "" of a parting
    to: str
    type: str
    impulse: Impulse


class Actions:
    """The part of Simulation that changes how it moves."""
    model: typing.Any
    _c: typing.Any
    _s: typing.Any
    _busy: typing.Any
    _call: typing.Any

    @alone
    def lock(self, joint: str):
        """Holds a joint where it is from now on. If it moves, all velocities jump as if it were clamped."""
        self._move(joint, _structs.FB_MOTION_LOCKED)

    @alone
    def release(self, joint: str):
        """Lets a joint move again."""
        self._move(joint, _structs.FB_MOTION_FORCE)

    @alone
    def move(self, joint: str, motion: int):
        """Moves a joint by a motion that add_motion returned; its time counts from now, its path begins here."""
        self._move(joint, motion)

    def _move(self, joint, motion):
        self._call("fb_sim_set_joint_motion", self._body_now(joint), motion)

    def _body_now(self, joint):
        """The body that a joint of the model moves at present: joints may be those of other bodies after joins."""
        c, model = self._c, self.model
        body = model.body_id(model.joint(joint).body)
        return body if not c.fb_sim_epoch(self._s) else c.fb_coordinate_body(c.fb_sim_model(self._s),
                                                                             self._coordinate_now(joint))

    def _coordinate_now(self, joint):
        now = self._c.fb_sim_coordinate_now(self._s, self.model.joint(joint).v.start)
        if now < 0:
            raise Error(f"the joint '{joint}' has gone: its body was joined or parted elsewhere")
        return now

    @alone
    def bounce(self, joint: str, restitution: float):
        """Reflects a joint of one coordinate by an impulse: its rate becomes -restitution times what it was."""
        self._call("fb_sim_bounce", self._coordinate_now(joint), restitution)

    @alone
    def parameter(self, block: str, name: str) -> float:
        """A parameter of a block now: sim.parameter("arm", "elbow.kp")."""
        number, at = self._parameter(block, name)
        return ctypes.c_double.from_address(self._c.fb_sim_memory(self._s, number) + 8 * at).value

    @alone
    def set_parameter(self, block: str, name: str, value: float):
        """Changes a parameter of a block: sim.set_parameter("arm", "elbow.kp", 30)."""
        number, at = self._parameter(block, name)
        self._call("fb_sim_set_parameter", number, at, value)

    def _parameter(self, block, name):
        number = self._c.fb_sim_find_block(self._s, name_for_c(block, "the name of a block"))
        if number < 0:
            raise unknown_name("block", block, [])
        at = self._c.fb_sim_find_parameter(self._s, number, name_for_c(name, "the name of a parameter"))
        if at < 0:
            raise Error(f"the block '{block}' has no parameter '{name}'", status="FB_ERR_NAME")
        return number, at

    @property
    def mode(self) -> int:
        """The mode: blocks of a scenario act in some modes only."""
        return self._c.fb_sim_mode(self._s)

    @alone
    def set_mode(self, mode: int):
        """Goes on in another mode."""
        self._call("fb_sim_set_mode", mode)

    @alone
    def stop(self):
        """Ends the simulation here; run and step do nothing more."""
        self._c.fb_sim_stop(self._s)

    @alone
    def join(self, name: str, frame: str, to: str, type: str = "fixed", axis: typing.Optional[Numbers] = None,
             axis2: typing.Optional[Numbers] = None, pitch: typing.Optional[float] = None, force: bool = False):
        """Joins two trees by a joint from now on, as Model.join: momentum is conserved, the energy lost is booked.

        q, v and signals go on to be those of `model`. Forces by functions of Python know its coordinates alone: a
        simulation that has some refuses to be joined.
        """
        how = definition(name, frame, to, type, axis, axis2, pitch, force)
        self._call("fb_sim_join", self._c.ref(how))

    @alone
    def part(self, joint: str):
        """Opens a joint, one of the model or one that join made."""
        self._call("fb_sim_part", name_for_c(joint, "the name of a joint"))

    @property
    def epoch(self) -> int:
        """Joins and partings so far."""
        return self._c.fb_sim_epoch(self._s)

    @property
    @alone
    def changes(self) -> typing.List[Change]:
        """The joins and partings so far."""
        c, made = self._c, []
        for i in range(self.epoch):
            raw = _structs.fb_sim_change()
            c.call("fb_sim_get_change", self._s, i, c.ref(raw))
            made.append(Change(raw.t, text_of(raw.joint), text_of(raw.frame or b""), text_of(raw.to or b""),
                               text_of(c.fb_joint_type_name(raw.type)) if raw.is_join else "", impulse_of(raw.impulse)))
        return made
