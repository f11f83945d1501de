"""A model in motion: fb_sim of the C library, with Python functions as forces."""
import ctypes
import math
import threading
import types
import weakref

from . import _structs
from ._error import Error, unknown_name
from ._library import bytes_of, library, text_of, texts_for_c
from ._numbers import copied, empty, numbers, result
from ._threads import alone
from .contact import Collider, point
from .model import Model, inertia_policy


# Methods of SUNDIALS; the core calls them "custom".
OUTSIDE = ("cvode", "arkode")


class Ledger(types.SimpleNamespace):
    """Energies, works, momenta and what they leave unexplained: the fields of fb_ledger (docs and sim.h)."""


def plain_of(raw):
    """The fields of a C struct as Python has them."""
    fields = {}
    for name, kind in raw._fields_:
        value = getattr(raw, name)
        if isinstance(value, bytes):
            value = text_of(value)
        elif isinstance(value, _structs.fb_ledger):
            value = Ledger(**plain_of(value))
        elif isinstance(value, ctypes.Structure):
            value = types.SimpleNamespace(**plain_of(value))
        elif isinstance(value, ctypes.Array):
            value = result(value)
        fields[name] = value
    return fields


class Scenario:
    """A scenario that was read; lives as long as its model, and the simulation or run that is made from it."""

    def __init__(self, file, set=None, duration=None, inertia=None):
        c, pointer = library(), ctypes.c_void_p()
        options = c.fb_default_scenario_options()
        if set:
            options.set = texts_for_c([f"{key}={value}" for key, value in set.items()])
        if duration is not None:
            options.duration = duration
        options.io.inertia = inertia_policy(inertia)
        c.call("fb_scenario_read", bytes_of(file), ctypes.byref(options), ctypes.byref(pointer))
        self.pointer = pointer.value
        weakref.finalize(self, c.fb_scenario_free, self.pointer)


