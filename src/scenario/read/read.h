/* read.h -- the readers of a scenario's parts, and of the files that it is made of. */
#ifndef FB_SCENARIO_READ_READ_H
#define FB_SCENARIO_READ_READ_H

#include "scenario/scenario.h"

/* ---- read.c: a document is parsed once; who must know what is in it before it is read opens it, and closes it ---- */

/* Parses the document and makes the changes of --set. *scenario may be there after an error too; close it then as well. */
fb_status fb_scenario_open(const char* text, size_t size, const char* file,
                           const fb_scenario_options* options, fb_scenario** scenario, fb_error* error);
/* Opens the document of a scenario that was read with a further change; `from` can only be freed afterwards. */
fb_status fb_scenario_reopen(fb_scenario* from, const fb_scenario_options* options, const char* set,
                             fb_scenario** scenario, fb_error* error);
/* Reads what was opened, unless that failed with `status`. It is freed after an error; s may be NULL then. */
fb_status fb_scenario_close(fb_scenario* s, fb_status status, fb_scenario** scenario, fb_error* error);

/* ---- the parts, in the order in which they are read; values are those of the scenario's own keys ---- */

fb_status fb_scenario_read_models(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_environment(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_modes(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_start(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_motions(fb_scenario* s, const fb_fields* values, fb_error* error);
/* Closes the loops of the model; what `start` and motions give is fixed. */
fb_status fb_scenario_close_loops(fb_scenario* s, const fb_fields* top, fb_error* error);
/* Floating bases without momentum, once joints and motions are known. */
fb_status fb_scenario_zero_momentum(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_control(fb_scenario* s, const fb_fields* values, fb_error* error);
/* Whether a signal is of a law that is left out (fb_scenario_options.plant). */
int fb_scenario_is_of_left_out_law(const fb_scenario* s, const char* signal);
fb_status fb_scenario_read_forces(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_surfaces(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_materials(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_contacts(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_events(fb_scenario* s, const fb_fields* values, fb_error* error);
/* `limits: contact`, after the events. */
fb_status fb_scenario_read_stops(fb_scenario* s, const fb_fields* values, fb_error* error);
/* Joints of a model read with `repair` that have nothing to move in some mode, and no damper or gain either, are held where
 * they start; s->locked names them. */
fb_status fb_scenario_lock_idle(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_integrator(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_log(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_view(fb_scenario* s, const fb_fields* values, fb_error* error);

/* ---- input.c ---- */

/* Reads the file that a node names, beside the scenario or from the copies; it becomes the last of the inputs. `what`
 * is what it should be, as "model file". *index is its place among the inputs. */
fb_status fb_scenario_read_input(fb_scenario* s, const fb_node* node, const char* what, int* index,
                                 fb_error* error);
/* The same for a file by its path; the node is blamed when it cannot be read. */
fb_status fb_scenario_read_file(fb_scenario* s, const fb_node* node, const char* file, const char* what,
                                int* index, fb_error* error);
/* "folder/2-base": where the copy of the index-th file stands. Returns buffer. */
char* fb_scenario_copy_name(const char* folder, int index, const char* file, char* buffer, size_t size);

/* ---- model.c ---- */

/* A model by its file, or as a map; it is the part-th of `models`, or -1. */
fb_status fb_scenario_read_model(fb_scenario* s, const fb_node* node, int part, const fb_io_options* how,
                                 fb_model_def** def, fb_error* error);
fb_status fb_scenario_parse_model(const fb_scenario_input* input, const fb_io_options* io, fb_model_def** def,
                                  fb_error* error);

/* ---- model_options.c ---- */

/* How the models of a scenario are read, or one of its parts: s->io, and the keys of `values`. */
fb_status fb_scenario_read_how(fb_scenario* s, const fb_fields* values, int of_part, fb_io_options* how,
                               fb_error* error);

/* ---- parts.c ---- */

/* Joins the models of a list into the scene and builds it. */
fb_status fb_scenario_read_parts(fb_scenario* s, const fb_node* list, int gravity_given, fb_model_def* scene,
                                 fb_error* error);

/* ---- change.c: --set ---- */

/* Keeps a change of a model file: of the part-th of `models`, or -1; rest: "bodies.hand.mass=3". */
fb_status fb_scenario_keep_change(fb_scenario* s, int part, const char* rest, fb_error* error);
/* Changes the document, or keeps the change for the file of a model that it reaches into. */
fb_status fb_scenario_set(fb_scenario* s, const char* assignment, fb_error* error);
/* Reads a model file, of any format, with the changes that are kept for it. */
fb_status fb_scenario_change_model(const fb_scenario* s, const fb_scenario_input* input,
                                   const fb_io_options* io, int part, fb_model_def** def, fb_error* error);

#endif
