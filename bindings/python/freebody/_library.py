"""Finding and loading the C library, and calling it with its errors as exceptions.

Looked for, in this order: the file that FREEBODY_LIBRARY names; libfreebody_all beside this package (where
`make install` puts it); build/lib of the repository that this file lies in (`make`); a shared libfreebody_io that
the system's loader knows.
"""
import ctypes
import ctypes.util
import functools
import os
import pathlib

from ._error import Error
from ._functions import FUNCTIONS
from ._structs import FB_VERSION_TEXT, fb_error

_HERE = pathlib.Path(__file__).resolve().parent
_START = os.getcwd()  # a program may go elsewhere before the library is needed
_ENDINGS = (".so", ".dylib")


def _candidates():
    folders = [_HERE]
    if _HERE.parent.name == "python" and _HERE.parent.parent.name == "bindings":
        folders.append(_HERE.parents[2] / "build" / "lib")
    return [folder / ("libfreebody_all" + ending) for folder in folders for ending in _ENDINGS]


def _open(path):
    try:
        return ctypes.CDLL(str(path))
    except OSError as reason:
        raise Error(f"cannot load the Freebody library {path}: {reason}", status="FB_ERR_IO") from None


def _find():
    """The library and where it was found."""
    named = os.environ.get("FREEBODY_LIBRARY")
    if named:
        named = os.path.join(_START, named) if os.sep in named else named
        return _open(named), named
    for path in _candidates():
        if path.is_file():
            return _open(path), str(path)
    known = ctypes.util.find_library("freebody_io")
    if known:
        return _open(known), known
    places = ", ".join(sorted({str(path.parent) for path in _candidates()}))
    raise Error(f"the Freebody library is not found: no libfreebody_all in {places}, and no shared libfreebody_io "
                "known to the system. Build it with 'make', or name it in the environment variable "
                "FREEBODY_LIBRARY", status="FB_ERR_IO")


class Library:
    """The functions of the C library as attributes, with their types set at first use."""

    def __init__(self):
        self._c, self.path = _find()
        found = self.fb_version().decode()
        if found != FB_VERSION_TEXT:
            raise Error(f"{self.path} is Freebody {found}, and this Python package belongs to {FB_VERSION_TEXT}; "
                        "build both from one source", status="FB_ERR_UNSUPPORTED")

    def __getattr__(self, name):
        signature = FUNCTIONS.get(name)
        if signature is None:
            raise AttributeError(name)
        try:
            function = getattr(self._c, name)
        except AttributeError:
            raise Error(f"{self.path} has no {name}; build the library and this Python package from one source",
                        status="FB_ERR_UNSUPPORTED") from None
        function.restype, function.argtypes = signature[0], signature[1:]
        setattr(self, name, function)
        return function

    def call(self, name, *arguments):
        """Calls a function that returns fb_status and takes an fb_error last; raises Error."""
        failure = fb_error()
        status = getattr(self, name)(*arguments, ctypes.byref(failure))
        if status:
            raise self._error(status, failure)

    def _error(self, status, failure):
        buffer = ctypes.create_string_buffer(2048)
        message = text_of(self.fb_error_format(ctypes.byref(failure), buffer, len(buffer)))
        return Error(message, status=text_of(self.fb_status_name(status)), text=text_of(failure.text),
                     file=text_of(failure.file), line=failure.place.line, column=failure.place.column,
                     path=text_of(failure.path))


@functools.lru_cache(maxsize=None)
def library():
    """The library, loaded once."""
    return Library()


def version():
    """The version of the C library, "0.1.0"."""
    return text_of(library().fb_version())


def text_of(raw):
    """Text that came from C."""
    return raw.decode("utf-8", "replace")


def bytes_of(text):
    """Text or a path for C."""
    return os.fsencode(text)


def texts_for_c(texts):
    """A NULL-ended array of texts."""
    return (ctypes.c_char_p * (len(texts) + 1))(*[bytes_of(text) for text in texts], None)
