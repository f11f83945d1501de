"""Finding and loading the C library, and calling it with its errors as exceptions.

Looked for, in this order: the file that FREEBODY_LIBRARY names; libfreebody_all beside this package (where pip and
`make install` put it); build/lib of the repository that this file lies in (`make`); a shared libfreebody_io that the
system's loader knows.

Its functions are called by the C extension _native where it lies beside the library or this package, and by ctypes
elsewhere; FREEBODY_BACKEND, "extension" or "ctypes", asks for one of them. Both have the same functions: those of the
headers, by their names, and the algorithms on arrays of _algorithms.py.
"""
import ctypes
import ctypes.util
import functools
import importlib.machinery
import importlib.util
import os
import pathlib
import sys

from . import _numbers
from ._error import Error
from ._functions import FUNCTIONS
from ._structs import FB_VERSION_TEXT, fb_error

_HERE = pathlib.Path(__file__).resolve().parent
_START = os.getcwd()  # a program may go elsewhere before the library is needed
_ENDINGS = (".so", ".dylib")
_EXTENSION = "_native.abi3.so"


def _folders():
    """Where both are looked for: beside this package, then in the build of its repository."""
    folders = [_HERE]
    if _HERE.parent.name == "python" and _HERE.parent.parent.name == "bindings":
        folders.append(_HERE.parents[2] / "build" / "lib")
    return folders


def _find():
    """Where the library is."""
    named = os.environ.get("FREEBODY_LIBRARY")
    if named and os.sep in named:
        path = os.path.join(_START, named)
        if not os.path.exists(path):
            raise _not_loaded(path, "there is no such file")
        return path
    if named:
        return named
    for path in (folder / ("libfreebody_all" + ending) for folder in _folders() for ending in _ENDINGS):
        if path.is_file():
            return str(path)
    known = ctypes.util.find_library("freebody_io")
    if known:
        return known
    places = ", ".join(sorted(map(str, _folders())))
    raise Error(f"the Freebody library is not found: no libfreebody_all in {places}, and no shared libfreebody_io "
                "known to the system. Build it with 'make', or name it in the environment variable "
                "FREEBODY_LIBRARY", status="FB_ERR_IO")


def _not_loaded(path, reason):
    return Error(f"cannot load the Freebody library {path}: {reason}", status="FB_ERR_IO")


def _extension(path):
    """The extension module that goes with a library, or None."""
    wanted = os.environ.get("FREEBODY_BACKEND") or "any"
    if wanted not in ("any", "extension", "ctypes"):
        raise Error(f"FREEBODY_BACKEND is '{wanted}'; it must be \"extension\" or \"ctypes\"")
    reason = f"there is no {_EXTENSION} beside the library or the package; build it with 'make'"
    if sys.version_info < (3, 11):
        reason = "it needs Python 3.11 or later"
    for folder in [pathlib.Path(path).parent] + _folders() if wanted != "ctypes" and sys.version_info >= (3, 11) else []:
        file = folder / _EXTENSION
        if not file.is_file():
            continue
        try:
            loader = importlib.machinery.ExtensionFileLoader("freebody._native", str(file))
            module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
            loader.exec_module(module)
        except ImportError as problem:
            reason = str(problem)
            continue
        try:
            module.claim()
        except ImportError as problem:  # nor may it use that of another build
            reason = str(problem)
            break
        if module.version == FB_VERSION_TEXT:
            return module
        reason = f"{file} is of Freebody {module.version}"
    if wanted == "extension":
        raise Error(f"the extension of the Python package cannot be used: {reason}", status="FB_ERR_IO")
    return None


class Library:
    """The functions of the C library as attributes, found at first use. What differs is in the classes below."""
    backend = ""

    def __init__(self, path):
        self.path = path
        self._algorithms = {}
        found = self.fb_version().decode()
        if found != FB_VERSION_TEXT:
            raise Error(f"{self.path} is Freebody {found}, and this Python package belongs to {FB_VERSION_TEXT}; "
                        "build both from one source", status="FB_ERR_UNSUPPORTED")

    def __getattr__(self, name):
        signature = FUNCTIONS.get(name)
        if signature is None:
            raise AttributeError(name)
        function = self._function(name, signature[0], signature[1:])
        setattr(self, name, function)
        return function

    def algorithm(self, name):
        """An algorithm on arrays, by its name in _algorithms.py."""
        if name not in self._algorithms:
            self._algorithms[name] = self._algorithm(name)
        return self._algorithms[name]

    def error(self, status, failure):
        """The Error that the library reported; failure: an fb_error, or its bytes."""
        if isinstance(failure, bytes):
            failure = fb_error.from_buffer_copy(failure)
        buffer = ctypes.create_string_buffer(2048)
        self.fb_error_format(self.ref(failure), buffer, len(buffer))
        return Error(text_of(buffer.value), status=text_of(self.fb_status_name(status)), text=text_of(failure.text),
                     file=text_of(failure.file), line=failure.place.line, column=failure.place.column,
                     path=text_of(failure.path))


