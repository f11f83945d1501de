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

# A ball that bounces, slides and comes to rest on the ground, with the events of its contact.
BOUNCE = """\
scenario: 1
name: bounce
model: {bodies: [{name: ball, mass: 1, inertia: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{kind: sphere, radius: 0.1}]}]}
gravity: [0, 0, -10]
start: {base: {at: [0, 0, 0.15], velocity: [1, 0, 0]}}
surfaces: [{name: ground, kind: plane}]
contacts: [{name: floor, a: ball, b: ground, friction: 0.3, restitution: 0.4}]
events: [{name: down, contact: floor, change: hits}]
duration: 0.6 s
checkpoint: 0.1 s
integrator: {method: moreau, step: 2 ms}
log: {period: 20 ms, signals: [q, v, contact, energy]}
"""

# Two bodies that are joined and parted.
CATCH = """\
scenario: 1
name: catch
model:
  bodies:
    - {name: chaser, joint: {type: free}, mass: 100, inertia: [20, 22, 24, 0, 0, 0]}
    - {name: arm, parent: chaser, mass: 5, inertia: [0.2, 0.5, 0.5, 0, 0, 0],
       joint: {name: shoulder, type: revolute, axis: [0, 1, 0], at: [1, 0, 0], damping: 0.5},
       frames: [{name: hand, at: [1, 0, 0]}]}
    - {name: target, joint: {type: free}, mass: 40, inertia: [4, 5, 6, 0, 0, 0],
       frames: [{name: grip, at: [0.5, 0, 0]}]}
start: {bases: {target: {at: [1.5, 0, 0], velocity: [0.1, 0.02, 0], angular_velocity: [0.05, 0.1, 0.2]}}}
control: [{name: hold, type: joint_pd, joints: [shoulder], kp: 5, kd: 10}]
events:
  - {name: capture, at: 0.203, do: [{join: {name: grasp, frame: grip, to: hand, force: true}}]}
  - {name: let go, at: 0.4, do: [{part: grasp}]}
duration: 0.6 s
checkpoint: 0.1 s
integrator: {method: rk4, step: 5 ms}
log: {period: 20 ms, signals: [q, v, energy, momentum]}
"""

# A pendulum that a controller outside holds; PORT is that of controller.py.
ASKED = """\
scenario: 1
name: asked
model: {bodies: [{name: bob, mass: 1, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1, 0, 0, 0],
                  joint: {name: hinge, type: revolute, axis: [0, 1, 0]}}]}
gravity: [0, 0, -9.81]
control:
  - {name: computer, type: remote, address: 'udp://127.0.0.1:PORT', period: 20 ms, timeout: 10 s,
     signals: [q.hinge, v.hinge], joints: [hinge]}
duration: 0.6 s
checkpoint: 0.1 s
integrator: {method: rk4, step: 5 ms}
log: {period: 20 ms, signals: [q, v, tau]}
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
    `first` are commands that make what the case starts from, undisturbed or with a fault. `share`: of the points of a
    sample, 1 for all; 0: only whole sweeps have it."""

    def __init__(self, name, command, files=(), makes=(), first=(), share=1.0):
        self.name, self.command, self.files, self.makes, self.share = name, shlex.split(command), files, makes, share
        self.first = [(shlex.split(line), fault) for line, fault in first]
        self.is_run = self.command[0] == "run"

    def prepare(self, folder):
        """Puts the inputs into the folder, except what the commands of `first` make."""
        with open(os.path.join(folder, "swing.yaml"), "w", encoding="utf-8") as file:
            file.write(SWING)
        asked = ASKED.replace("PORT", os.environ.get("FB_FAULT_PORT", "9"))
        for name, text in ("bob.stl", FACET), ("bounce.yaml", BOUNCE), ("catch.yaml", CATCH), ("asked.yaml", asked):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
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
HALF_CAUGHT = (("run catch.yaml -o out --quiet", ("write", 0.6, "kill")),)
HALF_ASKED = (("run asked.yaml -o out --quiet", ("write", 0.5, "kill")),)
ANSWERED = (("run asked.yaml -o made --quiet", UNDISTURBED),)

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
    Case("run-bounce", "run bounce.yaml -o out --quiet", share=0.25),
    Case("run-join", "run catch.yaml -o out --quiet", share=0.25),
    Case("run-remote", "run asked.yaml -o out --quiet", share=0.25),
    Case("run-replay", "run --replay made -o out --quiet", (), (), ANSWERED, share=0),
    Case("run-set", "run two_arms.yaml -o out --quiet --duration 0.1 --set models.left.model.bodies.palm.mass=3", PARTS),
    Case("run-stiff", "run swing.yaml -o out --quiet --set 'integrator={method: cvode}' --export csv"),
    Case("resume", "run swing.yaml -o out --resume", (), (), HALF),
    Case("resume-join", "run catch.yaml -o out --resume --quiet", (), (), HALF_CAUGHT, share=0),
    Case("resume-remote", "run asked.yaml -o out --resume --quiet", (), (), HALF_ASKED, share=0),
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
