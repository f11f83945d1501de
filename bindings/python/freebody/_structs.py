"""The C structs of include/freebody/, field by field. tests/test_layout.py holds them against the headers."""
import ctypes
from ctypes import c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

# Which passive joint forces act (dynamics.h); or them together.
SPRINGS, DAMPERS, FRICTION = 1, 2, 4

# Ways to move a coordinate (sim.h).
MOTION_FORCE, MOTION_LOCKED = -1, -2

# The base of a URDF (io.h).
BASES = {None: 0, "free": 1, "fixed": 2}

SIGNAL_NAME = 160


class Place(ctypes.Structure):
    _fields_ = [("line", c_int), ("column", c_int)]


class Failure(ctypes.Structure):
    _fields_ = [("status", c_int), ("place", Place), ("file", c_char * 256), ("path", c_char * 256),
                ("text", c_char * 768)]


class BuildOptions(ctypes.Structure):
    _fields_ = [("merge_fixed", c_int), ("isa", c_char_p), ("cookie_", c_int)]


NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class IoOptions(ctypes.Structure):
    _fields_ = [("format", c_int), ("note", NOTE), ("note_user", c_void_p), ("base", c_int),
                ("packages", ctypes.POINTER(c_char_p)), ("cookie_", c_int)]


class Wrench(ctypes.Structure):
    _fields_ = [("frame", c_int), ("in_frame_axes", c_int), ("force", c_double * 3), ("torque", c_double * 3)]


class Loads(ctypes.Structure):
    _fields_ = [("gravity_w", c_double * 3), ("body_gravity_w", c_void_p), ("wrenches", ctypes.POINTER(Wrench)),
                ("nwrench", c_int), ("passive", c_int), ("cookie_", c_int)]


class View(ctypes.Structure):
    _fields_ = [("model", c_void_p), ("data", c_void_p), ("t", c_double), ("q", c_void_p), ("v", c_void_p)]


class Drive(ctypes.Structure):
    _fields_ = [("tau", c_void_p), ("vdot", c_void_p), ("moved", c_void_p),
                ("wrenches", ctypes.POINTER(Wrench)), ("nwrench", c_int), ("room", c_int)]


_VIEW, _DRIVE, _FAILURE = ctypes.POINTER(View), ctypes.POINTER(Drive), ctypes.POINTER(Failure)
TICK = ctypes.CFUNCTYPE(c_int, c_void_p, _VIEW, c_void_p, c_void_p, _FAILURE)
ACT = ctypes.CFUNCTYPE(c_int, c_void_p, _VIEW, c_void_p, c_void_p, _DRIVE, c_void_p, _FAILURE)


class Block(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("user", c_void_p), ("period", c_double), ("modes", c_uint), ("nmemory", c_int),
                ("nstate", c_int), ("nwrench", c_int), ("moves", c_int), ("parameters", c_void_p), ("start", TICK), ("tick", TICK),
                ("act", ACT), ("next_edge", c_void_p), ("free", c_void_p)]


class SimOptions(ctypes.Structure):
    _fields_ = [("method", c_int), ("step", c_double), ("adaptive", c_int), ("rtol", c_double), ("atol", c_double),
                ("max_step", c_double), ("gravity_w", c_double * 3), ("passive", c_int),
                ("friction_law", c_int), ("nmode", c_int),
                ("stepper", c_void_p), ("cookie_", c_int)]


class Stepper(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("self", c_void_p), ("start", c_void_p), ("reset", c_void_p),
                ("advance", c_void_p), ("at", c_void_p), ("free", c_void_p)]


class Ledger(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("kinetic", "potential", "kinetic_0", "potential_0", "work", "outside",
                                              "dissipated", "jumped", "residual", "exchanged", "peak_kinetic",
                                              "relative")]
    _fields_ += [(name, c_double * 3) for name in ("linear", "angular", "linear_0", "angular_0")]
    _fields_ += [("impulse", c_double * 6)]
    _fields_ += [(name, c_double) for name in ("linear_residual", "angular_residual", "linear_scale", "angular_scale",
                                               "scale", "worst", "worst_t", "momentum_worst", "momentum_worst_t")]
    _fields_ += [(name, c_int) for name in ("worst_body", "momentum_body")]


class Signal(ctypes.Structure):
    _fields_ = [("kind", c_int), ("index", c_int), ("component", c_int)]


class ScenarioOptions(ctypes.Structure):
    _fields_ = [("set", ctypes.POINTER(c_char_p)), ("duration", c_double), ("inputs", c_char_p), ("io", IoOptions),
                ("cookie_", c_int)]


# Each with its name in C.
C_NAMES = {Place: "fb_place", Failure: "fb_error", BuildOptions: "fb_build_options", IoOptions: "fb_io_options",
           Wrench: "fb_wrench", Loads: "fb_loads", View: "fb_context", Drive: "fb_action", Block: "fb_block",
           SimOptions: "fb_sim_options", Stepper: "fb_stepper", Ledger: "fb_ledger", Signal: "fb_signal",
           ScenarioOptions: "fb_scenario_options"}

