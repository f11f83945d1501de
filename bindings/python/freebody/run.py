"""Reading a run folder that `freebody run` wrote: SQLite through the standard library, and nothing of C.

The tables are those of docs/run-store.md. Samples lie in blocks, column after column: the times, then each signal.
"""
import collections.abc
import os
import pathlib
import sqlite3
import typing
import zlib

from . import _store
from ._error import Error, unknown_name
from ._numbers import from_bytes, numpy


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


class Run(collections.abc.Mapping):
    """A run, by its folder.

        run = freebody.Run("runs/pendulum")
        run.t, run["q.pin"], run["p.tip"]     times, one signal, all components side by side
        run.signals["q.pin"].unit             "rad"
        run.events, run.texts["status"]

    As a mapping it goes from signal names to arrays. A run may be read while it is written: all that one Run gives
    belongs to the moment of opening, until refresh() is called.
    """

    def __init__(self, folder):
        named = os.fspath(folder)
        if not os.path.exists(named):
            raise _error(named, "there is no such folder; name the folder of a run, as 'freebody run' made it")
        self.path = os.path.join(named, "run.db") if os.path.isdir(named) else named
        if not os.path.isfile(self.path):
            raise _error(named, "there is no run in this folder: it has no run.db; name a folder that 'freebody run' "
                                "made")
        self._db = None
        try:
            self._open()
        except sqlite3.Error as reason:
            self.close()
            raise _error(self.path, f"cannot read the run: {reason}") from None
        except _store.Damaged as reason:
            self.close()
            raise _error(self.path, str(reason)) from None
        except Error:
            self.close()
            raise

    # ---- opening ----

    def _open(self):
        try:
            self._connect("mode=ro")
        except sqlite3.OperationalError:
            # SQLite reads such a database with the help of a small file beside it. Where none can be made, a run that
            # ended in order is read as a file that nobody changes.
            wal = self.path + "-wal"
            if os.path.exists(wal) and os.path.getsize(wal) > 0:
                raise
            self._connect("mode=ro&immutable=1")

    def _connect(self, mode):
        self.close()
        _store.check_beside(self.path)
        uri = pathlib.Path(self.path).resolve().as_uri()
        self._db = sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None, timeout=1.0)
        self._db.execute("PRAGMA trusted_schema = OFF")
        self._check_version()
        _store.check_tables(self._db)
        rows = self._rows("signal", "id, name, unit, axes, meaning, epoch", "ORDER BY id")
        self.signals = {row[1]: Signal(*row[1:5]) for row in rows}
        self._column = {name: i for i, name in enumerate(self.signals)}
        self._samples = 0
        self.refresh()

    def _check_version(self):
        application = self._pragma("application_id")
        if application != _store.APPLICATION:
            raise _error(self.path, "this database is not a run of Freebody; name the folder that 'freebody run' made")
        self._version = self._pragma("user_version")
        if not _store.WITHOUT_SUMS <= self._version <= _store.VERSION:
            age = "an older" if self._version < _store.VERSION else "a newer"
            raise _error(self.path, f"{age} Freebody wrote this run (store version {self._version}, this package "
                                    f"reads {_store.VERSION}); read it with the package of that Freebody")

    def _pragma(self, name):
        return self._db.execute(f"PRAGMA {name}").fetchone()[0]

    def _rows(self, *what):
        return _store.rows(self._db, self._version, *what)

    def refresh(self):
        """Sees what was written since; True when there are more samples."""
        before = self._samples
        # One transaction, so that samples and events belong together.
        self._db.execute("BEGIN")
        try:
            last = self._db.execute("SELECT first + count FROM block ORDER BY first DESC LIMIT 1").fetchone()
            self._samples = last[0] if last else 0
            self.events = [Event(*row[1:4]) for row in self._rows("event", "id, t, name, text, epoch", "ORDER BY id")]
            self.texts = dict(sorted(self._rows("meta", "key, text")))
            self._check_totals()
        except _store.Damaged as reason:
            raise _error(self.path, str(reason)) from None
        finally:
            self._db.execute("COMMIT")
        return self._samples > before

    def _check_totals(self):
        """Whether all that was committed is there."""
        if self._version == _store.WITHOUT_SUMS:
            return
        totals = [row[1:5] for row in self._rows("total", "id, signals, samples, events, texts, meshes, checkpoint")]
        if totals != [(len(self.signals), self._samples, len(self.events), len(self.texts))]:
            raise _store.Damaged("the run is damaged: it has not as many samples, events and texts as it should; restore "
                                 "run.db from a copy, or run the scenario again")

    def close(self):
        """Lets go of the file; also done by `with` and by the garbage collector."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<freebody.Run {self.path!r}: {len(self.signals)} signals, {self._samples} samples>"

    # ---- samples ----

    @property
    def nsample(self):
        """How many samples there are."""
        return self._samples

    @property
    def t(self):
        """The times of the samples [s]."""
        return self._columns([-1])[0]

    def __getitem__(self, name):
        """One signal; or all components of one side by side, as rows of an array: run["p.hand"]."""
        if name == "t" and name not in self.signals:
            return self.t
        if name in self.signals:
            return self._columns([self._column[name]])[0]
        columns = self._columns([self._column[full] for full in self.components(name)])
        return numpy.stack(columns, axis=1) if numpy is not None else [list(row) for row in zip(*columns)]

    def components(self, name):
        """The full names behind a name: "p.hand" gives p.hand.x, p.hand.y, p.hand.z."""
        if name in self.signals:
            return [name]
        found = [full for full in self.signals if full.startswith(name + ".")]
        if not found:
            raise unknown_name("signal", name, list(self.signals))
        return found

    def __iter__(self):
        return iter(self.signals)

    def __len__(self):
        return len(self.signals)

    def __contains__(self, name):
        return name in self.signals

    def get(self, name, default=None):
        """A signal, or the default when the run has none of that name."""
        return self[name] if name in self.signals else default

    def samples(self, *names):
        """Goes through the samples: (t, value of each name), with one block in memory at a time."""
        wanted = [-1] + [self._column[full] for name in names for full in self.components(name)]
        for columns in self._blocks(wanted):
            yield from zip(*[column.tolist() if numpy is not None else column for column in columns])

    def _columns(self, wanted):
        """Whole columns; -1 is time."""
        parts = [[] for _ in wanted]
        for columns in self._blocks(wanted):
            for part, column in zip(parts, columns):
                part.append(column)
        if numpy is not None:
            return [numpy.concatenate(part) if part else numpy.zeros(0) for part in parts]
        return [[x for piece in part for x in piece] for part in parts]

    def _blocks(self, wanted):
        """The blocks up to the last sample known, each as a list of columns."""
        expected = 0
        while expected < self._samples:
            try:
                count, data = self._block(expected, wanted)
            except sqlite3.Error as reason:
                raise _error(self.path, f"cannot read samples: {reason}") from None
            except _store.Damaged as reason:
                raise _error(self.path, str(reason)) from None
            room = self._samples - expected
            yield [from_bytes(column)[:room] for column in data]
            expected += count

    def _block(self, first, wanted):
        """The block that begins with a sample: how many there are, and the bytes of the columns that are wanted."""
        sums = self._version != _store.WITHOUT_SUMS
        columns = "first, count, t_first, t_last, epoch" + (", data_sums" if sums else "")
        gone = _store.Damaged(f"the samples from number {first} on are damaged or gone; if the run was resumed or "
                              "replaced meanwhile, open it again")
        row = next(self._rows("block", columns, "WHERE first >= ? ORDER BY first LIMIT 1", (first,)), None)
        data = self._db.execute("SELECT data FROM block WHERE first = ?", (first,)).fetchone()
        if row is None or row[0] != first or row[1] < 1 or data is None:
            raise gone
        size, width = 8 * row[1], len(self.signals) + 1
        if len(data[0]) != width * size or (sums and len(row[5]) != 4 * width):
            raise gone
        found = [memoryview(data[0])[(i + 1) * size:(i + 2) * size] for i in wanted]
        for i, column in zip(wanted, found):
            if sums and zlib.crc32(column) != int.from_bytes(row[5][4 * (i + 1):4 * (i + 2)], "little"):
                raise gone
        return row[1], found


def _error(file, text):
    return Error(f"{file}: {text}", status="FB_ERR_IO", text=text, file=file)
