"""server.py -- executes command lines of `freebody` with a fault, many from one start (see fault_server.c)."""

import os
import subprocess

SECONDS = 20  # a command that takes longer hangs


class Result:
    """How an execution ended, what it said, and how many calls of the kind there were."""

    def __init__(self, status, seen, fired, prefix):
        self.seen, self.fired = seen, fired
        self.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        self.code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        self.out, self.err, self.trace = (read_text(prefix + ending) for ending in (".out", ".err", ".trace"))


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


class Server:
    """One command line, stopped where its main begins."""

    def __init__(self, program, library, command):
        environment = {name: text for name, text in os.environ.items() if not name.startswith("FAULT_")}
        environment.update(LD_PRELOAD=library, FAULT_SERVER="1", NO_COLOR="1", LC_ALL="C")
        self.process = subprocess.Popen([program] + command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=environment)

    def execute(self, folder, prefix, fault=("none", 0, "once")):
        kind, at, mode = fault
        line = f"{kind} {at} {mode} {SECONDS} {folder} {prefix}\n"
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
            reply = self.process.stdout.readline().split()
        except BrokenPipeError:
            reply = []
        if len(reply) != 3:
            raise RuntimeError(f"no answer to '{line.strip()}'")
        return Result(int(reply[0]), int(reply[1]), int(reply[2]), prefix)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
