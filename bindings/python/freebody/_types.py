"""Names for what the annotations say."""
from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike

    Numbers = ArrayLike  # a list, an array, a number; one more axis in front: many of them
    Array = numpy.ndarray  # lists where NumPy is not installed
    Out = typing.Union[numpy.ndarray, typing.Tuple[numpy.ndarray, ...], None]
Frame = typing.Union[str, int]


class Part:
    """What the parts of Model find in the whole."""
    if typing.TYPE_CHECKING:
        _c: typing.Any
        _m: typing.Any
        nv: int
        _state: typing.Any
        _mask: typing.Any
        _data: typing.Any
        _loads: typing.Any
        _rates: typing.Any
        frame_id: typing.Any
        _mixed: typing.Any
        zero: typing.Any
        loops: typing.List[str]
        _own: typing.Any


Method = typing.TypeVar("Method", bound=typing.Callable)  # for decorators that leave the signature as it is
