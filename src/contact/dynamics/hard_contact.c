/* hard_contact.c -- contacts as a part of a simulation: which of them are hard, their memory, and their part of a
 * snapshot. */
#include "contact/dynamics/hard_contact.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "contact/dynamics/hard_problem.h"
#include "contact/law/compliant.h"
#include "sim/flow.h"
#include "sim/part.h"

/* The largest number of points of all hard contacts; *cut_off: they might have more. Methods that locate events have a matrix of
 * them all. */
static int count_room(const fb_sim* s, int* cut_off) {
  long long room = 0, most = FB_HARD_MOST_POINTS;
  for (int i = 0; i < s->block.count; i++) {
    const fb_contact_block* c = (const fb_contact_block*)s->block.list[i].user;
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_HARD_CONTACT))
      room += (long long)c->how.na * c->how.nb * FB_MAX_CONTACT_POINTS;
  }
  if (fb_hard_by_steps(s) && FB_HARD_POINTS_OF_BODY * s->m->top.nmoving > most)
    most = FB_HARD_POINTS_OF_BODY * s->m->top.nmoving;
  *cut_off = room > most;
  return (int)(*cut_off ? most : room);
}

/* Coordinates of joints: those of free bodies have neither limits nor stiction. */
static int count_joints(const fb_sim* s) {
  int n = 0;
  for (int i = 1; i < s->m->top.nlink; i++)
    if (s->m->top.link_kind[i] != FB_LINK_FREE) n += s->m->top.link_nv[i];
  return n;
}

static int count_contacts(const fb_sim* s) {
  int n = 0;
  for (int i = 0; i < s->block.count; i++) n += fb_block_is(&s->block.list[i], &FB_BLOCK_HARD_CONTACT);
  return n;
}

/* Doubles for the solvers, of either kind of island. */
static size_t work_size(const fb_hard_contacts* w, int bodies) {
  const size_t dense = fb_cones_work_size(w->room_dense), sparse = fb_cones_bodies_size(w->room_rows, bodies);
  return dense > sparse ? dense : sparse;
}

static void place_scratch(fb_sim* s, fb_hard_contacts* w, fb_arena* scratch) {
  fb_hard_contacts* to = w;
  size_t n = (size_t)w->room_rows, dense = (size_t)w->room_dense;
  FB_HARD_SCRATCH(FB_FIELD_IN_SCRATCH)
  FB_HARD_ROW_SCRATCH(FB_FIELD_IN_SCRATCH)
  FB_ISLAND_SCRATCH(FB_FIELD_IN_SCRATCH)
  FB_HARD_STATE_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static void release(fb_sim* s) {
  if (s->contact.hard) fb_kinematics_cache_free(&s->contact.hard->local_cache);
  if (s->contact.hard) fb_near_pairs_free(s->contact.hard->near);
  if (s->contact.hard) free(s->contact.hard->memory);
  free(s->contact.hard);
  s->contact.hard = NULL;
}

static fb_status check(const fb_sim* s, fb_error* error) {
  const fb_stepper_traits* traits = &s->stepper.traits;
  if (count_contacts(s) == 0 || !(traits->steps_momenta || traits->takes_slopes)) return FB_OK;
  return fb_fail(error, FB_ERR_UNSUPPORTED,
                 "the %s method cannot take hard contacts: %s; take moreau, or rk4, rkmk4 or dopri5, which "
                 "end their steps at impacts, or a compliant law",
                 s->stepper.name,
                 traits->steps_momenta ? "its discrete momenta have no place for impulses in a step"
                                       : "its stages do not have their forces");
}

static fb_status make(fb_sim* s, fb_error* error) {
  release(s); /* of a start that failed */
  int ncontact = count_contacts(s), steps = fb_hard_by_steps(s);
  if (ncontact == 0 && !steps) return FB_OK;
  fb_hard_contacts* w = calloc(1, sizeof *w);
  s->contact.hard = w;
  if (!w) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", ncontact);
  w->ncontact = ncontact;
  w->room = count_room(s, &w->cut_off);
  const int joints = s->limit.count + count_joints(s) + 1;
  w->room_rows = 3 * w->room + joints;
  w->room_dense = 3 * (w->room < FB_HARD_MOST_POINTS ? w->room : FB_HARD_MOST_POINTS) + joints;
  w->nreaction = s->m->top.nloop > 0 ? 2 * s->nv + s->m->top.nrow : s->nv;
  fb_arena a = {0};
  place_scratch(s, w, &a);
  w->memory = calloc(1, a.used + FB_ALIGN); /* zeroed by the system where it is used */
  if (!w->memory) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", ncontact);
  a = (fb_arena){(char*)w->memory, 0};
  place_scratch(s, w, &a);
  fb_body_matrix_place(&w->matrix, s->m->top.nmoving, fb_island_blocks(s), w->room_rows, w->matrix_numbers,
                       w->matrix_ints);
  w->solver = -1;
  for (int i = 0, n = 0; i < s->block.count; i++) {
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_HARD_CONTACT)) w->block[n++] = i;
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_CONTACT_SOLVER)) w->solver = i;
  }
  for (int c = 0; c < ncontact; c++) {
    w->sides[c] = fb_hard_contact(s, c);
    w->width[c] = fb_contact_width(w->sides[c], FB_MESH_BACKED);
  }
  w->near = fb_near_pairs_new(w->sides, ncontact);
  if (!w->near) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", ncontact);
  return fb_hard_local_start(s, error);
}

