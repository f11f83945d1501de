/* runaway.c -- joints that run away: which one, which law drives it, and whether its sampling period is too long for
 * its gains
 *
 * A motion that diverges under a law is followed by error control with ever shorter steps, each a fraction of a turn. What
 * diverges throws a floating base about, too. So a base is named where no joint is fast, and a sampled law pushes it. */
#include <math.h>
#include <stdio.h>

#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "sim/flow.h"

enum { JOINTS, BASES };

/* Of a base the rotations. */
static int is_among(const fb_sim* s, int k, int which) {
  return which == BASES ? s->chart.is_free[k] && !s->chart.is_length[k] : !s->chart.is_free[k];
}

/* The fastest coordinate of joints, or of floating bases; -1: none is faster than `than`. */
static int find_fastest(const fb_sim* s, int which, const double* v, double than) {
  int fastest = -1;
  for (int k = 0; k < s->nv; k++) {
    if (!is_among(s, k, which) || !(fabs(v[k]) > than)) continue;
    than = fabs(v[k]);
    fastest = k;
  }
  return fastest;
}

static int is_sampled(const fb_block* block) {
  return block->tick && block->period > 0;
}

/* The block with the largest power at a coordinate that is faster than `than`, with that coordinate and its force;
 * -1: none. Of a base sampled ones only. */
static int find_pusher(fb_sim* s, int which, double than, int* coordinate, double* push) {
  int pusher = -1;
  double most = 0, *tau = s->probe.y_root;
  const double* v = s->y + s->nq;
  for (int i = 0; i < s->block.count; i++) {
    if (!s->block.list[i].act || !fb_block_acts(s, i) || (which == BASES && !is_sampled(&s->block.list[i])) ||
        !fb_probe_forces(s, i, s->head->t, s->y, tau, s->vdot))
      continue;
    for (int k = 0; k < s->nv; k++) {
      if (!is_among(s, k, which) || !(fabs(v[k]) > than) || !(fabs(tau[k] * v[k]) > most)) continue;
      most = fabs(tau[k] * v[k]);
      *push = fabs(tau[k]);
      *coordinate = k;
      pusher = i;
    }
  }
  return pusher;
}

static const double FAST = 1e3, ENDS_JOINT = 1e6, ENDS_BASE = 1e4; /* [rad/s] or [m/s] */

int fb_runaway_is_fast(const fb_sim* s, double h) {
  static const double TURN = 10; /* [rad] or [m], a step */
  const double* v = s->y + s->nq;
  int k = find_fastest(s, JOINTS, v, ENDS_JOINT);
  if (k < 0) k = find_fastest(s, BASES, v, ENDS_BASE);
  return k >= 0 && fabs(v[k]) * h < TURN;
}

/* What block does to coordinate k; text has n characters. */
static void say_pusher(const fb_sim* s, const fb_block* block, int k, double push, char* text, size_t size,
                       size_t n) {
  n += (size_t)snprintf(text + n, size - n, ": law \"%.60s\" pushes it with %.3g %s", block->name, push,
                        s->chart.is_length[k] ? "N" : "N m");
  if (n >= size) return;
  if (is_sampled(block))
    snprintf(text + n, size - n,
             ", and holds that from one sample to the next, %.3g ms apart; with this period and its delay "
             "such gains are not stable: give smaller gains, a shorter period or delay, or an effort limit",
             1e3 * block->period);
  else
    snprintf(text + n, size - n, "; give it smaller gains, or an effort limit");
}

static int say_base(fb_sim* s, double than, char* text, size_t size) {
  double push = 0;
  int k = -1, pusher = find_pusher(s, BASES, than, &k, &push);
  if (pusher < 0) return 0;
  size_t n = (size_t)snprintf(text, size, "floating base \"%.60s\" runs away, at %.3g rad/s",
                              fb_body_name(s->m, fb_coordinate_body(s->m, k)), fabs(s->y[s->nq + k]));
  if (n < size) say_pusher(s, &s->block.list[pusher], k, push, text, size, n);
  return 1;
}

int fb_runaway_say(fb_sim* s, char* text, size_t size) {
  int k = find_fastest(s, JOINTS, s->y + s->nq, FAST);
  if (size > 0) text[0] = '\0';
  if (k < 0) return say_base(s, FAST, text, size);
  int grown = s->failure.t_ordinary > 0 || find_fastest(s, JOINTS, s->failure.y_ordinary + s->nq, FAST) < 0;
  double push = 0;
  int pusher = grown ? find_pusher(s, JOINTS, FAST, &k, &push) : -1, length = s->chart.is_length[k];
  if (pusher < 0 && say_base(s, FAST, text, size)) return 1;
  size_t n = (size_t)snprintf(text, size, "joint \"%.60s\" %s, at %.3g %s", fb_coordinate_joint_name(s->m, k),
                              grown ? "runs away" : "began too fast to be followed", fabs(s->y[s->nq + k]),
                              length ? "m/s" : "rad/s");
  if (!grown && n < size) snprintf(text + n, size - n, "; give it a smaller rate at the start");
  if (n < size && pusher >= 0) say_pusher(s, &s->block.list[pusher], k, push, text, size, n);
  return 1;
}

int fb_runaway_ends(fb_sim* s, char* text, size_t size) {
  int joint = find_fastest(s, JOINTS, s->y + s->nq, ENDS_JOINT) >= 0;
  return joint ? fb_runaway_say(s, text, size) : say_base(s, ENDS_BASE, text, size);
}
