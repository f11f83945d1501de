/* force.c -- the items of `forces`: their keys, and which kind an item is of. */
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

static const fb_field FIELDS[] = {
    PLAIN(FORCE, "name", TEXT, EVERY, NEVER, -1, "as forces[0]", "its name"),
    KIND_WORD(FORCE, "type", fb_force_words, NEVER, "frame or joint, by the key that is given", NULL),
    PLAIN(FORCE, "frame", TEXT, BY_KIND, NEVER, -1, "this, `joint` or a `type` is required",
          "the frame or body at whose origin it acts"),
    PLAIN(FORCE, "joint", TEXT, BY_KIND, NEVER, -1, "this, `frame` or a `type` is required",
          "the joint it acts on, as an actuator"),
    WORD(FORCE, "axes", fb_axes_words, BY_KIND, "world", "the axes of force and torque"),
    UNIT(FORCE, "force", VECTOR, FORCE, ANY, BY_KIND, NEVER, -1, "0, 0, 0",
         "force, constant from `from` to `to`"),
    UNIT(FORCE, "torque", VECTOR, TORQUE, ANY, BY_KIND, NEVER, -1, "0, 0, 0", "torque, likewise"),
    BOTH(FORCE, "tau", COORDINATES, FORCE, TORQUE, ANY, BY_KIND, NEVER, "none",
         "force or torque of the joint, likewise"),
    UNIT(FORCE, "from", NUMBER, TIME, NOT_NEGATIVE, BY_KIND, NEVER, -1, "0", "time at which it begins"),
    UNIT(FORCE, "to", NUMBER, TIME, NOT_NEGATIVE, BY_KIND, NEVER, -1, "never", "time at which it ends"),
    UNIT(FORCE, "times", NUMBERS, TIME, ANY, BY_KIND, NEVER, -1, "none",
         "or a schedule: increasing times; zero before the first and after the last"),
    UNIT(FORCE, "forces", VECTORS, FORCE, ANY, BY_KIND, NEVER, -1, "0", "one for each time"),
    UNIT(FORCE, "torques", VECTORS, TORQUE, ANY, BY_KIND, NEVER, -1, "0", "one for each time"),
    BOTH(FORCE, "taus", NUMBERS, FORCE, TORQUE, ANY, BY_KIND, NEVER, "none",
         "one for each time; lists for a joint with several coordinates"),
    PLAIN(FORCE, "interpolate", BOOL, BY_KIND, NEVER, -1, "false",
          "true: linear between the times; false: each value is constant until the next time"),
    PLAIN(FORCE, "mode", NAMES, BY_KIND, NEVER, -1, "all", "the modes in which it acts"),
    PLAIN(FORCE, "a", TEXT, BY_KIND, NEVER, -1, NULL,
          "the frame or body at one end; its axes are those of a bushing"),
    PLAIN(FORCE, "b", TEXT, BY_KIND, NEVER, -1, NULL,
          "the frame or body at the other end; either may be the world"),
    BOTH(FORCE, "stiffness", COORDINATES, STIFFNESS, ANGULAR_STIFFNESS, NOT_NEGATIVE, BY_KIND, NEVER, NULL,
         "of a spring one number; of a bushing six, along x, y, z and about x, y, z of `a`"),
    BOTH(FORCE, "damping", COORDINATES, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, BY_KIND, NEVER, "0",
         "likewise"),
    UNIT(FORCE, "length", NUMBER, LENGTH, NOT_NEGATIVE, BY_KIND, NEVER, -1,
         "the distance of `a` and `b` at the start", "length without tension"),
    PLAIN(FORCE, "slack", BOOL, BY_KIND, NEVER, -1, "false",
          "true: a tether, which pulls when it is longer than `length` and never pushes"),
};

const fb_schema_rows fb_rows_force = FB_ROWS(FIELDS);

/* By its `type`, or by a key that is called as a kind is: `frame` or `joint`. */
static fb_status read_force(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  int variant = -1;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_FORCE, &values, error);
  if (!status) status = fb_fields_get_word(&values, "type", &variant, error);
  if (status) return status;
  for (int i = 0; variant < 0 && fb_force_words[i]; i++)
    if (fb_fields_value(&values, fb_force_words[i])) variant = i;
  if (variant < 0)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "a force needs 'frame', where it acts, or 'joint', whose actuator it is, or 'type', "
                        "which says what acts between two frames: spring or bushing");
  return fb_scenario_read_item(s, &values, FB_SECTION_FORCE, variant, "forces", index, error);
}

fb_status fb_scenario_read_forces(fb_scenario* s, const fb_fields* values, fb_error* error) {
  fb_status status = fb_scenario_read_list(s, values, "forces", "forces", NULL, read_force, error);
  const fb_node *list = fb_fields_value(values, "forces"), *laws = fb_fields_value(values, "control");
  return status ? status : fb_scenario_check_names(list, list ? laws : NULL, "force and control law", error);
}
