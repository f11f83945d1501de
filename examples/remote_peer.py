#!/usr/bin/env python3
"""A controller for `type: remote` (docs/remote.md): it holds joints at 0.5 rad by a PD law.

  remote_peer.py [ADDRESS]      a UDP port of this machine (9000), or the path of a Unix socket

It is sent q of some joints, then v of the same joints, and answers with their efforts. It serves one run, and ends
with it. Nothing but Python is needed.
"""
import os
import socket
import struct
import sys

HEADER = struct.Struct("<IHHIIQd")  # magic, version, type, size, session, number, t
HELLO, WELCOME, STEP, REPLY, END = 1, 2, 3, 4, 5

address = sys.argv[1] if len(sys.argv) > 1 else "9000"
if address.isdigit():
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.bind(("127.0.0.1", int(address)))
else:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door.bind(address)
    door.listen(1)
    link = door.accept()[0]
    os.unlink(address)
while True:
    message, sender = link.recvfrom(65536)
    if len(message) < HEADER.size:
        break  # the connection is closed
    magic, version, kind, size, session, number, t = HEADER.unpack_from(message)
    if kind == END:
        break
    if kind == HELLO:
        nsignal, ninput = struct.unpack_from("<II", message, HEADER.size)
        names = [line.split("\t")[0] for line in message[64:].decode().splitlines()]
        print("signals:", *names[:nsignal], " inputs:", *names[nsignal:], flush=True)
        kind, body = WELCOME, struct.pack("<II", nsignal, ninput)
    else:
        x = struct.unpack_from(f"<{nsignal}d", message, HEADER.size)
        u = [100 * (0.5 - q) - 20 * v for q, v in zip(x[:ninput], x[ninput:])]
        kind, body = REPLY, struct.pack(f"<{ninput}d", *u)
    answer = HEADER.pack(magic, version, kind, HEADER.size + len(body), session, number, t) + body
    link.sendto(answer, sender) if sender else link.send(answer)
