"""Numbers as functions of time: what joints, frames and forces follow (freebody/spline.h).

    path = freebody.cubic([0, 2, 5], [0.0, 0.7, 0.3])
    x, rate, acceleration = path(1.5)
    path = freebody.trapezoid([0, 3], [0, 1], ramp=0.2).shaped(frequency=1.3)

Before the first knot and after the last the value is constant.
"""
from __future__ import annotations

import ctypes
import typing

from ._copies import Shared
from ._error import Error
from ._library import library
from ._numbers import doubles, empty, numbers, result
from ._threads import freed_with

if typing.TYPE_CHECKING:
    from ._types import Array, Numbers


class Path(Shared):
    """A function of time; made by constant, cubic, quintic, trapezoid and shaped."""

    pointer: int
    _text: str

    def __init__(self):
        raise Error("a Path is made by freebody.constant, cubic, quintic, trapezoid or by shaped of another")

    def __repr__(self):
        return f"<freebody.Path {self._text}>"

    def __call__(self, t: Numbers) -> typing.Tuple[Array, Array, Array]:
        """Value, rate and acceleration at a time, or at each of an array of times."""
        c = library()
        times = memoryview(doubles(t, "t"))
        flat = times.cast("B").cast("d") if times.nbytes else []
        rooms = [empty(len(flat)) for _ in range(3)]
        at = [ctypes.addressof(room) for room in rooms]
        for i, time in enumerate(flat):
            c.fb_spline_eval(self.pointer, time, *(address + 8 * i for address in at))
        x, rate, acceleration = (result(room, *(times.shape or ())) if times.ndim else room[0] for room in rooms)
        return x, rate, acceleration

    def value(self, t: Numbers) -> Array:
        """The value alone."""
        return self(t)[0]

    def next_knot(self, t: float) -> float:
        """The next knot after t; inf after the last."""
        return library().fb_spline_next_knot(self.pointer, t)

    def shaped(self, frequency: float, damping: float = 0.0, robust: bool = False) -> Path:
        """The path convolved with impulses that leave a vibration of this natural frequency [Hz] and damping ratio at rest
        (input shaping): ZV, or with robust ZVD, which takes twice as much longer."""
        return _made("fb_spline_new_shaped", f"{self._text}, shaped for {frequency:g} Hz", self.pointer, frequency, damping,
                     int(bool(robust)))


def _made(function, text, *arguments):
    c, spline = library(), ctypes.c_void_p()
    c.call(function, *arguments, c.ref(spline))
    path = Path.__new__(Path)
    path.pointer, path._text = spline.value, text
    freed_with(path, c.fb_spline_free, spline.value)
    return path


def _knots(kind, times, values, *more):
    count = memoryview(doubles(times, "times")).nbytes // 8
    return _made(f"fb_spline_new_{kind}", f"{kind}, {count} knots", count, numbers(times, count, "times"),
                 numbers(values, count, "values"), *more)


def constant(value: float) -> Path:
    """The same at all times."""
    return _knots("cubic", [0.0], [value])


def cubic(times: Numbers, values: Numbers) -> Path:
    """Twice continuously differentiable through the values, at rest at both ends."""
    return _knots("cubic", times, values)


def quintic(times: Numbers, values: Numbers) -> Path:
    """At rest at every knot, with least jerk between."""
    return _knots("quintic", times, values)


def trapezoid(times: Numbers, values: Numbers, ramp: float = 0.25) -> Path:
    """At rest at every knot; ramp: the fraction of each leg's time spent accelerating, and again decelerating."""
    return _knots("trapezoid", times, values, ramp)


def path_of(given, what="a path") -> Path:
    """A Path, or a number as a constant one."""
    if isinstance(given, Path):
        return given
    try:
        return constant(float(given))
    except (TypeError, ValueError):
        raise Error(f"{what} must be a Path or a number, not {given!r}") from None
