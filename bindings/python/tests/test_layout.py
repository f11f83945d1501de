"""The library has every function that the headers declare, and answers by the prototypes generated from them.

That the generated modules are those of the headers, and that structs lie as the compiler lays them, is tested by
tests/house/describe.sh.
"""
import ctypes
import math
import unittest

from freebody import _functions, _library, _structs

DEFINED_BY_PLUGINS = {"fb_plugin_block"}


class Layout(unittest.TestCase):
    def test_the_library_has_every_function(self):
        library = _library.library()
        for name in _functions.FUNCTIONS.keys() - DEFINED_BY_PLUGINS:
            with self.subTest(name):
                self.assertTrue(callable(getattr(library, name)))

    def test_structs_come_back_by_value_as_c_filled_them(self):
        body = _library.library().fb_default_body_def()
        self.assertEqual((body.mass, list(body.joint.R)), (0, [1, 0, 0, 0, 1, 0, 0, 0, 1]))
        self.assertEqual(body.joint.upper[5], math.inf)

    def test_callbacks_without_names_are_callable_by_c(self):
        block = _library.library().fb_default_block()
        self.assertFalse(block.act)
        block.next_edge = _structs.fb_block_next_edge(lambda user, memory, t: t + 1)
        self.assertEqual(block.next_edge(None, None, 2.0), 3.0)
        self.assertEqual(ctypes.sizeof(block.next_edge), ctypes.sizeof(ctypes.c_void_p))


if __name__ == "__main__":
    unittest.main()
