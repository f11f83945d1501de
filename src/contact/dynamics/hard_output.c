/* hard_output.c -- results of hard contacts: outputs, works, and changes of state
 *
 * During a step or an evaluation all of it is scratch, since steps may be repeated. When the step is accepted it
 * becomes part of the state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vector3.h"
#include "signal/signal_kind.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"
#include "sim/access.h"

static double* outputs_of(const fb_sim* s, int contact) {
  return s->contact.hard->outputs + (size_t)contact * FB_CONTACT_OUT_COUNT;
}

void fb_hard_clear_impacts(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->happened, 0, (size_t)w->ncontact);
  memset(w->turned, 0, (size_t)w->ncontact);
  memset(w->impulses, 0, 3 * (size_t)w->ncontact * sizeof(double));
  memset(w->speeds, 0, (size_t)w->ncontact * sizeof(double));
  memset(w->rubbed, 0, (size_t)w->ncontact * sizeof(double));
}

void fb_hard_note_impact(fb_sim* s, const fb_hard_point* p, const double impulse[3], double rate) {
  fb_hard_contacts* w = s->contact.hard;
  w->happened[p->contact] |= 1 << FB_CONTACT_HITS;
  add_scaled3(w->impulses + 3 * p->contact, 1, impulse);
  w->speeds[p->contact] = fmax(w->speeds[p->contact], -rate);
}

/* Over whole steps slip slower than that may point anywhere; an event has located the instant at which it is zero. */
void fb_hard_note_turns(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  int steps = fb_hard_by_steps(s);
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    const fb_hard_memory* m = p->state == FB_CONTACT_SLIPS ? fb_hard_remembered(s, p) : NULL;
    if (!m || m->state != FB_CONTACT_SLIPS || !fb_hard_rubs(s, p)) continue;
    if (steps && !(m->moves && fb_hard_moves(s, p))) continue;
    w->turned[p->contact] |= dot3(p->slip_direction, m->slip_direction) < 0;
  }
}

/* Outputs of all contacts from w->points. */
static void sum_outputs(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->outputs, 0, (size_t)w->ncontact * FB_CONTACT_OUT_COUNT * sizeof *w->outputs);
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (p->state == FB_CONTACT_OPEN) continue;
    double *out = outputs_of(s, p->contact), *force = out + FB_CONTACT_OUT_FORCE;
    double normal = dot3(p->force, p->point.normal), at[3];
    add_scaled3(force, 1, p->force);
    /* For now the sum of the normal parts as a vector, where the impulse will be. */
    add_scaled3(out + FB_CONTACT_OUT_IMPULSE, normal, p->point.normal);
    for (int k = 0; k < 3; k++) at[k] = p->origin[k] + p->point.p_b[k];
    fb_contact_add_normal(out, at, normal);
    out[FB_CONTACT_OUT_SLIP] = fmax(out[FB_CONTACT_OUT_SLIP], norm2(p->rate[1], p->rate[2]));
    if (!p->leaves) out[FB_CONTACT_OUT_STATE] = fmax(out[FB_CONTACT_OUT_STATE], p->state);
  }
  for (int c = 0; c < w->ncontact; c++) {
    double *out = outputs_of(s, c), along[3], *normals = out + FB_CONTACT_OUT_IMPULSE;
    for (int i = 0; i < 3; i++) along[i] = out[FB_CONTACT_OUT_FORCE + i] - normals[i];
    out[FB_CONTACT_OUT_TANGENTIAL] = norm3(along);
    const double* kept = fb_hard_block_memory(s, c) + FB_HARD_OUTPUTS + FB_CONTACT_OUT_IMPULSE;
    memcpy(normals, w->happened[c] >> FB_CONTACT_HITS & 1 ? w->impulses + 3 * c : kept, sizeof along);
  }
}

void fb_hard_add_works(fb_sim* s, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  for (int c = 0; c < w->ncontact; c++) {
    double* x = fb_y_x(s, y) + s->block.state_offset[w->block[c]];
    x[FB_CONTACT_X_NORMAL] += w->works[2 * c];
    x[FB_CONTACT_X_FRICTION] += w->works[2 * c + 1];
  }
}

static fb_contact_change change_to(double state) {
  return state == FB_CONTACT_OPEN    ? FB_CONTACT_OPENS
         : state == FB_CONTACT_SLIPS ? FB_CONTACT_BEGINS_SLIP
                                     : FB_CONTACT_BEGINS_STICK;
}

unsigned char fb_hard_happened(const fb_sim* s, int block, fb_contact_change change) {
  for (int c = 0; s->contact.hard && c < s->contact.hard->ncontact; c++)
    if (s->contact.hard->block[c] == block) return s->contact.hard->happened[c] >> change & 1;
  return 0;
}

