/* pair.h -- the pairs of colliders of a contact: shared by compliant laws and hard contacts.
 *
 * An fb_contact_block is the `user` of every block "contact.NAME". */
#ifndef FB_CONTACT_PAIR_H
#define FB_CONTACT_PAIR_H

#include <freebody/block.h>
#include <freebody/contact.h>
#include <freebody/data.h>

#include "block/kind.h"
#include "contact/shape/shape.h"

/* Outputs of the block of a contact, in this order; all laws have the same. `impulse` is that of the last impact, of
 * compliant laws zero. The two works are integrals since the start, of the work of the contact on both sides
 * together. */
enum {
  FB_CONTACT_OUT_GAP,                               /* least [m] */
  FB_CONTACT_OUT_FORCE,                             /* x, y, z on a, world axes [N] */
  FB_CONTACT_OUT_NORMAL = FB_CONTACT_OUT_FORCE + 3, /* sum of the normal forces [N] */
  FB_CONTACT_OUT_TANGENTIAL,                        /* magnitude of the sum of the tangential forces [N] */
  FB_CONTACT_OUT_SLIP,                              /* largest slip speed of the points that touch [m/s] */
  FB_CONTACT_OUT_STATE,                             /* largest fb_contact_state */
  FB_CONTACT_OUT_IMPULSE,                           /* x, y, z on a of the last impact, world axes [N s] */
  FB_CONTACT_OUT_NORMAL_WORK = FB_CONTACT_OUT_IMPULSE + 3, /* [J] */
  FB_CONTACT_OUT_FRICTION_WORK,                            /* [J] */
  FB_CONTACT_OUT_POINT, /* x, y, z: mean of its points, weighted by their normal forces; 0 without force [m] */
  FB_CONTACT_OUT_COUNT = FB_CONTACT_OUT_POINT + 3
};
/* Their ports, for laws that have more of them. */
#define FB_CONTACT_PORTS                                                                               \
  {"gap", "m", "", 1}, {"force", "N", "world", 3}, {"normal", "N", "", 1}, {"tangential", "N", "", 1}, \
      {"slip", "m/s", "", 1}, {"state", "1", "", 1}, {"impulse", "N s", "world", 3},                   \
      {"normal_work", "J", "", 1}, {"friction_work", "J", "", 1}, {                                    \
    "point", "m", "world", 3                                                                           \
  }
extern const fb_port fb_contact_outputs[];
enum { FB_CONTACT_NOUTPUT = 10 };

/* Adds a point's normal force, at p, to the normal force and the point of the outputs. */
void fb_contact_add_normal(double outputs[FB_CONTACT_OUT_COUNT], const double p[3], double normal);

/* The first states of every contact's block: the two works. Bristles follow. */
enum { FB_CONTACT_X_NORMAL, FB_CONTACT_X_FRICTION, FB_CONTACT_X_COUNT };

typedef struct fb_contact_block {
  fb_contact how;         /* its own copies of name and colliders */
  char* block_name;       /* "contact.NAME" */
  fb_collider* colliders; /* [na + nb] */
  int with_itself;        /* 1: both sides are the same colliders, each pair of which is tried once */
  double* radii;          /* [na + nb] of spheres around them */
  double (*centres)[3];   /* [na + nb] where they are; of contacts with many pairs, otherwise NULL */
  int* order;             /* [na + nb] scratch of the broad phase */
  int (*pairs)[2];        /* [room_pairs] what it finds */
  int room_pairs;
  double* scratch; /* for the law of the block; or NULL */
  int pushing;     /* of compliant laws: points with a force in the last call of act */
} fb_contact_block;

/* Whether the force of a contact jumps where it begins: by damping times speed. */
static inline int fb_jumps_at_contact(const fb_block* block) {
  const fb_contact_block* contact = (const fb_contact_block*)block->user;
  return fb_block_is_contact(block) && contact->how.law == FB_CONTACT_SPRING && contact->how.damping > 0;
}

/* One point of a contact at a moment. */
typedef struct fb_pair_point {
  fb_contact_point point;
  int a, b; /* index of the collider on each side */
} fb_pair_point;

/* The valid range of a number of a contact. */
typedef struct fb_contact_number {
  const char* name;
  double value, least, most;
  int above; /* 1: more than the least */
} fb_contact_number;

fb_status fb_contact_check_number(const char* contact, const fb_contact_number* number, fb_error* error);

