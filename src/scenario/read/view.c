/* view.c -- the appearance of pictures of a run: read, explained, and written for the run store. It changes nothing in
 * the run itself. */
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "scenario/explain/explain.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/surface/surface.h"
#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

static const char* const BACKGROUNDS[] = {"space", "plain", NULL};

typedef struct fb_view_row {
  double sun[3], ground;
  const char* follow;
} fb_view_row;

static const fb_field FIELDS[] = {
    WORD(VIEW, "background", BACKGROUNDS, EVERY,
         "space when something floats without gravity, otherwise plain", "stars, or one colour"),
    UNIT(VIEW, "sun", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_view_row, sun), "over the shoulder",
         "direction towards the sun, world axes, of any length"),
    UNIT(VIEW, "ground", NUMBER, LENGTH, ANY, EVERY, NEVER, AT(fb_view_row, ground), "none",
         "draws a horizontal plane at this height, the world's z; it is drawn only, and nothing touches it"),
    PLAIN(VIEW, "follow", TEXT, EVERY, NEVER, AT(fb_view_row, follow), "nothing",
          "the frame or body that the camera follows"),
    PLAIN(VIEW, "trails", NAMES, EVERY, NEVER, -1,
          "those whose position is logged, otherwise the last of each arm",
          "frames or bodies whose path is drawn; an empty list: none"),
};

const fb_schema_rows fb_rows_view = FB_ROWS(FIELDS);

static const char* background_name(const fb_scenario_view* view) {
  return view->background == FB_BACKGROUND_SPACE ? "space" : "plain";
}

/* One frame, or a list of them, which may be empty. */
static fb_status read_trails(fb_scenario* s, const fb_node* node, fb_error* error) {
  if (!node) return FB_OK;
  fb_scenario_view* view = &s->view;
  view->has_trails = 1;
  view->ntrail = fb_texts_count(node);
  view->trails = fb_scenario_alloc(s, (size_t)view->ntrail, sizeof *view->trails);
  if (!view->trails) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < view->ntrail && !status; i++)
    status =
        fb_scenario_go_on(s, fb_scenario_frame(s, fb_texts_item(node, i), &view->trails[i], error), error);
  return status;
}

fb_status fb_scenario_read_view(fb_scenario* s, const fb_fields* top, fb_error* error) {
  const fb_node* map = fb_fields_value(top, "view");
  fb_scenario_view* view = &s->view;
  fb_view_row row = {{0, 0, 0}, 0, NULL};
  fb_fields values;
  view->background = FB_BACKGROUND_NOT_GIVEN;
  if (!map) return FB_OK;
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_VIEW, &values, &row, error);
  if (!status) status = fb_fields_get_word(&values, "background", &view->background, error);
  const fb_node* follow = status ? NULL : fb_fields_value(&values, "follow");
  if (follow) status = fb_scenario_go_on(s, fb_scenario_frame(s, follow, &view->follow, error), error);
  if (!status) status = read_trails(s, fb_fields_value(&values, "trails"), error);
  if (status) return status;
  view->given = 1;
  view->has_sun = fb_fields_value(&values, "sun") != NULL;
  view->has_ground = fb_fields_value(&values, "ground") != NULL;
  view->ground = row.ground;
  memcpy(view->sun, row.sun, sizeof view->sun);
  return FB_OK;
}

void fb_scenario_add_view(struct fb_text* out, const fb_scenario* s) {
  const fb_scenario_view* view = &s->view;
  const char* comma = "";
  if (view->background != FB_BACKGROUND_NOT_GIVEN) {
    fb_text_printf(out, "background %s", background_name(view));
    comma = ", ";
  }
  if (view->has_sun) {
    fb_text_printf(out, "%ssun towards [%.6g, %.6g, %.6g]", comma, view->sun[0], view->sun[1], view->sun[2]);
    comma = ", ";
  }
  if (view->has_ground) {
    fb_text_printf(out, "%sground drawn at z = %.6g m (nothing touches it)", comma, view->ground);
    comma = ", ";
  }
  if (view->follow > 0) {
    fb_text_printf(out, "%sfollows %s", comma, fb_frame_name(s->model, view->follow));
    comma = ", ";
  }
  if (view->has_trails) fb_text_printf(out, "%s%s", comma, view->ntrail ? "trails of" : "no trails");
  for (int i = 0; i < view->ntrail; i++)
    fb_text_printf(out, "%s %s", i ? "," : "", fb_frame_name(s->model, view->trails[i]));
  if (!comma[0] && !view->has_trails) fb_text_add(out, "as it comes");
}

/* Names of contacts, as in their signals. */
static void put_contacts(fb_json* json, const fb_scenario* s) {
  fb_json_put_list(json, "contacts");
  for (int i = 0; i < s->nblock; i++) {
    const fb_contact* contact = fb_scenario_contact_of(&s->blocks[i]);
    if (contact) fb_json_string(json, contact->name);
  }
  fb_json_end_list(json);
}

fb_status fb_scenario_print_view(const fb_scenario* s, char** text, fb_error* error) {
  const fb_scenario_view* view = &s->view;
  size_t size;
  fb_json* json = fb_json_new(0);
  *text = NULL;
  if (!json) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the view of a run");
  fb_json_begin_map(json);
  fb_json_put_numbers(json, "gravity", s->gravity_w, 3);
  if (view->background != FB_BACKGROUND_NOT_GIVEN)
    fb_json_put_string(json, "background", background_name(view));
  if (view->has_sun) fb_json_put_numbers(json, "sun", view->sun, 3);
  if (view->has_ground) fb_json_put_number(json, "ground", view->ground);
  if (view->follow > 0) fb_json_put_string(json, "follow", fb_frame_name(s->model, view->follow));
  if (view->has_trails) {
    fb_json_put_list(json, "trails");
    for (int i = 0; i < view->ntrail; i++) fb_json_string(json, fb_frame_name(s->model, view->trails[i]));
    fb_json_end_list(json);
  }
  if (s->nsurface > 0) {
    fb_json_key(json, "surfaces");
    fb_scenario_print_surfaces(json, s);
  }
  if (s->nhard + s->ncompliant > 0) put_contacts(json, s);
  fb_json_end_map(json);
  *text = fb_json_finish(json, &size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for the view of a run");
}