fb_hard_impact fb_hard_last_impact(const fb_sim* s, int block) {
  const double* memory = s->block.memory + s->block.memory_offset[block];
  return (fb_hard_impact){.impulse = norm3(memory + FB_HARD_OUTPUTS + FB_CONTACT_OUT_IMPULSE),
                          .speed = memory[FB_HARD_SPEED],
                          .gained = memory[FB_HARD_GAINED]};
}

/* Works of all contacts, compliant ones too: those act as external wrenches, and are subtracted from `external`. */
void fb_contacts_work(const fb_sim* s, const double* y, fb_ledger* ledger) {
  const double* x = y + s->nq + s->nv;
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* block = &s->block.list[i];
    if (fb_block_is(block, &FB_BLOCK_CONTACT_SOLVER)) ledger->projection = x[s->block.state_offset[i]];
    if (!fb_block_is_contact(block)) continue;
    const double* works = x + s->block.state_offset[i];
    ledger->contacts++;
    ledger->normal += works[FB_CONTACT_X_NORMAL];
    ledger->friction += works[FB_CONTACT_X_FRICTION];
    if (!fb_block_is(block, &FB_BLOCK_HARD_CONTACT))
      ledger->external -= works[FB_CONTACT_X_NORMAL] + works[FB_CONTACT_X_FRICTION];
  }
}

void fb_hard_accept(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  if (!w) return;
  sum_outputs(s);
  for (int c = 0; c < w->ncontact; c++) {
    double *kept = fb_hard_block_memory(s, c) + FB_HARD_OUTPUTS, *out = outputs_of(s, c);
    double before = kept[FB_CONTACT_OUT_STATE], now = out[FB_CONTACT_OUT_STATE];
    if (before != now || (now == FB_CONTACT_SLIPS && w->turned[c]))
      w->happened[c] |= (unsigned char)(1 << change_to(now));
    if (w->happened[c] >> FB_CONTACT_HITS & 1) {
      fb_hard_block_memory(s, c)[FB_HARD_SPEED] = w->speeds[c];
      fb_hard_block_memory(s, c)[FB_HARD_GAINED] = w->rubbed[c];
    }
    memcpy(kept, out, FB_CONTACT_OUT_COUNT * sizeof *kept);
  }
}

/* The residual and iterations of the last solution: not of those during the step, so that a resumed run has the same. */
void fb_hard_accept_solution(fb_sim* s) {
  /* The relative residual above which a solution counts as inexact: a solution has 1e-8 at most, and this is the size
   * of other errors of a step. */
  static const double LARGE = 1e-6;
  fb_hard_contacts* w = s->contact.hard;
  if (w->solver < 0) return;
  double* kept = s->block.memory + s->block.memory_offset[w->solver];
  kept[FB_SOLVER_RESIDUAL] = w->result.residual;
  kept[FB_SOLVER_ITERATIONS] = w->result.iterations;
  kept[FB_SOLVER_GAINS] += w->gains;
  w->gains = 0;
  if (!(w->off > LARGE)) return;
  kept[FB_SOLVER_INEXACT]++;
  if (!(w->off > kept[FB_SOLVER_WORST])) return;
  kept[FB_SOLVER_WORST] = w->off;
  kept[FB_SOLVER_WORST_T] = s->head->t;
}

/* The penetration after the projection at the end of a step. */
static void accept_depth(fb_sim* s) {
  static const double DEEP = 1e-4; /* [m] as at the start */
  const fb_hard_contacts* w = s->contact.hard;
  double* kept = w->solver < 0 ? NULL : s->block.memory + s->block.memory_offset[w->solver];
  if (!kept || w->left_at < 0 || !(w->left > fmax(DEEP, kept[FB_SOLVER_DEEPEST]))) return;
  kept[FB_SOLVER_DEEPEST] = w->left;
  kept[FB_SOLVER_DEEPEST_AT] = w->left_at;
  kept[FB_SOLVER_DEEPEST_T] = s->head->t;
}

