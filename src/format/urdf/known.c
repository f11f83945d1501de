/* known.c -- what a URDF may contain: one table of elements with their attributes and children. What
 * stands in a file beyond it is not read, and is told: each name once, with the line where it first stands
 * and, for a near miss such as <orgin>, the name that was probably meant. */
#include <stdlib.h>
#include <string.h>

#include <freebody/words.h>

#include "format/notes.h"
#include "format/urdf/reader.h"

enum { MOST = 10, UNKNOWN = -1 };

typedef struct known_row {
  const char* name;
  int any_attribute; /* <freebody> and what is in it: their readers refuse what they do not know */
  const char* attributes[MOST];
  const char* children[MOST];
} known_row;

static const known_row ROWS[] = {
    {"robot", 0, {"name", "version"}, {"link", "joint", "material", "freebody"}},
    {"link", 0, {"name"}, {"inertial", "visual", "collision", "freebody"}},
    {"inertial", 0, {NULL}, {"origin", "mass", "inertia"}},
    {"mass", 0, {"value"}, {NULL}},
    {"inertia", 0, {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {NULL}},
    {"origin", 0, {"xyz", "rpy"}, {NULL}},
    {"visual", 0, {"name"}, {"origin", "geometry", "material", "freebody"}},
    {"collision", 0, {"name"}, {"origin", "geometry", "material", "freebody"}},
    {"geometry", 0, {NULL}, {"box", "cylinder", "sphere", "capsule", "mesh"}},
    {"box", 0, {"size"}, {NULL}},
    {"cylinder", 0, {"radius", "length"}, {NULL}},
    {"sphere", 0, {"radius"}, {NULL}},
    {"capsule", 0, {"radius", "length"}, {NULL}},
    {"mesh", 0, {"filename", "scale"}, {NULL}},
    {"material", 0, {"name"}, {"color"}},
    {"color", 0, {"rgba"}, {NULL}},
    {"joint",
     0,
     {"name", "type"},
     {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "freebody"}},
    {"parent", 0, {"link"}, {NULL}},
    {"child", 0, {"link"}, {NULL}},
    {"axis", 0, {"xyz"}, {NULL}},
    {"limit", 0, {"lower", "upper", "effort", "velocity"}, {NULL}},
    {"dynamics", 0, {"damping", "friction"}, {NULL}},
    {"mimic", 1, {NULL}, {NULL}},
    {"freebody", 1, {NULL}, {NULL}},
    {"frame", 1, {NULL}, {NULL}},
    {"loop", 1, {NULL}, {"b"}},
    {"b", 1, {NULL}, {NULL}},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* Inside <freebody> of a robot and of a link. */
static const char *const LOOP_ALONE[] = {"loop", NULL}, *const FRAME_ALONE[] = {"frame", NULL};

static int find_row(const char* name) {
  for (int i = 0; i < ROW_COUNT; i++)
    if (strcmp(ROWS[i].name, name) == 0) return i;
  return UNKNOWN;
}

static int is_among(const char* name, const char* const* names) {
  for (; *names; names++)
    if (strcmp(*names, name) == 0) return 1;
  return 0;
}

/* --- counting --- */

static void count_passed(fb_urdf_reader* r, fb_urdf_passed what) {
  for (int i = 0; i < r->npassed; i++) {
    fb_urdf_passed* p = &r->passed[i];
    int same_attribute =
        !what.attribute == !p->attribute && (!what.attribute || strcmp(what.attribute, p->attribute) == 0);
    int same_reason = !what.repeated == !p->repeated;
    if (!same_attribute || !same_reason || strcmp(what.name, p->name) != 0) continue;
    p->count++;
    return;
  }
  if (r->npassed < FB_URDF_PASSED_MAX)
    r->passed[r->npassed++] = what;
  else
    r->passed_others++;
}

void fb_urdf_pass_over(fb_urdf_reader* r, int element) {
  count_passed(
      r, (fb_urdf_passed){
             .name = fb_xml_name(r->xml, element), .count = 1, .line = fb_xml_place(r->xml, element).line});
}

static void tell_one(const fb_urdf_reader* r, const fb_urdf_passed* p) {
  const char *plural = p->count == 1 ? "" : "s", *near[] = {p->near, NULL};
  char suggestion[FB_SUGGESTION_SIZE];
  if (p->attribute)
    fb_io_note(r->options, "lost: line %d: <%s> has no attribute '%s'%s; passed over %d of them", p->line,
               p->name, p->attribute, fb_suggestion(p->attribute, near, suggestion), p->count);
  else if (p->repeated)
    fb_io_note(r->options, "lost: line %d: <%s> has room for one <%s>; the first is read, and %d more %s not",
               p->line, p->repeated, p->name, p->count, p->count == 1 ? "is" : "are");
  else if (p->near)
    fb_io_note(r->options, "lost: line %d: <%s> is not read; did you mean <%s>? Passed over %d element%s",
               p->line, p->name, p->near, p->count, plural);
  else
    fb_io_note(r->options, "lost: line %d: <%s> is not read; passed over %d element%s", p->line, p->name,
               p->count, plural);
}

/* --- the walk --- */

static void check_attributes(fb_urdf_reader* r, int element, const known_row* row) {
  for (int i = 0; i < fb_xml_attribute_count(r->xml, element); i++) {
    const char* name = fb_xml_attribute_name(r->xml, element, i);
    /* Namespaces are declared for elements that are reported themselves. */
    if (row->any_attribute || strncmp(name, "xmlns", 5) == 0 || is_among(name, row->attributes)) continue;
    count_passed(r, (fb_urdf_passed){.name = row->name,
                                     .attribute = name,
                                     .near = fb_nearest_word(name, row->attributes),
                                     .count = 1,
                                     .line = fb_xml_place(r->xml, element).line});
  }
}

/* Whether an element may contain several of this name. */
static int may_repeat(const char* parent, const char* name) {
  static const char* const names[] = {"link", "joint", "visual", "collision", "frame", "loop", "b", NULL};
  return is_among(name, names) || strcmp(parent, "robot") == 0;
}

/* The element's row, or UNKNOWN after it was counted. Inside <geometry> the first element alone is read. */
static int place_element(fb_urdf_reader* r, int element, int parent, int parent_row) {
  const char *name = fb_xml_name(r->xml, element), *above = ROWS[parent_row].name;
  const char* const* children = ROWS[parent_row].children;
  if (strcmp(above, "freebody") == 0) {
    const char* owner = fb_xml_name(r->xml, fb_xml_parent(r->xml, parent));
    if (strcmp(owner, "link") == 0) children = FRAME_ALONE;
    if (strcmp(owner, "robot") == 0) children = LOOP_ALONE;
  }
  int later = strcmp(above, "geometry") == 0 && fb_xml_first(r->xml, parent) != element;
  int known = is_among(name, children) && !later;
  int repeated = known && !may_repeat(above, name) && fb_xml_child(r->xml, parent, name) != element;
  if (known && !repeated) return find_row(name);
  if (!known && !later && strcmp(above, "geometry") == 0) return UNKNOWN; /* the shape was reported */
  count_passed(r, (fb_urdf_passed){.name = name,
                                   .near = later || known ? NULL : fb_nearest_word(name, children),
                                   .repeated = repeated ? above : NULL,
                                   .count = 1,
                                   .line = fb_xml_place(r->xml, element).line});
  return UNKNOWN;
}

fb_status fb_urdf_tell_unread(fb_urdf_reader* r) {
  if (!r->options || !r->options->note) return FB_OK;
  int count = fb_xml_count(r->xml);
  int* row = malloc((size_t)count * sizeof *row);
  if (!row) return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the URDF was read");
  row[0] = find_row("robot");
  check_attributes(r, 0, &ROWS[row[0]]);
  /* In document order, so parents come first; what is inside an unknown element is passed over with it. */
  for (int e = 1; e < count; e++) {
    int parent = fb_xml_parent(r->xml, e);
    row[e] = row[parent] == UNKNOWN ? UNKNOWN : place_element(r, e, parent, row[parent]);
    if (row[e] != UNKNOWN) check_attributes(r, e, &ROWS[row[e]]);
  }
  free(row);
  for (int i = 0; i < r->npassed; i++) tell_one(r, &r->passed[i]);
  if (r->passed_others)
    fb_io_note(r->options, "lost: %d further elements and attributes of other names are not read",
               r->passed_others);
  if (r->material_names)
    fb_io_note(r->options, "minor: the material name%s of %d shape%s %s not kept; the colour%s %s",
               r->material_names == 1 ? "" : "s", r->material_names, r->material_names == 1 ? "" : "s",
               r->material_names == 1 ? "is" : "are", r->material_names == 1 ? "" : "s",
               r->material_names == 1 ? "is" : "are");
  return FB_OK;
}
