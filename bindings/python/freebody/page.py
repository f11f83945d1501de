"""The page that shows a run or a model in three dimensions, with its plots: one HTML file that needs no server."""
from __future__ import annotations

import ctypes
import html
import os
import pathlib
import tempfile
import webbrowser
import weakref

from . import _structs
from ._copies import Shared
from ._error import Error
from ._library import bytes_of, library, text_of

_HERE = pathlib.Path(__file__).resolve().parent


def template():
    """The viewer's template: that of FREEBODY_VIEWER, beside the package, in the build or as installed."""
    named = os.environ.get("FREEBODY_VIEWER")
    if named:
        return named
    library_folder = pathlib.Path(library().path).resolve().parent
    places = [_HERE / "viewer.html", library_folder.parent / "share" / "freebody" / "viewer.html",
              *(parent / "share" / "freebody" / "viewer.html" for parent in list(_HERE.parents)[:5])]
    if _HERE.parent.name == "python" and _HERE.parent.parent.name == "bindings":
        places += [_HERE.parents[2] / "build" / "share" / "freebody" / "viewer.html",
                   _HERE.parents[2] / "viewer" / "dist" / "viewer.html"]
    for place in places:
        if place.is_file():
            return str(place)
    raise Error("the viewer's page is not found: no viewer.html beside the package or in the build. Build it with 'make', "
                "which needs npm, or name it in the environment variable FREEBODY_VIEWER", status="FB_ERR_IO")


class Page(Shared):
    """A page that was written: file is where. In a notebook it is shown inline; open() shows it in the browser."""

    def __init__(self, file, height, notes):
        self.file, self.height, self.notes = os.fspath(file), height, notes

    def __repr__(self):
        return f"<freebody.Page {self.file!r}>"

    def _repr_html_(self):
        text = pathlib.Path(self.file).read_text(encoding="utf-8")
        return (f"<iframe srcdoc=\"{html.escape(text)}\" width=\"100%\" height=\"{int(self.height)}\" "
                "style=\"border:1px solid #ccc\" sandbox=\"allow-scripts\"></iframe>")

    def open(self):
        """Shows it in the browser."""
        webbrowser.open(pathlib.Path(self.file).resolve().as_uri())
        return self

    @classmethod
    def _write(cls, function, pointer, file, height, others=()):
        c, notes = library(), []
        own = file is None
        if own:
            handle, file = tempfile.mkstemp(".html", "freebody-")
            os.close(handle)
        options = c.fb_default_picture_options()
        options.page_template = bytes_of(template())
        options.note = _structs.fb_note_fn(lambda user, text: notes.append(text_of(text)))
        stores = (ctypes.c_void_p * max(1, len(others)))(*others)
        options.others, options.nother = ctypes.addressof(stores), len(others)
        c.call(function, pointer, bytes_of(file), c.ref(options))
        page = cls(file, height, notes)
        if own:
            weakref.finalize(page, _remove, file)
        return page

    @classmethod
    def of_model(cls, model, file=None, height=600):
        """The page of a model: its joints are moved by sliders."""
        return cls._write("fb_model_write_page", model._m, file, height)

    @classmethod
    def of_run(cls, run, file=None, height=600, others=()):
        """The page of a run, with others drawn as ghosts."""
        with run._lock:
            return cls._write("fb_store_write_page", run._store_now(), file, height, [other._store_now() for other in others])


def _remove(file):
    """A page without a name of the user's goes with its object."""
    try:
        os.remove(file)
    except OSError:
        pass
