"""A robot: its parts by name, and the algorithms of the C library."""
from __future__ import annotations

import ctypes
import operator
import typing

from . import _html, _structs, joins, loops, solve
from ._copies import Shared
from ._error import Error, unknown_name
from ._library import bytes_of, library, name_for_c, text_of, texts_for_c
from ._numbers import empty, numbers, result
from ._threads import ScratchPerThread, freed_with
from .floating import Floating
from .kinematics import Kinematics
from .parts import (BASES, DAMPERS, FRICTION, MIMICS, NO_GRAVITY, NO_WRENCHES, SPRINGS, Joint, State, Wrench,
                    inertia_policy)

if typing.TYPE_CHECKING:
    from ._types import Array, Frame, Numbers, Out


class Model(Shared, solve.Solving, loops.Loops, joins.Joining):
    """A model file, read and checked. Threads may share one.

    States: q is an array of nq numbers and v one of nv; with one more axis in front, many of them, and the results have
    that axis too: model.forward_dynamics(Q, V) of 1000 x nq and 1000 x nv is 1000 x nv. Arrays of doubles are read
    where they are, and out, an array, or a tuple of them where there are several results, is written where it is.

    In all that computes forces: gravity is uniform, in world axes [m/s^2], zero when not given; wrenches is a list of
    Wrench (or tuples of the same order); passive says whether springs, dampers and friction of the joints act: True,
    False, or freebody.SPRINGS | freebody.DAMPERS and so on. Velocities and forces that are not given are zero.
    """

    _instead = "load it again there, from its file or text"
    name: str
    nq: int
    nv: int
    nbody: int  # with the world
    nframe: int
    mass: float  # [kg]
    bodies: typing.List[str]  # [0] is the world
    frames: typing.List[str]
    loops: typing.List[str]
    joints: typing.Dict[str, Joint]
    gravity: Array  # that of the file, for formats that have it
    notes: typing.List[str]  # what the reader passed over, in words

    @classmethod
    def load(cls, file, base: typing.Optional[str] = None, packages: typing.Optional[dict] = None, merge_fixed: bool = True,
             inertia: typing.Optional[str] = None, mimic: typing.Optional[str] = None) -> Model:
        """Reads a model: native, URDF, MJCF, SDF or SpaceDyn's parameters.

        base: "free" or "fixed", for a URDF, which does not say how its base stands; packages: folders by name, for
        package:// addresses, before those of ROS_PACKAGE_PATH and those above the file. inertia: masses and inertias
        that no body can have are refused ("strict"), replaced by the nearest possible ones, which notes say ("repair"),
        or computed with as given ("keep"); by default "repair" for a URDF, and for others what the file says, or
        "strict". mimic: joints of a URDF with <mimic> follow their joint, coupled by a gear ("coupled", the default),
        move independently ("free") or are fixed at their offset ("fixed").
        """
        return cls._read(merge_fixed, base, packages, inertia, mimic, "fb_model_def_read", bytes_of(file))

    @classmethod
    def parse(cls, text: str, name: str = "text", base: typing.Optional[str] = None, packages: typing.Optional[dict] = None,
              merge_fixed: bool = True, inertia: typing.Optional[str] = None, mimic: typing.Optional[str] = None) -> Model:
        """The same from text; name stands for the file in messages."""
        raw = name_for_c(text, "the text of a model")
        return cls._read(merge_fixed, base, packages, inertia, mimic, "fb_model_def_parse", raw, len(raw),
                         bytes_of(name))

    @classmethod
    def _read(cls, merge_fixed, base, packages, inertia, mimic, function, *source):
        c = library()
        notes = []
        options = c.fb_default_io_options()
        note = _structs.fb_note_fn(lambda user, text: notes.append(text_of(text)))
        options.note = note
        if base not in BASES:
            raise Error(f"base is {base!r}; it must be \"free\", \"fixed\" or None")
        options.base = BASES[base]
        if mimic not in MIMICS:
            raise Error(f"mimic is {mimic!r}; it must be \"free\", \"fixed\", \"coupled\" or None")
        options.mimic = MIMICS[mimic]
        options.inertia = inertia_policy(inertia)
        pairs = texts_for_c([f"{key}={folder}" for key, folder in (packages or {}).items()])
        options.packages = pairs
        build = c.fb_default_build_options()
        build.merge_fixed = bool(merge_fixed)
        definition, model = ctypes.c_void_p(), ctypes.c_void_p()
        c.call(function, *source, c.ref(options), c.ref(definition))
        try:
            c.call("fb_model_build", definition.value, c.ref(build), c.ref(model))
        finally:
            c.fb_model_def_free(definition.value)
        return cls._own(c, model.value, notes)

    @classmethod
    def _own(cls, c, pointer, notes=()):
        """A model that is freed with this object."""
        made = cls(c, pointer, notes, owner=_Owned(c, pointer))
        return made

    def __init__(self, c, pointer, notes=(), owner=None):
        """From a pointer of C's; users call load or parse."""
        self._c, self._m, self._owner = c, pointer, owner
        self._scratch = ScratchPerThread()
        self._h = c.handle(pointer, owner)
        self.notes = list(notes)
        self.name = text_of(c.fb_model_name(pointer))
        self.nq = c.fb_model_nq(pointer)
        self.nv = c.fb_model_nv(pointer)
        self.nbody, self.nframe = c.fb_model_nbody(pointer), c.fb_model_nframe(pointer)
        self.mass = c.fb_model_mass(pointer)
        self.bodies = [text_of(c.fb_body_name(pointer, i)) for i in range(self.nbody)]
        self.frames = [text_of(c.fb_frame_name(pointer, i)) for i in range(self.nframe)]
        self.loops = [text_of(c.fb_loop_name(pointer, i)) for i in range(c.fb_model_nloop(pointer))]
        self.joints = {joint.name: joint for joint in map(self._joint, range(1, self.nbody))}
        g = empty(3)
        c.fb_model_def_gravity(c.fb_model_definition(pointer), g)
        self.gravity = result(g)
        self._forward, self._inverse = c.algorithm("forward_dynamics"), c.algorithm("inverse_dynamics")

    def _joint(self, body):
        c, m = self._c, self._m
        q, v = c.fb_joint_q_index(m, body), c.fb_joint_v_index(m, body)
        return Joint(text_of(c.fb_joint_name(m, body)), text_of(c.fb_joint_type_name(c.fb_joint_type_of(m, body))),
                     self.bodies[body], self.bodies[c.fb_body_parent(m, body)],
                     slice(q, q + c.fb_joint_nq(m, body)), slice(v, v + c.fb_joint_nv(m, body)))

    def __repr__(self):
        return f"<freebody.Model {self.name!r}: {self.nbody - 1} bodies, nq {self.nq}, nv {self.nv}>"

    def _repr_html_(self):
        return _html.model(self)

    def view(self, file=None, height: int = 600):
        """The page of the model, whose joints are moved by sliders; in a notebook it is shown (see freebody.Page)."""
        from .page import Page
        return Page.of_model(self, file, height)

    # ---- names ----

    def body_id(self, body: Frame) -> int:
        """The number of a body, by name or number; 0 is the world."""
        return self._id("body", body, self.nbody, self._c.fb_model_find_body, self.bodies)

    def frame_id(self, frame: Frame) -> int:
        """The number of a frame, by name or number. A body's name is its own frame."""
        end = self.nframe + 2 * self.nbody  # centroids and joint frames have numbers too
        return self._id("frame", frame, end, self._c.fb_model_find_frame, self.frames)

    def _id(self, what, given, end, find, known):
        if isinstance(given, str):
            number = find(self._m, given.encode())
            if number < 0:
                raise unknown_name(what, given, known)
            return number
        try:
            number = operator.index(given)
        except TypeError:
            raise Error(f"a {what} is given by its name or number, not by {given!r}", status="FB_ERR_NAME") from None
        if not 0 <= number < end:
            raise Error(f"there is no {what} {number} in {self.name}", status="FB_ERR_NAME")
        return number

    def com_frame(self, body: Frame) -> int:
        """The number of the frame at a body's centre of mass, body axes."""
        return self._c.fb_model_com_frame(self._m, self.body_id(body))

    def joint_frame(self, body: Frame) -> int:
        """The number of the frame of a body's joint, which is fixed in the parent."""
        return self._c.fb_model_joint_frame(self._m, self.body_id(body))

    def joint(self, name: str) -> Joint:
        """A Joint by name; model.joints has them all."""
        if not isinstance(name, str) or name not in self.joints:
            raise unknown_name("joint", str(name), self.joints)
        return self.joints[name]

    # ---- configurations ----

    def neutral(self) -> Array:
        """Zeros and identity quaternions."""
        q = empty(self.nq)
        self._c.fb_neutral(self._m, q)
        return result(q)

    def zero(self) -> Array:
        """A velocity of zeros."""
        return result(empty(self.nv))

    def random(self, seed: int = 0) -> State:
        """A random State: q, within the limits of the joints, and v, between -1 and 1.

            q, v = model.random(7)

        The same seed, a whole number from 0 to 2**64 - 1, gives the same numbers everywhere.
        """
        try:
            seed = operator.index(seed)
        except TypeError:
            seed = -1
        if not 0 <= seed < 2**64:
            raise Error("the seed must be a whole number from 0 to 2**64 - 1")
        q, v = empty(self.nq), empty(self.nv)
        self._c.fb_random_q(self._m, seed, q)
        self._c.fb_random_v(self._m, seed, v)
        return State(result(q), result(v))

    def integrate(self, q: Numbers, v: Numbers, dt: float = 1.0, out: Out = None) -> Array:
        """q + v dt, on the configuration group."""
        return self._do("integrate", q, v, dt, out)

    def difference(self, q0: Numbers, q1: Numbers, out: Out = None) -> Array:
        """The v that takes q0 to q1 in unit time."""
        return self._do("difference", q0, q1, out)

    def normalise(self, q: Numbers) -> Array:
        """q with unit quaternions."""
        q = numbers(q, self.nq, "q")
        self._c.fb_normalise(self._m, q)
        return result(q)

    # ---- kinematics ----

    def kinematics(self, q: Numbers, v: typing.Optional[Numbers] = None, vdot: typing.Optional[Numbers] = None) -> Kinematics:
        """Poses, velocities and accelerations of every frame at one state: see Kinematics."""
        return Kinematics(self, q, v, vdot)

    def pose(self, q: Numbers, frame: Frame, out: Out = None) -> typing.Tuple[Array, Array]:
        """Origin p of a frame and its rotation R (frame axes to world axes, 3 x 3)."""
        return self._do("pose", q, self.frame_id(frame), out)

    def velocity(self, q: Numbers, v: Numbers, frame: Frame, out: Out = None) -> typing.Tuple[Array, Array]:
        """Velocity of a frame's origin and its angular velocity."""
        return self._do("velocity", q, v, self.frame_id(frame), out)

    def acceleration(self, q: Numbers, v: Numbers, vdot: Numbers, frame: Frame,
                     out: Out = None) -> typing.Tuple[Array, Array]:
        """Time derivatives of both; gravity is not in them."""
        return self._do("acceleration", q, v, vdot, self.frame_id(frame), out)

    def jacobian(self, q: Numbers, frame: Frame, out: Out = None) -> Array:
        """J, 6 x nv, linear rows first: [velocity; angular velocity] of the frame = J v."""
        return self._do("jacobian", q, self.frame_id(frame), out)

    def jacobian_rate(self, q: Numbers, v: Numbers, frame: Frame, out: Out = None) -> Array:
        """The time derivative of J along v."""
        return self._do("jacobian_rate", q, v, self.frame_id(frame), out)

    def jacobian_parts(self, q: Numbers, frame: Frame, out: Out = None) -> typing.Tuple[Array, Array]:
        """J of the base's motion (6 x 6) and of the joints (6 x nv): [v; w] = Jb [v; w]_base + Jm v."""
        return self._do("jacobian_parts", q, self.frame_id(frame), out)

    def momentum(self, q: Numbers, v: Numbers, point: Numbers = NO_GRAVITY, out: Out = None) -> typing.Tuple[Array, Array]:
        """Linear momentum, and angular momentum about a point."""
        return self._do("momentum", q, v, point, out)

    def centroidal_matrix(self, q: Numbers, out: Out = None) -> Array:
        """A, 6 x nv: [linear; angular momentum about the centre of mass] = A v."""
        return self._do("centroidal_matrix", q, out)

    def centroidal_matrix_rate(self, q: Numbers, v: Numbers, out: Out = None) -> Array:
        """Its time derivative along v."""
        return self._do("centroidal_matrix_rate", q, v, out)

    def centre_of_mass(self, q: Numbers, v: typing.Optional[Numbers] = None, body: Frame = 0) -> typing.Tuple[Array, Array]:
        """Position and velocity of the centre of mass of a body and all that hangs on it; 0: the whole scene."""
        return self._do("centre_of_mass", q, v, None, self.body_id(body), None)[:2]

    def energies(self, q: Numbers, v: Numbers, gravity: Numbers = NO_GRAVITY) -> typing.Tuple[Array, Array]:
        """Kinetic and potential energy; the latter is zero at the world's origin, that of the springs included."""
        return (self._do("kinetic_energy", q, v, v, None),
                self._do("potential_energy", q, q, gravity, (), True, None))

    def floating(self, base: typing.Optional[Frame] = None) -> Floating:
        """The free-floating analysis of a tree: generalized Jacobian, reaction null space, resolved motion."""
        return Floating(self, base)

    # ---- dynamics ----

    def inertia_matrix(self, q: Numbers, out: Out = None) -> Array:
        """H, nv x nv."""
        return self._do("inertia_matrix", q, out)

    def bias(self, q: Numbers, v: typing.Optional[Numbers] = None, gravity: Numbers = NO_GRAVITY, out: Out = None) -> Array:
        """Velocity and gravity terms: H vdot + bias = tau + passive + sum of J^T wrench."""
        return self._do("bias", q, v, gravity, (), True, out)

    def inverse_dynamics(self, q: Numbers, v: typing.Optional[Numbers] = None, vdot: typing.Optional[Numbers] = None,
                         gravity: Numbers = NO_GRAVITY, wrenches: typing.Iterable = NO_WRENCHES, passive=True,
                         out: Out = None) -> Array:
        """tau for a wanted vdot; the base's entries are what must hold or drive it."""
        acting = () if wrenches is NO_WRENCHES else self._wrenches(wrenches)
        return self._inverse(self._h, q, v, vdot, gravity, acting, passive, out)

    def forward_dynamics(self, q: Numbers, v: typing.Optional[Numbers] = None, tau: typing.Optional[Numbers] = None,
                         gravity: Numbers = NO_GRAVITY, wrenches: typing.Iterable = NO_WRENCHES, passive=True,
                         out: Out = None) -> Array:
        """vdot for a given tau."""
        acting = () if wrenches is NO_WRENCHES else self._wrenches(wrenches)
        return self._forward(self._h, q, v, tau, gravity, acting, passive, out)

    def mixed_dynamics(self, q: Numbers, v: typing.Optional[Numbers] = None, prescribed: typing.Iterable[str] = (),
                       vdot: typing.Optional[Numbers] = None, tau: typing.Optional[Numbers] = None,
                       gravity: Numbers = NO_GRAVITY, wrenches: typing.Iterable = NO_WRENCHES,
                       passive=True) -> typing.Tuple[Array, Array]:
        """vdot and tau, both whole: the joints named in prescribed move with the vdot given, tau acts on the others."""
        return self._mixed("fb_mixed_dynamics", q, v, prescribed, vdot, tau, gravity, wrenches, passive)

    def gravity_compensation(self, q: Numbers, gravity: Numbers, wrenches: typing.Iterable = NO_WRENCHES, passive=True,
                             out: Out = None) -> Array:
        """tau that holds the robot still at q."""
        return self._do("gravity_compensation", q, gravity, self._wrenches(wrenches), passive, out)

    def passive_forces(self, q: Numbers, v: typing.Optional[Numbers] = None, kinds: int = SPRINGS | DAMPERS | FRICTION,
                       out: Out = None) -> Array:
        """Forces of springs, dampers and friction."""
        return self._do("passive_forces", q, v, kinds, out)

    def reactions(self, q: Numbers, v: typing.Optional[Numbers] = None, vdot: typing.Optional[Numbers] = None,
                  gravity: Numbers = NO_GRAVITY, wrenches: typing.Iterable = NO_WRENCHES, out: Out = None) -> Array:
        """What each joint transmits, nbody x 6: force and torque by the parent on body i, world axes, at the joint frame's
        origin; row 0: by the world on everything, at its origin. Kinematics.reactions has them by name."""
        return self._do("reactions", q, v, vdot, gravity, self._wrenches(wrenches), True, out)

    # ---- for the calls above ----

    def _do(self, name, *arguments):
        return self._c.algorithm(name)(self._h, *arguments)

    def _data(self):
        return self._scratch.get(self._c, self._m)

    def _state(self, q, v=None):
        """q and v for C, checked as fb_model_check_state does; v may be None."""
        q = numbers(q, self.nq, "q")
        v = None if v is None else numbers(v, self.nv, "v")
        self._c.call("fb_model_check_state", self._m, q, v)
        return q, v

    def _rates(self, values, what):
        return empty(self.nv) if values is None else numbers(values, self.nv, what)

    def _mask(self, joints):
        """1 for each coordinate of v of the named joints."""
        mask = (ctypes.c_ubyte * self.nv)()
        for name in [joints] if isinstance(joints, str) else joints:
            k = self.joint(name).v
            mask[k] = [1] * (k.stop - k.start)
        return mask

    def _wrenches(self, wrenches):
        """Wrenches by numbers of frames, as the algorithms take them."""
        if isinstance(wrenches, (str, dict)) or any(isinstance(wrench, str) for wrench in wrenches):
            raise Error(f"wrenches is {wrenches!r:.60}; it must be a list, as in [(\"hand\", force, torque)]", status="FB_ERR_ARG")
        rows = [Wrench(*wrench) for wrench in wrenches]
        return tuple((self.frame_id(w.frame), w.force, w.torque, bool(w.in_frame_axes)) for w in rows)

    def _loads(self, gravity, wrenches, passive):
        loads = self._c.fb_default_loads()
        loads.environment.gravity_w = numbers(gravity, 3, "gravity")
        if passive is not True:
            loads.passive = int(passive)
        rows = self._wrenches(wrenches)
        loads.wrenches = (_structs.fb_wrench * len(rows))(*[
            (frame, own, numbers(force, 3, "force"), numbers(torque, 3, "torque")) for frame, force, torque, own in rows])
        loads.nwrench = len(rows)
        return loads

    def _mixed(self, function, q, v, prescribed, vdot, tau, gravity, wrenches, passive):
        moved = self._mask(prescribed)
        vdot, tau = self._rates(vdot, "vdot"), self._rates(tau, "tau")
        q, v = self._state(q, self.zero() if v is None else v)
        loads = self._loads(gravity, wrenches, passive)
        getattr(self._c, function)(self._m, self._data(), q, v, moved, self._c.ref(loads), vdot, tau)
        self._c.call("fb_model_check_pivots", self._m, self._data())
        return result(vdot), result(tau)


class _Owned:
    """Frees a model when all that was made from it has gone."""

    def __init__(self, c, pointer):
        freed_with(self, c.fb_model_free, pointer)
