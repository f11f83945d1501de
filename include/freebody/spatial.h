/* spatial.h -- spatial (6-D) vectors, transforms and inertias ([Carius 2018]; Featherstone 2008, ch. 2).
 *
 * Angular part first: a motion vector is (w, v), a force vector (n, f), both at the origin of the
 * frame they are expressed in, in its axes. A transform X_ba is a pose of frame b in frame a:
 * R_ab takes b axes to a axes, p_ab is b's origin from a's in a axes. */
#ifndef FREEBODY_SPATIAL_H
#define FREEBODY_SPATIAL_H

#include <freebody/export.h>

FB_BEGIN_DECLS

/* Pose of b in a. */
typedef struct fb_pose {
  double R[9]; /* R_ab, row major */
  double p[3]; /* p_ab [m] */
} fb_pose;

/* Rigid-body inertia at the origin of a frame, in its axes. */
typedef struct fb_spatial_inertia {
  double mass;       /* [kg] */
  double h[3];       /* mass times centre of mass [kg m] */
  double moments[6]; /* about the frame's origin: xx yy zz xy xz yz [kg m^2] */
} fb_spatial_inertia;

FB_API fb_pose fb_pose_identity(void);
FB_API void fb_pose_multiply(const fb_pose* ab, const fb_pose* bc, fb_pose* ac);
FB_API void fb_pose_inverse(const fb_pose* ab, fb_pose* ba);

/* Cross products: motion x motion (9), motion x* force (10). */
FB_API void fb_spatial_motion_cross(const double V[6], const double M[6], double out[6]);
FB_API void fb_spatial_force_cross(const double V[6], const double F[6], double out[6]);

/* Change of frame, (11)-(15): `ab` is the pose of b in a. */
FB_API void fb_spatial_motion_to_child(const fb_pose* ab, const double M_a[6], double M_b[6]);  /* bX_a  */
FB_API void fb_spatial_motion_to_parent(const fb_pose* ab, const double M_b[6], double M_a[6]); /* aX_b  */
FB_API void fb_spatial_force_to_child(const fb_pose* ab, const double F_a[6], double F_b[6]);   /* bX_a* */
FB_API void fb_spatial_force_to_parent(const fb_pose* ab, const double F_b[6], double F_a[6]);  /* aX_b* */
/* The 6x6 matrices of the same, row major. */
FB_API void fb_spatial_motion_matrix(const fb_pose* ab, double bXa[36]);
FB_API void fb_spatial_force_matrix(const fb_pose* ab, double bXa_star[36]);

FB_API double fb_spatial_dot(const double M[6], const double F[6]); /* power of a force on a motion */

/* Inertia from mass, centre of mass and inertia about it (xx yy zz xy xz yz), (17), (18). */
FB_API void fb_spatial_inertia_from_com(double mass, const double com[3], const double I_com[6],
                                        fb_spatial_inertia* out);
FB_API void fb_spatial_inertia_to_com(const fb_spatial_inertia* inertia, double* mass, double com[3],
                                      double I_com[6]); /* massless: com 0 */
FB_API void fb_spatial_inertia_add(const fb_spatial_inertia* a, const fb_spatial_inertia* b,
                                   fb_spatial_inertia* sum); /* (19) */
FB_API void fb_spatial_inertia_to_parent(const fb_pose* ab, const fb_spatial_inertia* I_b,
                                         fb_spatial_inertia* I_a); /* (20) */
FB_API void fb_spatial_inertia_to_child(const fb_pose* ab, const fb_spatial_inertia* I_a,
                                        fb_spatial_inertia* I_b);
FB_API void fb_spatial_inertia_apply(const fb_spatial_inertia* inertia, const double V[6],
                                     double momentum[6]);                               /* I V */
FB_API void fb_spatial_inertia_matrix(const fb_spatial_inertia* inertia, double M[36]); /* row major */

/* Inertias about the centre of mass, xx yy zz xy xz yz. Their principal moments, ascending; rounding about zero is zero. */
FB_API void fb_inertia_moments(const double inertia[6], double moments[3]);
/* 1 when a body can have it: no principal moment exceeds the sum of the other two, to 1e-9 of the largest. */
FB_API int fb_inertia_is_possible(const double inertia[6]);
/* The possible inertia nearest to a given one in the sense of the sum of squares of all nine elements: the same
 * principal axes, and the principal moments moved to the nearest point of the cone of possible ones. One that is
 * possible is copied. The arrays may be the same. */
FB_API void fb_inertia_nearest(const double inertia[6], double nearest[6]);
/* Principal moments below `least` raised to it; the arrays may be the same. */
FB_API void fb_inertia_raise(const double inertia[6], double least, double raised[6]);

FB_END_DECLS

#endif