class Simulation:
    """Steps a model through time.

        sim = freebody.Simulation(model, gravity=(0, 0, -9.81))
        sim.start(q, v)
        sim.run(10.0)
        print(sim.t, sim.q, sim.ledger.relative)

    method: "euler", "semi_implicit", "rk4", "rkmk4", "dopri5", "momentum", "implicit" (for stiff joints), "moreau" (for
    hard contacts), "cvode", "arkode"; step is that of fixed-step methods [s]; rtol, atol and max_step are for the last two and for dopri5, whose
    step is fixed with adaptive=False. A Simulation belongs to one thread at a time: a call while another thread is in
    one raises an Error.
    """

    def __init__(self, model, method="rk4", step=None, gravity=(0, 0, 0), adaptive=None, rtol=None, atol=None,
                 max_step=None, passive=True):
        c = library()
        options = c.fb_default_sim_options()
        options.method = _method(c, method)
        options.environment.gravity_w = numbers(gravity, 3, "gravity")
        if passive is not True:
            options.passive = int(passive)
        if step is None and c.fb_method_traits(options.method).adaptive and adaptive is not False:
            step = 0.0  # it finds one
        for name, value in (("step", step), ("adaptive", adaptive), ("rtol", rtol), ("atol", atol),
                            ("max_step", max_step)):
            if value is not None:
                setattr(options, name, value)
        stepper = _structs.fb_stepper()
        if method in OUTSIDE:  # the simulation takes it over
            c.call("fb_sundials_stepper", method.encode(), options.rtol, options.atol, options.max_step,
                   ctypes.byref(stepper))
            options.stepper = ctypes.pointer(stepper)
        pointer = ctypes.c_void_p()
        c.call("fb_sim_new", model._m, ctypes.byref(options), ctypes.byref(pointer))
        self._begin(model, pointer.value)

    def _begin(self, model, pointer):
        self.model = model
        self.duration = None  # of a scenario [s]
        self._c, self._s = model._c, pointer
        self._callbacks = []
        self._busy = threading.RLock()  # a force may ask its own simulation
        self._failure = None
        self._started = False
        self._found = {}
        # The finalizer holds the model, which C wants to outlive the simulation.
        weakref.finalize(self, lambda c, s, model: c.fb_sim_free(s), self._c, self._s, model)

    @classmethod
    def from_scenario(cls, file, set=None, duration=None, inertia=None):
        """A scenario file, read, checked and started: step or run it. set: {"control.arm.kp": 5} overrides values.

        inertia as for Model.load; it goes before the scenario's own, but for what single models of it say.
        """
        c, sim = library(), ctypes.c_void_p()
        scenario = Scenario(file, set, duration, inertia)
        c.call("fb_scenario_sim", scenario.pointer, ctypes.byref(sim))
        made = cls.__new__(cls)
        made._begin(Model(c, c.fb_scenario_model(scenario.pointer), owner=scenario), sim.value)
        made.duration = c.fb_scenario_duration(scenario.pointer)
        made._started = True
        return made

    # ---- forces and limits, before start ----

    @alone
    def add_force(self, name, function, joint=None, period=0.0):
        """Joint forces by a function of Python: function(t, q, v) returns tau, nv numbers, or None for none.

        joint: the function returns that joint's numbers only. period > 0: it is asked at 0, period, 2 period ... and
        what it returned is held in between, as a sampled control law does. Else it is asked several times a step and
        must depend on its arguments only.
        """
        where = slice(0, self.model.nv) if joint is None else self.model.joint(joint).v
        count = where.stop - where.start
        held = _Held(self, function, count, name)

        def push(drive, values):
            tau = (ctypes.c_double * count).from_address(drive.tau + 8 * where.start)
            for i in range(count):
                tau[i] += values[i]

        self._add(name, held, push, period, nwrench=0)

    @alone
    def add_wrench(self, name, frame, function, in_frame_axes=False, period=0.0):
        """A force and torque at a frame: function(t, q, v) returns six numbers, the force first, or None for none.

        World axes, or the frame's own. period as for add_force.
        """
        number, c = self.model.frame_id(frame), self._c
        held = _Held(self, function, 6, name)

        def push(drive, values):
            wrench = c.fb_action_wrench(ctypes.byref(drive)).contents
            wrench.frame, wrench.in_frame_axes = number, bool(in_frame_axes)
            wrench.force[:], wrench.torque[:] = values[:3], values[3:]

        self._add(name, held, push, period, nwrench=1)

    def _add(self, name, held, push, period, nwrench):
        block = self._c.fb_default_block()
        block.name = name.encode()
        block.nwrench = nwrench
        if period:
            block.period, block.nmemory = period, held.count
            block.tick = _structs.fb_block_tick(held.tick)
            block.act = _structs.fb_block_act(held.act_held(push))
        else:
            block.act = _structs.fb_block_act(held.act(push))
        block.rebind = _structs.fb_block_rebind(held.rebind)
        self._c.call("fb_sim_add_block", self._s, ctypes.byref(block), None)
        self._callbacks.append(block)  # keeps what C calls alive

    def add_limits(self, joint=None, restitution=0.0, stiffness=0.0, damping=0.0):
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
            limit = _structs.fb_limit(coordinate=k, side=side, level=level, restitution=restitution,
                                      stiffness=stiffness, damping=damping)
            c.call("fb_sim_add_limit", self._s, ctypes.byref(limit), None)

    def add_contact(self, name, a, b, law="hard", soil=None, **numbers_of_law):
        """Lets shapes touch: a and b are a shape each, or lists of them (freebody.sphere, freebody.plane ...), or the name of
        a frame, which is a point.

        law: "hard", "spring", "hunt_crossley", "hertz" or "soil", with the numbers that the law takes: friction,
        restitution, stiffness, damping, slip_speed ... as in freebody/contact.h; soil: the name of a preset. Signals are
        contact.NAME.force and so on. Hard contacts want method="moreau", or another that is not "momentum" or "implicit".
        """
        c = self._c
        contact = c.fb_default_contact()
        laws = {c.fb_contact_law_name(i).decode(): i for i in range(_structs.FB_CONTACT_SOIL + 1)}
        if law not in laws:
            raise Error(f"there is no law '{law}' of contact; there are {', '.join(laws)}", status="FB_ERR_NAME")
        contact.name, contact.law = name.encode(), laws[law]
        sides = [_side(a), _side(b)]
        for at, side in zip("ab", sides):
            filled = (_structs.fb_collider * len(side))(*(shape.fill(self.model) for shape in side))
            setattr(contact, at, ctypes.cast(filled, ctypes.POINTER(_structs.fb_collider)))
            setattr(contact, "n" + at, len(side))
            self._callbacks.append(filled)
        if soil is not None:
            c.call("fb_soil_preset", soil.encode(), ctypes.byref(contact.soil))
        known = {field[0] for field in contact._fields_} - {"name", "a", "b", "na", "nb", "law", "soil"}
        for key, value in numbers_of_law.items():
            if key not in known:
                raise Error(f"a contact has no '{key}'; it has {', '.join(sorted(known))}", status="FB_ERR_NAME")
            setattr(contact, key, value)
        self._callbacks.append(sides)  # keeps their geometry alive
        c.call("fb_sim_add_contact", self._s, ctypes.byref(contact), None)

    # ---- in motion ----

    @alone
    def start(self, q=None, v=None):
        """Sets t = 0 and the state: neutral and at rest when not given. May be called again, to start anew."""
        model = self.model
        q = numbers(model.neutral() if q is None else q, model.nq, "q")
        v = empty(model.nv) if v is None else numbers(v, model.nv, "v")
        self._started = False
        self._call("fb_sim_start", q, v)
        self._started = True
        return self

    @alone
    def step(self, until=math.inf):
        """One step, not beyond `until`. It ends earlier at an event or where a block asks for it."""
        self._need_start()
        self._call("fb_sim_step", until)

    @alone
    def run(self, until=None):
        """Steps until a time (of a scenario: its duration when not given), or until an event stops the simulation."""
        self._need_start()
        if until is None:
            until = self.duration
        if until is None or not math.isfinite(until):
            raise Error(f"until is {until}; run needs a finite time [s]")
        self._reach(until, until)
        return self

    def _reach(self, t, until):
        """Steps until t is reached, with no step beyond `until`. One by one, so that Ctrl-C is heard.

        What is due at the end of the last step happens only when t is that end, so that samples before it see the
        step as it was made.
        """
        made = self.steps
        while self.t < t:
            self._call("fb_sim_advance", until)
            made, before = self.steps, made
            if made == before:
                break
        if t >= self.t:
            self._call("fb_sim_settle")

    @alone
    def record(self, until, period, *names):
        """Runs, and keeps signals at the present and every period after: {"t": times, name: values}.

        A name that stands for several signals ("p.hand") gives rows of values. Steps do not depend on the period.
        """
        self._need_start()
        if not (period > 0 and math.isfinite(period) and math.isfinite(until)):
            raise Error(f"the period is {period} s until {until} s; the period must be greater than 0, both finite")
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
        table = {"t": result((ctypes.c_double * len(times))(*times))}
        for j, name in enumerate(names):
            column = [row[j] for row in rows]
            width = len(self._find(name))
            flat = (ctypes.c_double * (width * len(column)))(*[x for values in column for x in values])
            table[name] = result(flat) if width == 1 else result(flat, len(column), width)
        return table

    @alone
    def lock(self, joint):
        """Holds a joint where it is from now on. If it moves, all velocities jump as if it were clamped."""
        self._move(joint, _structs.FB_MOVE_LOCKED)

    @alone
    def release(self, joint):
        """Lets a joint move again."""
        self._move(joint, _structs.FB_MOVE_BY_FORCE)

    def _move(self, joint, motion):
        c, body = self._c, self.model.body_id(self.model.joint(joint).body)
        if self.epoch:  # joints may be those of other bodies now
            now = c.fb_sim_coordinate_now(self._s, self.model.joint(joint).v.start)
            if now < 0:
                raise Error(f"the joint '{joint}' has gone: its body was joined or parted elsewhere")
            body = c.fb_coordinate_body(c.fb_sim_model(self._s), now)
        self._call("fb_sim_move_joint", body, motion)

    # ---- reading ----

    @property
    def t(self):
        """Time [s]."""
        return self._c.fb_sim_time(self._s)

    @property
    @alone
    def q(self):
        """Configuration now, a copy. After joins too it is that of `model`, as the log has it."""
        return self._coordinates("q", self._c.fb_sim_q, self.model.nq)

    @property
    @alone
    def v(self):
        """Velocity now, a copy; likewise."""
        return self._coordinates("v", self._c.fb_sim_v, self.model.nv)

    @property
    @alone
    def work(self):
        """Work of each coordinate's actuator since the start [J]."""
        return self._coordinates("work", self._c.fb_sim_work, self.model.nv)

    @property
    def epoch(self):
        """Joins and partings so far, by events of a scenario."""
        return self._c.fb_sim_epoch(self._s)

    @property
    def steps(self):
        """Steps made since the start."""
        return self._c.fb_sim_steps(self._s)

    @property
    def stopped(self):
        """True when an event has stopped the simulation."""
        return bool(self._c.fb_sim_stopped(self._s))

    @property
    @alone
    def ledger(self):
        """The Ledger now."""
        self._need_start()
        raw = _structs.fb_ledger()
        self._c.fb_sim_ledger(self._s, ctypes.byref(raw))
        return Ledger(**plain_of(raw))

    @alone
    def __getitem__(self, name):
        """A signal now: sim["energy.total"] is a number, sim["p.hand"] an array (include/freebody/signal.h)."""
        self._need_start()
        values = self._values_at(self.t, name)
        return values[0] if len(values) == 1 else result(values)

    @alone
    def signal_names(self, name):
        """The full names of the signals that a name stands for."""
        return [text_of(self._info(signal).name) for signal in self._find(name)]

    @alone
    def unit(self, name):
        """The unit of a signal, "rad", "m/s"; "1" without unit."""
        return text_of(self._info(self._find(name)[0]).unit)

    def _info(self, signal):
        info = _structs.fb_signal_info()
        self._c.fb_sim_signal_info(self._s, signal, ctypes.byref(info))
        return info

    def _find(self, name):
        if name not in self._found:
            count, raw = ctypes.c_int(), name.encode()
            self._c.call("fb_sim_find_signal", self._s, raw, None, 0, ctypes.byref(count))
            signals = (_structs.fb_signal * count.value)()
            self._c.call("fb_sim_find_signal", self._s, raw, signals, len(signals), ctypes.byref(count))
            self._found[name] = signals
        return self._found[name]

    def _values_at(self, t, name):
        signals = self._find(name)
        values = empty(len(signals))
        self._call("fb_sim_signal_values_at", t, signals, len(signals), values)
        return values

    # ---- for the calls above ----

    def _coordinates(self, name, function, count):
        """Numbers of all coordinates of the model: C's own, or after a join the signals, which go on."""
        self._need_start()
        return result(self._values_at(self.t, name)) if self.epoch else copied(function(self._s), count)

    def _need_start(self):
        if not self._started:
            raise Error("the simulation has not been started: call start(q, v) first")

    def _call(self, name, *arguments):
        """Calls C on the simulation. What a function of Python raised inside goes on as it was raised."""
        self._failure = None
        try:
            self._c.call(name, self._s, *arguments)
        except Error:
            if self._failure is not None:
                raise self._failure from None
            raise