static void carry(fb_sim* s, const fb_sim* old) {
  fb_hard_contacts *w = s->contact.hard, *was = old->contact.hard;
  *s->contact.head = *old->contact.head;
  s->contact.head->nbeside = -1;
  if (!w) return;
  size_t count = (size_t)w->ncontact;
  memcpy(s->contact.remembered, old->contact.remembered, (size_t)w->room * sizeof *s->contact.remembered);
  memcpy(w->happened, was->happened, count);
  memcpy(w->impulses, was->impulses, 3 * count * sizeof *w->impulses);
  memcpy(w->speeds, was->speeds, count * sizeof *w->speeds);
  memcpy(w->rubbed, was->rubbed, count * sizeof *w->rubbed);
}

int fb_hard_room(const fb_sim* s) {
  return s->contact.hard ? s->contact.hard->room : 0;
}

/* ---- as a part ---- */

/* Contacts of any law; those with compliant ones, and their pairs. */
static void count_pairs(fb_sim* s) {
  fb_contacts* to = &s->contact;
  to->count = to->ncompliant = 0;
  to->npair = 0;
  for (int i = 0; i < s->block.count; i++) {
    const fb_contact_block* c = (const fb_contact_block*)s->block.list[i].user;
    to->count += fb_block_is_contact(&s->block.list[i]);
    if (!fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT)) continue;
    to->ncompliant++;
    to->npair += (size_t)c->how.na * (size_t)c->how.nb;
  }
}

static fb_status measure(fb_sim* s, fb_error* error) {
  count_pairs(s);
  fb_status status = check(s, error);
  if (!status) status = make(s, error);
  s->wrench.room += 2 * fb_hard_room(s);
  return status;
}

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_contacts* to = &s->contact;
  FB_CONTACTS_STATE(FB_FIELD_IN_STATE)
  FB_CONTACTS_SCRATCH(FB_FIELD_IN_SCRATCH)
  fb_meetings_place(s);
}

/* Out of penetration: works and the ledger begin after it. */
static fb_status begin(fb_sim* s, fb_error* error) {
  s->contact.head->met_t = -INFINITY;
  s->contact.head->nbeside = -1;
  s->contact.head->room = FB_BESIDE_ROOM;
  if (!s->contact.hard) return FB_OK;
  if (fb_hard_project(s, 0, s->y)) memset(fb_y_x(s, s->y), 0, (size_t)(s->nx + s->nz) * sizeof *s->y);
  return fb_hard_check_overlap(s, error);
}

/* What compliant contacts keep from the step. */
static void keep_compliant(fb_sim* s) {
  fb_context context = fb_flow_context(s, s->head->t, s->y);
  for (int i = 0; i < s->block.count; i++)
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT) && fb_block_acts(s, i))
      fb_contact_keep(s->block.list[i].user, &context, s->block.memory + s->block.memory_offset[i],
                      fb_y_x(s, s->y) + s->block.state_offset[i]);
}

static void follow(fb_sim* s) {
  if (s->contact.hard && fb_hard_by_steps(s)) fb_hard_keep_step(s);
  if (s->contact.count > 0) keep_compliant(s);
}

static void arrive(fb_sim* s) {
  if (s->contact.hard && !fb_hard_by_steps(s)) fb_hard_follow(s);
}

static void clear(fb_sim* s) {
  if (s->contact.hard) fb_hard_clear_impacts(s);
}

static int points_are_sound(const fb_snapshot* snapshot, const fb_hard_memory* points, int count) {
  for (int i = 0; i < count; i++) {
    fb_hard_memory memory;
    fb_snapshot_read(snapshot, &points[i], &memory, sizeof memory);
    if (!fb_hard_is_sound(snapshot->s, &memory)) return 0;
  }
  return 1;
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  const fb_contacts_head* head = s->contact.head;
  int room = fb_hard_room(s), most = s->contact.hard && !fb_hard_by_steps(s) ? INT_MAX - 1 : 0; /* rescue.c */
  if (!fb_snapshot_ints_are(snapshot, &head->pushes, 1, 0, INT_MAX - 1) ||
      !fb_snapshot_ints_are(snapshot, &head->passed, 1, 0, s->block.count) ||
      !fb_snapshot_ints_are(snapshot, &head->passed_inside, 1, 0, 1) ||
      !fb_snapshot_ints_are(snapshot, &head->rescues, 1, 0, most) ||
      !fb_snapshot_ints_are(snapshot, &head->rescue_steps, 1, 0, most) ||
      !fb_snapshot_ints_are(snapshot, &head->nremembered, 1, 0, room) ||
      !fb_snapshot_ints_are(snapshot, &head->nbeside, 1, -1, room) ||
      !fb_snapshot_ints_are(snapshot, &head->calm, 1, 0, INT_MAX - 1) ||
      !fb_snapshot_ints_are(snapshot, &head->room, 1, 0, FB_BESIDE_ROOM) ||
      !fb_snapshot_ints_are(snapshot, &head->nclosed, 1, 0, fb_snapshot_int(snapshot, &head->nremembered)))
    return 0;
  return points_are_sound(snapshot, s->contact.remembered, fb_snapshot_int(snapshot, &head->nremembered)) &&
         points_are_sound(snapshot, s->contact.beside, fb_snapshot_int(snapshot, &head->nbeside));
}

static void forget(fb_sim* s) {
  s->contact.hard = NULL;
}

const fb_part fb_part_contact = {.measure = measure,
                                 .place = place,
                                 .begin = begin,
                                 .follow = follow,
                                 .arrive = arrive,
                                 .clear = clear,
                                 .is_sound = is_sound,
                                 .carry = carry,
                                 .forget = forget,
                                 .free = release};
