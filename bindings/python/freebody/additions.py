"""What is added to a simulation before it starts: forces, laws, contacts, stops, springs, motions, events."""
from __future__ import annotations

import ctypes
import functools
import math
import threading
import typing
import weakref

from . import _structs, control
from ._error import Error
from ._library import name_for_c, struct_with
from ._numbers import numbers
from ._threads import alone
from ._types import Method
from ._plain_law import Law, guarded
from .actions import Actions
from .contact import Collider, point
from .paths import Path, path_of

if typing.TYPE_CHECKING:
    from ._types import Frame, Numbers

DIRECTIONS = {"rising": 1, "falling": -1, "either": 0}
CHANGES = {"hits": _structs.FB_CONTACT_HITS, "opens": _structs.FB_CONTACT_OPENS,
           "slips": _structs.FB_CONTACT_BEGINS_SLIP, "sticks": _structs.FB_CONTACT_BEGINS_STICK}
PHASES = {"hits": _structs.FB_LIMIT_HIT, "rests": _structs.FB_LIMIT_RESTS, "leaves": _structs.FB_LIMIT_LEAVES}

UNANNOUNCED = 0.01  # s; error control makes no longer steps with a function of Python, which may push for a moment only


def addition(method: Method) -> Method:
    """For what is added: simulations of a scenario are made anew with it, by Simulation._add_to_scenario."""
    @functools.wraps(method)
    def added(self, *arguments, **options):
        again = getattr(self, "_add_to_scenario", None)
        if again is None or self._scenario is None:
            return method(self, *arguments, **options)
        return again(lambda setup: method(setup, *arguments, **options))
    return typing.cast(Method, added)


