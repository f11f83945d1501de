"""cases.py -- what the sweep executes: each case is a command line of `freebody`, the files it finds, those it makes.

A case of `run` makes a run folder `out`, which is compared by its contents; after a failure an undisturbed --resume
must lead to the same contents. Other cases make the files listed, over older ones that a failure must leave alone."""

import os
import shlex
import shutil

SWING = """\
scenario: 1
name: swing
model:
  name: swing
  bodies:
    - name: bob
      joint: {name: hinge, type: revolute, axis: [0, 1, 0], damping: 0.05, limits: [-2, 2]}
      mass: 1 kg
      com: [0, 0, -1]
      inertia: [0.004, 0.004, 0.004, 0, 0, 0]
      frames: [{name: tip, at: [0, 0, -1]}]
      shapes:
        - {kind: mesh, file: bob.stl}
        - {kind: sphere, radius: 0.1, at: [0, 0, -1], color: "#c0392b"}
gravity: [0, 0, -9.81]
start: {joints: {hinge: 60 deg}}
control:
  - {name: hold, type: joint_pd, joints: [hinge], kp: [2], kd: [0.1]}
events:
  - {name: low, when: q.hinge, crosses: 0, direction: falling}
  - {name: grab, at: 0.25 s, do: [{lock: hinge}]}
  - {name: let go, at: 0.4 s, do: [{release: hinge}]}
duration: 0.6 s
checkpoint: 0.1 s
integrator: {method: rk4, step: 5 ms}
log: {period: 20 ms, signals: [q, v, p.tip, energy]}
view: {ground: -1.2, trails: [tip]}
"""

FACET = """\
solid bob
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid bob
"""

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Case:
    """One command line. `files` come from the repository; `makes` are files that exist before with other contents;
    `first` are commands that make what the case starts from, undisturbed or with a fault."""

    def __init__(self, name, command, files=(), makes=(), first=()):
        self.name, self.command, self.files, self.makes = name, shlex.split(command), files, makes
        self.first = [(shlex.split(line), fault) for line, fault in first]
        self.is_run = self.command[0] == "run"

    def prepare(self, folder):
        """Puts the inputs into the folder, except what the commands of `first` make."""
        with open(os.path.join(folder, "swing.yaml"), "w", encoding="utf-8") as file:
            file.write(SWING)
        with open(os.path.join(folder, "bob.stl"), "w", encoding="utf-8") as file:
            file.write(FACET)
        for path in self.files:
            shutil.copy(os.path.join(SOURCE, path), folder)
        for name in self.makes:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("older contents\n")


ETS7 = ("scenarios/ets7/ets7.urdf",)
LOOPS = ("tests/data/urdf/loops.urdf",)
TERRAIN = ("tests/data/scenario/terrain.yaml", "tests/data/scenario/hills.txt", "tests/data/scenario/block.obj")
INSPECTOR = ("scenarios/inspector/inspector.yaml",)
SATELLITE = ("scenarios/satellite/satellite.yaml", "scenarios/ets7/ets7.urdf")
HOP = ("scenarios/lua_hop/lua_hop.yaml", "scenarios/lua_hop/hop.lua")
PARTS = tuple("scenarios/two_arms/%s.yaml" % name for name in ("two_arms", "bus", "arm"))
UNDISTURBED = ("none", 0, "once")
MADE = (("run swing.yaml -o made --quiet", UNDISTURBED),)
OTHER = (("run swing.yaml -o other --quiet --set integrator.step=20ms", UNDISTURBED),)
SHORT = (("run swing.yaml -o out --quiet --duration 0.5", UNDISTURBED),)
ARM = (("convert inspector.yaml arm.json --to spacedyn", UNDISTURBED),)
# Killed in mid-run: at half of its writes.
HALF = (("run swing.yaml -o out --quiet", ("write", 0.5, "kill")),)

CASES = [
    Case("check-model", "check inspector.yaml", INSPECTOR),
    Case("check-urdf", "check ets7.urdf", ETS7),
    Case("check-scenario", "check swing.yaml"),
    Case("check-lua", "check lua_hop.yaml", HOP),
    Case("check-remote", "check remote_arm.yaml", ("scenarios/remote_arm/remote_arm.yaml",)),
    Case("check-parts", "check two_arms.yaml", PARTS),
    Case("check-contacts", "check terrain.yaml", TERRAIN),
    Case("check-eval", "check states.json", INSPECTOR + ("scenarios/inspector/states.json",)),
    Case("check-loops", "check loops.yaml", ("tests/data/models/loops.yaml",)),
    Case("info-native", "info inspector.yaml --full --spacedyn", INSPECTOR),
    Case("info-json", "info inspector.yaml --json --spacedyn", INSPECTOR),
    Case("info-urdf", "info ets7.urdf", ETS7),
    Case("eval", "eval states.json", INSPECTOR + ("scenarios/inspector/states.json",)),
    Case("lcp", "lcp kinds.json", ("tests/fuzz/seeds/lcp/kinds.json",)),
    Case("fmu-list", "fmu --list --control keep swing.yaml"),
    Case("run", "run swing.yaml -o out"),
    Case("run-lua", "run lua_hop.yaml -o out --duration 0.3 --set checkpoint=0.1 --quiet", HOP),
    Case("run-contacts", "run terrain.yaml -o out --quiet", TERRAIN),
    Case("run-set", "run two_arms.yaml -o out --quiet --duration 0.1 --set models.left.model.bodies.palm.mass=3", PARTS),
    Case("run-stiff", "run swing.yaml -o out --quiet --set 'integrator={method: cvode}' --export csv"),
    Case("resume", "run swing.yaml -o out --resume", (), (), HALF),
    Case("extend", "run swing.yaml -o out --resume --duration 2", (), (), SHORT),
    Case("from", "run swing.yaml -o out --from made@0.5", (), (), MADE),
    Case("compare", "compare made other --tolerance 1", (), (), MADE + OTHER),
    Case("export-csv", "export made -o log.csv", (), ("log.csv",), MADE),
    Case("export-h5", "export made -o log.h5", (), ("log.h5",), MADE),
    Case("export-list", "export made --list", (), (), MADE),
    Case("view-page", "view made -o page.html", (), ("page.html",), MADE),
    Case("view-gltf", "view made -o robot.glb", (), ("robot.glb",), MADE),
    Case("convert-urdf", "convert --force inspector.yaml arm.urdf", INSPECTOR, ("arm.urdf",)),
    Case("convert-native", "convert --force ets7.urdf arm.yaml", ETS7, ("arm.yaml",)),
    Case("convert-json", "convert --force ets7.urdf arm.json", ETS7, ("arm.json",)),
    Case("convert-loops", "convert --force loops.urdf back.urdf", LOOPS, ("back.urdf",)),
    Case("convert-loops-native", "convert --force loops.urdf back.yaml", LOOPS, ("back.yaml",)),
    Case("convert-spacedyn", "convert --force inspector.yaml arm.json --to spacedyn", INSPECTOR, ("arm.json",)),
    Case("convert-from-spacedyn", "convert --force arm.json back.yaml", INSPECTOR, ("back.yaml",), ARM),
]
