"""controller.py -- a remote controller for runs of the sweep: it answers over UDP, to any number of runs at once, since
what it replies depends on nothing but the step that it answers (docs/remote.md)."""

import socket
import struct
import threading

HEADER = struct.Struct("<IHHIIQd")  # magic, version, type, size, session, number, t
HELLO, WELCOME, STEP, REPLY = 1, 2, 3, 4


def answer(message):
    """The answer to a message, or None."""
    if len(message) < HEADER.size:
        return None
    magic, version, kind, _, session, number, t = HEADER.unpack_from(message)
    if kind == HELLO:
        kind, body = WELCOME, message[32:40]
    elif kind == STEP:
        q, v = struct.unpack_from("<2d", message, HEADER.size)
        kind, body = REPLY, struct.pack("<d", 10 * (0.5 - q) - 2 * v)
    else:
        return None
    return HEADER.pack(magic, version, kind, HEADER.size + len(body), session, number, t) + body


def start():
    """Serves for as long as the process lives; the port."""
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("127.0.0.1", 0))

    def serve():
        while True:
            message, sender = link.recvfrom(65536)
            reply = answer(message)
            if reply:
                link.sendto(reply, sender)

    threading.Thread(target=serve, daemon=True).start()
    return link.getsockname()[1]
