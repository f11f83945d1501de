"""Warnings at the line of the user's program that led to them, however deep in the package they are given."""
import os
import sys
import warnings

from ._error import MotionWarning

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(text):
    """A MotionWarning at the innermost line outside this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_HERE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, MotionWarning, stacklevel=level)


class Remarks(list):
    """What C remarks; each is warned of once."""
    told = 0

    def tell(self):
        while self.told < len(self):
            self.told += 1
            warn(self[self.told - 1])
