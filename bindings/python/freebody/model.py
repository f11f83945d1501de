"""A robot: its parts by name, and the algorithms of the C library."""
import ctypes
import operator
import typing
import weakref

from . import _structs
from ._error import Error, unknown_name
from ._library import bytes_of, library, text_of, texts_for_c
from ._numbers import empty, numbers, result
from ._threads import ScratchPerThread
from .kinematics import Kinematics

# Which passive joint forces act; or them together.
SPRINGS, DAMPERS, FRICTION = _structs.FB_PASSIVE_SPRINGS, _structs.FB_PASSIVE_DAMPERS, _structs.FB_PASSIVE_FRICTION

# How the base of a URDF stands.
BASES = {None: _structs.FB_BASE_AS_FILE, "free": _structs.FB_BASE_FREE, "fixed": _structs.FB_BASE_FIXED}

# What becomes of a URDF's joints with <mimic>.
MIMICS = {None: _structs.FB_MIMIC_DEFAULT, "free": _structs.FB_MIMIC_FREE, "fixed": _structs.FB_MIMIC_FIXED,
          "coupled": _structs.FB_MIMIC_COUPLED}

# What becomes of masses and inertias that no body can have.
INERTIAS = {None: _structs.FB_INERTIA_BY_FORMAT, "strict": _structs.FB_INERTIA_STRICT,
            "repair": _structs.FB_INERTIA_REPAIR, "keep": _structs.FB_INERTIA_KEEP}


def inertia_policy(name):
    """The number of a policy for C."""
    if name not in INERTIAS:
        raise Error(f"inertia is {name!r}; it must be \"strict\", \"repair\", \"keep\" or None")
    return INERTIAS[name]


class State(typing.NamedTuple):
    """A configuration and a velocity."""
    q: typing.Sequence[float]
    v: typing.Sequence[float]


class Joint(typing.NamedTuple):
    """The joint between a body and its parent; q[joint.q] and v[joint.v] are its coordinates."""
    name: str
    type: str
    body: str
    parent: str
    q: slice
    v: slice


class Wrench(typing.NamedTuple):
    """A force [N] and a torque [N m] on the body that carries a frame, at the frame's origin."""
    frame: typing.Union[str, int]
    force: typing.Sequence[float] = (0, 0, 0)
    torque: typing.Sequence[float] = (0, 0, 0)
    in_frame_axes: bool = False


