/* model.h -- the checked and compiled model: const, and shared by any number of threads.
 *
 * Body 0 is the world; bodies 1 .. nbody-1 are in the order of the definition. The joint of a body
 * has the body's id. Coordinates q and v follow the bodies in the same order.
 *
 * Frames: ids 0 .. nbody-1 are the bodies' own frames (at the body origin, same name), ids nbody ..
 * nframe-1 the named frames, body by body. Centroids and joint frames have higher ids, from
 * fb_model_com_frame and fb_model_joint_frame. Functions that take a frame accept all of these. */
#ifndef FREEBODY_MODEL_H
#define FREEBODY_MODEL_H

#include <freebody/export.h>
#include <freebody/model_def.h>
#include <freebody/status.h>

enum { FB_WORLD = 0 };

typedef struct fb_model fb_model;

/* Called once for each warning: something legal that looks wrong. The place is in the model's source. */
typedef void (*fb_advice_fn)(void* user, fb_place place, const char* text);

typedef struct fb_build_options {
  int merge_fixed; /* 1 (default): bodies on fixed joints are merged into their parent and cost nothing */
  /* NULL: the best that this CPU supports; or "plain", "v2", "v3", "v4" (also by the variable FREEBODY_ISA) */
  const char* isa;
  int cookie_; /* set by fb_default_build_options */
} fb_build_options;

FB_BEGIN_DECLS

FB_API fb_build_options fb_default_build_options(void);

/* Replaces masses and inertias that no body can have by the nearest possible ones: a negative mass by 0, an inertia by
 * fb_inertia_nearest. The least principal moments of a rod or a point that floats and carries nothing are raised to a
 * millionth of the largest, or to a radius of gyration of 1 mm, so that it can turn. Numbers that are not finite are left
 * for fb_model_build to refuse. Each change is reported with the values before and after to advise, which may be NULL.
 * Returns the number of changes. */
FB_API int fb_model_def_repair(fb_model_def* def, fb_advice_fn advise, void* user);

/* Checks the definition (masses, inertias, names, tree, joints) and compiles the model. options may
 * be NULL. On failure *model is NULL and error names the body and the value, with its place. */
FB_API fb_status fb_model_build(const fb_model_def* def, const fb_build_options* options, fb_model** model,
                                fb_error* error);
FB_API void fb_model_free(fb_model* model);

FB_API const char* fb_model_name(const fb_model* m);
FB_API const fb_model_def* fb_model_definition(const fb_model* m); /* the model's own copy */
FB_API const char* fb_model_isa(const fb_model* m);                /* the instruction set of its kernels */
FB_API int fb_model_nbody(const fb_model* m);                      /* the world included */
FB_API int fb_model_nq(const fb_model* m);
FB_API int fb_model_nv(const fb_model* m);
FB_API int fb_model_nframe(const fb_model* m);  /* bodies' own frames and named ones */
FB_API int fb_model_ntree(const fb_model* m);   /* bodies whose parent is the world */
FB_API int fb_model_nlink(const fb_model* m);   /* nodes of the recursion, the world included */
FB_API double fb_model_mass(const fb_model* m); /* whole scene [kg] */

/* Bodies and their joints. For ids that do not exist names are NULL, indices -1, masses NaN. */
FB_API const char* fb_body_name(const fb_model* m, int body); /* "world" for 0 */
FB_API int fb_body_parent(const fb_model* m, int body);       /* -1 for the world */
FB_API int fb_body_base(const fb_model* m, int body);         /* root of its tree; 0 for the world */
FB_API int fb_body_floats(const fb_model* m, int body);  /* 1: floating base, by a free joint on the world */
FB_API double fb_body_mass(const fb_model* m, int body); /* [kg] */
FB_API const char* fb_joint_name(const fb_model* m, int body);
FB_API fb_joint_type fb_joint_type_of(const fb_model* m, int body);
FB_API int fb_joint_q_index(const fb_model* m, int body); /* first index in q */
FB_API int fb_joint_v_index(const fb_model* m, int body); /* first index in v */
FB_API int fb_joint_nq(const fb_model* m, int body);
FB_API int fb_joint_nv(const fb_model* m, int body);

/* Velocity coordinates k. */
FB_API int fb_coordinate_body(const fb_model* m,
                              int k); /* the body whose joint has it; 0 when there is none */
/* Its index in q; -1 when it has none, as for the angular velocity of an attitude. */
FB_API int fb_coordinate_q_index(const fb_model* m, int k);

/* Frames. */
FB_API const char* fb_frame_name(const fb_model* m, int frame); /* named and body frames; "" for others */
FB_API int fb_frame_body(const fb_model* m, int frame);         /* -1 when there is no such frame */
FB_API int fb_model_com_frame(const fb_model* m, int body);     /* at the centroid, body axes */
FB_API int fb_model_joint_frame(const fb_model* m, int body);   /* joint frame, fixed in the parent */

/* Look-up by name; -1 when there is none. The name of a body is also the name of its own frame. */
FB_API int fb_model_find_body(const fb_model* m, const char* name);
FB_API int fb_model_find_joint(const fb_model* m, const char* name);
FB_API int fb_model_find_frame(const fb_model* m, const char* name);

/* Loops: constraints between frames or coordinates (freebody/loop.h); ids count from 0 in the order of adding. */
FB_API int fb_model_nloop(const fb_model* m);
FB_API const char* fb_loop_name(const fb_model* m, int loop); /* NULL when there is none */
FB_API fb_loop_type fb_loop_type_of(const fb_model* m, int loop);
FB_API int fb_model_find_loop(const fb_model* m, const char* name); /* -1 when there is none */

/* Traversal order, parents first: the index-th body (index 0 is the world); -1 when there is none. */
FB_API int fb_model_traversal(const fb_model* m, int index);

/* The axes of a body's joint in the joint frame, of unit length; returns their number: 0, 1 or 2. Those of a reversed
 * joint are negated, as its coordinates turn the body the other way; of its two, axis comes after axis2. */
FB_API int fb_joint_axes(const fb_model* m, int body, double axis[3], double axis2[3]);

/* Reports what is legal but looks wrong: masses without inertia, limits that seem to be in degrees, masses that differ
 * by a factor of a million. Returns the number of warnings. */
FB_API int fb_model_advise(const fb_model* m, fb_advice_fn advise, void* user);

/* SpaceDyn's topology ([Yoshida 1999]): for a model of one tree, links are all bodies except the base,
 * numbered from 1 in file order, n = nbody - 2. B[n]: parent link, 0 for the base. S[n*n]: +1 where
 * i = B_j, -1 on the diagonal. S0[n]: 1 where B_j = 0. Se[n]: 1 where the link has a named frame.
 * Any pointer may be NULL. FB_ERR_TREE unless the model has exactly one tree. */
FB_API fb_status fb_model_spacedyn_topology(const fb_model* m, int* B, int* S, int* S0, int* Se);

FB_END_DECLS

#endif
