/* slips.c -- the notes on what is wrong in a URDF and read nevertheless. A robot with thirty joints that all lack the same
 * thing makes one note, with the line of the first and the names of the first few. */
#include "format/urdf/slips.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/notes.h"
#include "format/urdf/reader.h"

enum { LISTED = 8 };

/* "joint 'a' <one>" or "3 joints <many>: 'a', 'b', 'c'". */
typedef struct slip_row {
  const char *kind, *noun, *one, *many;
} slip_row;

static const slip_row ROWS[FB_SLIP_COUNT] = {
    [FB_SLIP_TREES] = {"", "link", "has no parent joint; it is a tree of its own",
                       "have no parent joint; each is a tree of its own"},
    [FB_SLIP_NO_WORLD] = {"", "joint",
                          "has the parent 'world', which is no link; it is attached to the world itself",
                          "have the parent 'world', which is no link; they are attached to the world itself"},
    [FB_SLIP_WORLD_RENAMED] = {"", "link", "has that name now; 'world' is the name of the world itself",
                               "have these names now; 'world' is the name of the world itself"},
    [FB_SLIP_JOINT_NAMED] = {"", "joint",
                             "has no name of its own in the file; it takes that of its child link",
                             "have no names of their own in the file; they take those of their child links"},
    [FB_SLIP_BASE_NAMED] = {"", "base joint",
                            "is named so because another joint has the name of the root link",
                            "are named so because other joints have the names of their links"},
    [FB_SLIP_NO_TYPE] = {"", "joint", "has no type; it is read as fixed",
                         "have no type; they are read as fixed"},
    [FB_SLIP_TYPE] = {"", "joint", "has a type that URDF does not have",
                      "have types that URDF does not have"},
    [FB_SLIP_SECOND] = {"", "joint",
                        "closes a loop, since its child has a parent joint before it; limits, damping and "
                        "<mimic> of it have no effect",
                        "close loops, since their children have parent joints before them; limits, damping "
                        "and <mimic> of them have no effect"},
    [FB_SLIP_SECOND_RIGID] = {"lost: ", "joint", "connects links that are one rigid body already",
                              "connect links that are one rigid body already"},
    [FB_SLIP_SECOND_TYPE] = {"lost: ", "joint",
                             "is the second one of its child, and has a type that no loop has",
                             "are the second ones of their children, and have types that no loop has"},
    [FB_SLIP_MIMIC_FREE] = {"lost: ", "joint", "has <mimic>; it moves independently, as asked for",
                            "have <mimic>; they move independently, as asked for"},
    [FB_SLIP_MIMIC_FIXED] = {"lost: ", "joint", "has <mimic>; it is fixed at its offset, as asked for",
                             "have <mimic>; they are fixed at their offsets, as asked for"},
    [FB_SLIP_MIMIC_ODD] = {"lost: ", "joint", "has <mimic>, which cannot be followed: it moves independently",
                           "have <mimic>, which cannot be followed: they move independently"},
    [FB_SLIP_MIMIC_MASSLESS] =
        {"", "joint",
         "is coupled by <mimic> and has nothing to move; it gets an armature of 1e-6 (kg m^2 or kg)",
         "are coupled by <mimic> and have nothing to move; they get armatures of 1e-6 (kg m^2 or kg)"},
    [FB_SLIP_MIMIC_ZERO] = {"", "joint", "has <mimic> with multiplier 0; it is fixed at its offset",
                            "have <mimic> with multiplier 0; they are fixed at their offsets"},
    [FB_SLIP_MIMIC_PLAIN] = {"lost: ", "joint",
                             "has <mimic>, which is not read: it does not have one coordinate",
                             "have <mimic>, which is not read: they do not have one coordinate"},
    [FB_SLIP_NO_AXIS] = {"", "joint", "has an <axis> without xyz; it is 1 0 0, URDF's default",
                         "have an <axis> without xyz; it is 1 0 0, URDF's default"},
    [FB_SLIP_ZERO_AXIS] = {"", "joint", "has a zero axis and cannot move; it is read as fixed",
                           "have zero axes and cannot move; they are read as fixed"},
    [FB_SLIP_NO_LIMIT] = {"", "joint", "has no <limit>, which URDF demands; it is read as no limit",
                          "have no <limit>, which URDF demands; it is read as no limit"},
    [FB_SLIP_EMPTY_LIMIT] = {"", "joint",
                             "has a <limit> with neither lower nor upper; it is read as no limit (URDF's "
                             "defaults of 0 would lock the joint)",
                             "have a <limit> with neither lower nor upper; it is read as no limit (URDF's "
                             "defaults of 0 would lock the joints)"},
    [FB_SLIP_REVERSED_LIMIT] = {"", "joint", "has a lower limit above the upper; it is read as no limit",
                                "have a lower limit above the upper; it is read as no limit"},
    [FB_SLIP_ZERO_LIMIT] = {"", "joint", "has a <limit> of velocity 0; the zeros in it are read as no limit",
                            "have a <limit> of velocity 0; the zeros in it are read as no limit"},
    [FB_SLIP_ODD_LIMIT] = {"", "limit", "cannot be one; it is read as none",
                           "cannot be any; they are read as none"},
    [FB_SLIP_CONTINUOUS_LIMIT] = {"", "joint", "is continuous; lower and upper of its <limit> are not read",
                                  "are continuous; lower and upper of their <limit> are not read"},
    [FB_SLIP_DAMPING] = {"", "joint", "has negative damping or friction; it is read as 0",
                         "have negative damping or friction; it is read as 0"},
    [FB_SLIP_INERTIAL] = {"", "link", "has an incomplete <inertial>; what is missing is read as 0",
                          "have an incomplete <inertial>; what is missing is read as 0"},
    [FB_SLIP_EMPTY_SHAPE] = {"lost: ", "shape", "has no extent and is left out",
                             "have no extent and are left out"},
    [FB_SLIP_BAD_SHAPE] = {"lost: ", "shape", "cannot be read and is left out",
                           "cannot be read and are left out"},
    [FB_SLIP_MATERIAL] = {"lost: ", "shape",
                          "gets no colour, because its material is not defined or cannot be read",
                          "get no colour, because their materials are not defined or cannot be read"},
    [FB_SLIP_MESH_FORMAT] = {"lost: ", "mesh",
                             "is left out, because meshes are STL, OBJ or COLLADA (.dae); convert it",
                             "are left out, because meshes are STL, OBJ or COLLADA (.dae); convert them"},
    [FB_SLIP_PACKAGE] = {"", "package",
                         "is not found; its meshes keep their addresses. Searched: --package NAME=DIR, "
                         "ROS_PACKAGE_PATH (for model://, GAZEBO_MODEL_PATH), the folders above the file",
                         "are not found; their meshes keep their addresses. Searched: --package NAME=DIR, "
                         "ROS_PACKAGE_PATH (for model://, GAZEBO_MODEL_PATH), the folders above the file"},
};

