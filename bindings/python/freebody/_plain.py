"""The algorithms on arrays without the extension: what bindings/python/native/batch.c does, by ctypes, row by row."""
import ctypes
import math
import operator

from ._algorithms import ALGORITHMS
from ._error import Error
from ._numbers import doubles, empty, result
from ._structs import fb_error, fb_wrench
from ._threads import ScratchPerThread

INPUTS, OUTPUTS = "<?o", ">="
_NOTHING = ctypes.c_double * 0


class Handle:
    """A model for the algorithms, with scratch memory for each thread."""

    def __init__(self, c, model, owner, base=-1):
        self.model, self.owner, self.base = model, owner, base
        self._c, self._scratch = c, ScratchPerThread()
        self.sizes = {"q": c.fb_model_nq(model), "v": c.fb_model_nv(model), "b": c.fb_model_nbody(model)}
        if base >= 0:
            self.sizes["j"] = c.fb_floating_nj(self.scratch())

    def scratch(self):
        return self._scratch.get(self._c, self.model, self.base)


class _Array:
    """Doubles of one argument: memory, numbers of one, and the stride from row to row."""

    def __init__(self, memory, count, stride):
        self.memory, self.count, self.stride = memory, count, stride
        self.address = None if memory is None else ctypes.addressof(_NOTHING.from_buffer(memory)) if count else 0

    def row(self, i):
        return None if self.memory is None else self.address + 8 * i * self.stride


