"""Every function of the C library by its name in the headers, for what the classes of this package do not have.

    from freebody import c
    c.fb_rot_small_difference(A, B, out)          arrays of doubles, structs, None, numbers and texts, as C takes them
    c.call("fb_spline_new_cubic", 2, times, values, c.ref(pointer))       raises an Error where C returns one

Structs are in freebody._structs, fb_default_NAME() makes those that need to be filled by C. c.ref(struct) is its address
as an argument. What C allocates is freed by its own functions. Nothing checks what is behind an address, so a wrong one
ends the interpreter. c.pyi has the types and the words of the headers.
"""
from ._library import library


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(library(), name)


def __dir__():
    from ._functions import FUNCTIONS
    return ["call", "ref", *FUNCTIONS]
