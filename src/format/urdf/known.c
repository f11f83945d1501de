/* known.c -- what a URDF may contain: one table of elements with their attributes and children. What
 * stands in a file beyond it is not read, and is reported: each name once, with the line where it first stands
 * and, for a near miss such as <orgin>, the name that was probably meant. */
#include <string.h>

#include "format/notes.h"
#include "format/urdf/reader.h"

/* Inside <mimic>, <freebody> and what is in it their readers refuse what they do not know. */
static const fb_known_row ROWS[] = {
    {"robot", " name version ", " link joint material freebody ", "", "", ""},
    {"link", " name ", " inertial visual collision freebody ", "", "", ""},
    {"inertial", "", " origin mass inertia ", "", "", ""},
    {"mass", " value ", "", "", "", ""},
    {"inertia", " ixx iyy izz ixy ixz iyz ", "", "", "", ""},
    {"origin", " xyz rpy quat_xyzw ", "", "", "", ""},
    {"visual", " name ", " origin geometry material freebody ", "", "", ""},
    {"collision", " name ", " origin geometry material freebody ", "", "", ""},
    {"geometry", "", " box cylinder sphere capsule mesh ", "", "", ""},
    {"box", " size ", "", "", "", ""},
    {"cylinder", " radius length ", "", "", "", ""},
    {"sphere", " radius ", "", "", "", ""},
    {"capsule", " radius length ", "", "", "", ""},
    {"mesh", " filename scale ", "", "", "", ""},
    {"material", " name ", " color ", "", "", ""},
    {"color", " rgba ", "", "", "", ""},
    {"joint", " name type ", " origin parent child axis limit dynamics mimic freebody ", "", "", ""},
    {"parent", " link ", "", "", "", ""},
    {"child", " link ", "", "", "", ""},
    {"axis", " xyz ", "", "", "", ""},
    {"limit", " lower upper effort velocity ", "", "", "", ""},
    {"dynamics", " damping friction ", "", "", "", ""},
    {"mimic", NULL, "", "", "", ""},
    {"freebody", NULL, "", "", "", ""},
    {"frame", NULL, "", "", "", ""},
    {"loop", NULL, " b ", "", "", ""},
    {"b", NULL, "", "", "", ""},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static const char* place_of(const void* reader, int element, int* line) {
  *line = fb_xml_place(((const fb_urdf_reader*)reader)->xml, element).line;
  return NULL;
}

void fb_urdf_pass_over(fb_urdf_reader* r, int element) {
  fb_unread_add(&r->unread, element, "lost: <%.60s> is not read", fb_xml_name(r->xml, element));
}

/* --- the walk --- */

/* The element's row, or FB_NO_ROW after it was counted. Inside <geometry> the first element alone is read. */
static int place_element(void* reader, int element, const fb_known_row* row) {
  fb_urdf_reader* r = (fb_urdf_reader*)reader;
  const char *name = fb_xml_name(r->xml, element), *above = row->tag, *children = row->read;
  int parent = fb_xml_parent(r->xml, element);
  char near[FB_SUGGESTION_SIZE];
  if (strcmp(above, "freebody") == 0) {
    const char* owner = fb_xml_name(r->xml, fb_xml_parent(r->xml, parent));
    if (strcmp(owner, "link") == 0) children = " frame ";
    if (strcmp(owner, "robot") == 0) children = " loop ";
  }
  int in_geometry = strcmp(above, "geometry") == 0, known = fb_is_listed(name, children);
  int may_repeat =
      strcmp(above, "robot") == 0 || fb_is_listed(name, " link joint visual collision frame loop b ");
  if (in_geometry && fb_xml_first(r->xml, parent) != element)
    fb_urdf_pass_over(r, element);
  else if (known && !may_repeat && fb_xml_child(r->xml, parent, name) != element)
    fb_unread_add(&r->unread, element, "lost: <%s> has room for one <%s>; the first alone is read", above,
                  name);
  else if (known)
    return fb_known_find(ROWS, ROW_COUNT, name);
  else if (!in_geometry) /* there the shape was reported */
    fb_unread_add(&r->unread, element, "lost: <%.60s> is not read%s", name,
                  fb_suggest_listed(name, children, near));
  return FB_NO_ROW;
}

fb_status fb_urdf_report_unread(fb_urdf_reader* r) {
  if (!r->options || !r->options->note) return FB_OK;
  if (!fb_unread_walk(&r->unread, r->xml, ROWS, ROW_COUNT, place_element, r)) return fb_urdf_no_memory(r);
  fb_unread_report(&r->unread, r->options, place_of, r);
  if (r->material_names)
    fb_io_note(r->options, "minor: the material name%s of %d shape%s %s not kept; the colour%s %s",
               r->material_names == 1 ? "" : "s", r->material_names, r->material_names == 1 ? "" : "s",
               r->material_names == 1 ? "is" : "are", r->material_names == 1 ? "" : "s",
               r->material_names == 1 ? "is" : "are");
  return FB_OK;
}
