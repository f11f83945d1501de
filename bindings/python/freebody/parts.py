"""What models are made of and read with: states, joints, wrenches, and the words for options."""
import typing

from . import _structs
from ._error import Error

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

NO_GRAVITY = (0.0, 0.0, 0.0)
NO_WRENCHES: tuple = ()


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
