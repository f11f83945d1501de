"""What simulations and runs are made from: a scenario that was read, methods by name; and what they answer with."""
import ctypes
import math
import types

from . import _structs
from ._copies import Shared
from ._error import Error, unknown_name
from ._library import bytes_of, library, name_for_c, text_of, texts_for_c
from ._numbers import result
from ._threads import freed_with
from .model import Model
from .parts import inertia_policy

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


def positive(time, what):
    """A time for C, where zero or less would mean that none was given."""
    if not 0 < time < math.inf:
        raise Error(f"{what} is {time}; it must be more than 0 s", status="FB_ERR_ARG")
    return time


class Scenario(Shared):
    """A scenario that was read; lives as long as its model, and the simulation or run that is made from it."""

    def __init__(self, file, set=None, duration=None, inertia=None):
        c, pointer = library(), ctypes.c_void_p()
        options = c.fb_default_scenario_options()
        if set:
            options.set = texts_for_c([f"{key}={value}" for key, value in set.items()])
        if duration is not None:
            options.duration = positive(duration, "duration")
        options.io.inertia = inertia_policy(inertia)
        c.call("fb_scenario_read", bytes_of(file), c.ref(options), c.ref(pointer))
        self.pointer = pointer.value
        freed_with(self, c.fb_scenario_free, self.pointer)

    def model(self):
        """Its models as one scene."""
        c = library()
        return Model(c, c.fb_scenario_model(self.pointer), owner=self)


def method_number(c, name):
    """The number of a method of integration for C."""
    raw = name_for_c(name, "the method")
    number = c.fb_method_find(b"custom" if name in OUTSIDE else raw)
    if number < 0 or name == "custom":
        known, i = [], 0
        while text_of(c.fb_method_name(i)) != "?":
            known.append(text_of(c.fb_method_name(i)))
            i += 1
        known = [word for word in known if word != "custom"] + list(OUTSIDE)
        raise Error(f"{unknown_name('method', name, known)} There are: {', '.join(known)}.", status="FB_ERR_NAME")
    return number
