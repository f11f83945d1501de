/* step_sample.c -- which steps are repeated to find their error, what it is, and which steps it represents
 * (growth.c). */
#include <math.h>
#include <string.h>

#include "sim/accuracy/growth.h"
#include "sim/flow.h"

enum { MOST = 8, LEAST = 2 }; /* steps from one sample to the next */

/* The expected l, up to a factor: both are of order h^(p+1). err is the error that controls the step, in units of the
 * tolerance. [s] */
static double expect(const fb_sim* s, double h, double err) {
  static const double NOTHING = 1e-4;
  return h * s->error.tolerance * fmax(err, NOTHING);
}

/* Whether all steps are members of groups: while the estimate may decide whether the run has the accuracy. */
static int is_decisive(const fb_sim* s) {
  static const double FAR = 0.0002;
  return s->error.head->error > FAR * s->options.accuracy && !(s->head->t >= s->error.head->error_t);
}

/* Whether this step is a sample. One that is due represents all steps since the last; where its expected error is too
 * small to represent the others, the next one is taken. */
static fb_sample_kind choose_sample(const fb_sim* s, double expected, int rough, int grouped) {
  static const double LITTLE = 0.5, MORE = 2;
  double since = (double)(s->head->steps + 1 - s->error.head->sampled),
         all = s->error.head->unsampled + s->error.head->group_expected + expected;
  int every = s->error.head->every, due = since >= every && since * expected >= LITTLE * all;
  if (rough) return FB_SAMPLE_ALONE;
  due |= since >= 2 * every;
  if (grouped && (s->error.head->group > 0 || is_decisive(s)))
    return s->error.head->group + 1 >= FB_GROWTH_GROUP || (due && s->error.head->unsampled > 0)
               ? FB_SAMPLE_GROUP
               : FB_SAMPLE_MEMBER;
  if (due) return grouped ? FB_SAMPLE_GROUP : FB_SAMPLE_OF_ALL;
  return expected > MORE * s->error.head->expected ? FB_SAMPLE_ALONE : FB_SAMPLE_NONE;
}

/* Whether a step of length h may be part of a group: the single step that repeats it must be stable, and miss
 * nothing. */
static int joins_group(const fb_sim* s, double h) {
  static const double STABLE = 5.5;
  return s->error.growth.exact.step && !(fb_sim_longest_step(s) > 0) &&
         FB_GROWTH_GROUP * h * s->error.head->step_rate < STABLE;
}

void fb_growth_find_group_error(fb_sim* s, double from, const double* y, double t, const double* y1,
                                double* e) {
  double* end = s->error.y_neighbour_1;
  if (fb_growth_make_aside(s, &s->error.growth.exact, from, t - from, y, s->block.memory, end))
    fb_growth_add_difference(s, y1, end, 1, e);
}

/* The error of the step to y1, which is repeated in halves. */
static void find_local(fb_sim* s, double t, double h, const double* y0, const double* y1) {
  const fb_growth_map* map = &s->error.growth.sampled;
  double whole = ldexp(1, s->error.growth.order), *middle = s->error.y_neighbour,
         *end = s->error.y_neighbour_1;
  if (!fb_growth_make_aside(s, map, t, 0.5 * h, y0, s->block.memory, middle)) return;
  if (!fb_growth_make_aside(s, map, t + 0.5 * h, 0.5 * h, middle, s->block.memory, end)) return;
  fb_growth_add_difference(s, y1, end, whole / (whole - 1), s->error.off_local);
}

/* By which multiple of l the sample represents the expected errors since the last sample: the ratio of error to
 * expectation is the geometric mean of those of the two samples. */
static double weight_of(const fb_sim* s) {
  static const double MOST_TIMES = 2;
  const fb_sample* x = &s->error.sample;
  if (x->kind != FB_SAMPLE_OF_ALL && x->kind != FB_SAMPLE_GROUP) return 1;
  double before = s->error.head->found, now = x->error / x->expected;
  double more = before > 0 && now > 0 ? sqrt(before / now) : 1;
  more = fmin(MOST_TIMES, fmax(1 / MOST_TIMES, more));
  return 1 + more * fmin(s->error.head->unsampled / x->expected, MOST_TIMES * 2 * MOST);
}