class Additions:
    """What Simulation, and the function `add` of a run, can add."""
    model: typing.Any
    _c: typing.Any
    _s: typing.Any
    _callbacks: list
    _failure: list
    _limits: dict  # numbers of stops, by coordinate and side

    # ---- functions of Python ----

    @addition
    @alone
    def add_force(self, name: str, function: typing.Callable, joint: typing.Optional[str] = None, period: float = 0.0):
        """Joint forces by a function of Python: function(t, q, v) returns tau, nv numbers, or None for none.

        joint: the function returns that joint's numbers only. period > 0: it is asked at 0, period, 2 period ... and
        what it returned is held in between, as a sampled control law does. Else it is asked several times a step and
        must depend on its arguments only.
        """
        where = slice(0, self.model.nv) if joint is None else self.model.joint(joint).v
        self._add_law(name, function, where.stop - where.start, period, first=where.start)

    @addition
    @alone
    def add_wrench(self, name: str, frame: Frame, function: typing.Callable, in_frame_axes: bool = False,
                   period: float = 0.0):
        """A force and torque at a frame: function(t, q, v) returns six numbers, the force first, or None for none.

        World axes, or the frame's own. period as for add_force.
        """
        self._add_law(name, function, 6, period, frame=self.model.frame_id(frame), in_frame_axes=bool(in_frame_axes))

    def _add_law(self, name, function, count, period, first=-1, frame=-1, in_frame_axes=False):
        if not callable(function):
            raise Error(f"the force '{name}' must be a function of t, q and v, not {function!r}")
        if not (period >= 0 and math.isfinite(period)):
            raise Error(f"the period of the force '{name}' is {period} s; it must be 0 or more, and finite")
        c, block = self._c, self._c.fb_default_block()
        block.name, block.period = name_for_c(name, "the name of a force"), period
        block.longest_step = 0.0 if period else UNANNOUNCED  # held in between
        self._callbacks.append((function, self._failure))  # C does not keep them
        what = f"what the force '{name}' returned"
        if c.backend == "extension":
            c.native.law(block, function, self._failure, what, count, first, frame, in_frame_axes, self.model.nq,
                         self.model.nv, self.model._m)
        else:
            law = Law(self, function, count, what)
            law.fill(block, first, frame, in_frame_axes)
            self._callbacks.append(block)
        c.call("fb_sim_add_block", self._s, c.ref(block), None)

    # ---- ready-made ----

    @addition
    @alone
    def add_law(self, name: str, law, sampled: typing.Optional[dict] = None, limited: bool = False):
        """A control law of freebody.control: sim.add_law("arm", freebody.control.JointPD({"elbow": dict(kp=20, kd=5)})).

        sampled: it runs as on a flight computer, {"period": 0.01, "delay": 0.005, "noise_q": ..., "noise_v": ...,
        "seed": ...}. limited: joint forces are clamped to the model's effort limits.
        """
        c, block = self._c, _structs.fb_block()
        if not isinstance(law, control.Law):
            raise Error(f"a law is one of freebody.control, not {law!r:.60}; for a function there is add_force")
        name_for_c(name, "the name of a law")
        keep = law.make(self.model, name, block)
        if sampled is not None:
            options = struct_with(c.fb_default_sampling(), _structs.fb_sampling, sampled, "sampled")
            block = self._wrapped("fb_block_new_sampled", block, options)
        if limited:
            block = self._wrapped("fb_block_new_limited", block)
        c.call("fb_sim_add_block", self._s, c.ref(block), None)
        self._callbacks.append(keep)

    def _wrapped(self, function, inner, *options):
        """A block around another, which it owns, also on failure."""
        c, outer = self._c, _structs.fb_block()
        c.call(function, self.model._m, c.ref(inner), *map(c.ref, options), c.ref(outer))
        return outer

    @addition
    @alone
    def add_spring(self, name: str, a: Frame, b: Frame, stiffness: float = 0.0, damping: float = 0.0,
                   length: typing.Optional[float] = None, slack: bool = False):
        """A spring and damper between the origins of two frames; length: without tension, by default that at the start;
        slack: a tether, which never pushes. Signals NAME.force and NAME.length."""
        c, spring = self._c, self._c.fb_default_spring()
        spring.name = name_for_c(name, "the name of a spring")
        spring.a, spring.b = self.model.frame_id(a), self.model.frame_id(b)
        spring.stiffness, spring.damping, spring.slack = stiffness, damping, bool(slack)
        if length is not None:
            spring.length = length
        c.call("fb_sim_add_spring", self._s, c.ref(spring), None)

    @addition
    @alone
    def add_bushing(self, name: str, a: Frame, b: Frame, stiffness: Numbers, damping: Numbers = (0,) * 6):
        """Six springs and dampers between two frames, in the axes of a: along x, y, z, then about them."""
        c, bushing = self._c, self._c.fb_default_bushing()
        bushing.name = name_for_c(name, "the name of a bushing")
        bushing.a, bushing.b = self.model.frame_id(a), self.model.frame_id(b)
        bushing.stiffness = numbers(stiffness, 6, "stiffness")
        bushing.damping = numbers(damping, 6, "damping")
        c.call("fb_sim_add_bushing", self._s, c.ref(bushing), None)

    @addition
    @alone
    def add_limits(self, joint: typing.Optional[str] = None, restitution: float = 0.0, stiffness: float = 0.0,
                   damping: float = 0.0):
        """Makes stops of the limits that the model gives to a joint, or to all joints.

        Rigid stops throw a joint back with `restitution` of its speed, 0 to 1; with a stiffness they are soft: beyond
        its limit by x the joint is pushed back by max(0, stiffness x + damping x').
        """
        c, model = self._c, self.model
        where = slice(0, model.nv) if joint is None else model.joint(joint).v
        levels = c.fb_parameters_new(model._m)
        try:
            ends = [(k, side, c.fb_parameters_get(levels, kind, k)) for k in range(where.start, where.stop)
                    for side, kind in ((-1, _structs.FB_PARAMETER_LOWER), (1, _structs.FB_PARAMETER_UPPER))]
        finally:
            c.fb_parameters_free(levels)
        ends = [end for end in ends if math.isfinite(end[2])]
        if not ends:
            raise Error(f"the joint '{joint}' has no limits" if joint else "no joint of the model has limits",
                        status="FB_ERR_CONTENT")
        for k, side, level in ends:
            limit = c.fb_default_limit()
            limit.coordinate, limit.side, limit.level = k, side, level
            limit.restitution, limit.stiffness, limit.damping = restitution, stiffness, damping
            number = ctypes.c_int()
            c.call("fb_sim_add_limit", self._s, c.ref(limit), c.ref(number))
            self._limits[k, side] = number.value

    @addition
    @alone
    def add_contact(self, name: str, a, b, law: str = "hard", soil: typing.Optional[str] = None, **numbers_of_law):
        """Lets shapes touch: a and b are a shape each, or lists of them (freebody.sphere, freebody.plane ...), or the name of
        a frame, which is a point.

        law: "hard", "spring", "hunt_crossley", "hertz" or "soil", with the numbers that the law takes: friction,
        restitution, stiffness, damping, slip_speed ... as in freebody/contact.h; soil: the name of a preset. Signals are
        contact.NAME.force and so on. Hard contacts want method="moreau", or another that is not "momentum" or "implicit".
        """
        c = self._c
        contact = c.fb_default_contact()
        laws = {c.fb_contact_law_name(i).decode(): i for i in range(_structs.FB_CONTACT_SOIL + 1)}
        if not isinstance(law, str) or law not in laws:
            raise Error(f"there is no law '{law}' of contact; there are {', '.join(laws)}", status="FB_ERR_NAME")
        contact.name, contact.law = name_for_c(name, "the name of a contact"), laws[law]
        sides = [_side(a), _side(b)]
        for at, side in zip("ab", sides):
            filled = (_structs.fb_collider * len(side))(*(shape.fill(self.model) for shape in side))
            setattr(contact, at, ctypes.cast(filled, ctypes.POINTER(_structs.fb_collider)))
            setattr(contact, "n" + at, len(side))
            self._callbacks.append(filled)
        if soil is not None:
            c.call("fb_soil_preset", name_for_c(soil, "the name of a soil"), c.ref(contact.soil))
        known = {field[0] for field in contact._fields_} - {"name", "a", "b", "na", "nb", "law", "soil", "cookie_"}
        for key, value in numbers_of_law.items():
            if key not in known:
                raise Error(f"a contact has no '{key}'; it has {', '.join(sorted(known))}", status="FB_ERR_NAME")
            setattr(contact, key, value)
        self._callbacks.append(sides)  # keeps their geometry alive
        c.call("fb_sim_add_contact", self._s, c.ref(contact), None)

    # ---- motions and events ----

    @addition
    @alone
    def add_motion(self, joint: typing.Optional[str] = None, path: typing.Optional[Path] = None,
                   rate: typing.Optional[float] = None) -> int:
        """Prescribes the motion of a joint of one coordinate: it follows a path, or has a constant rate.

        Without a joint nothing moves by it yet: Simulation.move(joint, motion) takes the number returned, in an event.
        """
        if (path is None) == (rate is None):
            raise Error("a motion needs a path or a rate")
        c, motion, number = self._c, self._c.fb_default_motion(), ctypes.c_int()
        motion.kind = _structs.FB_MOTION_RATE if path is None else _structs.FB_MOTION_PATH
        motion.rate = rate or 0.0
        spline = None if path is None else path_of(path)
        motion.path = spline.pointer if spline else None
        c.call("fb_sim_add_motion", self._s, c.ref(motion), c.ref(number))
        if joint is not None:
            c.call("fb_sim_set_joint_motion", self._s, self.model.body_id(self.model.joint(joint).body), number.value)
        return number.value

    @addition
    @alone
    def add_event(self, name: str, do: typing.Optional[typing.Callable] = None, at: typing.Optional[float] = None,
                  every: float = 0.0, when: typing.Optional[str] = None, crosses: float = 0.0, direction: str = "either",
                  contact: typing.Optional[str] = None, limit: typing.Optional[str] = None, side: str = "upper",
                  change: str = "hits", once: bool = False):
        """Something that happens at a time (`at`, and `every` so many seconds after it), when a signal crosses a level, or
        when a hard contact or a joint's limit is hit.

            sim.add_event("reached", when="q.elbow", crosses=0.5, direction="rising", do=lambda sim: sim.stop())
            sim.add_event("landed", contact="foot", change="hits", once=True)

        change: of a contact "hits", "opens", "slips" or "sticks"; of a limit, `side` "upper" or "lower" of a joint that
        add_limits made a stop of, "hits", "rests" or "leaves". do(sim) may lock, release, move or bounce joints, set
        parameters and the mode, join and part trees, and stop. Each occurrence is in sim.events.
        """
        if [at, when, contact, limit].count(None) != 3:
            raise Error(f"the event '{name}' needs a time (at), a signal (when), a contact or a limit")
        c, event = self._c, self._c.fb_default_event()
        event.name, event.once = name_for_c(name, "the name of an event"), bool(once)
        event.direction = _one_of(DIRECTIONS, direction, "direction")
        if at is not None:
            event.kind, event.time, event.period = _structs.FB_TRIGGER_TIME, at, every
        elif contact is not None:
            event.kind, event.change = _structs.FB_TRIGGER_CONTACT, _one_of(CHANGES, change, "change")
            event.contact = c.fb_sim_find_block(self._s, b"contact." + name_for_c(contact, "the name of a contact"))
        elif limit is not None:
            event.kind, event.phase = _structs.FB_TRIGGER_LIMIT, _one_of(PHASES, change, "change")
            event.limit = self._limit(limit, _one_of({"upper": 1, "lower": -1}, side, "side"))
        else:
            event.kind, event.level = _structs.FB_TRIGGER_CROSSING, crosses
            event.signal = self._signal(when)
        event.act = _structs.fb_event_act(_acting(self, name, do))
        self._callbacks.append(event)
        c.call("fb_sim_add_event", self._s, c.ref(event), None)

    def _limit(self, joint, side):
        """The stop of a joint that add_limits made."""
        key = self.model.joint(joint).v.start, side
        if key not in self._limits:
            raise Error(f"the joint '{joint}' has no such stop; add_limits makes stops of limits")
        return self._limits[key]

    def _signal(self, name):
        c, signal, count = self._c, _structs.fb_signal(), ctypes.c_int()
        c.call("fb_sim_find_signal", self._s, name_for_c(name, "the name of a signal"), c.ref(signal), 1, c.ref(count))
        if count.value != 1:
            raise Error(f"'{name}' stands for {count.value} signals; an event watches one")
        return signal


