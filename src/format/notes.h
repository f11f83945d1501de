/* notes.h -- remarks of readers and writers: fb_io_options.note. */
#ifndef FB_FORMAT_NOTES_H
#define FB_FORMAT_NOTES_H

#include <freebody/io.h>

#include "document/document.h"

/* Reports to the caller, if options has a note function. options may be NULL. FB_OK: a note is no error. */
fb_status fb_io_note(const fb_io_options* options, const char* format, ...) FB_PRINTF(2, 3);

/* Whether a reader shall continue after an error, to find more of them: the caller wants all, and was told this one. options
 * may be NULL. */
int fb_io_go_on(const fb_io_options* options, fb_status status, const fb_error* error);
/* Reports what is wrong with the bodies of a definition, each by itself, to a caller who wants all errors. */
void fb_complain_bodies(const fb_model_def* def, const fb_io_options* options);

/* Tells a caller who chose how the base stands that this format has said so already. options may be NULL. */
void fb_note_base(const fb_io_options* options);

/* What is to become of masses and inertias that no body can have, an fb_inertia_policy: what the caller asks for, or
 * `own`, that of the file or of its format. options may be NULL. */
fb_inertia_policy fb_io_inertia_policy(const fb_io_options* options, fb_inertia_policy by_format);
/* Does so, and notes what it repairs. */
void fb_io_apply_inertia(const fb_io_options* options, fb_inertia_policy by_format, fb_model_def* def);
/* Notes that the format written cannot say that impossible inertias are to be kept, if the definition does. */
void fb_note_kept_inertia(const fb_model_def* def, const fb_io_options* options);

/* What is to become of joints that follow others: what the caller asks for, or FB_MIMIC_COUPLED. options may be NULL. */
static inline fb_mimic fb_io_mimic(const fb_io_options* options) {
  return options && options->mimic != FB_MIMIC_DEFAULT ? options->mimic : FB_MIMIC_COUPLED;
}

/* Reports each key of the map that is not among `known` (NULL-ended), with its line and the nearest. */
void fb_note_unread_keys(const fb_node* map, const char* const* known, const fb_io_options* options);

#endif
