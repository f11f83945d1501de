/* check.h -- the checks of a definition that look at one body at a time. */
#ifndef FB_MODEL_CHECK_H
#define FB_MODEL_CHECK_H

#include <freebody/model_def.h>

#include "base/private_api.h"

/* Beyond this no SI quantity of a robot makes sense, and products would overflow. */
#define FB_HUGE_NUMBER 1e30

/* Finite numbers, physical mass and inertia, a valid joint, valid frames and shapes. */
FB_PRIVATE_API fb_status fb_check_body(const fb_model_def* def, int body, fb_error* error);

/* Its parts that parameters can change: mass, centre of mass and inertia, finite and, unless the model keeps them as they
 * are, possible; and of a joint whose type is known, limits,
 * springs and all other numbers of its coordinates. */
fb_status fb_check_inertia(const char* name, double mass, const double com[3], const double inertia[6],
                           int keeps, fb_error* error);
FB_PRIVATE_API fb_status fb_check_joint_numbers(const char* name, const fb_joint_def* j, fb_error* error);

/* It has a name, and not the world's. */
fb_status fb_check_body_name(const fb_model_def* def, int body, fb_error* error);

/* "#rrggbb" or "#rrggbbaa". */
FB_API int fb_color_is_valid(const char* color);

/* An error about a body, joint or frame: sets the source file and the place. Returns status. */
fb_status fb_def_fail(const fb_model_def* def, fb_place place, fb_error* error, fb_status status);

#endif