class Model:
    """A model file, read and checked. Threads may share one.

    In all that computes forces: gravity is uniform, in world axes [m/s^2], zero when not given; wrenches is a list of
    Wrench (or tuples of the same order); passive says whether springs, dampers and friction of the joints act: True,
    False, or freebody.SPRINGS | freebody.DAMPERS and so on. Velocities and forces that are not given are zero.
    """

    @classmethod
    def load(cls, file, base=None, packages=None, merge_fixed=True, inertia=None, mimic=None):
        """Reads a native model, a URDF or SpaceDyn's parameters.

        base: "free" or "fixed", for a URDF, which does not say how its base stands; packages: folders by name, for
        package:// addresses, before those of ROS_PACKAGE_PATH and those above the file. inertia: masses and inertias that no body can have are refused ("strict"), replaced by the
        nearest possible ones, which notes say ("repair"), or computed with as given ("keep"); by default "repair" for a
        URDF, and for others what the file says, or "strict". mimic: joints of a URDF with <mimic> follow their
        joint, coupled by a gear ("coupled", the default), move independently ("free") or are fixed at their offset
        ("fixed").
        """
        return cls._read(merge_fixed, base, packages, inertia, mimic, "fb_model_def_read", bytes_of(file))

    @classmethod
    def parse(cls, text, name="text", base=None, packages=None, merge_fixed=True, inertia=None, mimic=None):
        """The same from text; name stands for the file in messages."""
        raw = text.encode()
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
        c.call(function, *source, ctypes.byref(options), ctypes.byref(definition))
        try:
            c.call("fb_model_build", definition, ctypes.byref(build), ctypes.byref(model))
        finally:
            c.fb_model_def_free(definition)
        made = cls(c, model.value, notes)
        weakref.finalize(made, c.fb_model_free, model.value)
        return made

    def __init__(self, c, pointer, notes=(), owner=None):
        """From a pointer of C's; users call load or parse."""
        self._c, self._m, self._owner = c, pointer, owner
        self._scratch = ScratchPerThread()
        self.notes = list(notes)  # what the reader passed over, in words
        self.name = text_of(c.fb_model_name(pointer))
        self.nq, self.nv = c.fb_model_nq(pointer), c.fb_model_nv(pointer)
        self.nbody, self.nframe = c.fb_model_nbody(pointer), c.fb_model_nframe(pointer)
        self.mass = c.fb_model_mass(pointer)
        self.bodies = [text_of(c.fb_body_name(pointer, i)) for i in range(self.nbody)]  # [0] is the world
        self.frames = [text_of(c.fb_frame_name(pointer, i)) for i in range(self.nframe)]
        self.joints = {joint.name: joint for joint in map(self._joint, range(1, self.nbody))}
        g = empty(3)
        c.fb_model_def_gravity(c.fb_model_definition(pointer), g)
        self.gravity = result(g)  # that of the file, for formats that have it

    def _joint(self, body):
        c, m = self._c, self._m
        q, v = c.fb_joint_q_at(m, body), c.fb_joint_v_at(m, body)
        return Joint(text_of(c.fb_joint_name(m, body)), text_of(c.fb_joint_type_name(c.fb_joint_type_of(m, body))),
                     self.bodies[body], self.bodies[c.fb_body_parent(m, body)],
                     slice(q, q + c.fb_joint_nq(m, body)), slice(v, v + c.fb_joint_nv(m, body)))

    def __repr__(self):
        return f"<freebody.Model {self.name!r}: {self.nbody - 1} bodies, nq {self.nq}, nv {self.nv}>"

    # ---- names ----

    def body_id(self, body):
        """The number of a body, by name or number; 0 is the world."""
        return self._id("body", body, self.nbody, self._c.fb_model_find_body, self.bodies)

    def frame_id(self, frame):
        """The number of a frame, by name or number. A body's name is its own frame."""
        end = self.nframe + 2 * self.nbody  # centroids and joint frames have numbers too
        return self._id("frame", frame, end, self._c.fb_model_find_frame, self.frames)

    def _id(self, what, given, end, find, known):
        if isinstance(given, str):
            number = find(self._m, given.encode())
            if number < 0:
                raise unknown_name(what, given, known)
            return number
        if not 0 <= given < end:
            raise Error(f"there is no {what} {given} in {self.name}", status="FB_ERR_NAME")
        return int(given)

    def com_frame(self, body):
        """The number of the frame at a body's centre of mass, body axes."""
        return self._c.fb_model_com_frame(self._m, self.body_id(body))

    def joint_frame(self, body):
        """The number of the frame of a body's joint, which is fixed in the parent."""
        return self._c.fb_model_joint_frame(self._m, self.body_id(body))

    def joint(self, name):
        """A Joint by name; model.joints has them all."""
        if name not in self.joints:
            raise unknown_name("joint", name, self.joints)
        return self.joints[name]

    # ---- configurations ----

    def neutral(self):
        """Zeros and identity quaternions."""
        q = empty(self.nq)
        self._c.fb_neutral(self._m, q)
        return result(q)

    def zero(self):
        """A velocity of zeros."""
        return result(empty(self.nv))

    def random(self, seed=0):
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

    def integrate(self, q, v, dt=1.0):
        """q + v dt, on the configuration group."""
        q, v = self._state(q, v)
        self._c.fb_integrate(self._m, q, v, dt, q)
        return result(q)

    def difference(self, q0, q1):
        """The v that takes q0 to q1 in unit time."""
        q0, q1 = self._state(q0)[0], self._state(q1)[0]
        v = empty(self.nv)
        self._c.fb_difference(self._m, q0, q1, v)
        return result(v)

    def normalise(self, q):
        """q with unit quaternions."""
        q = numbers(q, self.nq, "q")
        self._c.fb_normalise(self._m, q)
        return result(q)

    # ---- kinematics ----

    def kinematics(self, q, v=None, vdot=None):
        """Poses, velocities and accelerations of every frame: see Kinematics."""
        return Kinematics(self, q, v, vdot)

    def jacobian(self, q, frame):
        """J, 6 x nv, linear rows first: [velocity; angular velocity] of the frame = J v."""
        return self.kinematics(q).jacobian(frame)

    def momentum(self, q, v, point=(0, 0, 0)):
        """Linear momentum, and angular momentum about a point."""
        return self.kinematics(q, v).momentum(point)

    def energies(self, q, v, gravity=(0, 0, 0)):
        """Kinetic and potential energy."""
        k = self.kinematics(q, v)
        return k.kinetic_energy(), k.potential_energy(gravity)

    # ---- dynamics ----

    def inertia_matrix(self, q):
        """H, nv x nv."""
        H = empty(self.nv * self.nv)
        self._c.fb_inertia_matrix(self._m, self._data(), self._state(q)[0], H)
        return result(H, self.nv, self.nv)

    def bias(self, q, v=None, gravity=(0, 0, 0)):
        """Velocity and gravity terms: H vdot + bias = tau + passive + sum of J^T wrench."""
        return self._solve("fb_bias", q, v, (), gravity, (), True)

    def inverse_dynamics(self, q, v=None, vdot=None, gravity=(0, 0, 0), wrenches=(), passive=True):
        """tau for a wanted vdot; the base's entries are what must hold or drive it."""
        return self._solve("fb_inverse_dynamics", q, v, (self._rates(vdot, "vdot"),), gravity, wrenches, passive)

    def forward_dynamics(self, q, v=None, tau=None, gravity=(0, 0, 0), wrenches=(), passive=True):
        """vdot for a given tau."""
        vdot = self._solve("fb_forward_dynamics", q, v, (self._rates(tau, "tau"),), gravity, wrenches, passive)
        self._c.call("fb_check_pivots", self._m, self._data())
        return vdot

    def mixed_dynamics(self, q, v=None, prescribed=(), vdot=None, tau=None, gravity=(0, 0, 0), wrenches=(),
                       passive=True):
        """vdot and tau, both whole: the joints named in prescribed move with the vdot given, tau acts on the others."""
        moved = (ctypes.c_ubyte * self.nv)()
        for name in prescribed:
            k = self.joint(name).v
            moved[k] = [1] * (k.stop - k.start)
        vdot, tau = self._rates(vdot, "vdot"), self._rates(tau, "tau")
        q, v = self._state(q, self.zero() if v is None else v)
        loads = self._loads(gravity, wrenches, passive)
        self._c.fb_mixed_dynamics(self._m, self._data(), q, v, moved, ctypes.byref(loads), vdot, tau)
        self._c.call("fb_check_pivots", self._m, self._data())
        return result(vdot), result(tau)

    def gravity_compensation(self, q, gravity, wrenches=(), passive=True):
        """tau that holds the robot still at q."""
        return self.inverse_dynamics(q, None, None, gravity, wrenches, passive)

    def passive_forces(self, q, v=None, kinds=SPRINGS | DAMPERS | FRICTION):
        """Forces of springs, dampers and friction."""
        q, v = self._state(q, self.zero() if v is None else v)
        tau = empty(self.nv)
        self._c.fb_passive_forces(self._m, self._data(), q, v, kinds, tau)
        return result(tau)

    # ---- for the calls above ----

    def _data(self):
        return self._scratch.get(self._c, self._m)

    def _state(self, q, v=None):
        """q and v for C, checked as fb_check_state does; v may be None."""
        q = numbers(q, self.nq, "q")
        v = None if v is None else numbers(v, self.nv, "v")
        self._c.call("fb_check_state", self._m, q, v)
        return q, v

    def _rates(self, values, what):
        return empty(self.nv) if values is None else numbers(values, self.nv, what)

    def _loads(self, gravity, wrenches, passive):
        loads = self._c.fb_default_loads()
        loads.environment.gravity_w = numbers(gravity, 3, "gravity")
        if passive is not True:
            loads.passive = int(passive)
        rows = [Wrench(*wrench) for wrench in wrenches]
        loads.wrenches = (_structs.fb_wrench * len(rows))(*[
            (self.frame_id(w.frame), bool(w.in_frame_axes), numbers(w.force, 3, "force"),
             numbers(w.torque, 3, "torque")) for w in rows])
        loads.nwrench = len(rows)
        return loads

    def _solve(self, function, q, v, middle, gravity, wrenches, passive):
        q, v = self._state(q, self.zero() if v is None else v)
        loads = self._loads(gravity, wrenches, passive)
        out = empty(self.nv)
        getattr(self._c, function)(self._m, self._data(), q, v, *middle, ctypes.byref(loads), out)
        return result(out)
