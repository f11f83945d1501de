"""The reader of headers, and the C file that holds its description against the compiler (tests/house/describe.sh)."""
import ast
import copy
import os
import pathlib
import subprocess
import unittest

from describe import algorithms, lex, read, to_c, to_native, to_python, units

INCLUDE = pathlib.Path(os.environ["FB_SOURCE"], "include")
HEADERS = {path.name: path.read_text(encoding="utf-8") for path in (INCLUDE / "freebody").glob("*.h")}


def header(text):
    """The description of one header."""
    return read.describe({"one.h": text})["headers"][0]


def compiles(description):
    """Whether the compiler agrees with a description."""
    done = subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                           INCLUDE, "-x", "c", "-"], input=to_c.layout_file(description), text=True,
                          capture_output=True)
    return done.returncode == 0, done.stderr


class Reading(unittest.TestCase):
    def test_a_struct_has_fields_with_types_sizes_units_and_comments(self):
        text = """/* one.h -- a test. */
enum { FB_N = 2 };
/* A thing. */
typedef struct fb_thing {
  const char* const* names; /* NULL-ended */
  const char *unit, *axes;
  double a, b; /* [m], [1/s^2] */
  double t[FB_N][3]; /* [N or N m, arms of 1 m] */
  /* Called often. */
  int (*act)(void* user, const double x[3]);
  double* tau; /* [nv] add to it */
} fb_thing;
"""
        struct = header(text)["structs"][0]
        names, unit, axes, a, b, t, act, tau = struct["fields"]
        self.assertEqual((unit["type"], axes["type"]), ("const char*", "const char*"))
        self.assertEqual((struct["name"], struct["comment"]), ("fb_thing", "A thing."))
        self.assertEqual(names, {"name": "names", "type": "const char* const*", "comment": "NULL-ended"})
        self.assertEqual((a["unit"], b["unit"]), ("m", "1/s^2"))
        self.assertEqual((t["array"], t["length"], t["unit"]), (["FB_N", "3"], [2, 3], "N or N m"))
        self.assertEqual(act["callback"]["parameters"][1], {"name": "x", "type": "const double", "array": ["3"],
                                                            "length": [3]})
        self.assertEqual((act["comment"], tau["shape"]), ("Called often.", ["nv"]))

    def test_lists_are_expanded_with_their_rows(self):
        text = """#define FB_LIST(ROW) \\
  ROW(FB_A, "a b", 1) \\
  ROW(FB_B, "c", 2)
#define FB_AS(code, name, nq) code,
typedef enum fb_kind { FB_LIST(FB_AS) FB_COUNT } fb_kind;
#undef FB_AS
enum { FB_BITS = 1 << 3, FB_BOTH = FB_BITS | FB_B, FB_NEXT };
"""
        kinds, bits = header(text)["enums"]
        self.assertEqual([(v["name"], v["value"], v.get("row")) for v in kinds["values"]],
                         [("FB_A", 0, {"name": "a b", "nq": 1}), ("FB_B", 1, {"name": "c", "nq": 2}),
                          ("FB_COUNT", 2, None)])
        self.assertEqual([v["value"] for v in bits["values"]], [8, 9, 10])

    def test_functions_have_what_stands_before_and_behind_them(self):
        text = """typedef struct fb_model fb_model;

/* A heading. */

/* Mass of a body. */
FB_API double fb_mass(const struct fb_model* m, int body); /* whole [kg] */
FB_API unsigned long long fb_count(void);
FB_API void fb_fail(const char* format, ...) FB_PRINTF(1, 2);
FB_API extern const int fb_plugin_version;
typedef void (*fb_note_fn)(void* user, const char* text);
"""
        found = header(text)
        mass, count, fail = found["functions"]
        self.assertEqual((mass["comment"], mass["unit"]), ("Mass of a body.\nwhole [kg]", "kg"))
        self.assertEqual([p["type"] for p in mass["parameters"]], ["const fb_model*", "int"])
        self.assertEqual((count["returns"], count["parameters"]), ("unsigned long long", []))
        self.assertEqual((fail["variadic"], len(fail["parameters"])), (True, 1))
        self.assertEqual(found["variables"][0]["type"], "const int")
        self.assertEqual(found["callbacks"][0]["name"], "fb_note_fn")

    def test_shapes_are_no_units(self):
        for text, want in {"[nv]": {}, "within [-1, 1]": {}, "[1/s]": {"unit": "1/s"}, "bodies[3].mass": {},
                           "[rad] or [m]": {"unit": "rad or m"}, "a list [m/s^2], [count]": {"unit": "m/s^2"}}.items():
            with self.subTest(text):
                self.assertEqual(units.units_of(text, 1)[0], want)

    def test_what_is_not_understood_is_refused_with_its_place(self):
        cases = {
            "one.h:1: has 'static'": "static int x;\n",
            "one.h:2: the type 'fb_ghost' is not known": "\nFB_API void fb_f(fb_ghost* g);\n",
            "one.h:1: #if 1 is not understood": "#if 1\n#endif\n",
            "one.h:1: the constant FB_X is neither": "#define FB_X (1 + 2)\n",
            "one.h:1: has 'union'": "union fb_u;\n",
            "one.h:2: cannot read ': 3;": "typedef struct fb_s {\n  int flags : 3;\n} fb_s;\n",
            "one.h:1: the value 'FB_N' is not known": "enum { FB_M = FB_N };\n",
            "one.h:3: a row of FB_L has 1 entries": "#define FB_L(X) X(A)\n#define FB_A(a, b) a,\n"
                                                    "enum { FB_L(FB_A) };\n",
            "one.h:1: cannot read": "@\n",
            "one.h:1: has 'static' where": "FB_API void fb_f(int a, ...) static;\n",
        }
        for want, text in cases.items():
            with self.subTest(want), self.assertRaises(lex.Refused) as caught:
                header(text)
            self.assertIn(want, str(caught.exception))


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.description = read.describe(HEADERS)

    def changed(self, kind, name, change):
        """The description with one entry changed."""
        description = copy.deepcopy(self.description)
        change(next(entry for entry in to_python.all_of(description, kind) if entry["name"] == name))
        return description

    def test_the_compiler_agrees_with_the_description(self):
        self.assertEqual(compiles(self.description), (True, ""))

    def test_the_compiler_refuses_a_description_of_something_else(self):
        def swap(struct):
            struct["fields"][0], struct["fields"][1] = struct["fields"][1], struct["fields"][0]
        cases = {
            "a parameter": ("functions", "fb_sim_step", lambda f: f["parameters"][1].update(type="float")),
            "a result": ("functions", "fb_model_mass", lambda f: f.update(returns="int")),
            "an order of fields": ("structs", "fb_place", swap),
            "an array": ("structs", "fb_wrench", lambda s: s["fields"][2].update(length=[4])),
            "a pointer": ("structs", "fb_loads", lambda s: s["fields"][1].update(type="const int*")),
            "a value": ("enums", "fb_status", lambda e: e["values"][3].update(value=4)),
            "a callback": ("structs", "fb_block", lambda s: s["fields"][-2]["callback"].update(returns="int")),
        }
        for what, change in cases.items():
            with self.subTest(what):
                self.assertFalse(compiles(self.changed(*change))[0])

    def test_every_function_has_a_trampoline_and_a_stub(self):
        table, stub = to_native.native_file(self.description), ast.parse(to_python.stub_module(self.description))
        typed = {entry.name: entry for entry in stub.body if isinstance(entry, ast.FunctionDef)}
        for entry in to_python.all_of(self.description, "functions"):
            if "variadic" in entry or entry["name"] == "fb_plugin_block":
                continue
            self.assertIn(f'{{"{entry["name"]}", "', table)
            self.assertEqual(len(typed[entry["name"]].args.args), len(entry["parameters"]))

    def test_the_table_of_algorithms_fits_the_headers(self):
        functions = {entry["name"]: entry for entry in to_python.all_of(self.description, "functions")}
        for line in ("a fb_bias m d <q:q L >bias:v", "a fb_bias m d >q:q ?v:v L >bias:v", "a fb_bias m d <q:q ?v:v L <bias:v",
                     "a fb_integrate m <q:q <v:v i.dt >q_next:q"):
            with self.subTest(line), self.assertRaises(algorithms.Wrong):
                algorithms.from_line(line, functions)
        names = [entry["name"] for entry in algorithms.algorithms(self.description)]
        self.assertEqual(len(set(names)), len(names))
        self.assertIn("rot_from_rpy", names)


if __name__ == "__main__":
    unittest.main(verbosity=0)
