"""Making a run: a scenario from its start to its end, into a folder, by fb_run of the C library."""
from __future__ import annotations

import atexit
import ctypes
import math
import os
import threading
import time
import types
import typing
import weakref

from . import _structs
from ._copies import Single
from ._ctrl_c import noted
from ._error import Error
from ._library import bytes_of, library, text_of
from ._threads import Calling, alone, freed_with, outside
from ._warning import Remarks, warn
from .additions import Setup, setup_function
from .run_folder import Run
from .scenario import Scenario, plain_of
from .simulation import SLICE


class Summary(types.SimpleNamespace):
    """How a run stands, or went: the fields of fb_run_summary (run.h)."""


class Job(Single, Calling):
    """A run on its way, advanced in slices, which do not change its results.

        with freebody.Job("pendulum.yaml", "pendulum.run") as job:
            while job.running:
                job.advance(seconds=0.1)
                print(job.t, job.summary.ledger.relative)

    Leaving the `with` finishes the run; one that is not over is called interrupted then, and Job.resume goes on with it.
    set, duration and inertia change the scenario, as for Simulation.from_scenario. replace: a run that is in the
    folder is replaced. folder None: nothing is written. print: gets the lines that Lua scripts print. start_from: the
    folder of another run, or (folder, t), with whose state it begins. replay: the folder of a run whose record answers for
    remote controllers. add: a function that adds forces, laws, contacts and
    events of your own to the simulation, add(sim) with the add_... of Simulation. A Job belongs to one thread at a time, as a
    Simulation does.
    """

    def __init__(self, scenario, folder, set=None, duration=None, replace=False, print=None, start_from=None,
                 inertia=None, add=None, replay=None):
        c, run = library(), ctypes.c_void_p()
        read = Scenario(scenario, set, duration, inertia)
        options = self._options(c, print)
        self._add_to(read, add)
        if start_from is not None:
            other, t = start_from if isinstance(start_from, tuple) else (start_from, math.inf)
            c.call("fb_scenario_start_from", read.pointer, bytes_of(other), t, options.note, None)
        options.replace = bool(replace)
        if replay is not None:
            options.replay = bytes_of(replay)
        self._make(lambda: c.call("fb_run_create", read.pointer, None if folder is None else bytes_of(folder),
                                  c.ref(options), c.ref(run)))
        self._begin(c, run.value, folder, read)
        self.notes.tell()

    @classmethod
    def resume(cls, folder, print=None, duration: typing.Optional[float] = None, scenario=None,
               add: typing.Optional[typing.Callable] = None) -> typing.Optional[Job]:
        """Goes on with a run from its last checkpoint, to a longer duration if one is given; None when it is complete.

        A run that was made with add needs it again, and its scenario file.
        """
        if add is not None and scenario is None:
            raise Error("resume with add needs the scenario file of the run, too")
        c, run = library(), ctypes.c_void_p()
        job = cls.__new__(cls)
        options = job._options(c, print)
        options.duration = duration or 0
        given = None if scenario is None else Scenario(scenario)
        job._add_to(given, add)
        job._make(lambda: c.call("fb_run_resume", bytes_of(folder), given and given.pointer, c.ref(options),
                                 c.ref(run)))
        if not run.value:
            return None
        job._begin(c, run.value, folder, given)
        return job

    def _options(self, c, print):
        options = c.fb_default_run_options()
        self.notes = notes = Remarks()  # what the run remarks: a mesh that is left out, a controller that does not answer
        options.note = _structs.fb_note_fn(lambda user, text: notes.append(text_of(text)))
        if print is not None:
            options.print = _structs.fb_note_fn(lambda user, text: print(text_of(text)))
        self._heard = heard = []  # Ctrl-C
        options.ended = _structs.fb_run_options_ended(lambda user: bool(heard))
        self._keep = options  # what C calls
        return options

    def _add_to(self, scenario, add):
        """Has add(sim) called with the simulation that C makes."""
        self._failure, self._added = [None], []
        if add is None:
            return
        c, added, failure, model = library(), self._added, self._failure, scenario.model()

        def make(sim):
            setup = Setup(c, model, sim, added, failure)
            added.append(setup)
            add(setup)
        function = setup_function(make, failure)
        added.append(function)
        c.fb_scenario_set_setup(scenario.pointer, function, None)

    def _make(self, call):
        """Has C make the run; where it cannot, it has freed the simulation that add was given."""
        try:
            with noted(self._heard):
                self._raised(call)
        except BaseException:
            _forget(self._added)
            raise

    def _begin(self, c, run, folder, scenario):
        self._c, self._run = c, run
        self._busy = threading.RLock()
        self.folder = None if folder is None else os.fspath(folder)
        # The finalizer holds the scenario and the functions, which C wants to outlive the run.
        self._free = freed_with(self, _free, c, run, self._added, scenario, self._keep)
        _UNDER_WAY.add(self)

    # ---- going on ----

    @alone
    @outside
    def advance(self, until: float = math.inf, seconds: float = math.inf) -> None:
        """Steps, logs, saves and commits until a simulated time, for some seconds of the clock, or to the end."""
        if math.isnan(until) or math.isnan(seconds):
            raise Error("until and seconds must be numbers")
        end = time.monotonic() + seconds
        while True:  # in slices, so that Ctrl-C is heard
            left = max(0.0, min(SLICE, end - time.monotonic()))
            with noted(self._heard):
                self._raised(lambda: self._c.call("fb_run_until", self._open(), until, left))
            self.notes.tell()
            if not self.running or self.t >= until or time.monotonic() >= end:
                return

    @alone
    @outside
    def finish(self) -> typing.Optional[Run]:
        """Ends the run, here where it is, and writes its summary. The Run to read, or None without a folder."""
        if self._free.alive:
            try:
                self._c.call("fb_run_finish", self._run)
            finally:
                self._close()
            self.notes.tell()
            if self._last[2].warning:
                warn(self._last[2].warning)
        return None if self.folder is None else Run(self.folder)

    def _close(self):
        self._last = self.state, self.t, self.summary
        _UNDER_WAY.discard(self)
        freed = self._free.detach()  # which also works at the end of the program, where finalizers do nothing
        if freed:
            freed[1](*freed[2])

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.finish()
        except Error:
            if kind is None:
                raise

    def _open(self):
        if not self._free.alive:
            raise Error("the run was finished; Job.resume goes on with one that was interrupted", status="FB_ERR_STATE")
        return self._run

    # ---- looking ----

    @property
    def running(self) -> bool:
        """True until the end."""
        return self.state == "running"

    @property
    @alone
    def state(self) -> str:
        """"running", "finished", "stopped", "interrupted" or "failed"."""
        if not self._free.alive:
            return self._last[0]
        return text_of(self._c.fb_run_state_name(self._c.fb_run_state_of(self._run)))

    @property
    @alone
    def t(self) -> float:
        """Simulated time [s]."""
        return self._c.fb_run_time(self._run) if self._free.alive else self._last[1]

    @property
    @alone
    def summary(self) -> Summary:
        """The Summary now."""
        if not self._free.alive:
            return self._last[2]
        raw = _structs.fb_run_summary()
        self._c.fb_run_summarise(self._run, self._c.ref(raw))
        return Summary(**dict(plain_of(raw), state=self.state))


