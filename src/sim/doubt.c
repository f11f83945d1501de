/* doubt.c -- what speaks against a motion: that it began where nobody would put it, that its ledger does not close, that contacts
 * were not solved. The command, the bindings and the summaries of runs all say what is said here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "contact/pair.h"
#include "sim/diagnosis.h"
#include "sim/error_control.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

/* ---- the start ---- */

/* Whether coordinate k starts outside its limits; text then says so. */
static int is_outside(const fb_sim* s, int k, char* text, size_t size) {
  static const double DEGREES = 180 / 3.14159265358979323846;
  double low = s->d->par->lower[k], high = s->d->par->upper[k];
  int at = s->m->top.coordinate_q[k], length = s->chart.is_length[k];
  double scale = length ? 1 : DEGREES, q = at < 0 ? 0 : s->q_begun[at];
  if (at < 0 || (q >= low && q <= high)) return 0;
  snprintf(text, size, "the joint '%.60s' starts at %.6g %s, outside its limits of %.6g to %.6g",
           fb_coordinate_joint_name(s->m, k), q * scale, length ? "m" : "deg", low * scale, high * scale);
  return 1;
}

static double deepest_of(const fb_sim* s, const fb_data* d, const fb_contact_block* contact) {
  enum { MOST = 64 };
  fb_contact_point found[MOST];
  double deepest = 0;
  const int* link = s->m->top.site_link;
  int n = fb_contact_find_points(s->m, d, contact, 0, found, MOST);
  for (int i = 0; i < n; i++) {
    int rigid = link[contact->how.a[found[i].a].frame] == link[contact->how.b[found[i].b].frame];
    if (!rigid) deepest = fmax(deepest, -found[i].touch.gap);
  }
  return deepest;
}

/* Hard contacts are moved apart at once; compliant ones are thrown apart by their springs. Wheels do sink into soil. */
static int is_inside(fb_sim* s, int block, char* text, size_t size) {
  static const double DEEP = 1e-4;
  if (!fb_is_contact(&s->blocks[block]) || !fb_block_acts(s, block)) return 0;
  const fb_contact_block* contact = (const fb_contact_block*)s->blocks[block].user;
  if (contact->how.law == FB_CONTACT_SOIL) return 0;
  double deep = deepest_of(s, fb_kinematics_cache_at(&s->cache, s->q_begun, s->y + s->nq), contact);
  if (!(deep > DEEP)) return 0;
  snprintf(text, size, "the contact '%.60s' starts with its sides %.3g m inside each other%s",
           contact->how.name, deep,
           contact->how.law == FB_CONTACT_HARD ? "; they are moved apart at once" : "");
  return 1;
}

/* A law that begins in a pose in which its joints cannot move the frame along some direction may ask for nothing there, and stay. */
static int is_singular(const fb_sim* s, char* text, size_t size) {
  const fb_singular* x = &s->singular_begun;
  if (!(x->part < FB_SINGULAR_PART)) return 0;
  snprintf(text, size,
           "law \"%.60s\" starts in a singular pose: its smallest singular value is %.2g, so its joints "
           "hardly move the "
           "frame along some direction",
           s->blocks[x->block].name, x->value);
  return 1;
}

fb_remark fb_sim_start_remark(fb_sim* s, int index, char* text, size_t size) {
  if (size > 0) text[0] = '\0';
  if (!s->started || s->nchange > 0) return FB_REMARK_NONE;
  for (int k = 0; k < s->nv; k++)
    if (is_outside(s, k, text, size) && index-- == 0) return FB_REMARK_JOINT;
  for (int i = 0; i < s->nblock; i++)
    if (is_inside(s, i, text, size) && index-- == 0) return FB_REMARK_CONTACT;
  if (is_singular(s, text, size) && index-- == 0) return FB_REMARK_LAW;
  if (size > 0) text[0] = '\0';
  return FB_REMARK_NONE;
}

/* ---- the motion ---- */

/* " of tree "arm"" where there are several, else nothing. */
static const char* tree_text(const fb_model* m, int body, char text[64]) {
  text[0] = '\0';
  if (body > 0 && fb_model_ntree(m) > 1) snprintf(text, 64, " of tree \"%.40s\"", fb_body_name(m, body));
  return text;
}