/* A parameter of a contact's block, by its name, that may be set while the simulation runs. */
fb_status fb_contact_check_parameter(const char* contact, const char* name, double value, fb_error* error);

/* Checks a contact against a model and copies it. */
fb_status fb_contact_block_new(const fb_model* m, const fb_contact* contact, fb_contact_block** block,
                               fb_error* error);
void fb_contact_block_free(void* block);

/* Whether two colliders can move relative to each other; otherwise they are never tested. */
int fb_contact_can_collide(const fb_model* m, const fb_collider* a, const fb_collider* b);
/* Whether collider a of side a is tested against collider b of side b. */
int fb_contact_tries(const fb_model* m, const fb_contact_block* c, int a, int b);
/* Poses and velocities for a contact at an instant: where all its colliders float, in a frame that moves with them
 * (local_frame.h), at the given origin; otherwise in the world. */
const fb_data* fb_contact_kinematics(const fb_context* context, const fb_contact_block* c, double origin[3]);
/* Where a collider is at the poses in d. */
void fb_collider_place(const fb_model* m, const fb_data* d, const fb_collider* c, fb_placement* at);
/* The points of collider a of side a against collider b of side b with gap <= reach; their number. */
int fb_contact_pair_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           double max_gap, fb_contact_point found_points[FB_MAX_CONTACT_POINTS]);
/* The same with the colliders at known places. */
int fb_contact_points_at(const fb_model* m, const fb_contact_block* c, int a, int b, const fb_placement* at_a,
                         const fb_placement* at_b, double max_gap,
                         fb_contact_point found_points[FB_MAX_CONTACT_POINTS]);
/* Those with gap <= 0, at most `most` of them, with the weights that compliant laws give them. */
int fb_contact_pair_smooth(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           int most, fb_contact_point found_points[FB_POINT_LIST_ROOM],
                           double weights[FB_POINT_LIST_ROOM]);
/* The gap of one pair; INFINITY where their bounding spheres are more than max_gap apart, or they cannot collide. */
double fb_contact_pair_gap(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           double max_gap);
/* Calls `use` with the pairs of a contact that may have gaps of at most max_gap, by a, then b: where there are many
 * pairs, those whose bounding spheres are no farther apart (broad_phase.h), otherwise all. */
typedef void fb_use_pair(void* into, int a, int b);
void fb_contact_visit_pairs(const fb_model* m, const fb_data* d, const fb_contact_block* c, double max_gap,
                            fb_use_pair* use, void* into);
/* The points of a contact with gap <= max_gap, at the poses in d, by a, then b; their number, at most room. */
int fb_contact_find_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, double max_gap,
                           fb_pair_point* points, int room);
/* The least gap of all its pairs; INFINITY where none has one. */
double fb_contact_least_gap(const fb_model* m, const fb_data* d, const fb_contact_block* c);

/* ---- gap_rate.c: the thickness of the sides of a contact, and a bound on the rate of its gap ---- */

/* The least thickness of both sides together; INFINITY where nothing can pass through [m]. Meshes count as shells of
 * none, or as solid; backed: open ones as thick as they are solid behind their surface. */
typedef enum fb_mesh_width { FB_MESH_SHELL, FB_MESH_SOLID, FB_MESH_BACKED } fb_mesh_width;
double fb_contact_width(const fb_contact_block* c, fb_mesh_width mesh);
/* That of the thinner side, planes and points left out; INFINITY where there is no other. */
double fb_contact_size(const fb_contact_block* c);
/* Whether one of its colliders has no bounds, and may move. */
int fb_contact_has_moving_ground(const fb_contact_block* c);
/* A bound on the rates of the gaps at the poses and velocities in d; INFINITY where there is none [m/s]. */
double fb_contact_pace(const fb_model* m, const fb_data* d, const fb_contact_block* c);

/* ---- pair.c ---- */

/* The velocity of the point p, fixed to the frame of a collider, world axes; velocities must be in d. */
void fb_collider_velocity(const fb_model* m, const fb_data* d, const fb_collider* c, const double p[3],
                          double v[3]);
/* v_a - v_b at a contact point: the velocities of both materials at the same place, p_b. */
void fb_contact_point_velocity(const fb_model* m, const fb_data* d, const fb_collider* a,
                               const fb_collider* b, const fb_contact_point* point, double v[3]);

#endif