_UNDER_WAY: weakref.WeakSet[Job] = weakref.WeakSet()  # runs that have not been finished


@atexit.register
def _leave():
    """A run that no thread is in is closed at the end of the program: what it has logged is stored, and the controllers
    that it talks to hear of the end. One that a thread is in is left as if its process had died."""
    for job in list(_UNDER_WAY):
        if job._busy.acquire(blocking=False):
            try:
                if not job._inside and job._free.alive:
                    job._close()
            finally:
                job._busy.release()


def _free(c, run, added, *_):
    """Frees a run, and with it the simulation that `add` was given."""
    _forget(added)
    c.fb_run_free(run)


def _forget(added):
    for setup in added:
        if isinstance(setup, Setup):
            setup.forget()


def run(scenario, folder, set: typing.Optional[dict] = None, duration: typing.Optional[float] = None,
        replace: bool = False, progress: typing.Optional[typing.Callable] = None, print=None, start_from=None,
        inertia: typing.Optional[str] = None, add: typing.Optional[typing.Callable] = None, replay=None) -> Run:
    """Runs a scenario file into a folder, as `freebody run` does, and returns the Run. What the command would warn of is a
    freebody.MotionWarning.

    progress(job), if given, is called ten times a second, and ends the run by returning False. Ctrl-C ends it too:
    both leave it interrupted, and resume(folder) goes on with it. The rest is as for Job.
    """
    return _go(Job(scenario, folder, set, duration, replace, print, start_from, inertia, add, replay), progress)


def resume(folder, progress: typing.Optional[typing.Callable] = None, print=None,
           duration: typing.Optional[float] = None, scenario=None, add: typing.Optional[typing.Callable] = None) -> Run:
    """Goes on with a run that was interrupted, or extends one to a longer duration, and returns the Run."""
    job = Job.resume(folder, print, duration, scenario, add)
    return Run(folder) if job is None else _go(job, progress)


def _go(job, progress):
    with job:
        while job.running:
            job.advance(seconds=0.1)
            if progress is not None and progress(job) is False:
                break
    return job.finish()
