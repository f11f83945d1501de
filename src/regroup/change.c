/* change.c -- a simulation continues with another model of the same bodies
 *
 * Everything that depends on the model (data, chart, trees, state, scratch, the stepper's memory) is created again
 * for the next one, and the old is freed last, so that a failure can be undone. What continues is copied by
 * coordinate: motions, locks, where paths began, what slides; limits by the coordinate that they watch; the rest as
 * it is: time, counts, memory and states of blocks, sides of events, the ledger's sums (ledger_change.c). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "sim/accuracy/error_control.h"
#include "sim/part.h"
#include "regroup/change.h"

/* ---- blocks ---- */

/* "block "arm": its joint ..." after the notes of other blocks. */
static void keep_note(fb_sim* s, const fb_block* block, const fb_error* note) {
  size_t used = strlen(s->regroup.notes);
  if (!note->text[0] || used >= sizeof s->regroup.notes - 1) return;
  int size = snprintf(s->regroup.notes + used, sizeof s->regroup.notes - used, "%sblock \"%.60s\": %s",
                      used ? "; " : "", block->name, note->text);
  if (size < 0) s->regroup.notes[used] = '\0';
}

/* Gives the blocks another model; those before one that refuses get the old one back. */
static fb_status rebind(fb_sim* s, const fb_model* m, const fb_model* old, fb_error* error) {
  s->regroup.notes[0] = '\0';
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* b = &s->block.list[i];
    fb_error said;
    fb_error_clear(&said);
    fb_status status = b->rebind ? b->rebind(b->user, m, &said) : FB_OK;
    if (!status) {
      keep_note(s, b, &said);
      continue;
    }
    for (int k = 0; k <= i; k++)
      if (s->block.list[k].rebind) s->block.list[k].rebind(s->block.list[k].user, old, NULL);
    return fb_fail(error, status, "block \"%s\" cannot go on with the model that a join or parting made: %s",
                   b->name, said.text);
  }
  return FB_OK;
}

/* ---- what depends on the model ---- */

/* Clears all that depends on the model; the caller has a copy. */
static void set_model(fb_sim* s, const fb_model* m) {
  s->m = m;
  s->regroup.changed = m == s->regroup.original ? NULL : (fb_model*)(uintptr_t)m;
  s->nq = fb_model_nq(m);
  s->nv = fb_model_nv(m);
  s->d = NULL;
  s->cache = (fb_kinematics_cache){.m = NULL};
  s->parameters = NULL;
  s->chart = (fb_chart){.nquat = 0};
  s->head = NULL;
  s->scratch = NULL;
  fb_parts_forget(s);
}

/* The limits of the first model on the coordinates of the present one. */
static int map_limits(fb_sim* s) {
  if (s->limit.count == 0 || s->m == s->regroup.original) return 1;
  fb_limit* limits = malloc((size_t)s->limit.count * sizeof *limits);
  if (!limits) return 0;
  memcpy(limits, s->limit.list, (size_t)s->limit.count * sizeof *limits);
  for (int i = 0; i < s->limit.count; i++) limits[i].coordinate = s->regroup.joints.v[limits[i].coordinate];
  s->limit.given = s->limit.list;
  s->limit.list = limits;
  return 1;
}

