/* parameters.h -- the numbers of a model that a simulation or a thread can override: masses, springs, limits.
 *
 * A model is const and shared. When robots of the same structure differ in numbers (masses drawn at random, fitted
 * springs, spent propellant), give each its own copy of the model's parameters and set what differs:
 *
 *   fb_parameters* p = fb_parameters_new(model);
 *   fb_parameters_set_inertia(p, body, mass, com, inertia, &error);
 *   fb_parameters_set(p, FB_PARAMETER_STIFFNESS, k, 40, &error);
 *   fb_data_use(d, p);                    for calls (m, d, ...), or options.parameters = p for fb_sim_new
 *
 * Results equal those of a model built with these numbers, bit for bit. Values are checked as in fb_model_build; a
 * value that is rejected changes nothing. */
#ifndef FREEBODY_PARAMETERS_H
#define FREEBODY_PARAMETERS_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef struct fb_parameters fb_parameters;

/* Of a coordinate of v, as in fb_joint_def. */
typedef enum fb_parameter_kind {
  FB_PARAMETER_LOWER, /* limits: lower must stay <= upper after each call, so set the outer one first */
  FB_PARAMETER_UPPER,
  FB_PARAMETER_ARMATURE,
  FB_PARAMETER_STIFFNESS,
  FB_PARAMETER_REST,
  FB_PARAMETER_DAMPING,
  FB_PARAMETER_FRICTION,
  FB_PARAMETER_FRICTION_SPEED,
  FB_PARAMETER_EFFORT,
  FB_PARAMETER_SPEED,
  FB_PARAMETER_COUNT
} fb_parameter_kind;

FB_BEGIN_DECLS

/* A copy of the model's parameters, in one allocation; NULL when out of memory. The model must outlive it. */
FB_API fb_parameters* fb_parameters_new(const fb_model* m);
FB_API fb_parameters* fb_parameters_copy(const fb_parameters* p);
FB_API void fb_parameters_free(fb_parameters* p);

/* Mass [kg], centre of mass in the body frame [m], and inertia xx yy zz xy xz yz about it in body axes [kg m^2]. */
FB_API fb_status fb_parameters_set_inertia(fb_parameters* p, int body, double mass, const double com[3],
                                           const double inertia[6], fb_error* error);
/* Any of mass, com and inertia may be NULL. NaN for a body that does not exist. */
FB_API void fb_parameters_inertia(const fb_parameters* p, int body, double* mass, double com[3],
                                  double inertia[6]);

/* One parameter of coordinate k of v. */
FB_API fb_status fb_parameters_set(fb_parameters* p, fb_parameter_kind kind, int k, double value,
                                   fb_error* error);
FB_API double fb_parameters_get(const fb_parameters* p, fb_parameter_kind kind,
                                int k); /* NaN: there is none */

/* From now on calls (m, d, ...) use these parameters, which must live as long as they are in use; NULL: the model's own
 * again. Earlier results in d are discarded. FB_ERR_ARG when the parameters belong to another model than d. */
FB_API fb_status fb_data_use(fb_data* d, const fb_parameters* p);
FB_API const fb_parameters* fb_data_parameters(const fb_data* d); /* those in use */

FB_END_DECLS

#endif
