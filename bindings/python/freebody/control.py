"""Control laws, for Simulation.add_law (freebody/control.h has their equations and parameters).

    sim.add_law("arm", freebody.control.JointPD({"elbow": dict(kp=20, kd=5, target=0.5)}))
    sim.add_law("tool", freebody.control.FrameTask("tool", position=[freebody.quintic([0, 5], [0, 0.2]), 0, 0], rows=3,
                                                   from_start=True), sampled={"period": 0.01})

Paths are freebody.cubic, quintic, trapezoid and their shaped(); a number stands for a constant one. World axes, SI.
"""
from __future__ import annotations

import ctypes
import math
import typing

from . import _structs
from ._error import Error
from ._library import library, struct_with
from ._numbers import doubles, numbers
from .paths import path_of

SATURATIONS = {"axis": _structs.FB_SATURATION_AXIS, "direction": _structs.FB_SATURATION_DIRECTION}
AXES = {"x": 1, "y": 2, "z": 4, "rx": 8, "ry": 16, "rz": 32}


class Law:
    """What the laws have in common: make(model, name, block) fills an fb_block and returns what must be kept."""

    def make(self, model, name, block):
        raise NotImplementedError

    def _block(self, model, name, block, function, *arguments):
        c = library()
        c.call(function, model._m, name.encode(), *arguments, c.ref(block))

    def __repr__(self):
        return f"<freebody.control.{type(self).__name__}>"


# ---- joints ----


def _pd_joints(model, joints, keep):
    """{"elbow": dict(kp=20, kd=5, target=0.5)} or ("wrist", 1) for a coordinate of a joint of several."""
    rows = []
    if not isinstance(joints, dict):
        raise Error(f"joints must be {{name: dict(kp=..., kd=...)}}, not {joints!r:.60}")
    for joint, fields in joints.items():
        name, index = joint if isinstance(joint, tuple) else (joint, 0)
        where, fields = model.joint(name).v, dict(fields)
        if not 0 <= index < where.stop - where.start:
            raise Error(f"the joint '{name}' has no coordinate {index}")
        row = library().fb_default_pd_joint()
        row.coordinate = where.start + index
        path = fields.pop("path", None)
        if path is not None:
            keep.append(path_of(path, f"the path of '{name}'"))
            row.path = keep[-1].pointer
        rows.append(struct_with(row, _structs.fb_pd_joint, fields, f"the joint '{name}'"))
    return (_structs.fb_pd_joint * len(rows))(*rows), len(rows)


class JointPD(Law):
    """tau = kp (target - q) + kd (target' - v) + ki integral, within +-effort, of each joint: {"elbow": dict(kp=20, kd=5,
    target=0.5)}, with a path instead of a target to follow one."""

    function = "fb_block_new_joint_pd"

    def __init__(self, joints: typing.Dict[str, dict]):
        self.joints = joints

    def make(self, model, name, block):
        keep: list = []
        rows, count = _pd_joints(model, self.joints, keep)
        self._block(model, name, block, self.function, rows, count)
        return keep


class ComputedTorque(JointPD):
    """tau that produces the accelerations target'' + kd (target' - v) + kp (target - q), kp [1/s^2], kd [1/s]."""

    function = "fb_block_new_computed_torque"


class _Schedule(Law):
    def _schedule(self, width, keep):
        count = memoryview(doubles(self.times, "times")).nbytes // 8
        keep += [numbers(self.times, count, "times"), numbers(self.values, count * width, "values")]
        schedule = library().fb_default_schedule()
        schedule.count, schedule.interpolate = count, int(bool(self.interpolate))
        schedule.times, schedule.values = ctypes.addressof(keep[0]), ctypes.addressof(keep[1])
        keep.append(schedule)
        return library().ref(schedule)


class JointSchedule(_Schedule):
    """The force of a joint's coordinate over time: constant between its times, or linear with interpolate."""

    def __init__(self, joint: str, times, values, interpolate: bool = False):
        self.joint, self.times, self.values, self.interpolate = joint, times, values, interpolate

    def make(self, model, name, block):
        keep: list = []
        self._block(model, name, block, "fb_block_new_joint_schedule", model.joint(self.joint).v.start, self._schedule(1, keep))
        return keep


