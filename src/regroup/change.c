/* change.c -- a simulation goes on with another model of the same bodies
 *
 * Everything that depends on the model (data, chart, trees, state, scratch, the stepper's memory) is made anew for the
 * next one and the old is freed last, so that a failure can go back. What continues is carried over by coordinate:
 * motions, locks, where paths began, what slides; limits by the coordinate that they watch; the rest as it is: time,
 * counts, memory and states of blocks, sides of events, the ledger's sums (ledger_change.c). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "sim/error_control.h"
#include "sim/crossing.h"
#include "regroup/change.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"

/* ---- blocks ---- */

/* "block "arm": its joint ..." behind what others have said. */
static void keep_note(fb_sim* s, const fb_block* block, const fb_error* note) {
  size_t used = strlen(s->notes);
  if (!note->text[0] || used >= sizeof s->notes - 1) return;
  int size = snprintf(s->notes + used, sizeof s->notes - used, "%sblock \"%.60s\": %s", used ? "; " : "",
                      block->name, note->text);
  if (size < 0) s->notes[used] = '\0';
}

/* Gives the blocks another model; those before one that refuses get the old one back. */
static fb_status rebind(fb_sim* s, const fb_model* m, const fb_model* old, fb_error* error) {
  s->notes[0] = '\0';
  for (int i = 0; i < s->nblock; i++) {
    const fb_block* b = &s->blocks[i];
    fb_error said;
    fb_error_clear(&said);
    fb_status status = b->rebind ? b->rebind(b->user, m, &said) : FB_OK;
    if (!status) {
      keep_note(s, b, &said);
      continue;
    }
    for (int k = 0; k <= i; k++)
      if (s->blocks[k].rebind) s->blocks[k].rebind(s->blocks[k].user, old, NULL);
    return fb_fail(error, status, "block \"%s\" cannot go on with the model that a join or parting made: %s",
                   b->name, said.text);
  }
  return FB_OK;
}

/* ---- what depends on the model ---- */

/* Forgets the parts, which the caller has a copy of. */
static void set_model(fb_sim* s, const fb_model* m) {
  s->m = m;
  s->own_m = m == s->first_m ? NULL : (fb_model*)(uintptr_t)m;
  s->nq = fb_model_nq(m);
  s->nv = fb_model_nv(m);
  s->d = NULL;
  s->cache = (fb_kinematics_cache){.m = NULL};
  s->parameters = NULL;
  s->chart = (fb_chart){.nquat = 0};
  s->chart_memory = NULL;
  s->nroot = s->nfloat = s->ntree = s->nz_trees = s->has_rotors = 0;
  s->roots = NULL;
  s->trees = NULL;
  s->link_tree = s->v_tree = s->group = NULL;
  s->head = NULL;
  s->scratch = NULL;
  s->stops = NULL;
  s->touch = NULL;
  s->first = (fb_first){.body = NULL};
  if (s->given_limits) s->limits = s->given_limits;
  s->given_limits = NULL;
}

/* The limits of the first model on the coordinates of the present one. */
static int map_limits(fb_sim* s) {
  if (s->nlimit == 0 || s->m == s->first_m) return 1;
  fb_limit* own = malloc((size_t)s->nlimit * sizeof *own);
  if (!own) return 0;
  memcpy(own, s->limits, (size_t)s->nlimit * sizeof *own);
  for (int i = 0; i < s->nlimit; i++) own[i].coordinate = s->first.v[own[i].coordinate];
  s->given_limits = s->limits;
  s->limits = own;
  return 1;
}

static fb_status make(fb_sim* s, fb_error* error) {
  if ((s->m != s->first_m && !fb_first_find(s->first_m, s->m, &s->first)) || !map_limits(s) ||
      !fb_sim_make_parts(s))
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  fb_status status = fb_sim_lay_out(s, error);
  if (status) return status;
  if (!fb_sim_options_are_custom(&s->options)) s->stepper = fb_sim_stepper_of(&s->options);
  return s->stepper.start ? s->stepper.start(s->stepper.self, s, error) : FB_OK;
}

/* The stepper of a method has memory of its own for each model; a caller's has one. */
static void free_stepper(fb_sim* s) {
  if (!fb_sim_options_are_custom(&s->options) && s->stepper.free) s->stepper.free(s->stepper.self);
}