fb_status fb_urdf_add_slip(fb_urdf_reader* r, fb_urdf_slip slip, int element, const char* format, ...) {
  if (!r->options || !r->options->note) return FB_OK;
  fb_urdf_tally* tally = &r->slips[slip];
  char name[160];
  va_list args;
  va_start(args, format);
  vsnprintf(name, sizeof name, format, args);
  va_end(args);
  if (!tally->count++) tally->line = fb_xml_place(r->xml, element).line;
  size_t used = strlen(tally->names), left = sizeof tally->names - used;
  if (tally->is_full || strstr(tally->names, name)) return FB_OK; /* named already */
  tally->is_full = tally->listed == LISTED || strlen(name) + sizeof ", , ..." > left;
  snprintf(tally->names + used, left, "%s%s", used ? ", " : "", tally->is_full ? "..." : name);
  tally->listed++;
  return FB_OK;
}

static void report(const fb_urdf_reader* r, const slip_row* row, const fb_urdf_tally* tally) {
  if (tally->count == 1) {
    fb_io_note(r->options, "%sline %d: %s %s %s", row->kind, tally->line, row->noun, tally->names, row->one);
    return;
  }
  const char* plural = strcmp(row->noun, "mesh") == 0 ? "es" : "s";
  fb_io_note(r->options, "%sline %d: %d %s%s %s: %s", row->kind, tally->line, tally->count, row->noun, plural,
             row->many, tally->names);
}

/* Oddities of the text itself. */
static void report_odd(const fb_urdf_reader* r) {
  const fb_xml_odd* odd = fb_xml_oddities(r->xml);
  if (odd->declared_late)
    fb_io_note(r->options,
               "minor: line %d: blanks or comments come before the XML declaration, which must be first; it "
               "is read nevertheless",
               odd->declared_late);
  if (odd->dashes)
    fb_io_note(
        r->options,
        "minor: line %d: a comment has \"--\" in it, which XML forbids; it is passed over nevertheless",
        odd->dashes);
  if (odd->not_utf8)
    fb_io_note(r->options,
               "line 1: the text is not UTF-8, as it should be; letters beyond ASCII are read as Latin-1");
  if (odd->encoding[0])
    fb_io_note(r->options, "line 1: the encoding '%s' is not known; letters beyond ASCII are read as Latin-1",
               odd->encoding);
  if (odd->commas)
    fb_io_note(r->options, "line %d: %d attribute%s commas between numbers, which are read as spaces",
               odd->comma_line, odd->commas, odd->commas == 1 ? " has" : "s have");
  if (odd->extra)
    fb_io_note(r->options, "line %d: %d attribute%s more numbers than are read; the first ones count",
               odd->extra_line, odd->extra, odd->extra == 1 ? " has" : "s have");
}

void fb_urdf_report_slips(fb_urdf_reader* r) {
  report_odd(r);
  for (int i = 0; i < FB_SLIP_COUNT; i++)
    if (r->slips[i].count) report(r, &ROWS[i], &r->slips[i]);
}
