/* instances.h -- the kernels as compiled for each number type and instruction set, in one table.
 *
 * A kernel takes three things, and then its own arguments: topology, parameters and data. It knows nothing of fb_model, so that a simulation, a lane or a device thread may bring parameters of its own.
 * Each instance_*.c is compiled once per ISA level (cmake/kernel.cmake); only double* crosses. A value takes
 * `width` doubles: 1 scalar, 4 and 8 lanes, 2 complex. */
#ifndef FB_KERNEL_INSTANCES_H
#define FB_KERNEL_INSTANCES_H

#include <freebody/data.h>
#include <freebody/parameters.h>

#include "dynamics/trees.h"
#include "model/topology.h"

typedef struct fb_kernels {
  const char* isa;  /* "plain", "v2", "v3", "v4" */
  const char* type; /* "x1", "x4", "x8", "cx" */
  int width;
  int parameter_width; /* doubles a value of the parameters: 1, or as many as lanes (fb_parameters_new_wide) */
  void (*kinematics)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                     const double* v, const double* vdot);
  void (*frame_pose)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                     double* p_wf, double* R_wf);
  void (*frame_velocity)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                         double* v_w, double* w_w);
  void (*frame_acceleration)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                             double* a_w, double* wdot_w);
  void (*frame_jacobian)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                         double* J);
  void (*frame_jacobian_rate)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                              double* Jdot);
  void (*frame_bias)(const fb_topology* top, const fb_parameters* par, const fb_data* d, const double* v,
                     int frame, double* a);
  void (*frame_push)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                     const double* wrench, double* tau);
  /* Dynamics: outward, then the loads at the poses found, then one of rnea, aba and mixed. */
  void (*outward)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* gravity_w,
                  const double* q, const double* v, const double* vdot);
  void (*site_wrench)(const fb_topology* top, const fb_parameters* par, fb_data* d, int site,
                      int in_site_axes, const double* force, const double* torque);
  void (*body_field)(const fb_topology* top, const fb_parameters* par, const fb_data* d, int body,
                     const double* acceleration, const double* gradient, double* force, double* torque);
  void (*rnea)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
               const double* vdot, double* tau);
  void (*crba)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q, int lower,
               double* H);
  void (*aba)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
              const double* tau, double* vdot);
  void (*mixed)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
                const double* tau, const double* known, const unsigned char* prescribed, double* vdot,
                double* tau_out);
  /* Of the links from `first` to before `end`: whole trees. */
  void (*response)(const fb_topology* top, const fb_parameters* par, fb_data* d, int first, int end,
                   const double* push, const double* wrench_l, const unsigned char* prescribed, double* x);
  void (*path)(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop, const double* wrench,
               const unsigned char* prescribed, double* gram);
  void (*momenta)(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                  const double* v, double* p, double* slope);
  void (*passive)(const fb_topology* top, const fb_parameters* par, const double* q, const double* v,
                  int kinds, double* tau);
  /* Each adds to *energy. */
  void (*kinetic_energy)(const fb_topology* top, const fb_parameters* par, const fb_data* d, const double* v,
                         double* energy);
  void (*spring_energy)(const fb_topology* top, const fb_parameters* par, const double* q, double* energy);
  void (*gravity_energy)(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                         const double* gravity_w, double* energy);
  void (*trees)(const fb_topology* top, const fb_parameters* par, const fb_data* d, fb_tree_sums sums,
                int keeps_inertia, int passive, const double* gravity_w, const double* q, const double* v,
                double* link_local, double* local);
  void (*integrate)(const fb_topology* top, const double* q, const double* v, double dt, double* q_next);
} fb_kernels;

/* The scalar kernels for this CPU; NULL when `isa` (NULL: the best, or what FREEBODY_ISA says) is not
 * built in or not on this CPU. */
const fb_kernels* fb_kernels_pick(const char* isa);

/* All instances this CPU can run: their count, and the index-th. For tests and batches. */
int fb_kernels_count(void);
const fb_kernels* fb_kernels_get(int index);

#endif