static fb_status make(fb_sim* s, fb_error* error) {
  if ((s->m != s->regroup.original &&
       !fb_original_joints_find(s->regroup.original, s->m, &s->regroup.joints)) ||
      !map_limits(s) || !fb_sim_make_parts(s))
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

/* ---- what continues ---- */

/* The work of the original model's coordinates that have no coordinate now, and the sum of all other removed ones. */
static void carry_work(fb_sim* s, const fb_sim* old) {
  int first_nv = s->regroup.original->top.nv;
  double *z = fb_y_z(s, s->y), removed = old->regroup.joints.v ? old->regroup.kept_work[first_nv] : 0;
  const double* before = fb_y_z(old, old->y);
  for (int k = 0; k < s->nv; k++) {
    int from = fb_model_coordinate_from(old->m, s->m, k);
    if (from >= 0) z[k] = before[from];
  }
  for (int k = 0; k < old->nv; k++)
    if (fb_model_coordinate_from(s->m, old->m, k) < 0) removed += before[k];
  for (int k = 0; k < first_nv; k++) {
    int was = fb_sim_coordinate_now(old, k), now = fb_sim_coordinate_now(s, k);
    double kept = was >= 0 ? before[was] : old->regroup.kept_work[k];
    if (was >= 0 && now < 0) removed -= kept; /* it is kept separately */
    if (was < 0 && now >= 0) z[now] = kept;
    if (now < 0) s->regroup.kept_work[k] = kept;
  }
  if (s->regroup.joints.v) s->regroup.kept_work[first_nv] = removed;
  if (s->m->top.nloop > 0 && old->m->top.nloop > 0) *fb_z_loops(s, z) = *fb_z_loops(old, fb_y_z(old, old->y));
}

/* Quaternions of joints that are removed, and of those that return, keep their signs. */
static void carry_signs(fb_sim* s, const fb_sim* old) {
  for (int i = 0; i < s->regroup.joints.nremoved; i++) {
    int b = s->regroup.joints.removed[i],
        was = fb_sim_coordinate_now(old, fb_joint_v_index(s->regroup.original, b));
    double *quat = s->regroup.kept_quat + 4 * (size_t)i, q[7];
    int at = fb_joint_type_quat_index(fb_joint_type_of(s->regroup.original, b));
    for (int j = 0; was < 0 && j < old->regroup.joints.nremoved; j++)
      if (old->regroup.joints.removed[j] == b)
        memcpy(quat, old->regroup.kept_quat + 4 * (size_t)j, 4 * sizeof *quat);
    if (was < 0) continue;
    memcpy(q, old->y + fb_joint_q_index(old->m, fb_coordinate_body(old->m, was)),
           (size_t)(at + 4) * sizeof *q);
    memcpy(quat, q + at, 4 * sizeof *quat);
  }
  for (int j = 0; j < old->regroup.joints.nremoved; j++) {
    int b = old->regroup.joints.removed[j],
        now = fb_sim_coordinate_now(s, fb_joint_v_index(s->regroup.original, b));
    if (now < 0) continue;
    double *quat = s->y + fb_joint_q_index(s->m, fb_coordinate_body(s->m, now)) +
                   fb_joint_type_quat_index(fb_joint_type_of(s->regroup.original, b)),
           along = 0;
    for (int k = 0; k < 4; k++) along += quat[k] * old->regroup.kept_quat[4 * (size_t)j + (size_t)k];
    for (int k = 0; along < 0 && k < 4; k++) quat[k] = -quat[k];
  }
}

static void carry(fb_sim* s, const fb_sim* old, const fb_next* next) {
  *s->head = *old->head;
  s->head->momentum_known = 0;
  memcpy(s->y, next->q, (size_t)s->nq * sizeof *s->y);
  memcpy(s->y + s->nq, next->v, (size_t)s->nv * sizeof *s->y);
  fb_parts_carry(s, old);
}

/* States inside the last step are no longer available: it was made with another model. */
static void begin_here(fb_sim* s) {
  s->step.t0 = s->failure.t_ordinary = s->head->t;
  fb_copy(s->y0, s->y, s->ny, sizeof *s->y);
  fb_copy(s->failure.y_ordinary, s->y, s->ny, sizeof *s->y);
  s->probe.known = (fb_probe_known){.step = -1};
  s->limit.margins_known = 0;
  s->wrench.count = 0;
  s->limit.due = 1;
  fb_parts_restore(s);
  fb_sim_forget(s);
}

/* ---- the whole change ---- */

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
    if (next->m != s->regroup.original) fb_model_free((fb_model*)(uintptr_t)next->m);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  }
  fb_status status = exchange(s, &old, next, error);
  fb_sim* removed = &old;
  if (status) { /* back */
    fb_sim failed = *s;
    if (failed.stepper.self == old.stepper.self) failed.stepper.self = NULL;
    free_stepper(&failed);
    fb_sim_free_parts(&failed);
    *s = old;
    if (fb_sim_options_are_custom(&s->options) && s->stepper.start)
      s->stepper.start(s->stepper.self, s, NULL);
    removed = NULL;
  } else if (next->q) {
    carry(s, &old, next);
    fb_ledger_take_up(s, ledger, next);
    fb_growth_carry(s, &old, next->q_neighbour, next->v_neighbour, next->sigma);
    begin_here(s);
  }
  fb_ledger_carry_free(ledger);
  if (removed) {
    free_stepper(removed);
    fb_sim_free_parts(removed);
  }
  return status;
}

fb_status fb_sim_exchange_first(fb_sim* s, fb_error* error) {
  const fb_next next = {.m = s->regroup.original};
  fb_status status = fb_sim_exchange(s, &next, error);
  if (status) return status;
  fb_changes_free(s->regroup.changes, s->regroup.nchange);
  s->regroup.changes = NULL;
  s->regroup.nchange = 0;
  s->regroup.room = 0;
  return FB_OK;
}

/* ---- as a part ---- */

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_regroup* to = &s->regroup;
  (void)scratch;
  FB_REGROUP_STATE(FB_FIELD_IN_STATE)
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  const fb_regroup* r = &s->regroup;
  return fb_snapshot_numbers_are_finite(snapshot, r->kept_work, r->joints.v ? r->original->top.nv + 1 : 0) &&
         fb_snapshot_numbers_are_finite(snapshot, r->kept_quat, 4 * r->joints.nremoved);
}

static void carry_part(fb_sim* s, const fb_sim* old) {
  carry_signs(s, old);
  carry_work(s, old);
}

static void forget(fb_sim* s) {
  s->regroup.joints = (fb_original_joints){.body = NULL};
}

static void free_part(fb_sim* s) {
  fb_original_joints_free(&s->regroup.joints);
  fb_model_free(s->regroup.changed);
}

const fb_part fb_part_regroup = {.place = place,
                                 .follow = fb_original_follow,
                                 .is_sound = is_sound,
                                 .carry = carry_part,
                                 .forget = forget,
                                 .free = free_part};
