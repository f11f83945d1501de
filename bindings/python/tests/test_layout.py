"""The structs and signatures of the package are those of the headers."""
import ctypes
import os
import pathlib
import re
import tempfile
import unittest

from common import ROOT, program

from freebody import _library, _structs

INCLUDE = ROOT / "include"


def headers():
    """The text of all headers, without comments."""
    text = "\n".join(path.read_text() for path in sorted((INCLUDE / "freebody").glob("*.h")))
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def fields_of(c_name, text):
    """Names of the fields of a C struct, as its header lists them."""
    body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (c_name, c_name), text, flags=re.S).group(1)
    names = []
    for declaration in filter(None, map(str.strip, body.split(";"))):
        pointer = re.search(r"\(\*(\w+)\)", declaration)
        if pointer:
            names.append(pointer.group(1))
            continue
        names += [re.search(r"(\w+)\s*(\[[^]]*\])*$", part.strip()).group(1) for part in declaration.split(",")]
    return names


def kind_of(c_type):
    """What a parameter or result of C is to ctypes."""
    c_type = c_type.strip()
    if "*" in c_type or "[" in c_type or "fb_note_fn" in c_type:
        return "pointer"
    word = re.sub(r"\b(const|struct)\b", " ", c_type).split()[0]
    if word == "long":
        return "long long"
    if word in ("fb_status", "fb_format", "fb_method", "fb_joint_type", "fb_motion_kind"):
        return "int"
    return word


def kind_of_ctypes(kind):
    if kind is None:
        return "void"
    if kind in _structs.C_NAMES:
        return _structs.C_NAMES[kind]
    plain = {ctypes.c_int: "int", ctypes.c_double: "double", ctypes.c_uint64: "uint64_t",
             ctypes.c_longlong: "long long", ctypes.c_char_p: "pointer", ctypes.c_void_p: "pointer"}
    if kind in plain:
        return plain[kind]
    return "pointer"


class Layout(unittest.TestCase):
    def test_every_struct_has_the_fields_of_its_header_in_order(self):
        text = headers()
        for struct, c_name in _structs.C_NAMES.items():
            with self.subTest(c_name):
                self.assertEqual([field[0] for field in struct._fields_], fields_of(c_name, text))

    def test_sizes_and_offsets_are_those_of_the_compiler(self):
        lines, want = ["#include <stddef.h>", "#include <stdio.h>", "#include <freebody/freebody.h>",
                       "int main(void) {"], []
        for struct, c_name in _structs.C_NAMES.items():
            lines.append(f'  printf("{c_name} %zu\\n", sizeof({c_name}));')
            want.append(f"{c_name} {ctypes.sizeof(struct)}")
            for field, _ in [entry[:2] for entry in struct._fields_]:
                size = f"sizeof((({c_name}*)0)->{field})"
                lines.append(f'  printf("{c_name}.{field} %zu %zu\\n", offsetof({c_name}, {field}), {size});')
                place = getattr(struct, field)
                want.append(f"{c_name}.{field} {place.offset} {place.size}")
        lines += ['  printf("signal name %d\\n", (int)FB_SIGNAL_NAME);',
                  '  printf("passive %d %d %d\\n", FB_PASSIVE_SPRINGS, FB_PASSIVE_DAMPERS, FB_PASSIVE_FRICTION);',
                  '  printf("motion %d %d\\n", FB_MOVE_BY_FORCE, FB_MOVE_LOCKED);',
                  '  printf("base %d %d %d\\n", FB_BASE_AS_FILE, FB_BASE_FREE, FB_BASE_FIXED);',
                  '  printf("version %s\\n", FB_VERSION_TEXT);', "  return 0;", "}"]
        want += [f"signal name {_structs.SIGNAL_NAME}",
                 f"passive {_structs.SPRINGS} {_structs.DAMPERS} {_structs.FRICTION}",
                 f"motion {_structs.MOTION_FORCE} {_structs.MOTION_LOCKED}",
                 "base " + " ".join(str(_structs.BASES[key]) for key in (None, "free", "fixed")),
                 f"version {_library.VERSION}"]
        with tempfile.TemporaryDirectory() as folder:
            source, binary = pathlib.Path(folder, "layout.c"), pathlib.Path(folder, "layout")
            source.write_text("\n".join(lines) + "\n")
            program(os.environ.get("CC", "cc"), "-std=c17", "-I", INCLUDE, source, "-o", binary)
            self.assertEqual(program(binary).splitlines(), want)

    def test_every_function_takes_and_returns_what_its_header_says(self):
        found = {}
        for result, name, parameters in re.findall(r"FB_API\s+([\w\s*]+?)\s*(\w+)\(([^()]*)\);", headers()):
            taken = [] if parameters.strip() == "void" else [kind_of(part) for part in parameters.split(",")]
            found[name] = [kind_of(result)] + taken
        same = {"size_t": "uint64_t"}  # one type to ctypes
        for name, signature in _structs.SIGNATURES.items():
            with self.subTest(name):
                self.assertIn(name, found)
                self.assertEqual([kind_of_ctypes(kind) for kind in signature],
                                 [same.get(kind, kind) for kind in found[name]])

    def test_the_library_has_every_function(self):
        library = _library.library()
        for name in _structs.SIGNATURES:
            with self.subTest(name):
                self.assertTrue(callable(getattr(library, name)))


if __name__ == "__main__":
    unittest.main()