def _writable(memory):
    """Memory that ctypes can point to."""
    view = memoryview(memory)
    if not view.readonly:
        return memory
    return (ctypes.c_double * (view.nbytes // 8)).from_buffer_copy(view.tobytes())


def algorithm(c, name):
    """The function(handle, inputs ..., out) of an algorithm."""
    function, prelude, before, check, arguments = ALGORITHMS[name]

    def compute(handle, *given):
        return _Call(c, getattr(c, function), prelude, before, check, arguments, handle).do(given[:-1], given[-1])
    compute.__name__ = name
    return compute


class _Call:
    """One call under way."""

    def __init__(self, c, function, prelude, before, check, arguments, handle):
        self.c, self.function, self.prelude, self.before, self.check = c, function, prelude, before, check
        self.arguments, self.handle, self.rows = arguments, handle, None
        self.arrays, self.values = {}, {}

    def do(self, given, out):
        given = list(given)
        for i, (name, role, axes) in enumerate(self.arguments):
            if role in INPUTS:
                self.arrays[i] = self.input(name, role, self.shape(axes), given.pop(0))
            elif role == "L":
                self.values[i] = self.loads(given.pop(0), given.pop(0), given.pop(0))
            elif role == "i":
                self.values[i] = operator.index(given.pop(0))
            elif role == "f":
                self.values[i] = float(given.pop(0))
                if not math.isfinite(self.values[i]):
                    raise Error(f"{name} is not finite")
        results = self.outputs(out)
        for row in range(1 if self.rows is None else self.rows):
            self.check_row(row)
            self.do_row(row)
        answers = [self.answer(i) for i in results]
        return answers[0] if len(answers) == 1 else tuple(answers)

    def shape(self, axes):
        return tuple(self.handle.sizes[axis] if axis in "qvbj" else int(axis) for axis in axes)

    # ---- arguments ----

    def input(self, name, role, shape, given):
        count = math.prod(shape)
        if given is None:
            if role == "<":
                raise Error(f"{name} must be given")
            return _Array(empty(count) if role == "?" else None, count, 0)
        memory = doubles(given, name, count)
        view = memoryview(memory)
        if view.ndim == len(shape) + 1 and view.shape[1:] == shape:
            if self.rows not in (None, view.shape[0]):
                raise Error(f"{name} has {view.shape[0]} rows, and what was given before it has {self.rows}")
            self.rows = view.shape[0]
            return _Array(_writable(memory), count, count)
        size = view.nbytes // 8
        if size != count and view.ndim < 2:
            raise Error(f"{name} has {size} number{'' if size == 1 else 's'}; it needs {count}")
        if size != count:
            raise Error(f"{name} is {' x '.join(map(str, view.shape))}; it needs {count} numbers, or that many in each of "
                        "its rows")
        return _Array(_writable(memory), count, 0)

    def loads(self, gravity, wrenches, passive):
        still = gravity is None or (isinstance(gravity, tuple) and gravity == (0.0, 0.0, 0.0))
        if still and passive is True and not wrenches:
            return None  # what the library has by default
        loads = self.c.fb_default_loads()
        if gravity is not None:
            loads.environment.gravity_w = three(gravity, "gravity")
            if not all(map(math.isfinite, loads.environment.gravity_w)):
                raise Error("gravity is not finite")
        if passive is not True:
            loads.passive = operator.index(passive)
        loads.wrenches = (fb_wrench * len(wrenches))(*[
            (frame, bool(own), three(force, "force"), three(torque, "torque")) for frame, force, torque, own in wrenches])
        loads.nwrench = len(wrenches)
        return loads

    def outputs(self, out):
        """Makes room for outputs; their indices."""
        wanted = [i for i, argument in enumerate(self.arguments) if argument[1] in OUTPUTS]
        if out is not None and len(wanted) > 1 and (not isinstance(out, tuple) or len(out) != len(wanted)):
            raise Error(f"out must be a tuple of {len(wanted)} arrays")
        self.given = dict(zip(wanted, (out if len(wanted) > 1 else [out]) if out is not None else [None] * len(wanted)))
        for i in wanted:
            name, _, axes = self.arguments[i]
            shape = self.shape(axes)
            count = math.prod(shape)
            memory = self.given[i]
            if memory is None:
                memory = empty(count * (1 if self.rows is None else self.rows))
            else:
                self.check_out(memory, name, (() if self.rows is None else (self.rows,)) + shape)
            self.arrays[i] = _Array(memory, count, count)
            if self.given[i] is not None and self.rows is not None:
                self.check_overlap(i)
        return wanted

    def check_overlap(self, i):
        """Memory that is read must not be written: of single states this is allowed, as C allows it."""
        def span(array):
            first = array.address or 0
            return first, first + 8 * (array.count + array.stride * max(0, self.rows - 1))
        low, high = span(self.arrays[i])
        for k, other in self.arrays.items():
            first, last = span(other)
            if k != i and other.memory is not None and first < high and low < last:
                raise Error(f"out, for {self.arguments[i][0]}, shares its memory with {self.arguments[k][0]}")

    @staticmethod
    def check_out(memory, name, shape):
        try:
            view = memoryview(memory)
        except TypeError:
            view = None
        if view is None or view.readonly:
            raise Error(f"out, for {name}, must be an array of doubles that can be written")
        text = " x ".join(map(str, shape)) or "a single number"
        if view.shape != shape:
            raise Error(f"out, for {name}, is {' x '.join(map(str, view.shape))}; it must be {text}")
        if view.format.lstrip("<=@") != "d" or not view.c_contiguous:
            raise Error(f"out, for {name}, must have doubles without gaps between them")

    # ---- rows ----

    def check_row(self, row):
        q = v = None
        for i, array in self.arrays.items():
            name, role, axes = self.arguments[i]
            if role not in INPUTS or array.memory is None:
                continue
            if axes == "q" and q is None:
                q = array.row(row)
            elif name == "v" and axes == "v":
                v = array.row(row)
            elif axes == "q":
                self.status(row, self.c.fb_model_check_state, self.handle.model, array.row(row), None)
            else:
                self.check_finite(name, array, row)
        if q is not None:
            self.status(row, self.c.fb_model_check_state, self.handle.model, q, v)

    def check_finite(self, name, array, row):
        values = (ctypes.c_double * array.count).from_address(array.row(row))
        if all(map(math.isfinite, values)):
            return
        for k, x in enumerate(values):
            if not math.isfinite(x):
                place = f"[{k}]" if self.rows is None else f"[{row}][{k}]"
                raise Error(f"{name}{place} is {x}; it must be finite")

    def status(self, row, function, *arguments):
        failure = fb_error()
        status = function(*arguments, ctypes.byref(failure))
        if status:
            if self.rows is not None:
                failure.text = f"row {row}: {failure.text.decode()}".encode()[:767]
            raise self.c.error(status, failure)

    def do_row(self, row):
        c, handle = self.c, self.handle
        scratch = handle.scratch() if handle is not None else None
        first = [self.arrays[i].row(row) for i in range(self.before)] + [None] * (3 - self.before)
        if self.prelude in ("K", "C"):
            c.fb_kinematics(handle.model, scratch, *first)
        if self.prelude == "C":
            c.fb_centre_of_mass(handle.model, scratch)
        if self.prelude == "F":
            c.fb_floating_update(scratch, *first[:2])
        slots, returned = [], None
        for i, (_, role, _) in list(enumerate(self.arguments))[self.before:]:
            if role == "=":
                returned = self.arrays[i].row(row)
            else:
                slots.append(handle.model if role == "m" else scratch if role == "d" else
                             self.values[i] and ctypes.byref(self.values[i]) if role == "L" else
                             self.values[i] if role in "if" else self.arrays[i].row(row))
        value = self.function(*slots)
        if returned is not None:
            ctypes.c_double.from_address(returned).value = value
        if self.check:
            self.status(row, c.fb_model_check_pivots, handle.model, scratch)

    def answer(self, i):
        if self.given[i] is not None:
            return self.given[i]
        shape = self.shape(self.arguments[i][2])
        if self.rows is not None:
            return result(self.arrays[i].memory, self.rows, *shape)
        return result(self.arrays[i].memory, *shape) if shape else self.arrays[i].memory[0]


def three(values, what):
    memory = doubles(values, what, 3)
    flat = memoryview(memory).cast("B").cast("d")
    if len(flat) != 3:
        raise Error(f"{what} has {len(flat)} number{'' if len(flat) == 1 else 's'}; it needs 3")
    return (ctypes.c_double * 3)(*flat)