/* What the ledgers of the trees say, at the end of any step. */
static void judge_trees(const fb_model* m, const fb_ledger* l, char* what, size_t size) {
  static const double MOST = 1e-3;
  char tree[64];
  size_t n = 0;
  if (l->worst > MOST)
    n = (size_t)snprintf(what, size, " energy%s is off by %.1e of what was exchanged at t = %.6g s",
                         tree_text(m, l->worst_body, tree), l->worst, l->worst_t);
  if (l->momentum_worst > MOST)
    snprintf(what + n, size - n, "%s momentum%s is off by %.1e of its scale at t = %.6g s", n ? "," : "",
             tree_text(m, l->momentum_body, tree), l->momentum_worst, l->momentum_worst_t);
}

/* Contacts gave more than they can: with Newton's law that may be the law's own doing. 1 when it was. */
static int judge_gains(const fb_sim* s, double given, char* text, size_t size) {
  long long gains = fb_touch_doubts(s).gains;
  if (gains == 0) return 0;
  snprintf(
      text, size,
      "contacts gave %.3g J to the scene: Newton's restitution with friction gained energy in %lld %s, as it "
      "may where slip reverses (signal solver.gains); restitution_law: poisson never does",
      given, gains, gains == 1 ? "impact" : "impacts");
  return 1;
}

/* Of the whole scene, where trees by themselves show nothing. 1: text says it all. */
static int judge_scene(const fb_sim* s, const fb_ledger* l, char* what, size_t room, char* text,
                       size_t size) {
  static const double MOST = 1e-3;
  static const double MOST_OF_FIRST = 0.05; /* methods of order one have errors that are no explosion */
  static const double ROUNDING = 1e-10;     /* of the speeds at which contacts at rest are pushed [m/s] */
  static const double STORED = 1e-13;       /* of a potential energy whose changes are summed */
  double rounded = fmax(ROUNDING * l->linear_scale, STORED * fabs(l->potential));
  double given = l->normal + l->friction - l->stored_0, moved = MOST * l->peak_kinetic;
  int exact = s->stepper.traits.order >= 4 || s->stepper.traits.adaptive;
  double lost = (exact ? MOST : MOST_OF_FIRST) * fmax(l->gross, l->peak_kinetic);
  int gave = given > moved && moved > 0 && given > rounded;
  if (gave && judge_gains(s, given, text, size)) return 1;
  if (gave)
    snprintf(
        what, room,
        " contacts gave %.3g J to the scene more than they had stored at the start, and they can only take",
        given);
  if (!what[0] && l->contacts && fabs(l->world_residual) > fmax(rounded, lost))
    snprintf(what, room, " the scene %s %.3g J, and contacts did not",
             l->world_residual > 0 ? "gained" : "lost", fabs(l->world_residual));
  return 0;
}

/* What would do better than the present method: "dopri5"; NULL: the same, more tightly. */
static const char* better_method(const fb_sim* s) {
  if (s->stepper.traits.adaptive) return NULL;
  return s->stepper.traits.takes_slopes ? "cvode" : "dopri5";
}

/* A law that is near a singular pose is the cause, whatever the step. */
static int blame_law(const fb_sim* s, const char* what, char* text, size_t size) {
  const fb_singular* x = &s->singular;
  if (!(x->part < FB_SINGULAR_PART)) return 0;
  snprintf(text, size,
           "the ledger does not close:%s: law \"%.60s\" is near a singular pose, at t = %.6g s its smallest "
           "singular value is "
           "%.2g (signal singular_value); do not trust this motion, but lead its path past that pose, or "
           "give the law damping",
           what, s->blocks[x->block].name, x->t, x->value);
  return 1;
}

static void judge_ledger(fb_sim* s, int by_keys, char* text, size_t size) {
  char what[280] = "", advice[120];
  fb_ledger l;
  fb_sim_ledger(s, &l);
  judge_trees(s->first_m, &l, what, sizeof what);
  if (!what[0] && judge_scene(s, &l, what, sizeof what, text, size)) return;
  if (!what[0]) return;
  if (blame_law(s, what, text, size)) return;
  const char* method = better_method(s);
  if (method && by_keys)
    snprintf(advice, sizeof advice, "shorten the step or use %s (--set integrator.method=%s)", method,
             method);
  else if (method)
    snprintf(advice, sizeof advice, "shorten the step or use %s", method);
  else
    snprintf(advice, sizeof advice, "give a smaller %saccuracy or a max_step", by_keys ? "integrator." : "");
  snprintf(text, size, "the ledger does not close:%s; do not trust this motion, but %s", what, advice);
}

