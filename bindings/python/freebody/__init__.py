"""Freebody from Python: models, dynamics, simulations, and runs as `freebody run` makes them.

    import freebody
    arm = freebody.Model.load("arm.yaml")
    tau = arm.inverse_dynamics(arm.neutral(), gravity=(0, 0, -9.81))

SI units and radians everywhere; frames and the order of numbers are those of docs/conventions.md. Arrays are
NumPy's where NumPy is installed, else lists. The C library is loaded by the first call that needs it.
"""
from ._error import Error, MotionWarning
from ._library import backend, version
from .contact import (Collider, box, capsule, cylinder, ellipsoid, heightfield, hull, mesh, plane, point,
                      sphere)
from . import c, control, rotation
from .actions import Change
from .floating import Floating
from .job import Job, Summary, resume, run
from .kinematics import Kinematics
from .model import Model
from .page import Page
from .parts import DAMPERS, FRICTION, SPRINGS, Joint, State, Wrench
from .paths import Path, constant, cubic, quintic, trapezoid
from .run_folder import Event, Run, Signal, compare
from .scenario import Ledger
from .simulation import Simulation
from .solve import Target

__all__ = [
    "Change", "Collider", "DAMPERS", "Error", "Event", "FRICTION", "Floating", "Job", "Joint", "Kinematics", "Ledger",
    "Model", "MotionWarning", "Page", "Path", "Run", "SPRINGS", "Signal", "Simulation", "State", "Summary", "Target", "Wrench", "backend",
    "box", "c", "capsule", "compare", "constant", "control", "cubic", "cylinder", "ellipsoid", "heightfield", "hull",
    "mesh", "plane", "point", "quintic", "resume", "rotation", "run", "sphere", "trapezoid", "version"]