# The functions used: what each returns, then what it takes.
_P, _S, _I, _D, _N, _L = c_void_p, c_char_p, c_int, c_double, c_size_t, ctypes.c_longlong
SIGNATURES = {
    # status.h, version.h
    "fb_version": (_S,),
    "fb_status_name": (_S, _I),
    "fb_error_format": (_S, _P, _P, _N),
    # io.h, model_def.h, model.h
    "fb_default_io_options": (IoOptions,),
    "fb_default_build_options": (BuildOptions,),
    "fb_model_def_read": (_I, _S, _P, _P, _P),
    "fb_model_def_parse": (_I, _S, _N, _S, _P, _P, _P),
    "fb_model_def_free": (None, _P),
    "fb_model_def_gravity": (None, _P, _P),
    "fb_model_build": (_I, _P, _P, _P, _P),
    "fb_model_free": (None, _P),
    "fb_model_name": (_S, _P),
    "fb_model_definition": (_P, _P),
    "fb_model_nbody": (_I, _P),
    "fb_model_nq": (_I, _P),
    "fb_model_nv": (_I, _P),
    "fb_model_nframe": (_I, _P),
    "fb_model_mass": (_D, _P),
    "fb_model_com_frame": (_I, _P, _I),
    "fb_model_joint_frame": (_I, _P, _I),
    "fb_model_find_body": (_I, _P, _S),
    "fb_model_find_frame": (_I, _P, _S),
    "fb_body_name": (_S, _P, _I),
    "fb_body_parent": (_I, _P, _I),
    "fb_body_mass": (_D, _P, _I),
    "fb_joint_name": (_S, _P, _I),
    "fb_joint_type_of": (_I, _P, _I),
    "fb_joint_type_name": (_S, _I),
    "fb_joint_q_at": (_I, _P, _I),
    "fb_joint_v_at": (_I, _P, _I),
    "fb_joint_nq": (_I, _P, _I),
    "fb_joint_nv": (_I, _P, _I),
    "fb_frame_name": (_S, _P, _I),
    # configuration.h, data.h
    "fb_neutral": (None, _P, _P),
    "fb_integrate": (None, _P, _P, _P, _D, _P),
    "fb_difference": (None, _P, _P, _P, _P),
    "fb_normalise": (None, _P, _P),
    "fb_random_q": (None, _P, ctypes.c_uint64, _P),
    "fb_random_v": (None, _P, ctypes.c_uint64, _P),
    "fb_check_state": (_I, _P, _P, _P, _P),
    "fb_data_new": (_P, _P),
    "fb_data_free": (None, _P),
    # kinematics.h, jacobian.h, momentum.h
    "fb_kinematics": (None, _P, _P, _P, _P, _P),
    "fb_frame_pose": (None, _P, _P, _I, _P, _P),
    "fb_frame_velocity": (None, _P, _P, _I, _P, _P),
    "fb_frame_acceleration": (None, _P, _P, _I, _P, _P),
    "fb_centre_of_mass": (None, _P, _P),
    "fb_subtree_com": (_D, _P, _P, _I, _P, _P, _P),
    "fb_frame_jacobian": (None, _P, _P, _I, _P),
    "fb_frame_jacobian_rate": (None, _P, _P, _I, _P),
    "fb_frame_bias_acceleration": (None, _P, _P, _P, _I, _P),
    "fb_momentum": (None, _P, _P, _P, _P, _P),
    "fb_centroidal_matrix": (None, _P, _P, _P),
    "fb_kinetic_energy": (_D, _P, _P, _P),
    "fb_potential_energy": (_D, _P, _P, _P, _P),
    # dynamics.h
    "fb_default_loads": (Loads,),
    "fb_inverse_dynamics": (None, _P, _P, _P, _P, _P, _P, _P),
    "fb_forward_dynamics": (None, _P, _P, _P, _P, _P, _P, _P),
    "fb_mixed_dynamics": (None, _P, _P, _P, _P, _P, _P, _P, _P),
    "fb_bias": (None, _P, _P, _P, _P, _P, _P),
    "fb_inertia_matrix": (None, _P, _P, _P, _P),
    "fb_passive_forces": (None, _P, _P, _P, _I, _P),
    "fb_gravity_compensation": (None, _P, _P, _P, _P, _P),
    "fb_check_pivots": (_I, _P, _P, _P),
    # sim.h, block.h, signal.h
    "fb_default_sim_options": (SimOptions,),
    "fb_method_name": (_S, _I),
    "fb_method_find": (_I, _S),
    "fb_sim_new": (_I, _P, _P, _P, _P),
    "fb_sim_free": (None, _P),
    "fb_sim_add_block": (_I, _P, _P, _P, _P),
    "fb_sim_start": (_I, _P, _P, _P, _P),
    "fb_sim_step": (_I, _P, _D, _P),
    "fb_sim_advance": (_I, _P, _D, _P),
    "fb_sundials_stepper": (_I, _S, _D, _D, _D, _P, _P),
    "fb_sim_settle": (_I, _P, _P),
    "fb_sim_time": (_D, _P),
    "fb_sim_q": (_P, _P),
    "fb_sim_v": (_P, _P),
    "fb_sim_work": (_P, _P),
    "fb_sim_steps": (_L, _P),
    "fb_sim_stopped": (_I, _P),
    "fb_sim_ledger": (None, _P, _P),
    "fb_sim_move_joint": (_I, _P, _I, _I, _P),
    "fb_default_block": (Block,),
    "fb_action_wrench": (ctypes.POINTER(Wrench), _P),
    "fb_signal_find": (_I, _P, _S, _P, _I, _P, _P),
    "fb_signal_name": (_S, _P, Signal, _P),
    "fb_signal_unit": (_S, _P, Signal),
    "fb_signal_axes": (_S, _P, Signal),
    "fb_signal_meaning": (_S, Signal),
    "fb_signal_values_at": (_I, _P, _D, _P, _I, _P, _P),
    # scenario.h
    "fb_default_scenario_options": (ScenarioOptions,),
    "fb_scenario_read": (_I, _S, _P, _P, _P),
    "fb_scenario_free": (None, _P),
    "fb_scenario_name": (_S, _P),
    "fb_scenario_model": (_P, _P),
    "fb_scenario_duration": (_D, _P),
    "fb_scenario_sim": (_I, _P, _P, _P),
}
