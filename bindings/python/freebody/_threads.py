"""What makes the classes safe where several threads use one object: scratch memory of C's for each thread, calls that one
thread makes at a time, and memory that outlives the threads."""
import ctypes
import functools
import threading
import typing
import weakref

from ._error import Error
from ._types import Method


def freed_with(thing, free, *arguments):
    """Calls free(*arguments) when the object goes; the finalizer.

    Not at the end of the program: threads may still be in C by then, and functions of atexit may still use the object.
    """
    finalizer = weakref.finalize(thing, free, *arguments)
    finalizer.atexit = False
    return finalizer


class Scratch:
    """An fb_data, or the fb_floating of a tree, freed when its thread ends or its model goes."""

    def __init__(self, c, model, base=-1):
        if base < 0:
            self.pointer = c.fb_data_new(model)
            if not self.pointer:
                raise MemoryError("no memory for the data of a model")
        else:
            made = ctypes.c_void_p()
            c.call("fb_floating_new", model, base, c.ref(made))
            self.pointer = made.value
        freed_with(self, c.fb_data_free if base < 0 else c.fb_floating_free, self.pointer)


class ScratchPerThread(threading.local):
    """The Scratch of the thread that asks."""
    scratch = None

    def get(self, c, model, base=-1):
        """Its pointer; made when first asked for."""
        if self.scratch is None:
            self.scratch = Scratch(c, model, base)
        return self.scratch.pointer


def alone(method: Method) -> Method:
    """For objects with a _busy, an RLock: while one thread is in such a method, others get an Error at once."""
    @functools.wraps(method)
    def guarded(self, *arguments, **options):
        if not self._busy.acquire(blocking=False):
            kind = type(self).__name__
            raise Error(f"{kind}.{method.__name__} was called while another thread is in a call of the same {kind}; give "
                        f"each thread a {kind} of its own, or a lock around it", status="FB_ERR_STATE")
        try:
            return method(self, *arguments, **options)
        finally:
            self._busy.release()
    return typing.cast(Method, guarded)


def outside(method: Method) -> Method:
    """For what would pull the ground from under C: refused in functions that C calls while it makes a step."""
    @functools.wraps(method)
    def guarded(self, *arguments, **options):
        if self._inside:
            kind = type(self).__name__
            raise Error(f"{kind}.{method.__name__} was called by a function that the {kind} itself called",
                        status="FB_ERR_STATE")
        return method(self, *arguments, **options)
    return typing.cast(Method, guarded)


class Calling:
    """Calls of C that call functions of Python. Needs _failure, a list."""
    _inside = 0  # how many are under way
    _failure: list

    def _raised(self, call):
        """Calls C. What a function of Python raised inside goes on as it was raised."""
        self._failure[0] = None
        self._inside += 1
        try:
            return call()
        except Error:
            if self._failure[0] is not None:
                raise self._failure[0] from None
            raise
        finally:
            self._inside -= 1
