/* urdf_files.h -- the URDF tests' way to their files, and a one-line description of a definition. Include
 * after cmocka.h. */
#ifndef FB_TESTS_URDF_FILES_H
#define FB_TESTS_URDF_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "document/document.h"
#include "format/urdf/urdf.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

enum { NOTES = 8192 };

static const char* const GOOD_FILES[] = {
    "chain.urdf",      "tree.urdf",       "fixed_inside.urdf",    "prismatic.urdf",
    "continuous.urdf", "planar.urdf",     "floating_inside.urdf", "axes.urdf",
    "massless.urdf",   "world_arm.urdf",  "inertial_rpy.urdf",    "meshes.urdf",
    "gazebo.urdf",     "extensions.urdf", "quadruped.urdf",       "dual_arm.urdf",
    "loops.urdf",
};
enum { GOOD_COUNT = COUNT(GOOD_FILES) };

/* Notes, one on each line. */
static inline void keep_note(void* user, const char* text) {
  char* notes = (char*)user;
  strncat(notes, text, NOTES - strlen(notes) - 1);
  strncat(notes, "\n", NOTES - strlen(notes) - 1);
}

static inline fb_io_options noting(char notes[NOTES]) {
  fb_io_options options = fb_default_io_options();
  notes[0] = '\0';
  options.note = keep_note;
  options.note_user = notes;
  return options;
}

static inline char* urdf_text(const char* file, size_t* size) {
  char path[600], *text;
  snprintf(path, sizeof path, "%s/urdf/%s", FB_TEST_DATA, file);
  if (fb_file_read(path, &text, size, NULL)) fail_msg("cannot read %s", path);
  return text;
}

static inline fb_model_def* read_urdf(const char* file, const fb_io_options* options) {
  fb_error error;
  fb_model_def* def;
  size_t size;
  char* text = urdf_text(file, &size);
  if (fb_urdf_read(text, size, file, options, &def, &error)) {
    char line[1400];
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  }
  free(text);
  return def;
}

/* "name(parent type joint) " of each body in order. */
static inline char* describe(const fb_model_def* def, char* text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int id = 1; id < fb_model_def_nbody(def) && used < size; id++) {
    const fb_body_def* b = fb_model_def_body(def, id);
    used +=
        (size_t)snprintf(text + used, size - used, "%s(%s %s %s) ", b->name, b->parent ? b->parent : "world",
                         fb_joint_type_name(b->joint.type), b->joint.name ? b->joint.name : b->name);
  }
  return text;
}

#endif
