"""whole_runs.py -- processor time of shipped scenarios, from the start of the command to its end.

  python3 bench/whole_runs.py COMMAND [OLDER] [SCENARIO...]

COMMAND, OLDER: two builds of freebody, which take turns; without OLDER one alone. SCENARIO: files, else those in which time was found
to be spent. The best of five runs each, user and system time, in milliseconds.
"""
import os
import resource
import subprocess
import sys
import tempfile

ROUNDS = 5
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenarios")
USUAL = ["ets7/ets7", "capture/capture", "rover/climb", "muses_c/muses_c", "docking/docking", "contact_work/contact_work",
         "walker/walker", "pendulum/pendulum"]


def milliseconds(words):
    """Processor time of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    files = [word for word in sys.argv[1:] if word.endswith((".yaml", ".json"))]
    commands = [word for word in sys.argv[1:] if word not in files]
    files = files or [os.path.join(TOP, name + ".yaml") for name in USUAL]
    print(f"{'scenario':28}{'ms':>9}" + (f"{'older':>9}{'ratio':>7}" if len(commands) > 1 else ""))
    with tempfile.TemporaryDirectory() as work:
        runs = [("--version", ["--version"])]
        runs += [(os.path.splitext(os.path.basename(f))[0], ["run", f, "--force", "--output", os.path.join(work, "run")])
                 for f in files]
        for name, words in runs:
            best = [min(times) for times in
                    zip(*[[milliseconds([command, *words]) for command in commands] for _ in range(ROUNDS)])]
            older = f"{best[1]:9.1f}{best[0] / best[1]:7.2f}" if len(best) > 1 else ""
            print(f"{name:28}{best[0]:9.1f}{older}", flush=True)


main()