/* Contacts that were solved badly, which the ledger need not show: it books the impulses that were taken. */
static void judge_solver(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (doubts->count == 0) return;
  snprintf(text, size,
           "hard contacts were not solved exactly in %lld %s: velocities are off by up to %.1e of their "
           "scale at t = %.6g s (signal solver.residual); do not trust this motion, but shorten the step, or "
           "give contacts between very different masses a compliant law",
           doubts->count, doubts->count == 1 ? "step" : "steps", doubts->worst, doubts->t);
}

/* Events without end: moreau helped on, which is of first order. */
static void judge_rescues(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (doubts->rescues == 0) return;
  snprintf(text, size,
           "contacts changed state, or their forces grew, faster than events can be located, at t = %.6g "
           "s%s: steps were made there by moreau, %d %s four or more, which is of first order; compare with "
           "method: moreau, or use a compliant law",
           doubts->rescued_t, doubts->rescues > 1 ? " for the first time" : "", doubts->rescues,
           doubts->rescues > 1 ? "times" : "time");
}

/* Bodies that are too fast for the step of moreau, which finds contacts in its middle only. */
static void judge_passing(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (!doubts->passed) return;
  snprintf(
      text, size,
      "contact \"%.60s\" moves by more than its thickness in a step: at t = %.6g s its sides passed each "
      "other, and may have gone through without an impact; take a shorter step, or rk4 or dopri5, which "
      "look in between",
      doubts->passed, doubts->passed_t);
}

/* Penetration that no displacement ended. */
static void judge_depth(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (!doubts->deepest) return;
  snprintf(text, size,
           "contact \"%.60s\": its sides were left %.2g m deep in each other at t = %.6g s, since nothing "
           "moved them "
           "apart; do not trust this motion, but shorten the step, or give contacts between very different "
           "masses a "
           "compliant law",
           doubts->deepest, doubts->depth, doubts->deepest_t);
}

/* Of what speaks against the contacts, the first that there is. */
static void judge_contacts(const fb_sim* s, char* text, size_t size) {
  fb_solver_doubts doubts = fb_touch_doubts(s);
  judge_solver(&doubts, text, size);
  if (!text[0]) judge_rescues(&doubts, text, size);
  if (!text[0]) judge_passing(&doubts, text, size);
  if (!text[0]) judge_depth(&doubts, text, size);
}

/* Steps of moreau that are too long by its own estimate (step_error.c). */
static void judge_steps(const fb_sim* s, int by_keys, char* text, size_t size) {
  static const double MOST = 1e-2;
  double error = fb_touch_doubts(s).error;
  if (!(error > fmax(MOST, 10 * s->options.accuracy))) return;
  snprintf(text, size,
           "steps of %g s are long for these contacts: made in halves as well, a sample of them lets "
           "positions be off by "
           "up to %.1e of the sizes of the bodies, or rad, in a second; compare with a shorter step%s",
           s->options.step, error, by_keys ? " (--set integrator.step=...)" : "");
}

/* Errors that the motion has made larger than was promised: in free swinging arms they grow without bound, whatever the method,
 * and the ledger does not show it. */
static void judge_error(const fb_sim* s, int by_keys, char* text, size_t size) {
  double since, worst = fb_sim_error_estimate(s, &since);
  if (!isfinite(since)) return;
  if (isnan(worst)) {
    snprintf(text, size,
             "from t = %.6g s on the error of this run could not be estimated: a motion next to it has no "
             "solution; "
             "compare it with a run at a smaller %saccuracy",
             since, by_keys ? "integrator." : "");
    return;
  }
  char most[80] = "in the end they are off by as much as they move";
  if (worst < 1)
    snprintf(most, sizeof most, "the estimate reaches %.1e, and the error may be twice that", worst);
  snprintf(text, size,
           "from t = %.6g s on positions may be off by more than ten times the accuracy of %g: %s; "
           "this motion lets small errors grow, and a smaller %saccuracy is exact for longer",
           since, s->options.accuracy, most, by_keys ? "integrator." : "");
}

int fb_sim_judge(fb_sim* s, int by_keys, char* text, size_t size) {
  if (size == 0) return 0;
  text[0] = '\0';
  if (!s->started) return 0;
  judge_ledger(s, by_keys, text, size);
  if (!text[0]) judge_contacts(s, text, size);
  if (!text[0]) judge_error(s, by_keys, text, size);
  if (!text[0]) judge_steps(s, by_keys, text, size);
  return text[0] != '\0';
}

int fb_sim_doubt(fb_sim* s, char* text, size_t size) {
  return fb_sim_judge(s, 0, text, size);
}
