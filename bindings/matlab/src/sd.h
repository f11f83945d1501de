/* sd.h -- SpaceDyn's robot and its quantities in C: what the toolbox computes with.
 *
 * Arrays have MATLAB's layout, column by column: a matrix A0 is A0[row + 3*column], AA[9*i] is the matrix of link i,
 * cc[3*(i + n*j)] is cc(:,i+1,j+1). Links count from 0 here; BB has SpaceDyn's numbers, 0 for the base. Everything but
 * the constants of the links is in inertial axes, SI, rad. A0 and AA take link axes to inertial axes.
 * (Yoshida, The SpaceDyn, 1999; signs and terms as corrected in docs/spacedyn.md) */
#ifndef FREEBODY_MATLAB_SD_H
#define FREEBODY_MATLAB_SD_H

#include <freebody/freebody.h>

/* The constants of a robot, SpaceDyn's LP. */
typedef struct sd_links {
  int n;           /* joints, and links without the base */
  int* BB;         /* [n] number of the link below, 0: the base */
  int* SE;         /* [n] 1: the link has an end-point */
  char* type;      /* [n] 'R' or 'P' */
  double* c0;      /* [3n] base centroid to joint, base axes */
  double* cc;      /* [3nn] centroid i to joint j, axes of i */
  double* ce;      /* [3n] centroid to end-point */
  double* Qe;      /* [3n] attitude angles of the end-point */
  double* E;       /* [9n] Rx Ry Rz of Qi: axes of link i at q = 0 to those of the link below */
  double *m, m0;   /* [n] */
  double* inertia; /* [9n] about the centroids, link axes */
  double inertia0[9];
} sd_links;

/* What a robot is computed with: made once for each LP, kept by the cache (mx_cache.h). */
typedef struct sd_robot {
  sd_links links;
  fb_model* model; /* NULL: an inertia is not symmetric, so that only the dense way can take it */
  fb_data* data;
  int* end_frame;   /* [n] frame of the link's end-point, or -1 */
  double *q, *v;    /* [nq] [nv] of the model */
  double *f, *a;    /* [nv] */
  double* work;     /* [sd_work_size] */
  fb_wrench* loads; /* [n] */
} sd_robot;

/* The moving quantities, by their names in SpaceDyn; those that a function needs are set. */
typedef struct sd_state {
  double *R0, *A0, *v0, *w0, *q, *qd;
} sd_state;
typedef struct sd_forces {
  const double *F0, *T0, *Fe, *Te, *tau;
} sd_forces;

/* sd_robot.c: takes the links over, also when it fails. */
fb_status sd_robot_new(sd_links* links, sd_robot** robot, fb_error* error);
void sd_robot_free(sd_robot* robot);
fb_status sd_links_new(int n, sd_links* links); /* all zero */
void sd_links_free(sd_links* links);

/* sd_vector.c: 3-vectors and 3 x 3 matrices by columns. Outputs must not be inputs. */
void sd_cross(const double a[3], const double b[3], double c[3]);
void sd_add_cross(double s, const double a[3], const double b[3], double c[3]); /* c += s a x b */
void sd_mul(const double A[9], const double x[3], double y[3]);
void sd_mul_transpose(const double A[9], const double x[3], double y[3]);
void sd_mat_mul(const double A[9], const double B[9], double C[9]);
void sd_rotate_inertia(const double A[9], const double I[9], double A_I_At[9]);
void sd_rpy2dc(const double angles[3], double C[9]); /* C3 C2 C1 */
void sd_aw(const double w[3], double dt, double E[9]);
void sd_dc2qtn(const double C[9], double qtn[4]); /* x y z w; the largest is positive */
void sd_qtn2dc(const double qtn[4], double C[9]);
void sd_w2dqtn(const double w[3], const double qtn[4], double rate[4]);
double sd_nearest_rotation(double A[9]); /* in place; negative when there is none */

/* sd_kinematics.c */
void sd_aa(const sd_links* l, const double* A0, const double* q, double* AA);
void sd_pos(const sd_links* l, const double* R0, const double* A0, const double* AA, const double* q,
            double* RR);
void sd_vel(const sd_links* l, const double* A0, const double* AA, const double* v0, const double* w0,
            const double* q, const double* qd, double* vv, double* ww);
void sd_acc(const sd_links* l, const double* A0, const double* AA, const double* w0, const double* ww,
            const double* vd0, const double* wd0, const double* q, const double* qd, const double* qdd,
            double* vd, double* wd);
void sd_end_point(const sd_links* l, const double* RR, const double* AA, int link, double* pos, double* ori);
void sd_joint(const sd_links* l, const double* RR, const double* AA, const double* q, int link, double* pos);
int sd_path(const sd_links* l, int end_link, int* joints); /* base first; their number */
int sd_end_link(const sd_links* l, int num_e);             /* link of the num_e-th end-point, or -1 */

/* sd_jacobian.c */
void sd_jt(const sd_links* l, const double* RR, const double* AA, double* JJ_t); /* 3 x nn */
void sd_jr(const sd_links* l, const double* AA, double* JJ_r);
void sd_jte(const sd_links* l, const double* RR, const double* AA, const double* q, const int* joints,
            int count, double* J); /* 3 x count */
void sd_jre(const sd_links* l, const double* AA, const int* joints, int count, double* J);
void sd_je(const sd_links* l, const double* RR, const double* AA, const double* q, const int* joints,
           int count, double* J, double* work); /* 6 x n; work: 3 count */

/* sd_dense.c: HH (6+n square), generalized forces, and both as SpaceDyn solves them. */
size_t sd_work_size(int n);
void sd_hh(const sd_links* l, const double* R0, const double* RR, const double* A0, const double* AA,
           double* HH, double* work);
void sd_r_ne(const sd_links* l, const double* A0, const double* AA, const double g[3], const double* w0,
             const double* vd0, const double* wd0, const double* q, const double* ww, const double* vd,
             const double* wd, const double* Fe, const double* Te, double sign, double* force, double* work);
int sd_solve(int n, double* A, int columns, double* B); /* A X = B in place; 1: singular */
int sd_f_dyn_dense(sd_robot* r, const sd_state* s, const sd_forces* f, const double g[3], double* acc);

/* sd_dynamics.c: acc is [vd0; wd0; qdd]. Fails when A0 is no rotation or the robot cannot be solved. */
fb_status sd_f_dyn(sd_robot* r, const sd_state* s, const sd_forces* f, const double g[3], double* acc,
                   fb_error* error);

/* sd_step.c: one step of each method; the state is updated. acc: at the start of the step, given to the int_
 * methods. */
typedef enum sd_method {
  SD_INT_EU,
  SD_INT_EU2,
  SD_INT_SR,
  SD_INT_SR2,
  SD_RK,
  SD_RK2,
  SD_NB,
  SD_NB2
} sd_method;
size_t sd_step_size(int n); /* doubles of work memory */
fb_status sd_step(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                  const double* acc, sd_state* s, double* work, fb_error* error);
/* sd_step_v2r1.c: the same as SpaceDyn v2r1 computes them, for freebody_compat('v2r1'). */
fb_status sd_step_v2r1(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                       const double* acc, sd_state* s, double* work, fb_error* error);
/* sd_step_v1r2.c: as SpaceDyn v1r2 computes them, for freebody_compat('v1r2'). */
fb_status sd_step_v1r2(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                       const double* acc, sd_state* s, double* work, fb_error* error);

#endif