class FrameSchedule(_Schedule):
    """A force and torque at a frame over time: values has six numbers for each time."""

    def __init__(self, frame: str, times, values, in_frame_axes: bool = False, interpolate: bool = False):
        self.frame, self.times, self.values = frame, times, values
        self.in_frame_axes, self.interpolate = in_frame_axes, interpolate

    def make(self, model, name, block):
        keep: list = []
        self._block(model, name, block, "fb_block_new_frame_schedule", model.frame_id(self.frame), int(bool(self.in_frame_axes)),
                    self._schedule(6, keep))
        return keep


# ---- frames ----


def _frame_path(out, keep, position=None, from_start=False, turn=None, axis=None):
    """An fb_frame_path: three paths, and a turn about an axis."""
    if position is not None:
        paths = list(position)
        if len(paths) != 3:
            raise Error(f"position has {len(paths)} paths; it needs 3, for x, y and z")
        for i, path in enumerate(paths):
            if path is not None:
                keep.append(path_of(path, "position"))
                out.position[i] = keep[-1].pointer
    out.from_start = int(bool(from_start))
    if turn is not None:
        keep.append(path_of(turn, "turn"))
        out.turn = keep[-1].pointer
    if axis is not None:
        out.axis_w = numbers(axis, 3, "axis")


class FrameTask(Law):
    """A frame follows a path by resolved acceleration, with the generalized Jacobian where the base floats.

    position: three paths in world axes, from_start: relative to where the frame is at the start; turn: the angle about
    `axis` from its first attitude. rows: 3 position, 6 position and attitude. base: the body that counts as the base.
    Further: kp, kd, damping, keep_base, assume_still, by_motion, effort, as in freebody/control.h.
    """

    def __init__(self, frame: str, position=None, turn=None, axis=None, rows: int = 6, from_start: bool = False,
                 base: typing.Optional[str] = None, **numbers_of_law):
        self.frame, self.path, self.rows, self.base = frame, (position, from_start, turn, axis), rows, base
        self.numbers = numbers_of_law

    def _task(self, model, task, keep):
        task.frame, task.rows = model.frame_id(self.frame), self.rows
        if self.base is not None:
            setattr(task, "from", model.body_id(self.base))
        _frame_path(task.path, keep, *self.path)
        return struct_with(task, _structs.fb_frame_task, self.numbers, "a frame's task")

    def make(self, model, name, block):
        c, keep = library(), []
        task = self._task(model, c.fb_default_frame_task(), keep)
        self._block(model, name, block, "fb_block_new_frame_task", c.ref(task))
        return keep


class Impedance(FrameTask):
    """A frame on springs and dampers about its path: stiffness and damping along x, y, z and about them, in world axes or
    those of the frame."""

    def __init__(self, frame: str, stiffness, damping, decay: float = 2.0, in_frame_axes: bool = False, **task):
        super().__init__(frame, **task)
        self.stiffness, self.damping, self.decay, self.in_frame_axes = stiffness, damping, decay, in_frame_axes

    def make(self, model, name, block):
        c, keep = library(), []
        law = c.fb_default_impedance()
        law.task = self._task(model, law.task, keep)
        law.stiffness, law.damping = numbers(self.stiffness, 6, "stiffness"), numbers(self.damping, 6, "damping")
        law.decay, law.in_frame_axes = self.decay, int(bool(self.in_frame_axes))
        self._block(model, name, block, "fb_block_new_impedance", c.ref(law))
        return keep


class ForceAxis(typing.NamedTuple):
    """A direction along which a frame force_axes with a force; axes_of: the frame whose axes these are; measured: a signal,
    "contact.tip.normal", whose error is integrated with ki [1/s]."""
    direction: typing.Sequence[float]
    force: typing.Any
    axes_of: typing.Optional[str] = None
    measured: typing.Optional[str] = None
    ki: float = 0.0