class ByCtypes(Library):
    """The library without a compiler."""
    backend = "ctypes"
    ref = staticmethod(ctypes.byref)  # the address of a struct, for an argument

    def __init__(self, path):
        try:
            self._c = ctypes.CDLL(path)
        except OSError as reason:
            raise _not_loaded(path, reason) from None
        super().__init__(path)

    def _function(self, name, result, arguments):
        try:
            function = getattr(self._c, name)
        except AttributeError:
            raise Error(f"{self.path} has no {name}; build the library and this Python package from one source",
                        status="FB_ERR_UNSUPPORTED") from None
        function.restype, function.argtypes = result, arguments
        return function

    def call(self, name, *arguments):
        """Calls a function that returns fb_status and takes an fb_error last; raises Error."""
        failure = fb_error()
        status = getattr(self, name)(*arguments, ctypes.byref(failure))
        if status:
            raise self.error(status, failure)

    def handle(self, model, owner, base=-1):
        from . import _plain
        return _plain.Handle(self, model, owner, base)

    def _algorithm(self, name):
        from . import _plain
        return _plain.algorithm(self, name)


class ByExtension(Library):
    """The library by way of _native."""
    backend = "extension"
    ref = staticmethod(lambda struct: struct)  # the extension takes the memory behind it

    def __init__(self, path, native):
        self.native = native
        native.set_up(Error, self.error, _numbers.doubles, _numbers.numpy and _numbers.numpy.empty)
        try:
            native.open(path)
        except OSError as reason:
            raise _not_loaded(path, reason) from None
        super().__init__(path)

    def _function(self, name, result, arguments):
        try:
            function = self.native.function(name)
        except AttributeError:
            raise Error(f"{self.path} has no {name}", status="FB_ERR_UNSUPPORTED") from None
        if isinstance(result, type) and issubclass(result, ctypes.Structure):
            return lambda *given: result.from_buffer_copy(function(*given))
        if isinstance(result, type) and issubclass(result, ctypes._Pointer):
            return lambda *given: ctypes.cast(function(*given), result)
        return function

    def call(self, name, *arguments):
        """Calls a function that returns fb_status and takes an fb_error last; raises Error."""
        getattr(self, name)(*arguments)

    def handle(self, model, owner, base=-1):
        """A model for the algorithms, with scratch memory; base: a floating tree instead."""
        return self.native.Handle(model, owner, base)

    def _algorithm(self, name):
        return self.native.algorithm(name)


@functools.lru_cache(maxsize=None)
def library():
    """The library, loaded once."""
    path = _find()
    native = _extension(path)
    return ByCtypes(path) if native is None else ByExtension(path, native)


def version():
    """The version of the C library, "0.1.0"."""
    return text_of(library().fb_version())


def backend():
    """How the library is called: "extension" or "ctypes"."""
    return library().backend


def text_of(raw):
    """Text that came from C."""
    return raw.decode("utf-8", "replace")


def bytes_of(text):
    """Text or a path for C."""
    return os.fsencode(text)


def name_for_c(name, what):
    """A name that the user gave; what: "the name of a force", for messages."""
    if not isinstance(name, str):
        raise Error(f"{what} must be a text, not {name!r:.60}")
    return name.encode()


def texts_for_c(texts):
    """A NULL-ended array of texts."""
    return (ctypes.c_char_p * (len(texts) + 1))(*[bytes_of(text) for text in texts], None)


def struct_with(default, kind, fields, what):
    """A struct of options with some of its fields set by name; what: "a contact", for messages."""
    known = [name for name, _ in kind._fields_ if not name.endswith("_")]
    for name, value in fields.items():
        if name not in known:
            raise Error(f"{what} has no '{name}'; it has {', '.join(known)}", status="FB_ERR_NAME")
        try:
            setattr(default, name, value)
        except TypeError:
            raise Error(f"{name} of {what} cannot be {value!r}") from None
    return default
