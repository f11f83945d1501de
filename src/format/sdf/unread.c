/* unread.c -- what stands in an SDF file and is not read: counted, and reported once each with the line of the first.
 *
 * One table says what SDF has: what is read; what is lost, unless it says what holds anyway, as `false` and 0 do; what
 * changes pictures or solvers alone and is minor; and what is passed over in silence. Anything else in an element is
 * unknown, and reported with the name that was probably meant. What is inside an element that is not read goes with it. */
#include <string.h>

#include <freebody/support/text.h>

#include "format/sdf/reader.h"

static const char* place_of(const void* reader, int element, int* line) {
  const fb_sdf_reader* r = (const fb_sdf_reader*)reader;
  *line = fb_xml_place(r->xml, element).line;
  return fb_sdf_file_of(r, element);
}

/* --- what SDF has --- */

#define AXIS_PARTS " xyz dynamics limit use_parent_model_frame mimic "

static const fb_known_row ROWS[] = {
    {"sdf", " version ", " world model ", " actor light ", "", ""},
    {"gazebo", " version ", " world model ", " actor light ", "", ""},
    {"world", " name ", " model include gravity joint frame wind ", " plugin actor light population state ",
     " audio atmosphere gui magnetic_field physics road scene spherical_coordinates ", ""},
    {"wind", "", "", " linear_velocity ", "", ""},
    {"model", " name canonical_link placement_frame freebody_version freebody_merged ",
     " static pose link joint frame model include ", " plugin gripper joint_state enable_wind ",
     " self_collide allow_auto_disable ", ""},
    {"include", " merge ", " uri name pose static placement_frame ", " plugin ", " namespace ", ""},
    {"frame", " name attached_to ", " pose ", "", "", ""},
    {"pose", " relative_to frame degrees rotation_format ", "", "", "", ""},
    {"link", " name ", " pose inertial collision visual velocity_decay gravity ",
     " kinematic enable_wind sensor projector plugin ",
     " self_collide must_be_base_link audio_sink audio_source battery light particle_emitter ", ""},
    {"velocity_decay", "", "", " linear angular ", "", ""},
    {"inertial", " auto freebody_inertia ", " mass pose inertia density fluid_added_mass ", "",
     " auto_inertia_params ", ""},
    {"inertia", "", " ixx iyy izz ixy ixz iyz ", "", "", ""},
    {"fluid_added_mass", "", "", " xx xy xz xp xq xr yy yz yp yq yr zz zp zq zr pp pq pr qq qr rr ", "", ""},
    {"visual", " name ", " pose geometry material ", "",
     " cast_shadows laser_retro transparency visibility_flags meta plugin ", ""},
    {"collision", " name ", " pose geometry density ", " surface ",
     " laser_retro max_contacts auto_inertia_params ", ""},
    {"geometry", "", " box sphere cylinder capsule ellipsoid mesh ", "", "",
     " empty cone plane heightmap image polyline "}, /* shapes that are left out are reported separately */
    {"box", "", " size ", "", "", ""},
    {"sphere", "", " radius ", "", "", ""},
    {"cylinder", "", " radius length ", "", "", ""},
    {"capsule", "", " radius length ", "", "", ""},
    {"ellipsoid", "", " radii ", "", "", ""},
    {"mesh", " optimization ", " uri scale ", " submesh ", " convex_decomposition ", ""},
    {"material", "", " diffuse ", "", "",
     " script ambient specular emissive lighting shader pbr render_order double_sided shininess "},
    {"joint", " name type ", " parent child pose axis axis2 screw_thread_pitch thread_pitch ",
     " sensor gearbox_ratio gearbox_reference_body plugin ", " physics ", ""},
    {"axis", "", AXIS_PARTS, " initial_position ", "", ""},
    {"axis2", "", AXIS_PARTS, " initial_position ", "", ""},
    {"xyz", " expressed_in ", "", "", "", ""},
    {"dynamics", "", " damping friction spring_stiffness spring_reference ", "", "", ""},
    {"limit", "", " lower upper effort velocity ", " stiffness dissipation ", "", ""},
    {"mimic", " joint axis ", " multiplier offset reference ", "", "", ""},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* Whether a text says what holds without it: false, 0, and what SDF gives limits that are rigid. */
static int holds_anyway(const char* tag, const char* text) {
  double x;
  text += strspn(text, " \n\t\r");
  if (strncmp(text, "false", 5) == 0 || strncmp(text, "False", 5) == 0) return 1;
  const char* end = *text ? fb_number_parse(text, &x) : NULL;
  if (!end) return 0;
  if (strcmp(tag, "stiffness") == 0) return x >= 1e8;
  if (strcmp(tag, "dissipation") == 0) return x == 1;
  for (; end && x == 0; end = *end ? fb_number_parse(end, &x) : NULL) end += strspn(end, " \n\t\r");
  return x == 0;
}

/* --- the walk --- */

/* Gravity acts on all bodies alike. What is fixed does not feel it. */
static void check_gravity(fb_sdf_reader* r, int e) {
  const char* text = fb_xml_text(r->xml, e);
  int model = r->model_item[fb_xml_parent(r->xml, fb_xml_parent(r->xml, e))];
  if (!*text || !holds_anyway("gravity", text) || (model >= 0 && r->items[model].is_static)) return;
  fb_unread_add(&r->unread, e,
                "lost: <gravity> false of <link>: gravity acts on every body; balance it in a scenario by a "
                "force of -mass x gravity at the centre of mass");
}

/* The row of an element that is read; FB_NO_ROW for others, after they were counted. */
static int check_element(void* reader, int e, const fb_known_row* above) {
  fb_sdf_reader* r = (fb_sdf_reader*)reader;
  const char *tag = fb_xml_name(r->xml, e), *text = fb_xml_text(r->xml, e);
  char near[FB_SUGGESTION_SIZE];
  if (strcmp(tag, "gravity") == 0 && strcmp(above->tag, "link") == 0) {
    check_gravity(r, e);
    return FB_NO_ROW;
  }
  if (fb_is_listed(tag, above->read)) return fb_known_find(ROWS, ROW_COUNT, tag);
  if (fb_is_listed(tag, above->silent)) return FB_NO_ROW;
  if (fb_is_listed(tag, above->minor))
    fb_unread_add(&r->unread, e, "minor: <%s> of <%s> is not read", tag, above->tag);
  else if (fb_is_listed(tag, above->lost) && holds_anyway(tag, text))
    return FB_NO_ROW;
  else if (fb_is_listed(tag, above->lost))
    fb_unread_add(&r->unread, e, "lost: <%s> of <%s> is not read", tag, above->tag);
  else
    fb_unread_add(&r->unread, e, "lost: <%.40s> of <%s> is not known%.50s", tag, above->tag,
                  fb_suggest_listed(tag, above->read, near));
  return FB_NO_ROW;
}

fb_status fb_sdf_report_unread(fb_sdf_reader* r) {
  if (!r->options || !r->options->note) return FB_OK;
  int walked = fb_unread_walk(&r->unread, r->xml, ROWS, ROW_COUNT, check_element, r);
  fb_unread_report(&r->unread, r->options, place_of, r);
  return walked ? FB_OK : fb_sdf_no_memory(r);
}