class ForcePosition(FrameTask):
    """Force along the directions of force_axes, and position along the others."""

    def __init__(self, frame: str, force_axes: typing.Iterable[ForceAxis], **task):
        super().__init__(frame, **task)
        self.force_axes = [ForceAxis(*press) for press in force_axes]

    def make(self, model, name, block):
        c, keep = library(), []
        law = c.fb_default_force_position()
        law.task = self._task(model, law.task, keep)
        rows = (_structs.fb_force_axis * len(self.force_axes))(*[self._press(model, press, keep) for press in self.force_axes])
        law.force_axes, law.count = ctypes.cast(rows, ctypes.POINTER(_structs.fb_force_axis)), len(rows)
        keep.append(rows)
        self._block(model, name, block, "fb_block_new_force_position", c.ref(law))
        return keep

    @staticmethod
    def _press(model, press, keep):
        row = library().fb_default_force_axis()
        row.direction = numbers(press.direction, 3, "direction")
        row.axes_of = 0 if press.axes_of is None else model.frame_id(press.axes_of)
        keep.append(path_of(press.force, "force"))
        row.force = keep[-1].pointer
        row.measured = None if press.measured is None else press.measured.encode()
        row.ki = press.ki
        return row


class Attitude(Law):
    """Attitude control of a floating base, by thrusters or by reaction wheels, given by the names of their bodies."""

    def __init__(self, body: str, turn=None, axis=None, kp: float = 1.0, kd: float = 2.0, wheels: typing.Iterable[str] = (),
                 effort: float = math.inf, saturate: str = "axis"):
        self.body, self.turn, self.axis, self.kp, self.kd = body, turn, axis, kp, kd
        self.wheels, self.effort, self.saturate = list(wheels), effort, saturate

    def make(self, model, name, block):
        c, keep = library(), []
        if self.saturate not in SATURATIONS:
            raise Error(f"saturate is {self.saturate!r}; it must be \"axis\" or \"direction\"")
        task = c.fb_default_attitude_task()
        task.body, task.kp, task.kd, task.effort = model.body_id(self.body), self.kp, self.kd, self.effort
        task.saturate = SATURATIONS[self.saturate]
        if self.turn is not None:
            keep.append(path_of(self.turn, "turn"))
            task.turn = keep[-1].pointer
        if self.axis is not None:
            task.axis_w = numbers(self.axis, 3, "axis")
        if self.wheels:
            wheels = (ctypes.c_int * len(self.wheels))(*map(model.body_id, self.wheels))
            task.wheels, task.nwheel = ctypes.addressof(wheels), len(wheels)
            keep.append(wheels)
        self._block(model, name, block, "fb_block_new_attitude", c.ref(task))
        return keep


# ---- tasks by priority ----


class Task:
    """A task of TaskQP. kind: "frame", "centre_of_mass" of a body and all that hangs on it, or "posture" of joints, as for
    ComputedTorque. axes: "x y z rx ry rz" or some of them. Smaller priorities come first."""

    KINDS = {"frame": _structs.FB_QP_TASK_FRAME, "centre_of_mass": _structs.FB_QP_TASK_CENTRE_OF_MASS,
             "posture": _structs.FB_QP_TASK_POSTURE}

    def __init__(self, kind: str, frame=None, axes: str = "x y z", position=None, from_start: bool = False, turn=None,
                 axis=None, joints: typing.Optional[dict] = None, priority: int = 1, weight: float = 1.0, kp: float = 1.0,
                 kd: float = 2.0):
        self.kind, self.frame, self.axes, self.joints = kind, frame, axes, joints or {}
        self.path, self.kp, self.kd = (position, from_start, turn, axis), kp, kd
        self.priority, self.weight = priority, weight

    def fill(self, model, keep):
        if self.kind not in self.KINDS:
            raise Error(f"kind of a task is {self.kind!r}; it must be one of {', '.join(self.KINDS)}")
        row = library().fb_default_qp_task()
        row.kind, row.priority, row.weight = self.KINDS[self.kind], self.priority, self.weight
        row.kp, row.kd = self.kp, self.kd
        if self.frame is not None or self.kind == "centre_of_mass":  # of the whole scene when no body is named
            row.frame = model.frame_id(self.frame or 0)
        try:
            row.axes = sum(AXES[axis] for axis in self.axes.split())
        except KeyError as wrong:
            raise Error(f"there is no axis {wrong}; there are {' '.join(AXES)}") from None
        _frame_path(row.path, keep, *self.path)
        rows, row.count = _pd_joints(model, self.joints, keep)
        row.joints = ctypes.cast(rows, ctypes.POINTER(_structs.fb_pd_joint))
        keep.append(rows)
        return row


