"""Shapes that touch, for Simulation.add_contact: each is at a place on a frame of the model, or on the world.

    ground = freebody.plane()
    ball = freebody.sphere("ball", radius=0.1)
    sim.add_contact("bounce", ball, ground, friction=0.5, restitution=0.8)

frame: the name of a frame or body; None: the world. at: the origin of the shape in the axes of the frame; z: the direction
of its z axis there, which is that of a cylinder's or capsule's length, and out of a plane.
"""
import ctypes
import math

from . import _structs
from ._copies import Shared
from ._error import Error
from ._library import library
from ._numbers import numbers
from ._threads import freed_with


class Collider:
    """A shape at a place; made by the functions of this module."""

    def __init__(self, kind, frame, at=(0, 0, 0), z=(0, 0, 1), size=(0, 0, 0), geometry=None):
        self.kind, self.frame, self.at, self.z, self.size, self.geometry = kind, frame, at, z, size, geometry

    def fill(self, model):
        """As the C library takes it."""
        collider = library().fb_default_collider()
        collider.kind = self.kind
        collider.frame = 0 if self.frame is None else model.frame_id(self.frame)
        collider.at = numbers(self.at, 3, "at")
        collider.R = (ctypes.c_double * 9)(*_turned_to(self.z))
        size = list(self.size) + [0.0] * (3 - len(self.size))
        collider.size = numbers(size, 3, "size")
        collider.geometry = self.geometry.pointer if self.geometry else None
        return collider


class _Geometry(Shared):
    """Triangles or heights, prepared for queries; freed with the last shape and simulation that use them."""

    def __init__(self, function, *arguments):
        made, c = ctypes.c_void_p(), library()
        c.call(function, *arguments, c.ref(made))
        self.pointer = made.value
        freed_with(self, c.fb_geometry_free, self.pointer)


def _turned_to(z):
    """Axes whose third is z, row by row."""
    length = math.sqrt(sum(x * x for x in z))
    if not length > 0:
        raise Error("the direction z of a shape has no length", status="FB_ERR_ARG")
    z = [x / length for x in z]
    least = min(range(3), key=lambda i: abs(z[i]))
    x = [(1.0 if i == least else 0.0) - z[least] * z[i] for i in range(3)]
    size = math.sqrt(sum(a * a for a in x))
    x = [a / size for a in x] if z != [0.0, 0.0, 1.0] else [1.0, 0.0, 0.0]
    y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]]
    return [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]


def point(frame, at=(0, 0, 0)):
    """A point of a frame."""
    return Collider(_structs.FB_COLLIDER_POINT, frame, at)


def sphere(frame, radius, at=(0, 0, 0)):
    return Collider(_structs.FB_COLLIDER_SPHERE, frame, at, size=(radius,))


def capsule(frame, radius, length, at=(0, 0, 0), z=(0, 0, 1)):
    """length: of the straight part."""
    return Collider(_structs.FB_COLLIDER_CAPSULE, frame, at, z, (radius, length))


def cylinder(frame, radius, length, at=(0, 0, 0), z=(0, 0, 1)):
    """Also a wheel, which turns about z."""
    return Collider(_structs.FB_COLLIDER_CYLINDER, frame, at, z, (radius, length))


def box(frame, size, at=(0, 0, 0), z=(0, 0, 1)):
    """size: its three edges."""
    return Collider(_structs.FB_COLLIDER_BOX, frame, at, z, size)


def ellipsoid(frame, radii, at=(0, 0, 0), z=(0, 0, 1)):
    return Collider(_structs.FB_COLLIDER_ELLIPSOID, frame, at, z, radii)


def plane(at=(0, 0, 0), normal=(0, 0, 1), frame=None):
    """All behind it is solid."""
    return Collider(_structs.FB_COLLIDER_PLANE, frame, at, normal)


def hull(frame, vertices, at=(0, 0, 0), z=(0, 0, 1)):
    """The convex hull of vertices, a list of points."""
    flat = [x for vertex in vertices for x in vertex]
    made = _Geometry("fb_geometry_new_hull", len(flat) // 3, numbers(flat, len(flat), "vertices"))
    return Collider(_structs.FB_COLLIDER_HULL, frame, at, z, (1, 1, 1), made)


def mesh(frame, vertices, triangles, at=(0, 0, 0), z=(0, 0, 1)):
    """triangles: three indices of vertices each, counter-clockwise seen from outside."""
    flat = [x for vertex in vertices for x in vertex]
    corners = [i for triangle in triangles for i in triangle]
    made = _Geometry("fb_geometry_new_mesh", len(flat) // 3, numbers(flat, len(flat), "vertices"), len(corners) // 3,
                     (ctypes.c_int * len(corners))(*corners))
    return Collider(_structs.FB_COLLIDER_MESH, frame, at, z, (1, 1, 1), made)


def heightfield(heights, spacing, at=(0, 0, 0), frame=None):
    """heights[j][i] at x = i spacing[0], y = j spacing[1] from `at`."""
    rows, columns = len(heights), len(heights[0])
    flat = [x for row in heights for x in row]
    made = _Geometry("fb_geometry_new_heights", columns, rows, spacing[0], spacing[1],
                     numbers(flat, rows * columns, "heights"))
    return Collider(_structs.FB_COLLIDER_HEIGHTFIELD, frame, at, size=(1, 1, 1), geometry=made)
