"""Every tutorial runs and makes its figure. Needs NumPy and matplotlib; tests/house/python_binding.sh runs it.

    python3 tutorials.py
"""
import os
import runpy
import sys
import tempfile
import time

from common import ROOT

FOLDER = ROOT / "bindings" / "python" / "tutorials"
PNG = b"\x89PNG\r\n\x1a\n"


def main():
    names = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "figure")
    sys.path.insert(0, str(FOLDER))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            start, figure = time.monotonic(), os.path.join(folder, name + ".png")
            sys.argv = [name, figure]
            runpy.run_path(str(FOLDER / (name + ".py")), run_name="__main__")
            with open(figure, "rb") as file:
                raw = file.read()
            if not raw.startswith(PNG) or len(raw) < 10000:
                sys.exit(f"tutorials: {name} made no figure")
            print(f"tutorials: {name}: {time.monotonic() - start:.1f} s\n")
    if len(names) != 5:
        sys.exit(f"tutorials: {len(names)} tutorials; there should be 5")


if __name__ == "__main__":
    main()