fb_solver_doubts fb_hard_doubts(const fb_sim* s) {
  if (!s->contact.hard || s->contact.hard->solver < 0) return (fb_solver_doubts){0};
  const double* kept = s->block.memory + s->block.memory_offset[s->contact.hard->solver];
  int passed = (int)kept[FB_SOLVER_PASSED] - 1, deepest = (int)kept[FB_SOLVER_DEEPEST_AT];
  int deep = kept[FB_SOLVER_DEEPEST] > 0 && deepest >= 0 && deepest < s->contact.hard->ncontact;
  return (fb_solver_doubts){.count = (long long)kept[FB_SOLVER_INEXACT],
                            .worst = kept[FB_SOLVER_WORST],
                            .t = kept[FB_SOLVER_WORST_T],
                            .gains = (long long)kept[FB_SOLVER_GAINS],
                            .passed = passed >= 0 && passed < s->contact.hard->ncontact
                                          ? fb_hard_contact(s, passed)->how.name
                                          : NULL,
                            .passed_t = kept[FB_SOLVER_PASSED_T],
                            .rescues = s->contact.head->rescues,
                            .rescued_t = s->contact.head->rescued_t,
                            .deepest = deep ? fb_hard_contact(s, deepest)->how.name : NULL,
                            .depth = kept[FB_SOLVER_DEEPEST],
                            .deepest_t = kept[FB_SOLVER_DEEPEST_T],
                            .error = kept[FB_SOLVER_ERROR]};
}

int fb_hard_has_strayed(const fb_sim* s, double t1) {
  return s->contact.hard && fb_hard_by_steps(s) && s->contact.hard->end != t1;
}

void fb_hard_keep_step(fb_sim* s) {
  fb_hard_note_turns(s);
  fb_hard_accept(s);
  fb_hard_accept_solution(s);
  fb_hard_keep_stops(s);
  accept_depth(s);
  fb_beside_keep(s, fb_hard_keep_sample(s));
  fb_hard_remember(s);
  s->head->jumped = 0;
  fb_hard_note_passing(s);
}

void fb_hard_follow(fb_sim* s) {
  if (s->contact.head->nclosed == 0) return;
  fb_flow(s, s->head->t, s->y, s->y_probe, NULL);
  fb_hard_accept(s);
  fb_hard_keep_predicted_slip(s);
  fb_hard_remember(s);
}

/* The hard contact that a signal is of; -1: none. */
static int contact_of(const fb_sim* s, const fb_signal* signal) {
  if (signal->kind != FB_SIGNAL_OUTPUT || !fb_block_is(&s->block.list[signal->index], &FB_BLOCK_HARD_CONTACT))
    return -1;
  for (int c = 0; c < s->contact.hard->ncontact; c++)
    if (s->contact.hard->block[c] == signal->index) return c;
  return -1;
}

fb_status fb_hard_probe(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                        fb_error* error) {
  int looked = 0;
  if (fb_hard_by_steps(s) || s->contact.head->nclosed == 0) return FB_OK;
  for (int i = 0; i < count; i++) {
    int c = contact_of(s, &signals[i]), at = signals[i].component;
    int by_forces = (at > FB_CONTACT_OUT_GAP && at < FB_CONTACT_OUT_IMPULSE) || at >= FB_CONTACT_OUT_POINT;
    if (c < 0 || !by_forces) continue;
    if (!looked) {
      long long evaluations = s->head->evaluations;
      fb_status status = fb_flow(s, t, y, s->y_probe, error);
      s->head->evaluations = evaluations;
      if (status) return status;
      sum_outputs(s);
      looked = 1;
    }
    s->block.out[s->block.out_offset[signals[i].index] + at] = outputs_of(s, c)[at];
  }
  return FB_OK;
}

/* ---- names ---- */

/* Whether a contact touches, or did at the last instant; where none did, whether it all but touches. */
static int is_in_play(fb_sim* s, int contact) {
  static const double NEAR = 1e-6; /* [m] */
  for (int i = 0; i < s->contact.head->nremembered; i++)
    if (s->contact.remembered[i].contact == contact) return 1;
  if (s->contact.head->nremembered > 0 || !fb_block_acts(s, s->contact.hard->block[contact])) return 0;
  return fb_contact_least_gap(s->m, fb_hard_kinematics(s, s->y, s->y + s->nq), fb_hard_contact(s, contact)) <
         NEAR;
}

const char* fb_hard_names(fb_sim* s, char text[FB_HARD_NAMES_SIZE]) {
  enum { NAMED = 3 };
  int count = 0, at = snprintf(text, FB_HARD_NAMES_SIZE, "contacts");
  for (int i = 0; i < s->contact.hard->ncontact; i++) {
    if (!is_in_play(s, i) || ++count > NAMED) continue;
    at += snprintf(text + at, (size_t)(FB_HARD_NAMES_SIZE - at), "%s \"%.60s\"", count > 1 ? "," : "",
                   fb_hard_contact(s, i)->how.name);
  }
  if (count > NAMED) snprintf(text + at, (size_t)(FB_HARD_NAMES_SIZE - at), " and %d others", count - NAMED);
  return text;
}
