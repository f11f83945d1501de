"""live.py -- `freebody run --live` from outside, with sockets and hand-made frames: the page, the samples, pause and
resume, who is let in, and that no client can disturb the run, whatever it sends or does not read.

  live.py FREEBODY FOLDER      makes its files in FOLDER
"""
import atexit
import base64
import fcntl
import json
import os
import pty
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import termios
import time

FREEBODY, FOLDER = sys.argv[1], sys.argv[2]
TEMPLATE = "<!doctype html><title>test</title><!--freebody-data-->"
SLOW = 5 if os.environ.get("FB_USER_CFLAGS", "").strip() else 1  # sanitizers take their time

SCENARIO = """
scenario: 1
name: arm
model:
  bodies:
    - {name: hull, mass: 50, inertia: [4, 5, 6, 0, 0, 0]}
    - name: arm
      parent: hull
      joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0.5, 0, 0]}
      mass: 4
      com: [0.3, 0, 0]
      inertia: [0.02, 0.2, 0.2, 0, 0, 0]
start: {rates: {elbow: 1}}
events:
  - {name: first, at: 0.2 s, do: [{lock: elbow}]}
  - {name: second, at: 0.5 s, do: [{release: elbow}]}
integrator: {step: 5 ms}
duration: 1000 s
log: {period: 5 ms}
"""


def check(truth, *words):
    if not truth:
        raise AssertionError(" ".join(str(w) for w in words))


def wait_for(what, seconds=10):
    """The first true value of what(), within some seconds."""
    end = time.monotonic() + seconds * SLOW
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError("it did not come about in time")


# ---- the command ----


def command(*words, **environment):
    """A command that ends by itself."""
    return subprocess.run([FREEBODY, *words], cwd=FOLDER, capture_output=True, text=True, timeout=60 * SLOW,
                          env={**os.environ, **environment})


class Run:
    """freebody run --live, on its way."""

    def __init__(self, name, *options, live="--live=0", program=(FREEBODY,)):
        self.folder = os.path.join(FOLDER, name)
        line = [*program, "run", "arm.yaml", "-o", name, "--force", live, *options]
        self.process = subprocess.Popen(line, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        atexit.register(self.process.kill)  # should a check fail
        self.said = b""
        while b"live at" not in self.said:
            line = self.process.stderr.readline()
            check(line, "it ended before it listened:", self.said)
            self.said += line
        found = re.search(rb"http://(\S+):(\d+)/", self.said)
        self.host, self.port = found[1].decode().strip("[]"), int(found[2])

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=10 * SLOW)

    def sockets(self):
        """How many it has open. (SQLite keeps descriptors of files for later.)"""
        folder, count = f"/proc/{self.process.pid}/fd", 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                pass  # closed meanwhile
        return count

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self):
        out, err = self.process.communicate(timeout=30 * SLOW)
        self.out, self.err = out.decode(), (self.said + err).decode()
        check("Sanitizer" not in self.err and "runtime error" not in self.err, self.err)
        return self.process.returncode

    def stored(self):
        """What the store holds, column after column, t first."""
        db = sqlite3.connect(f"file:{self.folder}/run.db?mode=ro", uri=True)
        width = db.execute("SELECT count(*) FROM signal").fetchone()[0] + 1
        columns = [b""] * width
        for count, data in db.execute("SELECT count, data FROM block ORDER BY first"):
            for i in range(width):
                columns[i] += data[8 * count * i : 8 * count * (i + 1)]
        db.close()
        return columns


# ---- HTTP and WebSocket by hand ----


def ask(run, path="/", method="GET", host=None, more=""):
    """Code, headers and body of a request of its own."""
    with run.connect() as s:
        host = f"{run.host}:{run.port}" if host is None else host
        s.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n".encode())
        answer = b""
        while piece := s.recv(65536):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return (int(lines[0].split()[1]) if lines[0] else 0), headers, body


def frame(payload, opcode=1, fin=1, masked=1, rsv=0):
    """A frame as clients send it."""
    size, mask = len(payload), b"\x12\x34\x56\x78"
    head = bytes([fin << 7 | rsv << 4 | opcode])
    flag = masked << 7
    if size < 126:
        head += bytes([flag | size])
    elif size < 65536:
        head += bytes([flag | 126]) + struct.pack(">H", size)
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", size)
    if not masked:
        return head + payload
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


