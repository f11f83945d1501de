/* chatter.c -- events whose actions reverse their own signal, so that they happen without end
 *
 * Two modes that drive a signal towards its level from both sides keep it there: a sliding mode. Each crossing is
 * located within 1e-12 s and followed by the next, and time hardly advances, whatever the method. So the same event
 * may act at most 200 times within 1e-5 s. Bounces stay far below that, since rebounds shorter than 1e-5 s are rest
 * (limit/limit.c), and so do laws that switch as fast as hardware can. Events at given times are not counted, nor
 * those without an action. */
#include "sim/event/chatter.h"

#include <stdio.h>

#include <freebody/status.h>

enum { MANY = 200, NAMES = 160 };  /* times; characters of a list of names */
static const double WINDOW = 1e-5; /* [s] */

void fb_chatter_begin(fb_sim* s) {
  for (int i = 0; i < s->event.count; i++) s->event.chatter[i] = (fb_chatter){.from = s->head->t};
}

/* A list of names in quotes, cut short after three. */
typedef struct name_list {
  char text[NAMES];
  size_t length;
  int count;
} name_list;

static void add_name(name_list* list, const char* name) {
  enum { MOST = 3, ROOM = 40 };
  if (list->count < MOST)
    list->length += (size_t)snprintf(list->text + list->length, NAMES - list->length, "%s\"%.*s\"",
                                     list->count > 0 ? ", " : "", ROOM, name);
  if (list->count == MOST) snprintf(list->text + list->length, NAMES - list->length, " and others");
  list->count++;
}

/* Names of the event that acts too often, and of those that act about as often. */
static int is_busy(const fb_sim* s, int event) {
  const fb_chatter* c = &s->event.chatter[event];
  return c->count > MANY / 2 && s->head->t - c->from <= WINDOW;
}

static name_list name_events(const fb_sim* s) {
  name_list list = {{0}, 0, 0};
  for (int i = 0; i < s->event.count; i++)
    if (is_busy(s, i)) add_name(&list, s->event.list[i].name);
  return list;
}

/* The modes in which these act. */
static unsigned switched_modes(const fb_sim* s) {
  unsigned modes = 0;
  for (int i = 0; i < s->event.count; i++)
    if (is_busy(s, i)) modes |= s->event.chatter[i].modes;
  return modes;
}

/* Blocks that act in some of these modes, and not in others. */
static name_list name_switched(const fb_sim* s, unsigned modes) {
  name_list list = {{0}, 0, 0};
  for (int i = 0; i < s->block.count; i++) {
    unsigned in = s->block.list[i].modes & modes;
    if (in != 0 && in != modes) add_name(&list, s->block.list[i].name);
  }
  return list;
}

static fb_status say(const fb_sim* s, int event, double elapsed, fb_error* error) {
  name_list events = name_events(s), blocks = name_switched(s, switched_modes(s));
  int several = events.count > 1;
  char switched[NAMES + 32] = "", advice[NAMES + 320];
  if (blocks.count > 0) snprintf(switched, sizeof switched, " (%s: switched on and off)", blocks.text);
  if (s->event.list[event].kind == FB_TRIGGER_CROSSING)
    snprintf(advice, sizeof advice,
             "%s the watched signal back at once%s; leave a distance between the levels of switching "
             "(hysteresis), or use a sampled or a smooth law in place of the switch",
             several ? "their actions bring" : "its action brings", switched);
  else
    snprintf(advice, sizeof advice,
             "impacts follow one another at once%s; use method: moreau, which takes them over whole steps",
             switched);
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the event%s %s happen%s without end, %d times within %.2g s: %s", s->head->t,
                 several ? "s" : "", events.text, several ? "" : "s", MANY, elapsed, advice);
}

fb_status fb_chatter_note(fb_sim* s, int event, fb_error* error) {
  fb_chatter* c = &s->event.chatter[event];
  double elapsed = s->head->t - c->from;
  if (s->event.list[event].kind == FB_TRIGGER_TIME) return FB_OK;
  if (!(elapsed <= WINDOW)) *c = (fb_chatter){.from = s->head->t};
  c->modes |= 1u << s->head->mode;
  return ++c->count > MANY ? say(s, event, elapsed, error) : FB_OK;
}
