/* warnings.c -- reasons not to trust a motion: an unusual start, a ledger that does not close, contacts that were not
 * solved. The command, the bindings and the summaries of runs print these texts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/pair.h"
#include "environment/environment.h"
#include "math/vector3.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/accuracy/error_control.h"
#include "contact/dynamics/hard_contact.h"
#include "sim/flow.h"
#include "sim/accuracy/turning.h"
#include "sim/access.h"

/* ---- the start ---- */

/* Whether coordinate k starts outside its limits; text then says so. */
static int is_outside(const fb_sim* s, int k, char* text, size_t size) {
  static const double DEGREES = 180 / 3.14159265358979323846;
  double low = s->d->par->lower[k], high = s->d->par->upper[k];
  int at = s->m->top.coordinate_q[k], length = s->chart.is_length[k];
  double scale = length ? 1 : DEGREES, q = at < 0 ? 0 : s->failure.q_begun[at];
  if (at < 0 || (q >= low && q <= high)) return 0;
  snprintf(text, size, "the joint '%.60s' starts at %.6g %s, outside its limits of %.6g to %.6g",
           fb_coordinate_joint_name(s->m, k), q * scale, length ? "m" : "deg", low * scale, high * scale);
  return 1;
}

static double deepest_of(const fb_sim* s, const fb_data* d, const fb_contact_block* contact) {
  enum { MOST = 64 };
  fb_pair_point found[MOST];
  double deepest = 0;
  const int* link = s->m->top.site_link;
  int n = fb_contact_find_points(s->m, d, contact, 0, found, MOST);
  for (int i = 0; i < n; i++) {
    int rigid = link[contact->how.a[found[i].a].frame] == link[contact->how.b[found[i].b].frame];
    if (!rigid) deepest = fmax(deepest, -found[i].point.gap);
  }
  return deepest;
}

/* Hard contacts are moved apart at once; compliant ones are driven apart by their springs. Wheels on soil do start
 * with sinkage. */
static int is_inside(fb_sim* s, int block, char* text, size_t size) {
  static const double DEEP = 1e-4;
  if (!fb_block_is_contact(&s->block.list[block]) || !fb_block_acts(s, block)) return 0;
  const fb_contact_block* contact = (const fb_contact_block*)s->block.list[block].user;
  if (contact->how.law == FB_CONTACT_SOIL) return 0;
  double deep = deepest_of(s, fb_kinematics_cache_at(&s->cache, s->failure.q_begun, s->y + s->nq), contact);
  if (!(deep > DEEP)) return 0;
  snprintf(text, size, "the contact '%.60s' starts with its sides %.3g m inside each other%s",
           contact->how.name, deep,
           contact->how.law == FB_CONTACT_HARD ? "; they are moved apart at once" : "");
  return 1;
}

/* A law that begins in a pose in which its joints cannot move the frame along some direction may demand nothing
 * there, and remain. */
static int is_singular(const fb_sim* s, char* text, size_t size) {
  const fb_singular* x = &s->failure.singular_begun;
  if (!(x->part < FB_SINGULAR_PART)) return 0;
  snprintf(text, size,
           "law \"%.60s\" starts in a singular pose: its smallest singular value is %.2g, so its joints "
           "hardly move the frame along some direction",
           s->block.list[x->block].name, x->value);
  return 1;
}

fb_remark fb_sim_start_remark(fb_sim* s, int index, char* text, size_t size) {
  if (size > 0) text[0] = '\0';
  if (!s->started || s->regroup.nchange > 0) return FB_REMARK_NONE;
  for (int k = 0; k < s->nv; k++)
    if (is_outside(s, k, text, size) && index-- == 0) return FB_REMARK_JOINT;
  for (int i = 0; i < s->block.count; i++)
    if (is_inside(s, i, text, size) && index-- == 0) return FB_REMARK_CONTACT;
  if (is_singular(s, text, size) && index-- == 0) return FB_REMARK_LAW;
  if (size > 0) text[0] = '\0';
  return FB_REMARK_NONE;
}

/* ---- the motion ---- */

static const double MOST_OFF = 1e-3; /* of the scales of a ledger: more causes a warning */

/* Whether the residuals of the trees are within the accuracy of positions and velocities (ten times the accuracy
 * times the tree's size, in a second): the motion is small, and its estimated error is within the accuracy. */
static int is_small(const fb_sim* s) {
  double since, error = fb_sim_error_estimate(s, &since), rate = FB_PROMISED * s->options.accuracy;
  if (isnan(error) || isfinite(since) || s->stepper.traits.time_stepping) return 0;
  for (int i = 0; i < s->tree.count; i++) {
    const fb_accounts* b = &s->ledger.accounts[i];
    double mass = fabs(s->ledger.local[i].mass), off = rate * s->tree.list[i].size;
    if (b->energy.residual > off * sqrt(2 * mass * b->kinetic) + 0.5 * mass * off * off) return 0;
    if (b->linear.residual > mass * off) return 0;
    if (b->angular.residual > mass * off * s->tree.list[i].size) return 0;
  }
  return 1;
}

