/* scenario.h -- what the parts share that write a scenario from an MJCF file. */
#ifndef FB_FORMAT_MJCF_SCENARIO_H
#define FB_FORMAT_MJCF_SCENARIO_H

#include <freebody/support/json.h>

#include "format/mjcf/scenario/actuator.h"

typedef struct fb_mjcf_scene {
  fb_mjcf_reader* r;
  fb_json* json;
  const char* section; /* the list that is open; NULL */
  fb_name_set blocks;  /* of laws, forces and contacts */
  int nq;
  double* q0;    /* [nq]: qpos0 */
  double* start; /* [nq]: the first keyframe, or qpos0 */
  double* ctrl;  /* of the first keyframe */
  int nctrl;
  fb_model* model; /* built when damping ratios need it; NULL */
  double* moments; /* [nv]: diagonal of the inertia matrix at qpos0 */
} fb_mjcf_scene;

/* The reader has read a file; free *text. */
fb_status fb_mjcf_print_scenario(fb_mjcf_reader* r, const char* model, char** text, size_t* size);

/* A map that is an item of a list by this key, with a name of its own made of these words. */
fb_status fb_mjcf_begin_item(fb_mjcf_scene* s, const char* section, const char* name);
void fb_mjcf_end_section(fb_mjcf_scene* s);
/* The name of a node, or the words in its place; free it. */
fb_status fb_mjcf_name_or(const fb_mjcf_reader* r, int node, const char* otherwise, char** name);

/* Coordinates, and where floating bases start (format/mjcf/scenario/start.c). */
fb_status fb_mjcf_find_start(fb_mjcf_scene* s);
void fb_mjcf_print_start(fb_mjcf_scene* s);
/* Laws for actuators (format/mjcf/scenario/laws.c), and what drives from outside are set to at the start. */
fb_status fb_mjcf_print_laws(fb_mjcf_scene* s);
fb_status fb_mjcf_print_settings(fb_mjcf_scene* s);
/* Springs of tendons with several joints, as scripts. */
fb_status fb_mjcf_print_tendon_laws(fb_mjcf_scene* s);
/* Planes as surfaces, and what touches what (format/mjcf/scenario/contacts.c). */
fb_status fb_mjcf_print_contacts(fb_mjcf_scene* s);

#endif