class Setup(Actions, Additions):
    """The simulation of a run: the function `add` of the run adds to it, its events act on it."""
    _scenario = None

    def __init__(self, c, model, pointer, callbacks, failure):
        self.model, self._c, self._pointer, self._callbacks, self._failure = model, c, pointer, callbacks, failure
        self._busy = threading.RLock()
        self._limits = {}
        self.events: list = []  # those that `add` added

    @property
    def _s(self):
        if self._pointer is None:
            raise Error("the run that this simulation belongs to has ended", status="FB_ERR_STATE")
        return self._pointer

    def forget(self):
        """The run has freed its simulation."""
        self._pointer = None

    def _call(self, name, *arguments):
        self._c.call(name, self._s, *arguments)

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._c.fb_sim_time(self._s)


def setup_function(make, failure):
    """An fb_setup_fn that calls make(pointer of the simulation); what it raises is kept in failure."""
    def setup(user, sim, error):
        return guarded(failure, error, lambda: make(sim))
    return _structs.fb_setup_fn(setup)


def _acting(setup, name, do):
    """The act of an event."""
    from .run_folder import Event
    sim, failure = weakref.ref(setup), setup._failure

    def act(user, pointer, error):
        def once():
            owner = sim()
            if owner is None:
                return
            owner.events.append(Event(owner._c.fb_sim_time(owner._s), name, ""))
            if do is not None:
                do(owner)
        return guarded(failure, error, once)
    return act


def _one_of(words, given, what):
    """The number behind a word."""
    if not isinstance(given, str) or given not in words:
        raise Error(f"{what} is {given!r}; it must be one of {', '.join(words)}")
    return words[given]


def _side(shapes):
    """One side of a contact as a list of shapes."""
    if isinstance(shapes, str):
        return [point(shapes)]
    return [shapes] if isinstance(shapes, Collider) else list(shapes)
