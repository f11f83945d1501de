/* sdf_text.h -- SDF as text in tests: its parts, models built from it, and where their frames are. */
#ifndef FB_TESTS_SDF_TEXT_H
#define FB_TESTS_SDF_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/io.h>
#include <freebody/kinematics.h>

#include "near.h"

static char notes[4000];

static inline void keep_note(void* user, const char* text) {
  (void)user;
  size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s\n", text);
}

static inline fb_status parse(const char* text, fb_model_def** def, fb_error* error) {
  fb_io_options options = fb_default_io_options();
  options.note = keep_note;
  notes[0] = '\0';
  return fb_model_def_parse(text, strlen(text), "robot.sdf", &options, def, error);
}

static inline fb_model* built(const char* text) {
  fb_model_def* def = NULL;
  fb_model* model = NULL;
  fb_error error;
  char line[1500];
  if (parse(text, &def, &error) || fb_model_build(def, NULL, &model, &error))
    fail_msg("%s\n%s", fb_error_format(&error, line, sizeof line), text);
  fb_model_def_free(def);
  return model;
}

#define MASS "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
#define LINK(name, more) "<link name='" name "'>" more MASS "</link>"
#define JOINT(name, type, parent, child, more)                                                      \
  "<joint name='" name "' type='" type "'><parent>" parent "</parent><child>" child "</child>" more \
  "</"                                                                                              \
  "joint>"
#define AXIS(x) "<axis><xyz>" x "</xyz></axis>"
#define SDF(inner) "<sdf version='1.9'><model name='m'>" inner "</model></sdf>"

static inline void frame_at(const fb_model* m, const char* name, const double* q, double p[3]) {
  double R[9], *neutral = calloc((size_t)fb_model_nq(m) + 1, sizeof *neutral);
  fb_data* d = fb_data_new(m);
  fb_neutral(m, neutral);
  fb_kinematics(m, d, q ? q : neutral, NULL, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, name), p, R);
  fb_data_free(d);
  free(neutral);
}

#endif