class Client:
    """A WebSocket."""

    def __init__(self, run, path="/live", host=None, more="", key=None):
        self.socket = run.connect()
        host = f"{run.host}:{run.port}" if host is None else host
        key = base64.b64encode(b"0123456789abcdef").decode() if key is None else key
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n".encode()
        )
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.socket.recv(4096)
            if not piece:
                break
            self.rest += piece
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        words = head.split(b" ")
        self.code = int(words[1]) if len(words) > 1 else 0
        self.status = self.close_code = None
        self.events, self.texts, self.columns, self.samples = [], [], None, 0

    def say(self, words):
        self.socket.sendall(frame(json.dumps(words).encode()))

    def take(self, count):
        while len(self.rest) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise EOFError
            self.rest += piece
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def message(self):
        """Opcode and payload of the next message."""
        first, size = self.take(2)
        check(first & 0x70 == 0 and size < 128, "an odd frame")
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        payload = self.take(size)
        if not first & 0x80:
            payload += self.message()[1]
        return first & 15, payload

    def hear(self):
        """Takes in one message; False after the close."""
        opcode, payload = self.message()
        if opcode == 8:
            self.close_code = struct.unpack(">H", payload[:2])[0] if len(payload) > 1 else 0
            self.socket.sendall(frame(payload[:2], 8))
            return False
        if opcode == 9:
            self.socket.sendall(frame(payload, 10))
        if opcode == 1:
            self.status = json.loads(payload)
            self.texts.append(self.status)
            check(self.status["first_event"] == len(self.events), "events are missing or come twice")
            self.events += self.status["events"]
        if opcode == 2:
            first, count = (int(x) for x in struct.unpack("<2d", payload[:16]))
            width = (len(payload) // 8 - 2) // count
            self.columns = self.columns or [b""] * width
            check(len(payload) == 8 * (2 + width * count) and len(payload) <= 8 * 65540, "the size of a message")
            check(first == self.samples, f"samples from {first} instead of {self.samples} on")
            for i in range(width):
                self.columns[i] += payload[16 + 8 * count * i : 16 + 8 * count * (i + 1)]
            self.samples += count
        return True

    def hear_until(self, what, seconds=10):
        end = time.monotonic() + seconds * SLOW
        while not what():
            check(time.monotonic() < end, "it did not come about in time:", self.status, self.samples)
            check(self.hear(), "the server said goodbye with", self.close_code)

    def hear_out(self):
        try:
            while self.hear():
                pass
        except (EOFError, ConnectionError):
            pass
        return self.close_code

    def time(self):
        return struct.unpack("<d", self.columns[0][-8:])[0] if self.columns else 0

    def close(self):
        self.socket.close()


def watcher(run, start=0):
    client = Client(run)
    check(client.code == 101, "no WebSocket:", client.code)
    client.say({"from": start})
    client.samples = start
    return client


# ---- what is true ----


def the_page_is_served_and_nothing_else(run):
    code, headers, body = ask(run)
    check(code == 200 and b'"live": {"path": "/live"}' in body and b"<title>test</title>" in body, code, body[:200])
    check(int(headers["content-length"]) == len(body), headers)
    expected = {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
    }
    for name, value in expected.items():
        check(headers.get(name) == value, name, headers)
    code, headers, nothing = ask(run, method="HEAD")
    check(code == 200 and int(headers["content-length"]) > 100 and nothing == b"", code, headers, nothing)
    for path in ("/x", "/live/", "/../arm.yaml", "/%2e%2e/arm.yaml", "/run.db", "/" + "x" * 3000):
        check(ask(run, path)[0] == 404, path)
    check(ask(run, "/live")[0] == 400)
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        check(ask(run, method=method, more="Content-Length: 0\r\n")[0] == 405, method)
    # One answer a connection, whatever else is asked: a second request with a body once kept the server busy for ever.
    with run.connect() as s:
        s.sendall((f"HEAD / HTTP/1.1\r\nHost: localhost:{run.port}\r\n\r\n"
                   f"GET /x HTTP/1.1\r\nHost: localhost:{run.port}\r\nContent-Length: 3\r\n\r\nabcdefgh").encode())
        answer = b""
        while piece := s.recv(4096):
            answer += piece
        check(answer.startswith(b"HTTP/1.1 200") and answer.count(b"HTTP/1.1") == 1, answer)
    check(ask(run)[0] == 200)


def strangers_are_refused(run):
    here = f"{run.host}:{run.port}"
    for host in ("evil.example", f"evil.example:{run.port}", "", "127.0.0.1.evil.example", "127.0.0.1:80:80",
                 "localhost@evil.example", "[::1", "::1", "127.0.0.1, evil.example", "x" * 300):
        check(ask(run, host=host)[0] in (0, 400, 403), "Host", host)
        check(Client(run, host=host).code in (0, 400, 403), "WebSocket with Host", host)
    for host in ("localhost", "LocalHost:1", "127.0.0.1", "[::1]:99"):  # the port may be that of a tunnel
        check(ask(run, host=host)[0] == 200, "Host", host)
    for origin in ("http://evil.example", "null", "https://" + here, "http://localhost:1", "http://" + here + "/",
                   f"http://{here}.evil.example", "file://", "http://" + "x" * 400):
        check(Client(run, more=f"Origin: {origin}\r\n").code in (0, 403), "Origin", origin)
    check(Client(run, more="Origin: http://evil.example\r\n").code == 403, "a foreign Origin is told so")
    check(Client(run, more=f"Origin: http://{here}\r\n").code == 101, "our own Origin")
    check(Client(run, host="LOCALHOST:5", more="Origin: http://localhost:5\r\n").code == 101, "through a tunnel")
    check(Client(run, path="/").code == 404 and Client(run, path="/livewire").code == 404, "another path")


def pour(s, words):
    """Says it, and listens until the server has had enough."""
    try:
        s.sendall(words)
        s.shutdown(socket.SHUT_WR)
        while s.recv(65536):
            pass
    except TimeoutError:
        raise
    except OSError:
        pass


def nonsense_is_survived(run):
    def closed_with(client):
        code = client.hear_out()
        client.close()
        return code

    texts = (b"", b"{", b"null", b"[]", b'"from"', b"{}", b'{"from"}', b'{"from": -1}', b'{"from": 1.5}',
             b'{"from": 01}', b'{"from": 1e3}', b'{"from": 99999999999999999999}', b'{"from": 0} x', b'{"from": 0,}',
             b'{"from": "0"}', b'{"pause": 1}', b'{"pause": "true"}', b'{"pause": truex}',
             b'{"pause": true, "from": 0}', b'{"stop": true}', b"\xff\xfe", b'{"from": 0}\x00', b"[" * 200)
    for text in texts:
        client = Client(run)
        client.socket.sendall(frame(text))
        check(closed_with(client) == 1007, "closed with another code for", text)
    for words, code in (
        (frame(b'{"from": 0}', opcode=2), 1003),  # binary
        (frame(b" " * 257), 1009),  # long
        (frame(b'{"from":' + b" " * 70000 + b"0}"), 1009),
        (frame(b" " * 200, fin=0) + frame(b" " * 200, opcode=0), 1009),  # long in pieces
    ):
        client = Client(run)
        client.socket.sendall(words)
        check(closed_with(client) == code, words[:20], "closed with another code than", code)
    odd = (
        frame(b'{"from": 0}', masked=0),  # clients must mask
        frame(b"x", opcode=3), frame(b"x", opcode=11),  # no such frames
        frame(b"x", rsv=4), frame(b"x", rsv=1),
        frame(b"x", opcode=0),  # goes on with nothing
        frame(b'{"fr', fin=0) + frame(b'{"from": 0}'),  # begins again in the midst
        frame(b"x" * 126, opcode=9), frame(b"x", opcode=9, fin=0), frame(b"\x03", opcode=8),
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",  # 2^64 bytes are to come
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00",
        b"\x81\xfe\x00\x01\x00\x00\x00\x00x",  # a length in more bytes than it needs
        os.urandom(3000), b"\x00" * 3000, b"GET / HTTP/1.1\r\n\r\n",
    )
    for words in odd:
        client = Client(run)
        pour(client.socket, words)
        client.close()
    for words in (b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,  # TLS
                  b"GET", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x00" * 500,
                  b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 5000 + b"\r\n",
                  b"GET / HTTP/1.1\r\nHost: " + b"x" * 20000, b"GET / HTTP/1.0\r\n\r\n", os.urandom(2000),
                  b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                  b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
                  b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                  b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: smoke\r\nConnection: Upgrade\r\n\r\n",
                  b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\nx"):
        with run.connect() as s:
            pour(s, words)
    # In pieces and with blanks is no nonsense.
    client = Client(run)
    for i, piece in enumerate((b' \n{ "fr', b"", b'om"\t:', b" 0 } ")):
        client.socket.sendall(frame(piece, opcode=0 if i else 1, fin=i == 3) + frame(b"hello", opcode=9))
    client.hear_until(lambda: client.samples > 5)
    client.close()


def a_crowd_leaves_nothing_behind(run, before):
    sockets = [run.connect() for _ in range(100)]
    refused = 0
    for s in sockets:
        s.settimeout(0.01)
        try:
            refused += s.recv(100).startswith(b"HTTP/1.1 503")
        except TimeoutError:
            pass
        except ConnectionError:
            refused += 1
    check(refused >= 30, "so many are not refused:", refused)
    for s in sockets:
        s.close()
    for _ in range(50):
        run.connect().close()
        s = run.connect()
        s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes with a reset
        s.close()
    wait_for(lambda: run.sockets() <= before)
    check(run.descriptors() < 24, "so many descriptors:", run.descriptors())


def pause_stops_time(run):
    one, two = watcher(run), watcher(run)
    one.hear_until(lambda: one.samples > 0)
    two.say({"pause": True})
    for client in (one, two):
        client.hear_until(lambda client=client: client.status and client.status["paused"])
    time.sleep(0.25)  # what was on its way
    late = watcher(run)
    late.hear_until(lambda: late.status and late.samples >= late.status["samples"])
    check(late.status["paused"] and late.status["status"] == "running", late.status)
    t, begin = late.time(), time.monotonic()
    time.sleep(0.5)
    late.socket.settimeout(0.05)
    try:
        check(not late.rest and not late.socket.recv(1), "samples while paused")
    except TimeoutError:
        pass
    late.socket.settimeout(10 * SLOW)
    late.say({"pause": False})
    late.hear_until(lambda: late.time() > t + 0.2)
    check(not late.status["paused"], late.status)
    # Time went on from where it stood: nothing was to be made up for.
    check(late.time() - t < time.monotonic() - begin - 0.4, "the pause was made up for")
    for client in (one, two, late):
        client.close()


def who_does_not_read_slows_nobody(run):
    """Twenty ask for everything and read nothing; somebody else still sees time keep step with the clock."""
    lazy = [watcher(run) for _ in range(20)]
    good = watcher(run)
    good.hear_until(lambda: good.status and good.samples >= good.status["samples"])
    t, begin = good.time(), time.monotonic()
    good.hear_until(lambda: good.time() > t + 1)
    took = time.monotonic() - begin
    check(took < 1.3 + 2 * (SLOW - 1), "a second took", took)
    return lazy, good


def only_the_address_asked_for_listens(run):
    for table in ("tcp", "tcp6"):
        try:
            lines = open(f"/proc/net/{table}").read().split("\n")[1:]
        except FileNotFoundError:
            continue
        for line in lines:
            fields = line.split()
            if len(fields) > 3 and fields[3] == "0A" and int(fields[1].split(":")[1], 16) == run.port:
                check(fields[1].split(":")[0] == "0100007F", "it listens on", fields[1])


def the_stream_is_the_store(run):
    """From the beginning to the end, late and in the midst: all see the same, and it is what the store holds."""
    first = watcher(run)
    first.hear_until(lambda: first.samples > 0)  # so the store is open
    before = run.sockets()
    the_page_is_served_and_nothing_else(run)
    strangers_are_refused(run)
    nonsense_is_survived(run)
    a_crowd_leaves_nothing_behind(run, before)
    only_the_address_asked_for_listens(run)
    pause_stops_time(run)
    lazy, good = who_does_not_read_slows_nobody(run)
    middle = watcher(run, 50)
    first.hear_until(lambda: len(first.events) == 2)
    silent = Client(run)
    begin = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    clients = [first, good, middle, silent]
    check([c.hear_out() for c in clients] == [1000] * 4, "goodbye with", [c.close_code for c in clients])
    check(run.wait() == 1 and "interrupted" in run.err, run.err)
    check(time.monotonic() - begin < 4 * SLOW, "the end took", time.monotonic() - begin)
    for client in lazy:
        client.close()
    stored = run.stored()
    check(first.columns == stored and good.columns == stored, "what was sent is not what is stored")
    check(middle.columns == [column[50 * 8 :] for column in stored], "from sample 50 on")
    check([e["name"] for e in first.events] == ["first", "second"] and first.events[0]["t"] == 0.2, first.events)
    check(first.status["status"] == "interrupted" and first.status["samples"] == first.samples, first.status)
    check(good.texts[0]["status"] == "running", good.texts[0])


def watching_changes_nothing(plain):
    """A run in step with nothing, watched, to its end: the bits of one that nobody watched."""
    for _ in range(10):  # it may be over before the client is in
        run = Run("fast", "--realtime=0", "--duration", "100")
        try:
            client = watcher(run)
            client.hear_out()
        except (AssertionError, ConnectionError):
            client = None
        check(run.wait() == 0 and "finished" in run.out and "deadlines" not in run.out, run.err, run.out)
        stored = run.stored()
        check(stored == plain and len(stored[0]) == 8 * 20001, "a watched run differs")
        if client and client.columns:
            break
    check(client and client.columns, "nobody could watch")
    check(client.columns == stored and client.status["status"] == "finished", "not all of it was seen", client.status)
    exported = []
    for name in ("plain", "fast"):
        check(command("export", name, "-o", name + ".csv").returncode == 0, name)
        exported.append(open(os.path.join(FOLDER, name + ".csv"), "rb").read())
    check(exported[0] == exported[1], "exports differ")


def places_to_listen():
    taken = socket.socket()
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 8717))
        taken.listen()
    except OSError:
        pass  # somebody else has it: as good
    run = Run("next", live="--live")
    check(8717 < run.port <= 8737, "the next port is", run.port)
    busy = run.port
    refused = command("run", "arm.yaml", "-o", "busy", f"--live={busy}")
    check(refused.returncode == 1 and "is taken by another program" in refused.stderr, refused.stderr)
    check(not os.path.exists(os.path.join(FOLDER, "busy")), "a run that did not begin left a folder")
    check(run.interrupt() == 1)
    check("realtime" in json.load(open(run.folder + "/summary.json"))["wall"], "--live keeps step with the clock")
    taken.close()
    wide = Run("wide", "--duration", "2", "--quiet", live="--live=0.0.0.0:0")
    own = socket.gethostname().split(".")[0]
    for host in ("192.0.2.7", "192.0.2.7:80", "[2001:db8::7]:1", "localhost", own, own.upper() + ".lan:80"):
        check(wide.host == "127.0.0.1" and ask(wide, host=host)[0] == 200, "Host elsewhere", host, wide.said)
    for host in ("evil.example", own + "x", own + "-evil.example", "192.0.2.7.evil.example", "[2001:db8::7", "[]"):
        check(ask(wide, host=host)[0] in (0, 400, 403), "a foreign Host elsewhere", host)
    check(Client(wide, more="Origin: http://evil.example\r\n").code == 403, "a foreign Origin elsewhere")
    check(wide.wait() == 0 and "anybody who reaches" in wide.err and wide.out == "", wide.err, wide.out)
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") and " lo" in open("/proc/net/if_inet6").read():
        six = Run("six", "--duration", "1", live="--live=[::1]:0")
        check(six.host == "::1" and ask(six, host=f"[::1]:{six.port}")[0] == 200, six.said)
        check(six.wait() == 0 and "anybody" not in six.err, six.err)
    for text, code, words in (
        ("--live=", 2, "--live takes"), ("--live=99999", 2, "--live takes"), ("--live=nowhere:1", 2, "--live takes"),
        ("--live=::1", 2, "--live takes"), ("--live=[::1", 2, "--live takes"),
        ("--live=127.0.0.1:x", 2, "--live takes"), ("--live=1.2.3:80", 2, "--live takes"),
        ("--live=203.0.113.77:0", 1, "no address 203.0.113.77"),
    ):
        got = command("run", "arm.yaml", "-o", "never", text)
        check(got.returncode == code and words in got.stderr, text, got.returncode, got.stderr)
    gone = command("run", "arm.yaml", "-o", "never", "--live=0", FREEBODY_VIEWER="/nowhere/viewer.html")
    check(gone.returncode == 1 and "/nowhere/viewer.html" in gone.stderr, gone.returncode, gone.stderr)
    check(not os.path.exists(os.path.join(FOLDER, "never")), "a run that did not begin left a folder")


