/* unread.c -- what stands in an MJCF file and is not read: counted by name, and reported once each with the line of the
 * first. What MuJoCo knows and changes the motion is lost; what changes pictures or solvers alone is minor. */
#include <string.h>

#include "format/mjcf/reader.h"

static const char* place_of(const void* reader, int node, int* line) {
  const fb_mjcf_reader* r = (const fb_mjcf_reader*)reader;
  int doc = r->tree.nodes[node].doc;
  *line = fb_mjcf_line(&r->tree, node);
  return doc == 0 ? NULL : r->tree.docs[doc].file;
}

void fb_mjcf_report_unread(const fb_mjcf_reader* r) {
  fb_unread_report(&r->unread, r->options, place_of, r);
}

#define FB_MJCF_SCENARIO "freebody convert --to scenario"
#define FB_MJCF_CONTACTS FB_MJCF_SCENARIO " --contacts"

typedef struct known_row {
  const char* tag;
  const char* read;    /* attributes that are read, between spaces */
  const char* silent;  /* those of pictures and of the user's own */
  const char* minor;   /* those of MuJoCo's solvers */
  const char* contact; /* those of contacts, which a scenario has */
  const char* lost;    /* others that change the motion and are not read */
} known_row;

static const known_row ROWS[] = {
    {"mujoco", " model ", "", "", "", ""},
    {"compiler",
     " angle coordinate inertiafromgeom eulerseq meshdir assetdir autolimits balanceinertia exactmeshinertia "
     "strippath discardvisual boundmass boundinertia settotalmass inertiagrouprange fitaabb alignfree ",
     " texturedir ", " fusestatic usethread convexhull saveinertial conflict ", "", ""},
    {"option", " gravity density viscosity ", "",
     " timestep apirate impratio wind magnetic o_margin o_solref o_solimp o_friction integrator collision "
     "cone jacobian solver iterations tolerance ls_iterations ls_tolerance noslip_iterations "
     "noslip_tolerance mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance sdf_iterations "
     "sdf_initpoints actuatorgroupdisable sleep_tolerance ",
     "", ""},
    {"body", " name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp ", " user ", " sleep ",
     "", ""},
    {"frame", " name childclass pos quat axisangle xyaxes zaxis euler count offset sep ", "", "", "", ""},
    {"inertial", " pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia ", "", "", "", ""},
    {"joint",
     " name class type pos axis range limited ref stiffness springref springdamper damping armature "
     "frictionloss actuatorfrcrange actuatorfrclimited ",
     " group user ", "", "",
     " margin solreflimit solimplimit solreffriction solimpfriction actuatorgravcomp "},
    {"freejoint", " name align ", " group ", "", "", ""},
    {"geom",
     " name class type pos quat axisangle xyaxes zaxis euler fromto size mesh mass density rgba material "
     "group contype conaffinity fitscale shellinertia hfield ",
     " user ", "", " condim priority friction solmix solref solimp margin gap surfacevel ",
     " fluidshape fluidcoef plugin "},
    {"site", " name class pos quat axisangle xyaxes zaxis euler ",
     " type group material size fromto rgba user ", "", "", ""},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static void check_attributes(fb_mjcf_reader* r, int node, const known_row* row) {
  fb_xml* xml = fb_mjcf_xml(&r->tree, node);
  int element = r->tree.nodes[node].element;
  for (int i = 0; i < fb_xml_attribute_count(xml, element); i++) {
    const char* name = fb_xml_attribute_name(xml, element, i);
    char near[FB_SUGGESTION_SIZE];
    if (fb_is_listed(name, row->read) || fb_is_listed(name, row->silent) || strncmp(name, "xmlns", 5) == 0)
      continue;
    if (fb_is_listed(name, row->minor))
      fb_unread_add(&r->unread, node, "minor: %s of <%s> is not read", name, row->tag);
    else if (fb_is_listed(name, row->contact) && r->scenario == 2) {
      if (!fb_is_listed(name, " condim friction priority ")) /* what contacts of a scenario have */
        fb_unread_add(&r->unread, node, "lost: %s of <geom>; contacts are hard here", name);
    } else if (fb_is_listed(name, row->contact))
      fb_unread_add(&r->unread, node, "%s of <%s> is for contacts, as " FB_MJCF_CONTACTS " writes them", name,
                    row->tag);
    else if (fb_is_listed(name, row->lost))
      fb_unread_add(&r->unread, node, "lost: %s of <%s> is not read", name, row->tag);
    else
      fb_unread_add(&r->unread, node, "lost: <%s> has no attribute '%.40s'%.50s", row->tag, name,
                    fb_suggest_listed(name, row->read, near));
  }
}

static const known_row* find_row(const char* tag) {
  for (int i = 0; i < ROW_COUNT; i++)
    if (strcmp(ROWS[i].tag, tag) == 0) return &ROWS[i];
  return NULL;
}

/* --- sections and elements --- */

static const char SECTIONS[] =
    " compiler option size visual statistic default custom asset worldbody contact deformable equality "
    "tendon actuator sensor keyframe extension ";

/* A section of <mujoco> that is not read. */
static void check_section(fb_mjcf_reader* r, int node) {
  const char* tag = fb_mjcf_tag(&r->tree, node);
  int empty = r->tree.nodes[node].first == FB_MJCF_NONE;
  char near[FB_SUGGESTION_SIZE];
  if (!fb_is_listed(tag, SECTIONS))
    fb_unread_add(&r->unread, node, "lost: <%.40s> is not read%.50s", tag,
                  fb_suggest_listed(tag, SECTIONS, near));
  else if (empty || r->ours)
    return;
  else if (fb_is_listed(tag, " actuator tendon keyframe ")) {
    if (!r->scenario)
      fb_unread_add(&r->unread, node, "<%s> is left to a scenario, as " FB_MJCF_SCENARIO " writes it", tag);
  } else if (strcmp(tag, "contact") == 0) {
    if (r->scenario < 2)
      fb_unread_add(&r->unread, node, "<contact> is left to a scenario, as " FB_MJCF_CONTACTS " writes it");
  } else if (strcmp(tag, "sensor") == 0) {
    fb_unread_add(&r->unread, node,
                  "lost: <sensor> is not read; the signals of a scenario's log measure here");
  } else if (fb_is_listed(tag, " deformable extension ")) {
    fb_unread_add(&r->unread, node, "lost: <%s> is not read", tag);
  }
}

/* What is in a body: read, or not. */
static void check_inside(fb_mjcf_reader* r, int node) {
  static const char known[] = " body frame inertial joint freejoint geom site camera light replicate ";
  const char* tag = fb_mjcf_tag(&r->tree, node);
  char near[FB_SUGGESTION_SIZE];
  if (fb_is_listed(tag, " camera light "))
    fb_unread_add(&r->unread, node, "minor: <%s> is not read", tag);
  else if (strcmp(tag, "attach") == 0)
    fb_unread_add(&r->unread, node, "lost: <attach> is not read; the model that it names is missing");
  else if (!fb_is_listed(tag, known) && strcmp(tag, "plugin") != 0)
    fb_unread_add(&r->unread, node, "lost: <%.40s> is not read%.50s", tag,
                  fb_suggest_listed(tag, known, near));
}

void fb_mjcf_find_unread(fb_mjcf_reader* r) {
  if (!r->options || !r->options->note) return;
  check_attributes(r, 0, &ROWS[0]);
  for (int i = 1; i < (int)r->tree.count; i++) {
    int parent = r->tree.nodes[i].parent;
    const known_row* row = find_row(fb_mjcf_tag(&r->tree, i));
    int in_world = r->owner[parent] >= 0, settings = parent == 0 && row && row >= ROWS + 1 && row <= ROWS + 2;
    int in_default = fb_mjcf_is(&r->tree, parent, "default");
    if (r->ours && !in_world) continue;
    if (parent == 0) check_section(r, i);
    if (in_world) check_inside(r, i);
    if (row && (in_world || settings || in_default)) check_attributes(r, i, row);
  }
}
