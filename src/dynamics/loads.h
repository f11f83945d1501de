/* loads.h -- turning fb_loads into what the kernels take. */
#ifndef FB_DYNAMICS_LOADS_H
#define FB_DYNAMICS_LOADS_H

#include <freebody/dynamics.h>

#include "model/data.h"
#include "model/model.h"

/* What acts on the links from outside at the poses in d, but for uniform gravity: moment and force at each link's origin,
 * world axes, in d; NULL where nothing does. loads are sound, or NULL. */
const double* fb_loads_gather(const fb_model* m, fb_data* d, const fb_loads* loads, int with_wrenches);

/* Whether loads are sound: made by fb_default_loads, with wrenches on frames that exist. NULL is. */
int fb_loads_valid(const fb_model* m, const fb_loads* loads);

/* What the environment does to a body at the poses in d, but for uniform gravity: the force at its centroid, and the
 * torque; world axes. */
void fb_body_field(const fb_model* m, const fb_data* d, const fb_environment* environment, double t, int body,
                   double wrench[6]);

/* A wrench in world axes: force, torque. */
void fb_wrench_in_world(const fb_model* m, const fb_data* d, const fb_wrench* w, double force[3],
                        double torque[3]);

/* From the origin of the link that carries a frame to the frame's, world axes: local, so exact far out. Needs poses. */
void fb_link_arm(const fb_model* m, const fb_data* d, int frame, double arm[3]);

/* No force on any link in ext_l. */
void fb_links_push_none(const fb_model* m, fb_data* d);

/* Adds a force, at `arm` from the link's origin, and a torque to ext_l; world axes. */
void fb_link_push(const fb_model* m, fb_data* d, int link, const double arm[3], const double force[3],
                  const double torque[3]);

#endif