int fb_sim_remark_small(fb_sim* s, int by_keys, char* text, size_t size) {
  fb_ledger l;
  if (size > 0) text[0] = '\0';
  if (!s->started) return 0;
  fb_sim_ledger(s, &l);
  double worst = fmax(l.worst, l.momentum_worst);
  if (!(worst > MOST_OFF) || !is_small(s)) return 0;
  snprintf(
      text, size,
      "this motion is small against the accuracy of %g: positions keep it, but the ledger is off by %.1e of "
      "what was exchanged; give %saccuracy %.0e for figures that are exact relative to the motion",
      s->options.accuracy, worst, by_keys ? "integrator." : "an ",
      s->options.accuracy * pow(10, floor(log10(0.1 * MOST_OFF / worst))));
  return 1;
}

/* " of tree "arm"" where there are several, else nothing. */
static const char* tree_text(const fb_model* m, int body, char text[64]) {
  text[0] = '\0';
  if (body > 0 && fb_model_ntree(m) > 1) snprintf(text, 64, " of tree \"%.40s\"", fb_body_name(m, body));
  return text;
}

/* The residuals of the trees, at the end of any step. */
static void check_trees(const fb_model* m, const fb_ledger* l, char* what, size_t size) {
  char tree[64];
  size_t n = 0;
  if (l->worst > MOST_OFF)
    n = (size_t)snprintf(what, size, " energy%s is off by %.1e of what was exchanged at t = %.6g s",
                         tree_text(m, l->worst_body, tree), l->worst, l->worst_t);
  if (l->momentum_worst > MOST_OFF)
    snprintf(what + n, size - n, "%s momentum%s is off by %.1e of its scale at t = %.6g s", n ? "," : "",
             tree_text(m, l->momentum_body, tree), l->momentum_worst, l->momentum_worst_t);
}

/* Contacts gained energy: with Newton's law this may follow from the law. 1 when it does. */
static int check_gains(const fb_sim* s, double given, char* text, size_t size) {
  long long gains = fb_hard_doubts(s).gains;
  if (gains == 0) return 0;
  snprintf(text, size,
           "contacts gave %.3g J to the scene: Newton's restitution with friction gained energy in %lld %s, "
           "as it may where slip reverses (signal solver.gains); restitution_law: poisson never does",
           given, gains, gains == 1 ? "impact" : "impacts");
  return 1;
}

/* The energy that the rounding of speeds and heights explains. */
static double rounded_energy(const fb_ledger* l) {
  static const double ROUNDING = 1e-10; /* of the speeds at which contacts at rest are pushed [m/s] */
  static const double STORED = 1e-13;   /* of a potential energy whose changes are summed */
  return fmax(ROUNDING * l->linear_scale, STORED * fabs(l->potential));
}

/* And that which errors of a sound motion explain. */
static double lost_energy(const fb_sim* s, const fb_ledger* l) {
  static const double MOST_OF_FIRST = 0.05; /* errors of methods of order one, without divergence */
  int exact = s->stepper.traits.order >= 4 || s->stepper.traits.adaptive;
  return (exact ? MOST_OFF : MOST_OF_FIRST) * fmax(l->gross, l->peak_kinetic);
}

