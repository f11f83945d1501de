/* new_contact.c -- what `freebody new --contact` writes: a ball that is thrown onto the ground. The test runs it. */
#include <stddef.h>

#include "new/new.h"

/* clang-format off */ /* these are files, line by line */
static const char SCENE[] =
    "# A ball is thrown onto the ground, bounces and rolls on. Run it: freebody run drop.yaml\n"
    "scenario: 1\n"
    "name: drop\n"
    "model: ball.yaml               # a file in this folder: native, URDF or SpaceDyn JSON\n"
    "gravity: [0, 0, -9.81]         # m/s^2, in world axes; or none\n"
    "start:\n"
    "  base: {at: [0, 0, 1], velocity: [1, 0, 0], angular_velocity: [0, -10, 0]}\n"
    "surfaces:\n"
    "  - {name: ground, kind: plane}   # through the origin, normal +z; others: freebody schema scenario\n"
    "contacts:                      # only what is listed here touches\n"
    "  - {name: floor, a: ball, b: ground, friction: 0.1, restitution: 0.6}\n"
    "events:\n"
    "  - {name: landed, contact: floor, change: hits, once: true}\n"
    "duration: 5 s                  # hard contacts are integrated by moreau, in steps of 1 ms\n"
    "log:\n"
    "  period: 10 ms\n"
    "  signals: [p.ball, contact.floor, energy, ledger]\n";

static const char MODEL[] =
    "freebody: 1\n"
    "name: ball\n"
    "bodies:\n"
    "  - name: ball                 # a base that floats\n"
    "    mass: 2\n"
    "    inertia: [0.008, 0.008, 0.008, 0, 0, 0]\n"
    "    shapes: [{kind: sphere, radius: 0.1, color: \"#c9b037\"}]   # drawn, and what touches\n";

static const char README[] =
    "# Contact to start from\n"
    "\n"
    "`ball.yaml` is the model, `drop.yaml` says how it starts, what touches what, and for how long.\n"
    "\n"
    "    freebody check drop.yaml         explains what will happen\n"
    "    freebody run drop.yaml           runs it\n"
    "    freebody plot drop.run contact.floor.normal -o force.svg\n"
    "    freebody view drop.run -o drop.html\n"
    "    freebody schema scenario         every key a scenario can have\n"
    "\n"
    "Change a number for one run: `freebody run drop.yaml --set contacts.floor.restitution=0.9`. Locate every\n"
    "impact exactly: `--set integrator.method=dopri5`.\n";
/* clang-format on */

const cmd_new_file cmd_new_contact[] = {
    {"drop.yaml", SCENE}, {"ball.yaml", MODEL}, {"README.md", README}, {NULL, NULL}};
