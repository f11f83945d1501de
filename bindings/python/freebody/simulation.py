"""A model in motion: fb_sim of the C library, with Python functions as forces."""
from __future__ import annotations

import ctypes
import math
import threading
import typing

from . import _html, _structs
from ._copies import Single
from ._error import Error
from ._library import library, name_for_c, text_of
from ._numbers import copied, empty, numbers, result
from ._threads import Calling, alone, freed_with, outside
from ._warning import Remarks, warn
from .actions import Actions
from .additions import Additions, setup_function
from .model import Model
from .run_folder import Event
from .scenario import OUTSIDE, Ledger, Scenario, method_number, plain_of

if typing.TYPE_CHECKING:
    from ._types import Array, Numbers

FRICTION_LAWS = {"smooth": _structs.FB_FRICTION_SMOOTH, "stiction": _structs.FB_FRICTION_STICTION}
SLICE = 0.05  # seconds between looks at what Python has to do: Ctrl-C, other threads


class Simulation(Single, Calling, Actions, Additions):
    """Steps a model through time.

        sim = freebody.Simulation(model, gravity=(0, 0, -9.81))
        sim.start(q, v)
        sim.run(10.0)
        print(sim.t, sim.q, sim.ledger.relative)

    method: "euler", "semi_implicit", "rk4", "rkmk4", "dopri5", "momentum", "implicit" (for stiff joints), "moreau" (for
    hard contacts), "cvode", "arkode"; step is that of fixed-step methods [s]; rtol, atol and max_step are for the last
    two and for dopri5, whose step is fixed with adaptive=False; accuracy takes the place of rtol and atol. Without a method
    it is dopri5, which follows an accuracy of 1e-6, or rk4 where a step is given. refine: fixed
    steps are halved where the motion is too fast for them. friction: "smooth" or "stiction". A Simulation belongs to one
    thread at a time: a call while another thread is in one raises an Error.
    """
    model: Model
    duration: typing.Optional[float]  # of a scenario [s]
    events: typing.List[Event]  # occurrences of the events that add_event added

    def __init__(self, model: Model, method: typing.Optional[str] = None, step: typing.Optional[float] = None,
                 gravity: Numbers = (0, 0, 0),
                 adaptive: typing.Optional[bool] = None, rtol: typing.Optional[float] = None,
                 atol: typing.Optional[float] = None, max_step: typing.Optional[float] = None, passive=True,
                 refine: bool = False, friction: str = "smooth", accuracy: typing.Optional[float] = None):
        c = library()
        options = c.fb_default_sim_options()
        if method is None:
            fixed = step is not None or refine or adaptive is False
            method = "rk4" if fixed and accuracy is None else "dopri5"
            if not fixed and accuracy is None and rtol is None and atol is None:
                accuracy = options.accuracy
        options.method = method_number(c, method)
        options.environment.gravity_w = numbers(gravity, 3, "gravity")
        options.refine = bool(refine)
        if friction not in FRICTION_LAWS:
            raise Error(f"friction is {friction!r}; it must be \"smooth\" or \"stiction\"")
        options.friction_law = FRICTION_LAWS[friction]
        if passive is not True:
            options.passive = int(passive)
        traits = c.fb_method_traits(options.method)
        controls = method in OUTSIDE or traits.adaptive or (traits.doubles and not step)
        if accuracy is not None and not (controls and adaptive is not False) and not traits.time_stepping:
            raise Error(f"accuracy is for steps that follow the error, and those of {method!r} are fixed here; leave it out, "
                        "or take \"dopri5\", or \"implicit\" without a step")
        if step is None and adaptive is not False and (traits.adaptive or (traits.doubles and accuracy is not None)):
            step = 0.0  # it finds one
        for name, value in (("step", step), ("adaptive", adaptive), ("rtol", rtol), ("atol", atol),
                            ("max_step", max_step), ("accuracy", accuracy)):
            if value is not None:
                setattr(options, name, value)
        if accuracy is not None and rtol is None and atol is None:
            options.rtol = 0.01 * accuracy if method in OUTSIDE else 0.0  # by the accuracy
            options.atol = max(options.rtol, 1e-15)
        stepper = _structs.fb_stepper()
        if method in OUTSIDE:  # the simulation takes it over
            c.call("fb_stepper_new_sundials", method.encode(), options.rtol, options.atol, options.max_step,
                   c.ref(stepper))
            options.stepper = ctypes.pointer(stepper)
        pointer = ctypes.c_void_p()
        c.call("fb_sim_new", model._m, c.ref(options), c.ref(pointer))
        self._begin(model)
        self._own(pointer.value)

    def _begin(self, model):
        self.model = model
        self.duration = None
        self.events = []
        self._c = model._c
        self._busy = threading.RLock()  # a force may ask its own simulation
        self._failure = [None]  # what a function of Python raised
        self._started = False
        self._scenario, self._additions = None, []
        self._remarked = self._doubted = False  # what is to be warned of has been
        self._pointer = self._free = self._remark = None
        self._callbacks, self._limits = [], {}
        self.notes = Remarks()  # what the simulation of a scenario remarks: joints that are held, a controller that does not answer

    @property
    def _s(self):
        """The simulation of C."""
        if self._pointer is None:
            raise Error("the simulation was closed", status="FB_ERR_STATE")
        return self._pointer

    def _own(self, pointer):
        self._pointer = pointer
        self._found = {}
        # The finalizer holds the model and the function for remarks, which C wants to outlive the simulation.
        self._free = freed_with(self, lambda c, s, *_: c.fb_sim_free(s), self._c, pointer, self.model, self._remark)

    @classmethod
    def from_scenario(cls, file, set: typing.Optional[dict] = None, duration: typing.Optional[float] = None,
                      inertia: typing.Optional[str] = None) -> Simulation:
        """A scenario file, read, checked and started: step or run it. set: {"control.arm.kp": 5} overrides values.

        Forces, laws, contacts and events can be added to it before its first step. inertia as for Model.load; it goes
        before the scenario's own, but for what single models of it say.
        """
        made = cls.__new__(cls)
        scenario = Scenario(file, set, duration, inertia)
        made._begin(scenario.model())
        made.duration = made._c.fb_scenario_duration(scenario.pointer)
        made._scenario = scenario
        made._make()
        return made

    # ---- additions to a scenario ----

    def _make(self):
        """Makes the simulation of the scenario with all additions."""
        c, pointer, callbacks, answers = self._c, ctypes.c_void_p(), [], []
        self._failure[0] = None

        def add(sim):
            previous, self._pointer = self._pointer, sim
            scenario, self._scenario = self._scenario, None  # additions go to C now
            self._callbacks, self._limits = callbacks, {}
            try:
                answers.extend(do(self) for do in self._additions)
            finally:
                self._pointer, self._scenario = previous, scenario
        setup = setup_function(add, self._failure)
        kept = self._callbacks
        c.fb_scenario_set_setup(self._scenario.pointer, setup, None)
        notes = Remarks()
        remark = _structs.fb_note_fn(lambda user, text: notes.append(text_of(text)))
        c.fb_scenario_set_remark(self._scenario.pointer, remark, None)
        try:
            self._raised(lambda: c.call("fb_sim_build", self._scenario.pointer, c.ref(pointer)))
        except BaseException:
            self._callbacks = kept
            raise
        finally:
            c.fb_scenario_set_setup(self._scenario.pointer, _structs.fb_setup_fn(0), None)
        if self._free is not None:
            self._free()
        self._callbacks, self.notes, self._remark = callbacks, notes, remark
        self._own(pointer.value)
        self._started, self._remarked, self._doubted = True, False, False
        self.events.clear()
        return answers[-1] if answers else None

    @outside
    def _add_to_scenario(self, do):
        if self.steps:
            raise Error("the simulation has begun to move; add to it before its first step, or start anew",
                        status="FB_ERR_STATE")
        self._additions.append(do)
        try:
            return self._make()
        except BaseException:
            self._additions.pop()
            raise

    # ---- in motion ----

    @alone
    @outside
    def start(self, q: typing.Optional[Numbers] = None, v: typing.Optional[Numbers] = None) -> Simulation:
        """Sets t = 0 and the state: neutral and at rest when not given. May be called again, to start anew."""
        model = self.model
        q = numbers(model.neutral() if q is None else q, model.nq, "q")
        v = empty(model.nv) if v is None else numbers(v, model.nv, "v")
        self._started = False
        self.events.clear()
        self._call("fb_sim_start", q, v)
        self._started, self._remarked, self._doubted = True, False, False
        return self

    @alone
    @outside
    def step(self, until: float = math.inf):
        """One step, not beyond `until`. It ends earlier at an event or where a block asks for it."""
        self._need_start()
        self._warn_of_start()
        self._call("fb_sim_step", until)

    @alone
    @outside
    def run(self, until: typing.Optional[float] = None) -> Simulation:
        """Steps until a time (of a scenario: its duration when not given), or until an event stops the simulation.

        A motion that should not be trusted gives a freebody.MotionWarning, and so does a start outside limits or with
        contacts inside each other.
        """
        self._need_start()
        if until is None:
            until = self.duration
        if until is None or not math.isfinite(until):
            raise Error(f"until is {until}; run needs a finite time [s]")
        self._warn_of_start()
        self._reach(until, until)
        self._warn_of_motion()
        return self

    def _warn_of_start(self):
        """Once, before the first step."""
        text, index = ctypes.create_string_buffer(400), 0
        while not self._remarked and self._c.fb_sim_start_remark(self._s, index, text, 400):
            warn(text_of(text.value))
            index += 1
        self._remarked = True
        self.notes.tell()

    def _warn_of_motion(self):
        """Of remarks made meanwhile; and once, when the motion has become one not to be trusted."""
        self.notes.tell()
        text = ctypes.create_string_buffer(480)
        if not self._doubted and self._c.fb_sim_warning(self._s, text, 480):
            self._doubted = True
            warn(text_of(text.value))

    def _reach(self, t, until):
        """Steps until t is reached, with no step beyond `until`. In slices, so that Ctrl-C is heard.

        What is due at the end of the last step happens only when t is that end, so that samples before it see the
        step as it was made.
        """
        if self._c.backend == "extension":
            advance = self._c.native.advance
            while not self._raised(lambda: advance(self._s, t, until, SLICE)):
                pass
            return
        made = self.steps
        while self.t < t:
            self._call("fb_sim_begin_step", until)
            made, before = self.steps, made
            if made == before:
                break
        if t >= self.t:
            self._call("fb_sim_end_step")

    @alone
    @outside
    def record(self, until: float, period: float, *names: str) -> typing.Dict[str, Array]:
        """Runs, and keeps signals at the present and every period after: {"t": times, name: values}.

        A name that stands for several signals ("p.hand") gives rows of values. Steps do not depend on the period.
        """
        self._need_start()
        if not (period > 0 and math.isfinite(period) and math.isfinite(until)):
            raise Error(f"the period is {period} s until {until} s; the period must be greater than 0, both finite")
        self._warn_of_start()
        start, times, rows = self.t, [], []
        count = max(0, math.floor((until - start) / period * (1 + 1e-12) + 1e-9))
        for k in range(count + 1):
            t = min(start + k * period, until) if k else start
            self._reach(t, until)
            if self.t < t - 1e-9 * max(period, abs(t)):  # an event stopped the simulation
                break
            t = min(t, self.t)
            times.append(t)
            rows.append([self._values_at(t, name) for name in names])
        self._reach(until, until)
        self._warn_of_motion()
        table = {"t": result((ctypes.c_double * len(times))(*times))}
        for j, name in enumerate(names):
            column = [row[j] for row in rows]
            width = len(self._find(name))
            flat = (ctypes.c_double * (width * len(column)))(*[x for values in column for x in values])
            table[name] = result(flat) if width == 1 else result(flat, len(column), width)
        return table

    # ---- snapshots ----

    @alone
    @outside
    def save(self) -> bytes:
        """All of its state. Continuing and restoring give the same bits."""
        self._need_start()
        snapshot = ctypes.create_string_buffer(self._c.fb_sim_snapshot_size(self._s))
        self._c.fb_sim_save(self._s, snapshot)
        return snapshot.raw

    @alone
    @outside
    def restore(self, snapshot: bytes) -> Simulation:
        """Goes back to what save returned, in a simulation that was set up and started in the same way."""
        self._need_start()
        if not isinstance(snapshot, (bytes, bytearray)):
            raise Error("a snapshot is what save returned, bytes")
        raw = ctypes.create_string_buffer(bytes(snapshot), len(snapshot))
        self._call("fb_sim_restore", raw, len(snapshot))
        return self

    @alone
    @outside
    def close(self):
        """Frees its memory now; it cannot be used afterwards."""
        self._free()
        self._pointer, self._started = None, False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        if self._pointer is None:
            return f"<freebody.Simulation of {self.model.name!r}: closed>"
        state = f"t {self.t:g} s, {self.steps} steps" if self._started else "not started"
        return f"<freebody.Simulation of {self.model.name!r}: {state}>"

    def _repr_html_(self):
        return _html.simulation(self)

    # ---- reading ----

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._c.fb_sim_time(self._s)

    @property
    @alone
    def q(self) -> Array:
        """Configuration now, a copy. After joins too it is that of `model`, as the log has it."""
        return self._coordinates("q", self._c.fb_sim_q, self.model.nq)

    @property
    @alone
    def v(self) -> Array:
        """Velocity now, a copy; likewise."""
        return self._coordinates("v", self._c.fb_sim_v, self.model.nv)

    @property
    @alone
    def work(self) -> Array:
        """Work of each coordinate's actuator since the start [J]."""
        return self._coordinates("work", self._c.fb_sim_work, self.model.nv)

    @property
    def steps(self) -> int:
        """Steps made since the start."""
        return self._c.fb_sim_nstep(self._s)

    @property
    def stopped(self) -> bool:
        """True when an event has stopped the simulation."""
        return bool(self._c.fb_sim_stopped(self._s))

    @property
    @alone
    def ledger(self) -> Ledger:
        """The Ledger now."""
        self._need_start()
        raw = _structs.fb_ledger()
        self._c.fb_sim_ledger(self._s, self._c.ref(raw))
        return Ledger(**plain_of(raw))

    @alone
    def __getitem__(self, name: str):
        """A signal now: sim["energy.total"] is a number, sim["p.hand"] an array (include/freebody/signal.h)."""
        self._need_start()
        values = self._values_at(self.t, name)
        return values[0] if len(values) == 1 else result(values)

    @alone
    def signal_names(self, name: str) -> typing.List[str]:
        """The full names of the signals that a name stands for."""
        return [text_of(self._info(signal).name) for signal in self._find(name)]

    @alone
    def unit(self, name: str) -> str:
        """The unit of a signal, "rad", "m/s"; "1" without unit."""
        return text_of(self._info(self._find(name)[0]).unit)

    def _info(self, signal):
        info = _structs.fb_signal_info()
        self._c.fb_sim_signal_info(self._s, signal, self._c.ref(info))
        return info

    def _find(self, name):
        if not isinstance(name, str) or name not in self._found:
            c, count, raw = self._c, ctypes.c_int(), name_for_c(name, "the name of a signal")
            c.call("fb_sim_find_signal", self._s, raw, None, 0, c.ref(count))
            signals = (_structs.fb_signal * count.value)()
            c.call("fb_sim_find_signal", self._s, raw, signals, len(signals), c.ref(count))
            self._found[name] = signals
        return self._found[name]

    def _values_at(self, t, name):
        signals = self._find(name)
        values = empty(len(signals))
        self._call("fb_sim_eval_signals", t, signals, len(signals), values)
        return values

    # ---- for the calls above ----

    def _coordinates(self, name, function, count):
        """Numbers of all coordinates of the model: C's own, or after a join the signals, which go on."""
        self._need_start()
        return result(self._values_at(self.t, name)) if self.epoch else copied(function(self._s), count)

    def _need_start(self):
        if self._s and not self._started:
            raise Error("the simulation is being started: a law has the state in its arguments, t, q and v" if self._inside
                        else "the simulation has not been started: call start(q, v) first")

    def _call(self, name, *arguments):
        """Calls C on the simulation."""
        return self._raised(lambda: self._c.call(name, self._s, *arguments))