/* Of the whole scene, where single trees show nothing. 1: text is complete. */
static int check_scene(const fb_sim* s, const fb_ledger* l, char* what, size_t room, char* text,
                       size_t size) {
  double rounded = rounded_energy(l), lost = lost_energy(s, l);
  double given = l->normal + l->friction - l->stored_0, moved = MOST_OFF * l->peak_kinetic;
  int gave = given > moved && moved > 0 && given > rounded;
  if (gave && check_gains(s, given, text, size)) return 1;
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

/* A better method than the present one: "dopri5"; NULL: the same with smaller tolerances. */
static const char* better_method(const fb_sim* s) {
  if (s->stepper.traits.adaptive) return NULL;
  return s->stepper.traits.takes_slopes ? "cvode" : "dopri5";
}

/* A law that is near a singular pose is the cause, whatever the step. */
static int blame_law(const fb_sim* s, const char* what, char* text, size_t size) {
  const fb_singular* x = &s->failure.singular;
  if (!(x->part < FB_SINGULAR_PART)) return 0;
  snprintf(text, size,
           "the ledger does not close:%s: law \"%.60s\" is near a singular pose, at t = %.6g s its smallest "
           "singular value is %.2g (signal singular_value); do not trust this motion, but lead its path past "
           "that pose, or give the law damping",
           what, s->block.list[x->block].name, x->t, x->value);
  return 1;
}

/* An unbalanced part that turns by more than the step resolves: says so, and which step resolves it. */
static int blame_turning(fb_sim* s, int by_keys, const char* what, char* text, size_t size) {
  double h = s->stepper.traits.adaptive ? s->head->t - s->step.t0 : s->options.step;
  int k;
  double bound = fb_turning_bound(s, s->y, h, &k);
  if (k < 0) return 0;
  const char* key = s->stepper.traits.adaptive ? "max_step" : "step";
  snprintf(text, size,
           "the ledger does not close:%s: joint \"%.60s\" turns unevenly, by %.2g rad in a step; do not "
           "trust this motion, but give a %s%s of %.2g s or less",
           what, fb_coordinate_joint_name(s->m, k), h / bound, by_keys ? "integrator." : "", key, bound);
  return 1;
}

static void check_ledger(fb_sim* s, int by_keys, char* text, size_t size) {
  char what[280] = "", advice[120];
  fb_ledger l;
  fb_sim_ledger(s, &l);
  check_trees(s->regroup.original, &l, what, sizeof what);
  if (what[0] && is_small(s)) what[0] = '\0';
  if (!what[0] && check_scene(s, &l, what, sizeof what, text, size)) return;
  if (!what[0]) return;
  if (blame_law(s, what, text, size) || blame_turning(s, by_keys, what, text, size)) return;
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

/* Contacts that were not solved exactly, which the ledger need not show: it contains the impulses that were applied. */
static void check_solver(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (doubts->count == 0) return;
  snprintf(text, size,
           "hard contacts were not solved exactly in %lld %s: velocities are off by up to %.1e of their "
           "scale at t = %.6g s (signal solver.residual); do not trust this motion, but shorten the step, or "
           "give contacts between very different masses a compliant law",
           doubts->count, doubts->count == 1 ? "step" : "steps", doubts->worst, doubts->t);
}

/* Accumulating events: steps of moreau were made, which is of first order. */
static void check_rescues(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (doubts->rescues == 0) return;
  snprintf(text, size,
           "contacts changed state, or their forces grew, faster than events can be located, at t = %.6g "
           "s%s: steps were made there by moreau, %d %s four or more, which is of first order; compare with "
           "method: moreau, or use a compliant law",
           doubts->rescued_t, doubts->rescues > 1 ? " for the first time" : "", doubts->rescues,
           doubts->rescues > 1 ? "times" : "time");
}

/* Bodies that are too fast for the step of moreau, which finds contacts in its middle only. */
static void check_passing(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (!doubts->passed) return;
  snprintf(text, size,
           "contact \"%.60s\" moves by more than its thickness in a step: at t = %.6g s its sides passed "
           "each other, and may have gone through without an impact; take a shorter step, or rk4 or dopri5, "
           "which look in between",
           doubts->passed, doubts->passed_t);
}

/* The same with a compliant law and fixed steps. */
static void check_meetings(const fb_sim* s, char* text, size_t size) {
  const fb_contacts_head* head = s->contact.head;
  if (head->passed == 0) return;
  snprintf(
      text, size,
      "\"%.60s\": at t = %.6g s its %s within a step of %g s, which did not see %s; do not trust the motion "
      "after it, but take a shorter step, or none, for error control, which %s",
      s->block.list[head->passed - 1].name, head->passed_t,
      head->passed_inside ? "force changed sides" : "sides met and parted", s->options.step,
      head->passed_inside ? "where" : "their forces",
      head->passed_inside ? "shortens such steps" : "ends steps where bodies meet");
}

/* Penetration that no displacement ended. */
static void check_depth(const fb_solver_doubts* doubts, char* text, size_t size) {
  if (!doubts->deepest) return;
  snprintf(text, size,
           "contact \"%.60s\": its sides were left %.2g m deep in each other at t = %.6g s, since nothing "
           "moved them apart; do not trust this motion, but shorten the step, or give contacts between very "
           "different masses a compliant law",
           doubts->deepest, doubts->depth, doubts->deepest_t);
}

/* Closing gaps, and moving out of penetration, changed more energy than errors of a step explain. */
static void check_projection(fb_sim* s, char* text, size_t size) {
  static const double GAPS = 1e-6; /* [m] events close gaps of 1e-8 m, and drift of some 1e-9 m */
  double gravity[3], weight = 0;
  fb_ledger l;
  fb_sim_ledger(s, &l);
  fb_environment_uniform(&s->options.environment, gravity);
  for (int i = 0; i < s->tree.count; i++) weight += fabs(s->ledger.local[i].mass) * norm3(gravity);
  if (!(fabs(l.projection) > fmax(GAPS * weight, fmax(rounded_energy(&l), lost_energy(s, &l))))) return;
  snprintf(text, size,
           "contacts were closed, or moved out of penetration, by displacements that %s %.3g J (signal "
           "ledger.projection); do not trust this motion, but compare it with a shorter step or another "
           "method",
           l.projection > 0 ? "gave" : "took", fabs(l.projection));
}

/* The first reason not to trust the contacts. */
static void check_contacts(fb_sim* s, char* text, size_t size) {
  fb_solver_doubts doubts = fb_hard_doubts(s);
  check_solver(&doubts, text, size);
  if (!text[0]) check_rescues(&doubts, text, size);
  if (!text[0]) check_passing(&doubts, text, size);
  if (!text[0]) check_meetings(s, text, size);
  if (!text[0]) check_depth(&doubts, text, size);
  if (!text[0]) check_projection(s, text, size);
}

/* Steps of moreau that are too long by what a sample of them suggests (moreau_error.c), where their errors are not carried along. */
static void check_steps(const fb_sim* s, int by_keys, char* text, size_t size) {
  double error = fb_hard_doubts(s).error;
  if (s->error.follows || !s->stepper.traits.time_stepping || !(error > fb_growth_promise(s))) return;
  snprintf(
      text, size,
      "steps of %g s are long for these contacts: made in halves as well, a sample of them lets positions be "
      "off by up to %.1e of the sizes of the bodies, or rad, in a second; compare with a shorter step%s",
      s->options.step, error, by_keys ? " (--set integrator.step=...)" : "");
}

/* The same for the errors of all steps, as the motion carries them along (moreau_beside.c). */
static void check_beside(const fb_sim* s, int by_keys, double since, double worst, char* text, size_t size) {
  const fb_errors_head* head = s->error.head;
  char most[60] = "in the end they are off by as much as they move", where[160] = "";
  if (worst < 1) snprintf(most, sizeof most, "the estimate reaches %.1e", worst);
  if (head->amplifier > 0 && head->amplifier <= s->contact.hard->ncontact)
    snprintf(where, sizeof where, "; errors grew most at the impact of contact \"%.60s\" at t = %.6g s",
             fb_hard_contact(s, head->amplifier - 1)->how.name, head->amplified_t);
  snprintf(
      text, size,
      "steps of %g s are long for these contacts: from t = %.6g s on positions may be off by more than %g of "
      "the sizes of the bodies, or rad, and %s%s; compare with a shorter step%s",
      s->options.step, since, fb_growth_promise(s), most, where,
      by_keys ? " (--set integrator.step=...)" : "");
}

/* Errors that have grown beyond the accuracy: in freely swinging arms they grow without bound, whatever the method,
 * and the ledger does not show it. */
static void check_error(fb_sim* s, int by_keys, char* text, size_t size) {
  double since, worst = fb_sim_error_estimate(s, &since);
  if (!isfinite(since)) return;
  if (s->error.head->unsure) {
    snprintf(text, size,
             "the event \"%.60s\" at t = %.6g s happened because of an error of this run: what it watches "
             "had come away from its level by less than that; do not trust the motion after it, but give the "
             "event another level or direction",
             s->event.list[s->error.head->unsure - 1].name, since);
    return;
  }
  if (isnan(worst)) {
    snprintf(text, size,
             "from t = %.6g s on the error of this run could not be estimated: a motion next to it has no "
             "solution; compare it with a run at a %s%s",
             since, s->stepper.traits.time_stepping ? "shorter " : "smaller ",
             s->stepper.traits.time_stepping ? "step"
             : by_keys                       ? "integrator.accuracy"
                                             : "accuracy");
    return;
  }
  if (s->stepper.traits.time_stepping) {
    check_beside(s, by_keys, since, worst, text, size);
    return;
  }
  char cause[420], most[80] = "in the end they are off by as much as they move";
  if (worst < 1)
    snprintf(most, sizeof most, "the estimate reaches %.1e, and the error may be twice that", worst);
  if (worst >= 1 && fb_runaway_say(s, cause, sizeof cause))
    snprintf(text, size, "from t = %.6g s on the motion is not to be trusted: %s", since, cause);
  else
    snprintf(text, size,
             "from t = %.6g s on positions may be off by more than ten times the accuracy of %g: %s; this "
             "motion lets small errors grow, and a smaller %saccuracy is exact for longer",
             since, s->options.accuracy, most, by_keys ? "integrator." : "");
}

int fb_sim_diagnose(fb_sim* s, int by_keys, char* text, size_t size) {
  if (size == 0) return 0;
  text[0] = '\0';
  if (!s->started) return 0;
  check_ledger(s, by_keys, text, size);
  if (!text[0]) check_contacts(s, text, size);
  if (!text[0]) check_error(s, by_keys, text, size);
  if (!text[0]) check_steps(s, by_keys, text, size);
  return text[0] != '\0';
}

int fb_sim_warning(fb_sim* s, char* text, size_t size) {
  return fb_sim_diagnose(s, 0, text, size);
}
