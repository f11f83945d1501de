"""What notebooks show of an object."""
import html


def table(title, rows):
    """A table of two columns under a line of text; both are escaped."""
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>"
                    f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>" for name, value in rows)
    return f"<div><b>{html.escape(title)}</b><table>{cells}</table></div>"


def model(m):
    """A model: its size, and its joints."""
    rows = [("bodies", m.nbody - 1), ("nq, nv", f"{m.nq}, {m.nv}"), ("mass", f"{m.mass:g} kg")]
    rows += [(f"joint {joint.name}", f"{joint.type}, {joint.parent} to {joint.body}, v[{joint.v.start}:{joint.v.stop}]")
             for joint in list(m.joints.values())[:30]]
    if len(m.joints) > 30:
        rows.append(("", f"and {len(m.joints) - 30} joints more"))
    return table(f"Model {m.name}", rows)


def simulation(s):
    """A simulation: where it stands."""
    if s._pointer is None or not s._started:
        return table(f"Simulation of {s.model.name}", [("state", "not started")])
    ledger = s.ledger
    return table(f"Simulation of {s.model.name}", [
        ("t", f"{s.t:g} s"), ("steps", s.steps), ("energy", f"{ledger.kinetic + ledger.potential:g} J"),
        ("ledger", f"{ledger.relative:.1e} of the energy exchanged is not explained")])


def run(r):
    """A run: its length and its signals."""
    span = f"{r.t[0]:g} to {r.t[-1]:g} s" if r.nsample else "none"
    names = list(r.signals)
    return table(f"Run {r.folder}", [
        ("status", r.texts.get("status", "")), ("samples", f"{r.nsample}, {span}"), ("events", len(r.events)),
        ("signals", ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else ""))])
