"""Ctrl-C while C waits for another process. Python's own handler would raise inside the function by which C asks whether to
go on, and what such a function raises is lost."""
import contextlib
import signal
import threading


@contextlib.contextmanager
def noted(heard):
    """Within it Ctrl-C is noted in the list `heard`, and raised at the end. A handler of the program's own is left alone."""
    if (threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if heard:
            heard.clear()
            raise KeyboardInterrupt from None
