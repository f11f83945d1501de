/* join_sim.c -- a simulation joins two of its trees, or opens a joint
 *
 * The model and the state after it come from constraint/ (freebody/join.h); change.c puts them in place of the
 * present ones. Coordinates that are moved, locked or driven by a block keep their rates through the impact;
 * coordinates that rest on a limit, or stick, are released first and settled afterwards. Loops stay closed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "constraint/rebuild.h"
#include "regroup/change.h"
#include "sim/accuracy/error_control.h"
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

/* Takes ownership of the model, also on failure. */
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
  *a = (after){.m = NULL};
  return no_memory(error);
}

/* The change as it is recorded: its texts are copies. */
static int copy_change(const fb_sim* s, const fb_join_def* how, int is_join, fb_change* c) {
  *c = (fb_change){.how = *how, .is_join = is_join, .t = s->head->t, .nq = s->nq};
  c->how.name = fb_copy_text(how->name);
  c->how.frame = fb_copy_text(how->frame);
  c->how.to = fb_copy_text(how->to);
  c->q = malloc(((size_t)s->nq + 1) * sizeof *c->q);
  if (c->q) memcpy(c->q, s->y, (size_t)s->nq * sizeof *c->q);
  return c->q && c->how.name && c->how.frame && c->how.to;
}

/* The energy in springs, rotors and soft stops of coordinates that are removed. */
static double energy_of_removed(const fb_sim* s, const fb_model* next) {
  const fb_parameters* par = s->d->par;
  const double* v = s->y + s->nq;
  double sum = 0;
  for (int k = 0; k < s->nv; k++) {
    if (fb_model_coordinate_from(next, s->m, k) >= 0) continue;
    int at = s->m->top.coordinate_q[k];
    double stretch = at >= 0 ? s->y[at] - par->rest[k] : 0;
    sum += 0.5 * par->armature[k] * v[k] * v[k];
    if (s->loads.passive & FB_PASSIVE_SPRINGS) sum += 0.5 * par->stiffness[k] * stretch * stretch;
    for (int i = 0; i < s->limit.count; i++)
      if (s->limit.list[i].coordinate == k) sum += fb_soft_stop_energy(s, i, s->y);
  }
  return sum;
}

int fb_sim_is_locked_still(const fb_sim* s, const fb_model* next, int k) {
  int turned, was = fb_joint_from(s->m, next, fb_coordinate_body(next, k), &turned);
  if (was <= 0) return 0;
  int first = fb_joint_v_index(s->m, was), end = first + fb_joint_nv(s->m, was);
  for (int i = first; i < end; i++)
    if (s->motion.of[i] != FB_MOTION_LOCKED) return 0;
  return 1;
}

/* Refuses a join that would end a lock or a motion: it removes the joint of the base that it re-roots, and reverses
 * attitudes, in whose new coordinates only a lock of all of them is the same. */
static fb_status check_motions(const fb_sim* s, const fb_model* next, fb_error* error) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] == FB_MOTION_FORCE || fb_is_held(s->motion.of[k])) continue;
    int now = fb_model_find_joint(next, fb_coordinate_joint_name(s->m, k));
    if (fb_model_coordinate_from(next, s->m, k) >= 0) continue;
    if (now > 0 && fb_sim_is_locked_still(s, next, fb_joint_v_index(next, now))) continue;
    return fb_fail(
        error, FB_ERR_STATE,
        "joint '%s' is %s, which the join would end because it re-roots the tree; release the joint first%s",
        fb_coordinate_joint_name(s->m, k), s->motion.of[k] == FB_MOTION_LOCKED ? "locked" : "moved",
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
    a->prescribed[k] =
        (from >= 0 ? !fb_sim_coordinate_responds(s, from) : fb_sim_is_locked_still(s, a->m, k)) != 0;
  }
  return status;
}

/* The state after the change at y; of a join also the impulse. */
static fb_status find_state(fb_sim* s, fb_change* c, after* a, double* y, fb_error* error) {
  size_t nloop = (size_t)s->m->top.nloop;
  if (nloop > 0) memcpy(a->d->loop_length, s->loop.length, nloop * sizeof *s->loop.length);
  const fb_model_state from = {s->m, s->d, y, y + s->nq}, to = {a->m, a->d, a->q, a->v};
  if (!c->is_join) return fb_model_state_carry(&from, &to, error);
  return fb_model_state_join(&from, &to, c->how.name, a->prescribed, &c->impulse, error);
}

/* The same for the neighbouring motion (growth.c), whose frames meet elsewhere. Returns sigma; 0: there is none, NAN: it
 * cannot be changed so. neighbour->m is to be freed. */
static double find_neighbour(fb_sim* s, const fb_change* c, const after* a, after* neighbour) {
  fb_change change = *c;
  fb_error none;
  double sigma = fb_growth_neighbour(s), *y = s->error.y_neighbour;
  *neighbour = (after){.m = NULL};
  if (!(sigma > 0)) return 0;
  change.q = y;
  change.how.force = 1;
  fb_model* m;
  if (fb_change_model(s->m, &change, &m, &none) || after_make(neighbour, m, &none)) return NAN;
  memcpy(neighbour->prescribed, a->prescribed, (size_t)fb_model_nv(m));
  return find_state(s, &change, neighbour, y, &none) ? NAN : sigma;
}

static fb_status check_parameters(const fb_sim* s, fb_error* error) {
  if (!s->parameters) return FB_OK;
  return fb_fail(error, FB_ERR_UNSUPPORTED,
                 "this simulation has parameters of its own (fb_sim_options.parameters), with which trees "
                 "cannot be joined or parted; build a model with these numbers instead");
}

static fb_status change(fb_sim* s, fb_change* c, fb_error* error) {
  fb_model* m;
  after a, neighbour;
  fb_status status = check_parameters(s, error);
  if (!status) status = fb_change_model(s->m, c, &m, error);
  if (!status) status = after_make(&a, m, error);
  if (status) return status;
  if (c->is_join) status = find_prescribed(s, &a, error);
  double sigma = find_neighbour(s, c, &a, &neighbour);
  if (!status) status = find_state(s, c, &a, s->y, error);
  if (status) {
    fb_model_free(m);
  } else {
    c->impulse.energy += energy_of_removed(s, m);
    fb_stops_let_go(s);
    const fb_next next = {.m = m,
                          .q = a.q,
                          .v = a.v,
                          .lost = c->impulse.energy,
                          .prescribed = a.prescribed,
                          .q_neighbour = neighbour.q,
                          .v_neighbour = neighbour.v,
                          .sigma = sigma};
    status = fb_sim_exchange(s, &next, error);
  }
  after_free(&a);
  after_free(&neighbour);
  fb_model_free(neighbour.m);
  return status;
}

static fb_status make_change(fb_sim* s, const fb_join_def* how, int is_join, fb_error* error) {
  fb_change c;
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "trees are joined and parted after fb_sim_start");
  fb_status status = fb_sim_end_step(s, error);
  if (status) return status;
  if (!copy_change(s, how, is_join, &c) || !fb_grow(&s->regroup.changes, (size_t)s->regroup.nchange, 1,
                                                    &s->regroup.room, sizeof *s->regroup.changes))
    status = no_memory(error);
  if (!status) status = change(s, &c, error);
  if (status) {
    fb_change_clear(&c);
    return status;
  }
  s->regroup.changes[s->regroup.nchange++] = c;
  s->head->epoch = s->regroup.nchange;
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