class _Held:
    """A function of Python behind the calls that C makes."""

    def __init__(self, sim, function, count, name):
        # The simulation keeps its callbacks; a strong reference back would keep both for ever.
        self.sim, self.function, self.count, self.name = weakref.proxy(sim), function, count, name
        self.nq, self.nv = sim.model.nq, sim.model.nv

    def ask(self, view):
        """What the function returns at this moment, or None."""
        values = self.function(view.t, copied(view.q, self.nq), copied(view.v, self.nv))
        return None if values is None else numbers(values, self.count, f"what the force '{self.name}' returned")

    def guard(self, failure, do):
        """Runs do(); no exception may pass through C, so it is kept for Simulation._call to raise."""
        try:
            do()
            return 0
        except BaseException as reason:  # Ctrl-C too
            self.sim._failure = reason
            failure.contents.text = f"{type(reason).__name__}: {reason}".encode()[:767]
            return 1

    def tick(self, user, view, memory, state, failure):
        def do():
            values = self.ask(view.contents)
            ctypes.memmove(memory, values or empty(self.count), 8 * self.count)
        return self.guard(failure, do)

    def act(self, push):
        def act(user, view, memory, state, drive, rate, failure):
            def do():
                values = self.ask(view.contents)
                if values is not None:
                    push(drive.contents, values)
            return self.guard(failure, do)
        return act

    def rebind(self, user, model, failure):
        """Its function expects the coordinates of the model that the simulation was made with."""
        if model == self.sim.model._m:
            return 0
        if failure:
            failure.contents.text = b"a force by a function of Python works with the first model only; use Lua or a plugin"
        return _structs.FB_ERR_UNSUPPORTED

    def act_held(self, push):
        def act(user, view, memory, state, drive, rate, failure):
            values = (ctypes.c_double * self.count).from_address(memory)
            return self.guard(failure, lambda: push(drive.contents, values))
        return act


def _side(shapes):
    """One side of a contact as a list of shapes."""
    if isinstance(shapes, str):
        return [point(shapes)]
    return [shapes] if isinstance(shapes, Collider) else list(shapes)


def _method(c, name):
    number = c.fb_method_find(b"custom" if name in OUTSIDE else name.encode())
    if number < 0 or name == "custom":
        known, i = [], 0
        while text_of(c.fb_method_name(i)) != "?":
            known.append(text_of(c.fb_method_name(i)))
            i += 1
        known = [word for word in known if word != "custom"] + list(OUTSIDE)
        raise Error(f"{unknown_name('method', name, known)} There are: {', '.join(known)}.", status="FB_ERR_NAME")
    return number
