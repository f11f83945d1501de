#!/usr/bin/env python3
"""The controller of remote_arm.yaml, in a process of its own (docs/remote.md).

  controller.py [ADDRESS [RUNS]]      ADDRESS: a UDP port of this machine (8719), or the path of a Unix socket
                                      RUNS: how many runs to serve before it ends (1)

It finds its signals by the names that HELLO brings, and its inputs likewise.
"""
import os
import socket
import struct
import sys

HEADER = struct.Struct("<IHHIIQd")  # magic, version, type, size, session, number, t
MAGIC, VERSION = 0x4D524246, 1
HELLO, WELCOME, STEP, REPLY, END, REFUSE = range(1, 7)
NEEDED = ["q.shoulder", "q.elbow", "v.shoulder", "v.elbow", "rpy.bus.yaw", "omega.bus.z"]
TARGET = {"shoulder": 0.9, "elbow": -1.3}  # rad
MOVE = 8.0  # s


def path(t):
    """From 0 to 1 in MOVE seconds, with its rate: at rest at both ends."""
    s = min(max(t / MOVE, 0), 1)
    return s**3 * (10 + s * (6 * s - 15)), 30 * s**2 * (1 - s) ** 2 / MOVE


def law(t, x):
    """Inputs by name, from signals by name."""
    part, rate = path(t)
    u = {"phase": 1.0 if t < MOVE else 2.0, "torque.bus.z": -60 * x["rpy.bus.yaw"] - 80 * x["omega.bus.z"]}
    for joint, kp, kd in (("shoulder", 60, 40), ("elbow", 20, 12)):
        error = part * TARGET[joint] - x["q." + joint]
        u["tau." + joint] = kp * error + kd * (rate * TARGET[joint] - x["v." + joint])
    return u


def serve(receive, send):
    """One run, from HELLO to END."""
    signals = inputs = []
    while True:
        message = receive()
        if len(message) < HEADER.size:
            return  # the connection is closed
        magic, version, kind, _, session, number, t = HEADER.unpack_from(message)
        if magic != MAGIC or kind == END:
            return
        if kind == HELLO:
            nsignal, ninput = struct.unpack_from("<II", message, HEADER.size)
            names = [line.split("\t")[0] for line in message[64:].decode().splitlines()]
            signals, inputs = names[:nsignal], names[nsignal:]
            missing = [name for name in NEEDED if name not in signals]
            kind, body = WELCOME, struct.pack("<II", nsignal, ninput)
            if version != VERSION or missing:
                kind, body = REFUSE, f"version {VERSION} and the signals {', '.join(missing)} are needed".encode()
        else:
            u = law(t, dict(zip(signals, struct.unpack_from(f"<{len(signals)}d", message, HEADER.size))))
            kind, body = REPLY, struct.pack(f"<{len(inputs)}d", *(u.get(name, 0.0) for name in inputs))
        send(HEADER.pack(MAGIC, VERSION, kind, HEADER.size + len(body), session, number, t) + body)


def main(address="8719", runs="1"):
    is_udp = address.isdigit()
    door = socket.socket(socket.AF_INET if is_udp else socket.AF_UNIX,
                         socket.SOCK_DGRAM if is_udp else socket.SOCK_SEQPACKET)
    door.bind(("127.0.0.1", int(address)) if is_udp else address)
    if not is_udp:
        door.listen(1)
    for _ in range(int(runs)):
        if is_udp:
            sender = [None]

            def receive():
                message, sender[0] = door.recvfrom(65536)
                return message

            serve(receive, lambda answer: door.sendto(answer, sender[0]))
        else:
            link = door.accept()[0]
            try:
                serve(lambda: link.recv(65536), link.send)
            except ConnectionError:
                pass  # the run was killed
            link.close()
    if not is_udp:
        os.unlink(address)


if __name__ == "__main__":
    main(*sys.argv[1:3])
