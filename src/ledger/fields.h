/* fields.h -- fields of a simulation for its trees and its ledger. */
#ifndef FB_LEDGER_FIELDS_H
#define FB_LEDGER_FIELDS_H

#include "base/fields.h"
#include "block/local_frame.h"
#include "dynamics/trees.h"

/* A tree: links connected without passing the world. The ledger has a balance for each. */
typedef struct fb_sim_tree {
  int body;    /* its first */
  int link;    /* likewise */
  int root;    /* index in roots when its base floats, or -1: it is attached to the world */
  int z_at;    /* where its quadratures begin in the ledger's part of y: FB_T_WORK ... */
  double size; /* largest distance of its mass from its first joint, at the neutral configuration [m] */
} fb_sim_tree;

/* The unbalance of a link about the axis of its joint (turning.c). */
typedef struct fb_uneven {
  double moment;   /* of mass, off the axis [kg m] */
  double products; /* of inertia with the axis [kg m^2] */
  double across;   /* the difference of its inertias across the axis [kg m^2] */
  double about;    /* its inertia about the axis [kg m^2] */
} fb_uneven;

typedef struct fb_trees {
  int nroot, nfloat, count; /* count: nmoving of the topology, where link_tree and coordinate_tree are */
  /* [nfloat]; the first nroot have their joint on the world itself, the others on bodies fixed to it */
  fb_float_root* roots;
  fb_sim_tree* list; /* [count] */
  fb_uneven* uneven; /* [nlink] */
  /* [count] the first of the floating trees that loops connect it with, or FB_NOT_KEPT (conserve.c) */
  int* group;
} fb_trees;

enum { FB_NOT_KEPT = -1 }; /* a tree on the world, or one that a loop connects to it */

/* Of a group of floating trees in a step (conserve.c): centre of mass, from the base of its first tree, its velocity,
 * and the angular momentum about it, at the start; both at the middle, and the external loads there: forces,
 * including those between groups, and moments about the centre of mass. World axes but for at_middle, which is the
 * base's. */
typedef struct fb_conserved {
  double com[3], drift[3], angular[3];
  double middle[3], at_middle[3];
  double force[3], between[3], moment[3];
} fb_conserved;

/* The worst residual at the end of a step: how large, its scale, when. */
typedef struct fb_worst {
  double residual, scale, t;
} fb_worst;

/* The account of a tree, in its own frame. */
typedef struct fb_accounts {
  /* at the start; angular: about the centre of mass */
  double energy_0, potential_0, linear_0[3], angular_0[3];
  double impacts; /* energy gained at jumps */
  /* The largest values at the ends of steps, and after jumps. */
  double kinetic, carried, potential_change, potential_size, spread;
  double speed; /* of its centre of mass in the world */
  fb_worst energy, linear, angular;
} fb_accounts;

/* The ledger's part of y, after the work of each coordinate: the world's frame. */
enum { FB_Z_DISSIPATED, FB_Z_EXTERNAL, FB_Z_GROSS, FB_Z_IMPULSE, FB_Z_COUNT = FB_Z_IMPULSE + 6 };
/* Then of each tree, in its own frame: net work of all forces but springs and gravity, the integral of the magnitudes
 * of their powers; of floating trees also the integrals of the external |force| and |moment|, and of both as vectors.
 * Weight counts in the impulse only. */
enum {
  FB_T_WORK,
  FB_T_GROSS,
  FB_T_ON_WORLD, /* that is all for a tree on the world */
  FB_T_PUSHED = FB_T_ON_WORLD,
  FB_T_TURNED,
  FB_T_IMPULSE,
  FB_T_COUNT = FB_T_IMPULSE + 6
};
/* At the end, of models with loops only: the work of the forces of all loops. */
enum { FB_Z_LOOPS_COUNT = 1 };

typedef struct fb_ledger_head {
  double kinetic_0, potential_0; /* at the start */
  double stored_0;               /* energy of compliant contacts then [J] */
  double linear_0[3], angular_0[3];
  double impacts;      /* energy gained at jumps */
  double peak_kinetic; /* at the end of a step, or after a jump */
} fb_ledger_head;

#define FB_LEDGER_STATE(FIELD)       \
  FIELD(fb_ledger_head, head, 1, "") \
  FIELD(fb_accounts, accounts, s->tree.count, "of each tree")

#define FB_LEDGER_SCRATCH(FIELD)                                                                           \
  FIELD(double, push, s->nv, "forces of the wrenches, and of fields as far as their work counts (flow.c)") \
  FIELD(double, field, s->nv, "forces of fields without potential")                                        \
  FIELD(double, local_v, s->nv, "velocities, of floating bases relative to their centre of mass")          \
  FIELD(double, power, s->tree.count, "of one kind of force; in fb_ledger_sizes an energy")                \
  FIELD(double, link_local, 6 * s->m->top.nlink, "r, u of trees.inl")                                      \
  FIELD(fb_tree_local, local, s->tree.count, "the trees at the state last measured")                       \
  FIELD(fb_conserved, conserved, s->tree.count, "of the first tree of each group")                         \
  FIELD(fb_conserved, extrapolated, s->tree.count, "likewise, what extrapolation adds")                    \
  FIELD(double, y_noted, s->ny, "where its momenta are those of (conserve.c)")                             \
  FIELD(double, z_size, s->nz, "fb_ledger_sizes")                                                          \
  FIELD(double, kinetic_before, s->tree.count, "of a jump or move on its way")                             \
  FIELD(double, drift_before, 3 * s->tree.count, "likewise")                                               \
  FIELD(double, angular_before, 3 * s->tree.count, "likewise")

typedef struct fb_ledger_fields {
  int nz_trees;       /* quadratures of all trees */
  const double* loss; /* [nv] used as the forces of dampers and friction; NULL: those at y */
  FB_LEDGER_STATE(FB_FIELD_DECLARE)
  FB_LEDGER_SCRATCH(FB_FIELD_DECLARE)
} fb_ledger_fields;

#endif
