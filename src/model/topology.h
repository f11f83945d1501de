/* topology.h -- the structure of a model: counts and integer arrays, every one listed once.
 *
 * The recursions run over links, not bodies. A link is a node that moves in one of six simple ways
 * relative to its parent link; links.c compiles bodies into links:
 *   - the joint axis is turned to the link's z axis, so that kernels know only z;
 *   - a joint becomes the chain of links of its kind (joint_kind.h);
 *   - a body on a fixed joint is merged into its carrier's link at a constant offset (unless disabled).
 * Link 0 is the world; parents come before children. A site is a frame at a constant pose on a link:
 * bodies' own frames, named frames, centroids, joint frames. Coordinates keep the order of the file.
 * Bodies that bend will have coordinates of their own, and blocks of more numbers: nobody asks the kind of a link how
 * many coordinates it has, or where its block lies, but these tables.
 * A slot is a velocity coordinate numbered in the order of the links, so that those of a subtree are contiguous.
 *
 * Struct, memory and copies all follow from the table below; a new array is one row of it. */
#ifndef FB_MODEL_TOPOLOGY_H
#define FB_MODEL_TOPOLOGY_H

#include "model/link_kind.h"
#include "model/record.h"

/* How the axes of a link's place stand in those of its parent: anyhow; along them, in another order or direction;
 * the same, of a free joint on the world. */
typedef enum fb_link_place { FB_PLACE_ANY, FB_PLACE_PERMUTED, FB_PLACE_UPRIGHT } fb_link_place;

/*   name           rows        cols meaning; indices and counts, so that there is no unit */
#define FB_TOPOLOGY_FIELDS(X)                                                                          \
  X(body_parent, top->nbody, 1, "parent body; -1 for the world")                                       \
  X(body_order, top->nbody, 1, "all bodies, parents first")                                            \
  X(body_base, top->nbody, 1, "root of the tree")                                                      \
  X(body_link, top->nbody, 1, "the link that carries the body")                                        \
  X(body_frame, top->nbody, 1, "the first of its named frames, if it has any")                         \
  X(body_q, top->nbody, 1, "first index in q")                                                         \
  X(body_v, top->nbody, 1, "first index in v")                                                         \
  X(joint_type, top->nbody, 1, "fb_joint_type")                                                        \
  X(coordinate_q, top->nv, 1, "the entry of q that has this rate; -1 for attitudes")                   \
  X(coordinate_body, top->nv, 1, "the body whose joint it belongs to")                                 \
  X(link_parent, top->nlink, 1, "parent link; -1 for the world")                                       \
  X(link_kind, top->nlink, 1, "fb_link_kind")                                                          \
  X(link_q, top->nlink, 1, "first index in q")                                                         \
  X(link_v, top->nlink, 1, "first index in v")                                                         \
  X(link_nv, top->nlink, 1, "how many coordinates it has")                                             \
  X(link_block, fb_links_in_blocks(top->nlink) + 1, 1, "first value in fb_data.body, and the end")     \
  X(link_ext, top->nlink + 1, 1, "first value in fb_data.ext_l, and the end")                          \
  X(link_tree, top->nlink, 1, "its tree of links; -1: fixed to the world")                             \
  X(tree_link, top->nlink, 1, "first link of each of those")                                           \
  X(tree_end, top->nlink, 1, "past its last link")                                                     \
  X(coordinate_tree, top->nv, 1, "the tree of the link that it moves")                                 \
  X(link_from, top->nlink, 3, "place that only permutes axes: the column it takes each from; else -1") \
  X(link_place, top->nlink, 1, "fb_link_place of its place")                                           \
  X(link_child, top->nlink, 1, "first child, 0 when none")                                             \
  X(link_next, top->nlink, 1, "next child of the same parent, 0 when none")                            \
  X(link_slot, top->nlink, 1, "its first slot")                                                        \
  X(link_slot_end, top->nlink, 1, "past the last slot of the subtree")                                 \
  X(slot_v, top->nv, 1, "the coordinate in each slot")                                                 \
  X(link_group, top->nlink, 1, "how many links the group has that ends with it (dynamics/crba.inl)")   \
  X(run_first, top->nlink, 1, "first link of each run")                                                \
  X(run_end, top->nlink, 1, "past its last link")                                                      \
  X(run_kind, top->nlink, 1, "fb_link_kind of all of them; their fb_link_place is the same, too")      \
  X(site_link, top->nsite, 1, "the link that carries the site")                                        \
  X(site_body, top->nsite, 1, "the body that it belongs to")                                           \
  X(site_rigid, top->nsite, 1, "1: its pose on the link never changes")                                \
  X(loop_type, top->nloop, 1, "fb_loop_type")                                                          \
  X(loop_site, top->nloop, 2, "frames a and b; -1 of a gear")                                          \
  X(loop_row, top->nloop + 1, 1, "its first row")                                                      \
  X(loop_gear, top->nloop + 1, 1, "its first coordinate in gear_v")                                    \
  X(gear_v, top->ngear, 1, "coordinates that gears couple, that of joint a first")                     \
  X(loop_path, top->nloop + 1, 1, "its first entry in path_link and path_end")                         \
  X(loop_u, top->nloop + 1, 1, "its first coordinate of all those on paths")

enum { FB_GROUP = 4 }; /* links in a group, at most */

enum {
  FB_COLUMNS = 8
}; /* forces that go along a path together: those of a loop, at most 6, in whole vectors */

/* Of a link on the path of a loop: it is on the way from frame a to where both ways meet, from b, or beyond that. */
typedef enum fb_path_end { FB_PATH_FROM_A, FB_PATH_FROM_B, FB_PATH_BOTH } fb_path_end;

typedef struct fb_topology {
  int nbody, nq, nv, nframe, nsite, nlink, ntree; /* nbody and nlink count the world */
  int nloop, nrow, ngear; /* loops, the relative motions that they take away, coordinates in gears */
  int nu;                 /* coordinates of the links on the paths of all loops */
  int npath;              /* links on the paths of all loops, from their frames towards the world */
  int* path_link;         /* [npath] last links first, and */
  int* path_end;          /* [npath] an fb_path_end of each */
  int nmoving;   /* trees of links: each hangs on the world, or on what is fixed to it, by its first */
  int nrun;      /* runs: stretches of links of one kind, each on the link before it */
  int in_order;  /* 1: slots follow the coordinates */
  int one_chain; /* 1: no link carries more than one other, and only one is on the world */
  int first_angle, end_angle; /* the stretch of q that holds all angles of one-degree links */
#define X(name, rows, cols, meaning) int* name;
  FB_TOPOLOGY_FIELDS(X)
#undef X
} fb_topology;

/* The sites of a body's centroid and of its joint's frame, which is fixed in the parent. */
static inline int fb_com_site(const fb_topology* top, int body) {
  return top->nframe + body;
}
static inline int fb_joint_site(const fb_topology* top, int body) {
  return top->nframe + top->nbody + body;
}

/* Whether two sites never move relative to each other. */
static inline int fb_sites_are_fixed(const fb_topology* top, int a, int b) {
  return top->site_link[a] == top->site_link[b] && top->site_rigid[a] && top->site_rigid[b];
}

#endif
