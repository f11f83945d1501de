"""Which functions of the library work on arrays, and the shapes of their arguments.

A line is the name, the function, and its arguments in order; bindings/python/native/native.h explains the marks:

    m model   d scratch   <x:axes read   ?x:axes read, zeros when None   ox:axes read, NULL when None   >x:axes written
    =x the value returned   i.x an int   f.x a double   L loads   ! pivots are checked afterwards

axes: q v b j are nq, nv, nbody and the joints of a floating tree, a digit is itself. K(...), C(...), F(...) is what is
called before, in every row: fb_kinematics, the same and fb_centre_of_mass, fb_floating_update.
"""
TABLE = """
integrate               fb_integrate                       m <q:q <v:v f.dt >q_next:q
difference              fb_difference                      m <q0:q <q1:q >dv:v
inverse_dynamics        fb_inverse_dynamics                m d <q:q ?v:v ?vdot:v L >tau:v
forward_dynamics        fb_forward_dynamics                m d <q:q ?v:v ?tau:v L >vdot:v !
bias                    fb_bias                            m d <q:q ?v:v L >bias:v
inertia_matrix          fb_inertia_matrix                  m d <q:q >H:vv
gravity_compensation    fb_gravity_compensation            m d <q:q L >tau:v
passive_forces          fb_passive_forces                  m d <q:q ?v:v i.kinds >tau:v
pose                    fb_frame_pose                      K(<q:q) m d i.frame >p:3 >R:33
velocity                fb_frame_velocity                  K(<q:q <v:v) m d i.frame >v:3 >w:3
acceleration            fb_frame_acceleration              K(<q:q <v:v <vdot:v) m d i.frame >a:3 >wdot:3
jacobian                fb_frame_jacobian                  K(<q:q) m d i.frame >J:6v
jacobian_rate           fb_frame_jacobian_rate             K(<q:q <v:v) m d i.frame >Jdot:6v
jacobian_parts          fb_frame_jacobian_parts            K(<q:q) m d i.frame >Jb:66 >Jm:6v
jacobian_parts_rate     fb_frame_jacobian_parts_rate       K(<q:q <v:v) m d i.frame >Jb_dot:66 >Jm_dot:6v
reactions               fb_joint_reactions                 K(<q:q ?v:v ?vdot:v) m d L >wrench:b6
momentum                fb_momentum                        K(<q:q <v:v) m d <point:3 >linear:3 >angular:3
centroidal_matrix       fb_centroidal_matrix               C(<q:q) m d >A:6v
centroidal_matrix_rate  fb_centroidal_matrix_rate          C(<q:q <v:v) m d >Adot:6v
centre_of_mass          fb_subtree_com                     C(<q:q ?v:v ?vdot:v) m d i.body >com:3 >v_com:3 >a_com:3 =mass
potential_energy        fb_potential_energy                K(<q:q) m d <q:q L =energy
kinetic_energy          fb_kinetic_energy                  K(<q:q <v:v) m d <v:v =energy
floating_jacobian       fb_floating_jacobian               F(<q:q) d i.frame >Jstar:6j
floating_jacobian_rate  fb_floating_jacobian_rate          F(<q:q <v:v) d i.frame >Jstar_dot:6j
floating_base_velocity  fb_floating_base_velocity          F(<q:q) d ov_m:j oL:6 >v_b:6
floating_base_acceleration  fb_floating_base_acceleration  F(<q:q <v:v) d ovdot_m:j >vdot_b:6
floating_momentum       fb_floating_momentum               F(<q:q <v:v) d >L:6
resolved_rate           fb_floating_resolved_rate          F(<q:q) d i.frame <velocity:6 oL:6 f.damping >v_m:j =smallest
resolved_acceleration   fb_floating_resolved_acceleration  F(<q:q <v:v) d i.frame <acceleration:6 f.damping >vdot_m:j =smallest
manipulability          fb_floating_manipulability         F(<q:q) d i.frame >singular:6 =product
coupling                fb_floating_coupling               F(<q:q) d =factor
rot_to_axis_angle       fb_rot_to_axis_angle               <R:33 >axis:3 >angle:
"""
SQUARES = {9: "33", 36: "66"}


class Wrong(Exception):
    """A line that does not fit the headers."""


def argument(token):
    """(name, role, axes) of a token."""
    if token in ("m", "d", "L"):
        return token, token, ""
    if token[:2] in ("i.", "f."):
        return token[2:], token[0], ""
    name, _, axes = token[1:].partition(":")
    return name, token[0], axes


def fits(entry, arguments):
    """Whether the roles are those that the function's parameters can have."""
    taken = [(name, role) for name, role, _ in arguments if role != "="]
    if len(taken) != len(entry["parameters"]):
        return False
    for (_, role), parameter in zip(taken, entry["parameters"]):
        kind = parameter["type"]
        pointer, const = kind.endswith("*") or "array" in parameter, kind.startswith("const ")
        if {"i": kind != "int", "f": kind != "double", ">": not pointer or const, "<": not pointer or not const,
                "?": not pointer or not const, "o": not pointer or not const}.get(role, not pointer):
            return False
    return True


def made(name, entry, prelude, before, rest, check):
    if not fits(entry, rest):
        raise Wrong(f"the algorithm {name} does not fit {entry['name']}")
    return {"name": name, "function": entry["name"], "prelude": prelude, "before": len(before), "check": check,
            "arguments": before + rest, "comment": entry["comment"]}


def from_line(line, functions):
    name, function, *words = line.split()
    text = " ".join(words)
    prelude, before = "", []
    if "(" in text:
        prelude, inner, text = text[0], text[2:text.index(")")], text[text.index(")") + 1:]
        before = [argument(token) for token in inner.split()]
    check = text.endswith("!")
    rest = [argument(token) for token in text.rstrip("!").split()]
    return made(name, functions[function], prelude, before, rest, check)


def fixed(entry):
    """The arguments of a function that takes numbers and arrays of known lengths only, or None."""
    arguments = []
    for parameter in entry["parameters"]:
        kind, length = parameter["type"], parameter.get("length")
        if length and kind in ("const double", "double"):
            role = "<" if kind.startswith("const") else ">"
            arguments.append((parameter["name"], role, SQUARES.get(length[0], str(length[0]))))
        elif kind == "double":
            arguments.append((parameter["name"], "f", ""))
        else:
            return None
    if entry["returns"] in ("int", "double"):
        arguments.append(("value", "=", ""))
    return arguments if any(role == ">" for _, role, _ in arguments) else None


def algorithms(description):
    """All of them: the table, then what rotation.h has."""
    functions = {entry["name"]: entry for header in description["headers"] for entry in header["functions"]}
    if "fb_forward_dynamics" not in functions:  # the description of a test
        return []
    found = [from_line(line, functions) for line in TABLE.strip().splitlines()]
    rotations = next(header for header in description["headers"] if header["header"] == "rotation.h")
    for entry in rotations["functions"]:
        arguments = fixed(entry)
        if arguments is not None and entry["name"] != "fb_quat_normalise":  # which works in place
            found.append(made(entry["name"][3:], entry, "", [], arguments, False))
    return found
