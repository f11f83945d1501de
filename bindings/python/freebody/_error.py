"""The one exception of this package, and its one warning."""
import difflib


class Error(Exception):
    """What is wrong, where, and what to do. str() of it is "file:line:column: path: text", as the command prints.

    status   "FB_ERR_NAME", "FB_ERR_IO" ... (include/freebody/status.h)
    text     the sentence alone
    file     as the caller named it, or ""
    line     in the file, from 1; 0 when not known
    column   the same
    path     place in the document, as bodies[3].joint.axis; or ""
    """

    def __init__(self, message, status="FB_ERR_ARG", text=None, file="", line=0, column=0, path=""):
        super().__init__(message)
        self.status = status
        self.text = message if text is None else text
        self.file = file
        self.line = line
        self.column = column
        self.path = path


class MotionWarning(UserWarning):
    """A motion that should not be trusted, or that begins where nobody would put it: what `freebody run` prints as a warning.

    warnings.simplefilter("error", freebody.MotionWarning) makes it an exception.
    """


Error.__module__ = MotionWarning.__module__ = "freebody"  # where users find them


def unknown_name(what, name, known):
    """The Error for a name that is not there, with the nearest that is."""
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return Error(f"there is no {what} '{name}'{hint}", status="FB_ERR_NAME")