def a_resumed_run_can_be_watched():
    run = Run("again", "--duration", "1.5", "--set", "checkpoint=0.5s")
    client = watcher(run)
    client.hear_until(lambda: client.time() > 0.8)
    check(run.interrupt() == 1)
    line = [FREEBODY, "run", "--resume", "again", "--live=0"]
    run.process = subprocess.Popen(line, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    run.said = run.process.stderr.readline()
    run.port = int(re.search(rb":(\d+)/", run.said)[1])
    client = watcher(run)
    check(client.hear_out() == 1000 and run.wait() == 0, run.err)
    check(client.columns == run.stored() and client.time() == 1.5, client.time())


def a_terminal_says_that_the_run_is_held():
    """And Ctrl-C ends a run that is held."""
    terminal, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("4H", 24, 120, 0, 0))
    process = subprocess.Popen([FREEBODY, "run", "arm.yaml", "-o", "held", "--live=0"], cwd=FOLDER, stdout=side,
                               stderr=side, env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
    atexit.register(process.kill)
    os.close(side)
    run, shown = type("Where", (), {"host": "127.0.0.1", "connect": Run.connect})(), b""

    def show_until(words):
        nonlocal shown
        while words not in shown:
            shown += os.read(terminal, 4096)

    show_until(b"/\r\n")
    run.port = int(re.search(rb":(\d+)/", shown)[1])
    show_until(b" ETA ")
    client = watcher(run)
    client.say({"pause": True})
    show_until(b"  paused")
    process.send_signal(signal.SIGINT)
    check(process.wait(10 * SLOW) == 1 and client.hear_out() == 1000, client.close_code)
    os.close(terminal)


def long_steps_can_be_watched_and_held():
    """In slow motion a step takes five seconds here; what it computed is there at once, and so is the pause."""
    run = Run("slow", "--set", "integrator.step=50ms", "--set", "log.period=50ms", "--realtime=0.01")
    begin = time.monotonic()
    client = watcher(run)
    client.hear_until(lambda: client.samples == 2, 4)
    client.say({"pause": True})
    client.hear_until(lambda: client.status["paused"], 4)
    client.say({"pause": False})
    client.hear_until(lambda: not client.status["paused"], 4)
    check(client.samples == 2 or SLOW > 1, "it did not keep step with the clock")
    check(run.interrupt() == 1 and time.monotonic() - begin < 4 * SLOW, "it waited for the end of the step")


def main():
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, "arm.yaml"), "w") as f:
        f.write(SCENARIO)
    with open(os.path.join(FOLDER, "template.html"), "w") as f:
        f.write(TEMPLATE)
    os.environ["FREEBODY_VIEWER"] = os.path.join(FOLDER, "template.html")
    check(command("run", "arm.yaml", "-o", "plain", "--quiet", "--duration", "100").returncode == 0)
    plain = Run.stored(type("Folder", (), {"folder": os.path.join(FOLDER, "plain")}))
    the_stream_is_the_store(Run("run"))
    watching_changes_nothing(plain)
    a_resumed_run_can_be_watched()
    a_terminal_says_that_the_run_is_held()
    long_steps_can_be_watched_and_held()
    places_to_listen()
    print("live: ok")


main()