/* The error of a group that was broken off is estimated by other samples. */
static void give_up_group(fb_errors_head* head) {
  if (head->group > 0) return;
  head->unsampled += head->group_expected;
  head->group_expected = 0;
}

void fb_growth_sample(fb_sim* s, double t, double h, const double* y0, const double* y1, double err,
                      int rejected, int smooth) {
  double expected = expect(s, h, err);
  int rough = rejected || !smooth;
  fb_errors_head* head = s->error.head;
  give_up_group(head);
  int grouped = joins_group(s, h), ends = head->group > 0 && (rough || !grouped);
  fb_sample_kind kind = choose_sample(s, expected, rough, grouped);
  s->error.sample = (fb_sample){.kind = kind, .expected = expected, .ends_group = ends};
  memset(s->error.off_local, 0, (size_t)fb_growth_length(s) * sizeof *s->error.off);
  if (kind == FB_SAMPLE_GROUP) {
    int first = head->group == 0;
    s->error.sample.expected += head->group_expected;
    fb_growth_find_group_error(s, first ? t : head->group_t, first ? y0 : s->error.group_y, t + h, y1,
                               s->error.off_local);
  } else if (kind == FB_SAMPLE_ALONE && grouped && smooth) {
    fb_growth_find_group_error(s, t, y0, t + h, y1, s->error.off_local);
  } else if (kind != FB_SAMPLE_NONE && kind != FB_SAMPLE_MEMBER) {
    find_local(s, t, h, y0, y1);
  }
  s->error.sample.error = fb_weigh_off(s, s->error.off_local, y1, 0);
  double weight = weight_of(s);
  for (int i = 0; i < fb_growth_length(s); i++) s->error.off_local[i] *= weight;
  if (ends) fb_growth_find_group_error(s, head->group_t, s->error.group_y, t, y0, s->error.off_local);
}

/* Samples are more frequent where they differ, immediately so where a single one is far larger. */
static int next_interval(int every, double before, double now, int alone) {
  static const double ALIKE = 1.5, OTHER = 3;
  double most = fmax(before, now), least = fmin(before, now);
  if (alone) return now > OTHER * before ? LEAST : every;
  if (most > OTHER * least) return every / 2 > LEAST ? every / 2 : LEAST;
  return most > ALIKE * least ? every : 2 * every < MOST ? 2 * every : MOST;
}

/* The step last made is one of a group. */
static void join_group(fb_sim* s, double expected) {
  if (s->error.head->group++ == 0) {
    s->error.head->group_t = s->step.t0;
    memcpy(s->error.group_y, s->y0, (size_t)s->ny * sizeof *s->y0);
    memcpy(s->error.group_rate, s->stages, (size_t)s->ny * sizeof *s->y0);
  }
  s->error.head->group_expected += expected;
}

void fb_growth_count_sample(fb_sim* s) {
  const fb_sample* x = &s->error.sample;
  fb_errors_head* head = s->error.head;
  if (x->ends_group || x->kind == FB_SAMPLE_GROUP) {
    head->group = 0;
    head->group_expected = 0;
  }
  if (x->kind == FB_SAMPLE_CUT) return;
  if (x->kind == FB_SAMPLE_MEMBER) {
    join_group(s, x->expected);
    return;
  }
  if (x->kind == FB_SAMPLE_NONE) {
    head->unsampled += x->expected;
    return;
  }
  int alone = x->kind == FB_SAMPLE_ALONE;
  double found = x->error / x->expected;
  head->every = next_interval(head->every, head->found, found, alone);
  head->expected = alone ? fmax(head->expected, x->expected) : x->expected;
  if (alone) return;
  head->sampled = s->head->steps + 1;
  head->unsampled = 0;
  head->found = found;
}
