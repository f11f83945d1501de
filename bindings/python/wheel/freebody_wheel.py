"""Makes the wheel of the Python package: a build backend (PEP 517, PEP 660) of the standard library alone.

It builds libfreebody_all, the extension and the viewer's page as `make` does, in build/ of the repository or in the folder
that FREEBODY_BUILD names, and packs them with the package. Where the headers of Python are missing the wheel has no
extension, and the package uses ctypes.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
SUMMARY = "Dynamics of free-floating and fixed robots"


class Failed(Exception):
    """What went wrong, and what to do."""


def version():
    text = (ROOT / "include" / "freebody" / "version.h").read_text(encoding="utf-8")
    return re.search(r'FB_VERSION_TEXT "([^"]+)"', text).group(1)


# ---- building ----


def run(*command):
    try:
        done = subprocess.run([str(word) for word in command], cwd=ROOT)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not installed; Freebody is built with CMake and a C compiler") from None
    return done.returncode == 0


def built():
    """Builds what the package needs; {name in the package: file}."""
    if not (ROOT / "CMakeLists.txt").is_file():
        raise Failed("the package is built from a checkout of Freebody, by pip 21.3 or later: pip install ./bindings/python")
    folder = pathlib.Path(os.environ.get("FREEBODY_BUILD", ROOT / "build")).resolve()
    if not (folder / "CMakeCache.txt").is_file():
        if not run("cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DFB_TESTS=OFF",
                   f"-DPython3_EXECUTABLE={sys.executable}"):
            raise Failed("CMake could not configure Freebody; `scripts/setup` installs what it needs")
    if not run("cmake", "--build", folder, "--parallel", os.cpu_count() or 1, "--target", "freebody_all", "viewer_page"):
        raise Failed("the library could not be built")
    files = {path.name: path for path in (folder / "lib").glob("libfreebody_all.*")}
    page = folder / "share" / "freebody" / "viewer.html"
    if page.is_file():
        files["viewer.html"] = page
    if sys.version_info >= (3, 11) and run("cmake", "--build", folder, "--target", "freebody_python"):
        files["_native.abi3.so"] = folder / "lib" / "_native.abi3.so"
    else:
        print("freebody: there is no extension in this wheel; the package uses ctypes")
    return files


def tag(files):
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"cp311-abi3-{platform}" if "_native.abi3.so" in files else f"py3-none-{platform}"


# ---- packing ----


def metadata():
    return (f"Metadata-Version: 2.1\nName: freebody\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\n"
            "Provides-Extra: arrays\nRequires-Dist: numpy ; extra == 'arrays'\n"
            "Provides-Extra: plots\nRequires-Dist: numpy ; extra == 'plots'\nRequires-Dist: matplotlib ; extra == 'plots'\n")


def wheel_file(kind):
    return f"Wheel-Version: 1.0\nGenerator: freebody\nRoot-Is-Purelib: false\nTag: {kind}\n"


def record(contents, place):
    lines = []
    for name, raw in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(raw)}\n")
    return "".join(lines) + f"{place},,\n"


def pack(folder, contents, kind):
    """Writes the wheel; its name."""
    info = f"freebody-{version()}.dist-info"
    contents = dict(contents)
    contents[f"{info}/METADATA"] = metadata().encode()
    contents[f"{info}/WHEEL"] = wheel_file(kind).encode()
    contents[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    contents[f"{info}/RECORD"] = record(contents, f"{info}/RECORD").encode()
    name = f"freebody-{version()}-{kind}.whl"
    with zipfile.ZipFile(pathlib.Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, raw in contents.items():
            entry = zipfile.ZipInfo(path)  # of 1980: the same files make the same wheel
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, raw)
    return name


def package():
    """The files of the package itself."""
    files = sorted(path for path in (HERE / "freebody").iterdir() if path.suffix in (".py", ".pyi") or path.name == "py.typed")
    return {f"freebody/{path.name}": path.read_bytes() for path in files}


# ---- what pip calls ----


def told(make):
    try:
        return make()
    except Failed as reason:
        sys.exit(f"freebody: {reason}")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that pip need not build a wheel to know its name."""
    folder = pathlib.Path(metadata_directory, f"freebody-{version()}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_file("py3-none-any"), encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    def make():
        files = built()
        contents = {**package(), **{f"freebody/{name}": path.read_bytes() for name, path in files.items()}}
        return pack(wheel_directory, contents, tag(files))
    return told(make)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """pip install -e: the package stays here, and finds its library in build/lib."""
    def make():
        return pack(wheel_directory, {"freebody.pth": f"{HERE}\n".encode()}, tag(built()))
    return told(make)


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("freebody: there is no source distribution of the Python package alone; install it from a checkout of Freebody")
