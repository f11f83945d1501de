/* join.c -- a simulation joins two of its trees, or opens a joint
 *
 * The model and the state after it come from constraint/ (freebody/join.h); change.c puts them in place of the present
 * ones. Coordinates that are moved, locked or driven by a block keep their rates through the impact; what rests on a
 * limit, or sticks, is let go first and settled after it. Loops stay closed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "constraint/rebuild.h"
#include "regroup/change.h"
#include "limit/stops.h"
#include "sim/flow.h"

/* The state after a change, and the memory for it. */
typedef struct after {
  fb_model* m; /* until it is taken over */
  fb_data* d;
  double *q, *v;
  unsigned char* prescribed;
} after;

static void after_free(after* a) {
  fb_data_free(a->d);
  free(a->q);
  free(a->prescribed);
}

static fb_status no_memory(fb_error* error) {
  fb_fail(error, FB_ERR_MEMORY, "no memory for a join or parting");
  return FB_ERR_MEMORY;
}

/* Takes the model over, also on failure. */
static fb_status after_make(after* a, fb_model* m, fb_error* error) {
  size_t nq = (size_t)fb_model_nq(m), nv = (size_t)fb_model_nv(m);
  *a = (after){.m = m, .d = fb_data_new(m), .q = calloc(nq + nv + 1, sizeof(double))};
  a->prescribed = calloc(nv + 1, 1);
  if (a->d && a->q && a->prescribed) {
    a->v = a->q + nq;
    return FB_OK;
  }
  after_free(a);
  fb_model_free(m);
  return no_memory(error);
}

/* The change as it will be remembered: its texts are copies. */
static int copy_change(const fb_sim* s, const fb_join_def* how, int is_join, fb_change* c) {
  *c = (fb_change){.how = *how, .is_join = is_join, .t = s->head->t, .nq = s->nq};
  c->how.name = fb_copy_text(how->name);
  c->how.frame = fb_copy_text(how->frame);
  c->how.to = fb_copy_text(how->to);
  c->q = malloc(((size_t)s->nq + 1) * sizeof *c->q);
  if (c->q) memcpy(c->q, s->y, (size_t)s->nq * sizeof *c->q);
  return c->q && c->how.name && c->how.frame && c->how.to;
}

/* What the springs, rotors and soft stops of coordinates that go away hold. */
static double energy_of_gone(const fb_sim* s, const fb_model* next) {
  const fb_parameters* par = s->d->par;
  const double* v = s->y + s->nq;
  double sum = 0;
  for (int k = 0; k < s->nv; k++) {
    if (fb_model_coordinate_from(next, s->m, k) >= 0) continue;
    int at = s->m->top.coordinate_q[k];
    double stretch = at >= 0 ? s->y[at] - par->rest[k] : 0;
    sum += 0.5 * par->armature[k] * v[k] * v[k];
    if (s->loads.passive & FB_PASSIVE_SPRINGS) sum += 0.5 * par->stiffness[k] * stretch * stretch;
    for (int i = 0; i < s->nlimit; i++)
      if (s->limits[i].coordinate == k) sum += fb_soft_stop_energy(s, i, s->y);
  }
  return sum;
}

int fb_sim_is_locked_still(const fb_sim* s, const fb_model* next, int k) {
  int turned, was = fb_joint_from(s->m, next, fb_coordinate_body(next, k), &turned);
  if (was <= 0) return 0;
  int first = fb_joint_v_at(s->m, was), end = first + fb_joint_nv(s->m, was);
  for (int i = first; i < end; i++)
    if (s->motion[i] != FB_MOVE_LOCKED) return 0;
  return 1;
}

/* Refuses a join that would end a lock or a motion: it takes away the joint of the base that it re-roots, and turns
 * attitudes round, in whose new coordinates only a lock of all of them is the same. */
