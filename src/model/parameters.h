/* parameters.h -- the numbers of a model: masses, places, springs, limits, every array listed once.
 *
 * They are apart from the topology so that a simulation, a lane or a device thread may have numbers of its own
 * (masses that are drawn, propellant that is spent) while the model stays const and shared. Struct, memory and copies
 * follow from the table below; a new parameter is one row of it.
 *
 * The rows of bodies and coordinates are what a user sets; those marked "sum" and the sites of centroids follow from
 * them (inertia.c), those of links and sites come from the joints' places (links.c). */
#ifndef FB_MODEL_PARAMETERS_H
#define FB_MODEL_PARAMETERS_H

#include <freebody/parameters.h>

#include "base/arena.h"
#include "model/record.h"
#include "model/topology.h"

enum { FB_POSE_SIZE = 12 }; /* R row major, then p */

/*   name            rows        cols unit      meaning */
#define FB_PARAMETER_FIELDS(X)                                                                       \
  X(link, fb_links_in_blocks(top->nlink), FB_PAR_SIZE, "1", "the parameters of links (record.h)")    \
  X(site_pose, top->nsite, FB_POSE_SIZE, "m", "in the link")                                         \
  X(body_mass, top->nbody, 1, "kg", "of the body alone")                                             \
  X(body_com, top->nbody, 3, "m", "its centre of mass, body frame")                                  \
  X(body_inertia, top->nbody, 6, "kg m^2", "about that, body axes, xx yy zz xy xz yz")               \
  X(subtree_mass, top->nbody, 1, "kg", "sum: the body and all its descendants; [0] the whole scene") \
  X(lower, top->nv, 1, "rad", "or m: limits; -INFINITY when none")                                   \
  X(upper, top->nv, 1, "rad", "or m: INFINITY when none")                                            \
  X(armature, top->nv, 1, "kg m^2", "or kg: reflected inertia of the rotor")                         \
  X(stiffness, top->nv, 1, "N m/rad", "or N/m")                                                      \
  X(rest, top->nv, 1, "rad", "or m: where the spring is slack")                                      \
  X(damping, top->nv, 1, "N m s/rad", "or N s/m")                                                    \
  X(friction, top->nv, 1, "N m", "or N: Coulomb level")                                              \
  X(friction_speed, top->nv, 1, "rad/s", "or m/s: where it is reached")                              \
  X(effort, top->nv, 1, "N m", "or N: largest actuator force; INFINITY when none")                   \
  X(speed, top->nv, 1, "rad/s", "or m/s: largest speed; INFINITY when none")                         \
  X(loop_axes, top->nloop, 9, "1", "three axes at right angles in frame a, the loop's own last")     \
  X(loop_normal, top->nloop, 3, "1", "the axis in frame b")                                          \
  X(loop_length, top->nloop, 1, "m", "of a distance, NAN: that at the start; offset of a gear")      \
  X(gear_ratio, top->ngear, 1, "1", "of each coordinate in the row of its gear: 1, then -ratio")     \
  X(has_passive, 1, 1, "1", "how many springs, dampers and frictions are not zero")

/*   code                 name: those of a coordinate, as fb_joint_def lists them (friction_speed, one a joint there,
 *                        is apart) */
#define FB_COORDINATE_PARAMETERS(X)    \
  X(FB_PARAMETER_LOWER, lower)         \
  X(FB_PARAMETER_UPPER, upper)         \
  X(FB_PARAMETER_ARMATURE, armature)   \
  X(FB_PARAMETER_STIFFNESS, stiffness) \
  X(FB_PARAMETER_REST, rest)           \
  X(FB_PARAMETER_DAMPING, damping)     \
  X(FB_PARAMETER_FRICTION, friction)   \
  X(FB_PARAMETER_EFFORT, effort)       \
  X(FB_PARAMETER_SPEED, speed)

struct fb_parameters {
  const struct fb_model* model; /* whose they are */
  int width;                    /* doubles a value: 1, or one for each lane of kernels */
#define X(name, rows, cols, unit, meaning) double* name;
  FB_PARAMETER_FIELDS(X)
#undef X
};

/* One number of a link's parameters. */
static inline double* fb_link_parameter(const fb_parameters* par, int link, int at) {
  return par->link + fb_link_parameters_at((unsigned)link) + at * FB_BLOCK;
}

/* Counts the springs, dampers and frictions there are in has_passive. */
void fb_parameters_find_passive(const fb_topology* top, fb_parameters* par);

/* 0 when the numbers are those of the model itself; else, for all practical purposes, a number that only these have. */
int fb_parameters_fingerprint(const fb_parameters* par);

/* Parameters for kernels of so many lanes (parameter_width of kernel/instances.h), at first the model's in each of them;
 * fb_parameters_free frees them. NULL: no memory. */
fb_parameters* fb_parameters_new_wide(const struct fb_model* m, int width);

/* Gives a lane the parameters of one robot. */
void fb_parameters_set_lane(fb_parameters* wide, int lane, const fb_parameters* one);

/* Gives every array its place; p->width is known. */
void fb_parameters_lay_out(const fb_topology* top, fb_parameters* par, fb_arena* a);

#endif
