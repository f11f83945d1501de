"""Arrays of doubles between Python and C: copied in, handed out as NumPy arrays, or as lists where NumPy is not
installed."""
import ctypes

from ._error import Error

try:
    import numpy
except ImportError:
    numpy = None


def empty(count):
    """Room for C to write into."""
    return (ctypes.c_double * count)()


def _flatten(values):
    if isinstance(values, (str, bytes)):  # which consist of such themselves
        raise TypeError
    try:
        rows = iter(values)
    except TypeError:
        return [float(values)]
    return [x for row in rows for x in _flatten(row)]


def _refused(values, count, what):
    return Error(f"{what} must be {count} number{'' if count == 1 else 's'}, not {str(values)[:60]!r}")


def numbers(values, count, what):
    """A copy of `count` numbers for C, from a list, an array, nested ones, or a single number."""
    room = empty(count)
    if numpy is not None:
        try:
            given = numpy.ascontiguousarray(values, dtype=numpy.float64)
        except (TypeError, ValueError):
            raise _refused(values, count, what) from None
        size = given.size
        if size == count:
            ctypes.memmove(room, given.ctypes.data, 8 * count)
    else:
        try:
            given = _flatten(values)
        except (TypeError, ValueError):
            raise _refused(values, count, what) from None
        size = len(given)
        if size == count:
            room[:] = given
    if size != count:
        raise Error(f"{what} has {size} number{'' if size == 1 else 's'}; it needs {count}")
    return room


def result(room, *shape):
    """What C wrote, in the given shape (none: as long as it is)."""
    if numpy is not None:
        flat = numpy.frombuffer(room, dtype=numpy.float64) if len(room) else numpy.zeros(0)
        return flat.reshape(shape) if shape else flat
    flat = list(room)
    if len(shape) < 2:
        return flat
    width = shape[1]
    return [flat[i * width:(i + 1) * width] for i in range(shape[0])]


def copied(address, count):
    """A copy of `count` doubles at an address of C's."""
    room = empty(count)
    ctypes.memmove(room, address, 8 * count)
    return result(room)