static fb_status check_motions(const fb_sim* s, const fb_model* next, fb_error* error) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion[k] == FB_MOVE_BY_FORCE || fb_is_held(s->motion[k])) continue;
    int now = fb_model_find_joint(next, fb_coordinate_joint_name(s->m, k));
    if (fb_model_coordinate_from(next, s->m, k) >= 0) continue;
    if (now > 0 && fb_sim_is_locked_still(s, next, fb_joint_v_at(next, now))) continue;
    return fb_fail(
        error, FB_ERR_STATE,
        "joint '%s' is %s, which the join would end because it re-roots the tree; release the joint "
        "first%s",
        fb_coordinate_joint_name(s->m, k), s->motion[k] == FB_MOVE_LOCKED ? "locked" : "moved",
        now > 0 ? "" : ", or exchange 'frame' and 'to'");
  }
  return FB_OK;
}

/* Coordinates of the next model that motions, locks or blocks move: they keep their rates. */
static fb_status find_prescribed(fb_sim* s, after* a, fb_error* error) {
  fb_status status = check_motions(s, a->m, error);
  if (!status) status = fb_flow_find_moved(s, error);
  for (int k = 0; k < fb_model_nv(a->m) && !status; k++) {
    int from = fb_model_coordinate_from(s->m, a->m, k);
    a->prescribed[k] = (from >= 0 ? !fb_sim_gives_way(s, from) : fb_sim_is_locked_still(s, a->m, k)) != 0;
  }
  return status;
}

/* The state of the model after the change; of a join also the impulse. */
static fb_status find_state(fb_sim* s, fb_change* c, after* a, fb_error* error) {
  size_t nloop = (size_t)s->m->top.nloop;
  if (nloop > 0) memcpy(a->d->loop_length, s->loop_length, nloop * sizeof *s->loop_length);
  if (!c->is_join) return fb_model_carry(s->m, s->d, s->y, s->y + s->nq, a->m, a->d, a->q, a->v, error);
  fb_status status = find_prescribed(s, a, error);
  if (status) return status;
  return fb_join_velocities(s->m, s->d, s->y, s->y + s->nq, a->m, a->d, c->how.name, a->prescribed, a->q,
                            a->v, &c->impulse, error);
}

static fb_status check_parameters(const fb_sim* s, fb_error* error) {
  if (!s->parameters) return FB_OK;
  return fb_fail(
      error, FB_ERR_UNSUPPORTED,
      "this simulation has parameters of its own (fb_sim_options.parameters), with which trees cannot "
      "be joined or parted; build a model with these numbers instead");
}

static fb_status change(fb_sim* s, fb_change* c, fb_error* error) {
  fb_model* m;
  after a;
  fb_status status = check_parameters(s, error);
  if (!status) status = fb_change_model(s->m, c, &m, error);
  if (!status) status = after_make(&a, m, error);
  if (status) return status;
  status = find_state(s, c, &a, error);
  if (status) {
    fb_model_free(m);
  } else {
    c->impulse.energy += energy_of_gone(s, m);
    fb_stops_let_go(s);
    const fb_next next = {.m = m, .q = a.q, .v = a.v, .lost = c->impulse.energy, .prescribed = a.prescribed};
    status = fb_sim_exchange(s, &next, error);
  }
  after_free(&a);
  return status;
}

static fb_status make_change(fb_sim* s, const fb_join_def* how, int is_join, fb_error* error) {
  fb_change c;
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "trees are joined and parted after fb_sim_start");
  fb_status status = fb_sim_settle(s, error);
  if (status) return status;
  if (!copy_change(s, how, is_join, &c) ||
      !fb_grow(&s->changes, (size_t)s->nchange, 1, &s->room_changes, sizeof *s->changes))
    status = no_memory(error);
  if (!status) status = change(s, &c, error);
  if (status) {
    free((void*)(uintptr_t)c.how.name);
    free((void*)(uintptr_t)c.how.frame);
    free((void*)(uintptr_t)c.how.to);
    free(c.q);
    return status;
  }
  s->changes[s->nchange++] = c;
  s->head->epoch = s->nchange;
  return fb_sim_take_up_motions(s, error);
}

fb_status fb_sim_join(fb_sim* s, const fb_join_def* how, fb_error* error) {
  return make_change(s, how, 1, error);
}

fb_status fb_sim_part(fb_sim* s, const char* joint, fb_error* error) {
  fb_join_def how = fb_default_join_def();
  how.name = joint;
  return make_change(s, &how, 0, error);
}
