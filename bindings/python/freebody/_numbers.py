"""Arrays of doubles between Python and C: lent where they are arrays of doubles, copied in from everything else, and
handed out as NumPy arrays, or as lists where NumPy is not installed."""
import ctypes

from ._error import Error

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def empty(count):
    """Room for C to write into."""
    return (ctypes.c_double * count)()


def _nested(values):
    """Lists of lists of floats, or a float; ragged ones raise ValueError."""
    if isinstance(values, (str, bytes)):  # which consist of such themselves
        raise TypeError
    try:
        rows = iter(values)
    except TypeError:
        return float(values), ()
    rows = [_nested(row) for row in rows]
    shapes = {shape for _, shape in rows}
    if len(shapes) > 1:
        raise ValueError
    return [x for x, _ in rows], (len(rows),) + (shapes.pop() if shapes else ())


def _as_ctypes(values, shape):
    """Nested lists as an array of ctypes."""
    kind = ctypes.c_double
    for size in reversed(shape):
        kind = kind * size

    def fill(room, rows, axes):
        for i, row in enumerate(rows):
            if axes == 1:
                room[i] = row
            else:
                fill(room[i], row, axes - 1)
    room = kind() if shape else kind(values)
    if shape:
        fill(room, values, len(shape))
    return room


def doubles(values, what, count=None):
    """An object with a buffer of doubles, without gaps, in the shape of the values: themselves where they are that."""
    try:
        if numpy is None:
            return _as_ctypes(*_nested(values))
        if numpy.iscomplexobj(values) or isinstance(values, (str, bytes)):
            raise TypeError
        # numpy.require keeps what fits; ascontiguousarray would make a number a row of one
        return numpy.require(values, numpy.float64, "C")
    except (TypeError, ValueError, OverflowError):
        wanted = "numbers" if count is None else f"{count} number{'' if count == 1 else 's'}"
        raise Error(f"{what} must be {wanted}, not {str(values)[:60]!r}") from None


def numbers(values, count, what):
    """A copy of `count` numbers for C, from a list, an array, nested ones, or a single number."""
    given = memoryview(doubles(values, what, count))
    size = given.nbytes // 8
    if size != count:
        raise Error(f"{what} has {size} number{'' if size == 1 else 's'}; it needs {count}")
    return (ctypes.c_double * count).from_buffer_copy(given.cast("B") if count else b"")


def result(room, *shape):
    """What C wrote, in the given shape (none: as long as it is)."""
    if numpy is not None:
        flat = numpy.frombuffer(room, dtype=numpy.float64) if len(room) else numpy.zeros(0)
        return flat.reshape(shape) if shape else flat
    return _rows(list(room), shape or (len(room),))


def _rows(flat, shape):
    if len(shape) < 2:
        return flat
    width = len(flat) // shape[0] if shape[0] else 0
    return [_rows(flat[i * width:(i + 1) * width], shape[1:]) for i in range(shape[0])]


def copied(address, count):
    """A copy of `count` doubles at an address of C's."""
    room = empty(count)
    ctypes.memmove(room, address, 8 * count)
    return result(room)