/* ---- what goes on ---- */

/* The work of the first model's coordinates that have no coordinate now, and the sum of all others that have gone. */
static void carry_work(fb_sim* s, const fb_sim* old) {
  int first_nv = s->first_m->top.nv;
  double *z = fb_y_z(s, s->y), gone = old->first.v ? old->kept_work[first_nv] : 0;
  const double* before = fb_y_z(old, old->y);
  for (int k = 0; k < s->nv; k++) {
    int from = fb_model_coordinate_from(old->m, s->m, k);
    if (from >= 0) z[k] = before[from];
  }
  for (int k = 0; k < old->nv; k++)
    if (fb_model_coordinate_from(s->m, old->m, k) < 0) gone += before[k];
  for (int k = 0; k < first_nv; k++) {
    int was = fb_sim_coordinate_now(old, k), now = fb_sim_coordinate_now(s, k);
    double kept = was >= 0 ? before[was] : old->kept_work[k];
    if (was >= 0 && now < 0) gone -= kept; /* it is kept by itself */
    if (was < 0 && now >= 0) z[now] = kept;
    if (now < 0) s->kept_work[k] = kept;
  }
  if (s->first.v) s->kept_work[first_nv] = gone;
  if (s->m->top.nloop > 0 && old->m->top.nloop > 0) *fb_z_loops(s, z) = *fb_z_loops(old, fb_y_z(old, old->y));
}

static void carry_motions(fb_sim* s, const fb_sim* old) {
  s->head->nmoved = s->head->nheld = 0;
  for (int k = 0; k < s->nv; k++) {
    int from = fb_model_coordinate_from(old->m, s->m, k);
    s->motion[k] = from >= 0                              ? old->motion[from]
                   : fb_sim_is_locked_still(old, s->m, k) ? FB_MOVE_LOCKED
                                                          : FB_MOVE_BY_FORCE;
    s->head->nmoved += s->motion[k] != FB_MOVE_BY_FORCE;
    s->head->nheld += fb_is_held(s->motion[k]);
    s->slide[k] = fb_sign(s->y[s->nq + k]);
    if (from < 0) continue;
    s->begun[k] = old->begun[from];
    s->shift[k] = old->shift[from];
    s->held_side[k] = old->held_side[from];
    s->heft[k] = old->heft[from];
    s->creep[k] = old->creep[from];
  }
}

static void copy(void* to, const void* from, size_t count, size_t size) {
  if (count > 0) memcpy(to, from, count * size);
}

/* Of blocks, events and limits; also what an event that acts is in the middle of. */
static void carry_rest(fb_sim* s, const fb_sim* old) {
  size_t nblock = (size_t)s->nblock, nevent = (size_t)s->nevent, nlimit = (size_t)s->nlimit;
  copy(s->memory, old->memory, (size_t)s->nmemory, sizeof *s->memory);
  copy(fb_y_x(s, s->y), fb_y_x(old, old->y), (size_t)s->nx, sizeof *s->y);
  copy(s->loop_length, old->loop_length, (size_t)s->m->top.nloop, sizeof *s->loop_length);
  copy(s->reach, old->reach, nlimit, sizeof *s->reach);
  copy(s->resting, old->resting, nlimit, sizeof *s->resting);
  copy(s->ticks, old->ticks, nblock, sizeof *s->ticks);
  copy(s->side, old->side, nevent, sizeof *s->side);
  copy(s->fired, old->fired, nevent, sizeof *s->fired);
  copy(s->due, old->due, nevent, sizeof *s->due);
  copy(s->happened, old->happened, nevent, sizeof *s->happened);
  copy(s->records, old->records, (size_t)s->nrecord, sizeof *s->records);
  copy(s->phases, old->phases, nlimit, sizeof *s->phases);
  copy(s->soft, old->soft, nlimit, sizeof *s->soft);
  fb_touch_carry(s, old);
}

