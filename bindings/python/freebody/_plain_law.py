"""Functions of Python that C calls: their exceptions kept for the caller; and forces without the extension, as
bindings/python/native/law.c has them."""
import ctypes
import math

from . import _structs
from ._error import Error
from ._numbers import copied, empty, numbers


def guarded(failure, error, do):
    """Runs do(); no exception may pass through C, so it is kept for the caller of C to raise."""
    try:
        do()
        return 0
    except BaseException as reason:  # Ctrl-C too
        failure[0] = reason
        if error:
            ctypes.cast(error, ctypes.POINTER(_structs.fb_error)).contents.text = \
                f"{type(reason).__name__}: {reason}".encode()[:767]
        return _structs.FB_ERR_ARG


class Law:
    """A function of Python behind the calls that C makes, without the extension."""

    def __init__(self, sim, function, count, what):
        self.function, self.count, self.what, self.failure = function, count, what, sim._failure
        self.nq, self.nv, self.model, self.c = sim.model.nq, sim.model.nv, sim.model._m, sim._c

    def fill(self, block, first, frame, in_frame_axes):
        block.nwrench = int(first < 0)
        push = self.push_tau(first) if first >= 0 else self.push_wrench(frame, in_frame_axes)
        if block.period:
            block.nmemory = self.count
            block.tick = _structs.fb_block_tick(self.tick)
            block.act = _structs.fb_block_act(self.act_held(push))
        else:
            block.act = _structs.fb_block_act(self.act(push))
        block.rebind = _structs.fb_block_rebind(self.rebind)

    def push_tau(self, first):
        def push(drive, values):
            tau = (ctypes.c_double * self.count).from_address(drive.tau + 8 * first)
            for i in range(self.count):
                tau[i] += values[i]
        return push

    def push_wrench(self, frame, in_frame_axes):
        def push(drive, values):
            wrench = self.c.fb_action_add_wrench(self.c.ref(drive)).contents
            wrench.frame, wrench.in_frame_axes = frame, in_frame_axes
            wrench.force[:], wrench.torque[:] = values[:3], values[3:]
        return push

    def ask(self, view):
        """What the function returns at this moment, or None."""
        values = self.function(view.t, copied(view.q, self.nq), copied(view.v, self.nv))
        if values is None:
            return None
        values = numbers(values, self.count, self.what)
        if not all(map(math.isfinite, values)):
            raise Error(f"{self.what} at t = {view.t:.6g} s is not finite")
        return values

    def tick(self, user, view, memory, state, failure):
        def do():
            values = self.ask(view.contents)
            ctypes.memmove(memory, values or empty(self.count), 8 * self.count)
        return guarded(self.failure, failure, do)

    def act(self, push):
        def act(user, view, memory, state, drive, rate, failure):
            def do():
                values = self.ask(view.contents)
                if values is not None:
                    push(drive.contents, values)
            return guarded(self.failure, failure, do)
        return act

    def act_held(self, push):
        def act(user, view, memory, state, drive, rate, failure):
            values = (ctypes.c_double * self.count).from_address(memory)
            return guarded(self.failure, failure, lambda: push(drive.contents, values))
        return act

    def rebind(self, user, model, failure):
        """Its function expects the coordinates of the model that the simulation was made with."""
        if model == self.model:
            return 0
        if failure:
            failure.contents.text = b"a force by a function of Python works with the first model only; use Lua or a plugin"
        return _structs.FB_ERR_UNSUPPORTED