class Support:
    """A point of the robot that something at rest can push, for TaskQP: the ground, a wall. Numbers: friction, sides, stance,
    kd, priority, weight; most and force are paths."""

    def __init__(self, frame, normal=(0, 0, 1), most=None, force=None, **numbers_of_contact):
        self.frame, self.normal, self.most, self.force, self.numbers = frame, normal, most, force, numbers_of_contact

    def fill(self, model, keep):
        row = library().fb_default_qp_contact()
        row.frame, row.normal_w = model.frame_id(self.frame), numbers(self.normal, 3, "normal")
        for name in "most", "force":
            path = getattr(self, name)
            if path is not None:
                keep.append(path_of(path, name))
                setattr(row, name, keep[-1].pointer)
        return struct_with(row, _structs.fb_qp_contact, self.numbers, "a support")


class TaskQP(Law):
    """Tasks by priority under the dynamics, within efforts and friction cones (docs/theory/task_qp.md). joints: those that
    are driven, by default all except floating bases; effort: by default the model's limits."""

    def __init__(self, tasks: typing.Iterable[Task], supports: typing.Iterable[Support] = (),
                 joints: typing.Optional[typing.Iterable[str]] = None, effort: typing.Optional[float] = None,
                 decay: float = 1.0):
        self.tasks, self.supports, self.joints = list(tasks), list(supports), joints
        self.effort, self.decay = effort, decay

    def make(self, model, name, block):
        c, keep = library(), []
        law = c.fb_default_task_qp()
        tasks = (_structs.fb_qp_task * len(self.tasks))(*[task.fill(model, keep) for task in self.tasks])
        supports = (_structs.fb_qp_contact * len(self.supports))(*[one.fill(model, keep) for one in self.supports])
        law.tasks, law.ntask = ctypes.cast(tasks, ctypes.POINTER(_structs.fb_qp_task)), len(tasks)
        law.contacts, law.ncontact = ctypes.cast(supports, ctypes.POINTER(_structs.fb_qp_contact)), len(supports)
        law.decay = self.decay
        if self.effort is not None:
            law.effort = self.effort
        if self.joints is not None:
            indices = [k for joint in self.joints for k in range(*model.joint(joint).v.indices(model.nv))]
            driven = (ctypes.c_int * len(indices))(*indices)
            law.coordinates, law.ncoordinate = ctypes.addressof(driven), len(driven)
            keep.append(driven)
        keep += [tasks, supports]
        self._block(model, name, block, "fb_block_new_task_qp", c.ref(law))
        return keep


# ---- scripts ----


class Lua(Law):
    """A law as a Lua script (docs/lua.md): its text, the period of its tick, values for its parameters."""

    def __init__(self, text: str, period: float = 0.0, parameters: typing.Optional[dict] = None, file: str = "script"):
        self.text, self.period, self.parameters, self.file = text, period, parameters or {}, file

    def make(self, model, name, block):
        c = library()
        options = c.fb_default_lua_options()
        names = (ctypes.c_char_p * (len(self.parameters) + 1))(*[key.encode() for key in self.parameters], None)
        values = numbers(list(self.parameters.values()), len(self.parameters), "parameters")
        options.period, options.nparameter = self.period, len(self.parameters)
        options.parameter_names, options.parameter_values = names, ctypes.addressof(values)
        raw = self.text.encode()
        self._block(model, name, block, "fb_block_new_lua", raw, len(raw), self.file.encode(), c.ref(options))
        return [model]