/* The quaternions of joints that go, and that come back, keep their signs. */
static void carry_signs(fb_sim* s, const fb_sim* old) {
  for (int i = 0; i < s->first.ngone; i++) {
    int b = s->first.gone[i], was = fb_sim_coordinate_now(old, fb_joint_v_at(s->first_m, b));
    double *quat = s->kept_quat + 4 * (size_t)i, q[7];
    int at = fb_joint_type_quat_at(fb_joint_type_of(s->first_m, b));
    for (int j = 0; was < 0 && j < old->first.ngone; j++)
      if (old->first.gone[j] == b) memcpy(quat, old->kept_quat + 4 * (size_t)j, 4 * sizeof *quat);
    if (was < 0) continue;
    memcpy(q, old->y + fb_joint_q_at(old->m, fb_coordinate_body(old->m, was)), (size_t)(at + 4) * sizeof *q);
    memcpy(quat, q + at, 4 * sizeof *quat);
  }
  for (int j = 0; j < old->first.ngone; j++) {
    int b = old->first.gone[j], now = fb_sim_coordinate_now(s, fb_joint_v_at(s->first_m, b));
    if (now < 0) continue;
    double *quat = s->y + fb_joint_q_at(s->m, fb_coordinate_body(s->m, now)) +
                   fb_joint_type_quat_at(fb_joint_type_of(s->first_m, b)),
           along = 0;
    for (int k = 0; k < 4; k++) along += quat[k] * old->kept_quat[4 * (size_t)j + (size_t)k];
    for (int k = 0; along < 0 && k < 4; k++) quat[k] = -quat[k];
  }
}

static void carry(fb_sim* s, const fb_sim* old, const fb_next* next) {
  *s->head = *old->head;
  s->head->momentum_known = 0;
  memcpy(s->y, next->q, (size_t)s->nq * sizeof *s->y);
  memcpy(s->y + s->nq, next->v, (size_t)s->nv * sizeof *s->y);
  carry_signs(s, old);
  carry_work(s, old);
  carry_motions(s, old);
  carry_rest(s, old);
  fb_sim_take_lengths(s);
}

/* Nothing of the last step can be looked into: it was made with another model. */
static void begin_here(fb_sim* s) {
  s->t0 = s->t_tame = s->head->t;
  copy(s->y0, s->y, (size_t)s->ny, sizeof *s->y);
  copy(s->y_tame, s->y, (size_t)s->ny, sizeof *s->y);
  s->look = (fb_step_look){.step = -1};
  s->margins_known = 0;
  s->nwrench = 0;
  s->stops_due = 1;
  fb_soft_stops_update(s);
  fb_pairs_update(s);
  fb_sim_forget(s);
}

/* ---- all of it ---- */

static fb_status exchange(fb_sim* s, const fb_sim* old, const fb_next* next, fb_error* error) {
  set_model(s, next->m);
  fb_status status = make(s, error);
  if (!status) status = rebind(s, next->m, old->m, error);
  return status;
}

fb_status fb_sim_exchange(fb_sim* s, const fb_next* next, fb_error* error) {
  fb_sim old = *s;
  fb_ledger_carried* ledger = next->q ? fb_ledger_carry(s) : NULL;
  if (next->q && !ledger) {
    if (next->m != s->first_m) fb_model_free((fb_model*)(uintptr_t)next->m);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  }
  fb_status status = exchange(s, &old, next, error);
  fb_sim* gone = &old;
  if (status) { /* back */
    fb_sim failed = *s;
    if (failed.stepper.self == old.stepper.self) failed.stepper.self = NULL;
    free_stepper(&failed);
    fb_sim_free_parts(&failed);
    *s = old;
    if (fb_sim_options_are_custom(&s->options) && s->stepper.start)
      s->stepper.start(s->stepper.self, s, NULL);
    gone = NULL;
  } else if (next->q) {
    carry(s, &old, next);
    fb_ledger_take_up(s, ledger, next);
    fb_growth_carry(s, &old);
    begin_here(s);
  }
  fb_ledger_carry_free(ledger);
  if (gone) {
    free_stepper(gone);
    fb_sim_free_parts(gone);
  }
  return status;
}

fb_status fb_sim_exchange_first(fb_sim* s, fb_error* error) {
  const fb_next next = {.m = s->first_m};
  fb_status status = fb_sim_exchange(s, &next, error);
  if (status) return status;
  fb_changes_free(s->changes, s->nchange);
  s->changes = NULL;
  s->nchange = 0;
  s->room_changes = 0;
  return FB_OK;
}
