"""Reading a run folder: fb_store of the C library."""
from __future__ import annotations

import collections.abc
import ctypes
import itertools
import json
import math
import os
import threading
import typing

from . import _html
from ._copies import Single
from ._error import Error
from ._library import bytes_of, library, text_of, texts_for_c
from ._numbers import empty, result
from ._threads import freed_with
from .page import Page

if typing.TYPE_CHECKING:
    from ._types import Array


class Signal(typing.NamedTuple):
    """What a column of numbers is."""
    name: str
    unit: str
    axes: str
    meaning: str


class Event(typing.NamedTuple):
    """Something that happened."""
    t: float
    name: str
    text: str


class Run(Single, collections.abc.Mapping):
    """A run, by its folder.

        run = freebody.Run("runs/pendulum")
        run.t, run["q.pin"], run["p.tip"]     times, one signal, all components side by side
        run.signals["q.pin"].unit             "rad"
        run.events, run.texts["status"]

    As a mapping it goes from signal names to arrays. A run may be read while it is written: all that one Run gives
    belongs to the moment of opening, until refresh() is called. Threads may share one.
    """

    folder: str
    nsample: int  # how many samples there are
    signals: typing.Dict[str, Signal]
    events: typing.List[Event]
    texts: typing.Dict[str, str]

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        self._c = library()
        self._close = None
        self._lock = threading.RLock()  # the store unpacks into memory of its own
        self._open()

    # ---- opening ----

    def _open(self):
        c, pointer = self._c, ctypes.c_void_p()
        c.call("fb_store_open", bytes_of(self.folder), c.ref(pointer))
        self.close()
        self._store = pointer.value
        self._close = freed_with(self, c.fb_store_close, self._store, None)
        self.nsample = c.fb_store_nsample(self._store)
        rows = [c.fb_store_get_signal(self._store, i) for i in range(c.fb_store_nsignal(self._store))]
        signals = [Signal(*map(text_of, (row.name, row.unit, row.axes, row.meaning))) for row in rows]
        self.signals = {signal.name: signal for signal in signals}
        rows = [c.fb_store_get_event(self._store, i) for i in range(c.fb_store_nevent(self._store))]
        self.events = [Event(row.t, text_of(row.name), text_of(row.text)) for row in rows]
        keys = itertools.takewhile(lambda key: key is not None,
                                   (c.fb_store_key(self._store, i) for i in itertools.count()))
        self.texts = {text_of(key): text_of(c.fb_store_get_text(self._store, key)) for key in keys}

    def refresh(self) -> bool:
        """Sees what was written since; True when there are more samples."""
        with self._lock:
            before = self.nsample
            self._open()
            return self.nsample > before

    def close(self):
        """Lets go of the file; also done by `with` and by the garbage collector."""
        with self._lock:
            if self._close is not None:
                self._close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<freebody.Run {self.folder!r}: {len(self.signals)} signals, {self.nsample} samples>"

    def _repr_html_(self):
        return _html.run(self)

    def view(self, file=None, height: int = 600, others: typing.Iterable = ()) -> Page:
        """Writes the page of the run, with other runs as ghosts; in a notebook it is shown (see freebody.Page)."""
        others = [other if isinstance(other, Run) else Run(other) for other in others]
        return Page.of_run(self, file, height, others)

    # ---- samples ----

    @property
    def t(self) -> Array:
        """The times of the samples [s]."""
        return result(self._read([-1], 0, self.nsample))

    def __getitem__(self, name: str) -> Array:
        """One signal; or all components of one side by side, as rows of an array: run["p.hand"]."""
        if name == "t" and name not in self.signals:
            return self.t
        wanted = self._select(name)
        values = self._read(wanted, 0, self.nsample)
        if name in self.signals:
            return result(values)
        columns = result(values, len(wanted), self.nsample)
        return columns.T.copy() if hasattr(columns, "T") else [list(row) for row in zip(*columns)]

    def components(self, name: str) -> typing.List[str]:
        """The full names behind a name: "p.hand" gives p.hand.x, p.hand.y, p.hand.z."""
        names = list(self.signals)
        return [names[i] for i in self._select(name)]

    def __iter__(self):
        return iter(self.signals)

    def __len__(self):
        return len(self.signals)

    def __contains__(self, name):
        return name in self.signals

    def get(self, name, default=None):
        """A signal, or the default when the run has none of that name."""
        return self[name] if name in self.signals else default

    def samples(self, *names: str) -> typing.Iterator[tuple]:
        """Goes through the samples: (t, value of each name), with some thousand in memory at a time."""
        wanted = [-1] + [i for name in names for i in self._select(name)]
        at_once = max(1, 1 << 18 >> len(wanted).bit_length())
        for first in range(0, self.nsample, at_once):
            count = min(at_once, self.nsample - first)
            values = self._read(wanted, first, count)
            yield from zip(*[values[i * count:(i + 1) * count] for i in range(len(wanted))])

    def _select(self, name):
        """The indices of the signals that a name stands for."""
        found, count = (ctypes.c_int * len(self.signals))(), ctypes.c_int()
        self._call("fb_store_select", bytes_of(name), found, self._c.ref(count))
        return found[:count.value]

    def _read(self, wanted, first, count):
        """Samples of several signals, one after the other; -1 is time."""
        values = empty(len(wanted) * count)
        self._call("fb_store_read_signals", (ctypes.c_int * len(wanted))(*wanted), len(wanted), first, count, values)
        return values

    def _call(self, name, *arguments):
        with self._lock:
            self._c.call(name, self._store_now(), *arguments)

    def _store_now(self):
        if not self._close.alive:
            raise Error("this Run was closed; open it again", status="FB_ERR_STATE")
        return self._store


def compare(a, b, signals=None, start: float = -math.inf, end: float = math.inf,
            tolerance: typing.Optional[float] = None, absolute: float = 0.0) -> dict:
    """How two runs differ, as `freebody compare --json` prints it; a and b are Runs or folders.

        difference = freebody.compare("rk4.run", "dopri5.run", signals=["q", "p.tip"], tolerance=1e-6)
        difference["beyond"], difference["signals"][0]["name"]

    start and end are a span of time [s]. With a tolerance, relative, "beyond" is True where the runs do not agree.
    """
    c, comparison, text, size = library(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    runs = [run if isinstance(run, Run) else Run(run) for run in (a, b)]
    options = c.fb_default_compare_options()
    names = None if signals is None else texts_for_c([signals] if isinstance(signals, str) else list(signals))
    if names is not None:
        options.signals = names
    setattr(options, "from", start)
    options.to, options.absolute = end, absolute
    if tolerance is not None:
        options.tolerance = tolerance
    with runs[0]._lock, runs[1]._lock:
        c.call("fb_store_compare", runs[0]._store_now(), runs[1]._store_now(), c.ref(options), c.ref(comparison))
    try:
        c.call("fb_comparison_print", comparison.value, c.ref(text), c.ref(size))
        return json.loads(ctypes.string_at(text.value or 0, size.value))
    finally:
        c.fb_free(text.value)
        c.fb_comparison_free(comparison.value)
