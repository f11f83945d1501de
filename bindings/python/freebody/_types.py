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
