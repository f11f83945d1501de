/* chatter.c -- events whose actions turn back what they watch, so that they happen without end
 *
 * Two modes that drive a signal towards its level from both sides keep it there: a sliding mode. Each crossing is located within
 * 1e-12 s and followed by the next, and time all but stands still, whatever the method is. So the same event may act 200 times
 * within 1e-5 s, and no more. Bounces do not come near that, since hops shorter than 1e-5 s are rest (limit/limit.c), and
 * neither do laws that switch at any rate that hardware has. Events at given times are as many as was asked for, and those
 * without an action turn nothing back. */
#include "sim/chatter.h"

#include <stdio.h>

#include <freebody/status.h>

enum { MANY = 200, NAMES = 160 };  /* times; characters of a list of names */
static const double WINDOW = 1e-5; /* [s] */

void fb_chatter_begin(fb_sim* s) {
  for (int i = 0; i < s->nevent; i++) s->chatter[i] = (fb_chatter){.from = s->head->t};
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

/* Of the event that is too many, and of those that act about as often. */
static int is_busy(const fb_sim* s, int event) {
  const fb_chatter* c = &s->chatter[event];
  return c->count > MANY / 2 && s->head->t - c->from <= WINDOW;
}

static name_list name_events(const fb_sim* s) {
  name_list list = {{0}, 0, 0};
  for (int i = 0; i < s->nevent; i++)
    if (is_busy(s, i)) add_name(&list, s->events[i].name);
  return list;
}

/* The modes in which these act. */
static unsigned switched_modes(const fb_sim* s) {
  unsigned modes = 0;
  for (int i = 0; i < s->nevent; i++)
    if (is_busy(s, i)) modes |= s->chatter[i].modes;
  return modes;
}

/* Blocks that act in some of these modes, and not in others. */
static name_list name_switched(const fb_sim* s, unsigned modes) {
  name_list list = {{0}, 0, 0};
  for (int i = 0; i < s->nblock; i++) {
    unsigned in = s->blocks[i].modes & modes;
    if (in != 0 && in != modes) add_name(&list, s->blocks[i].name);
  }
  return list;
}

static fb_status say(const fb_sim* s, int event, double gone, fb_error* error) {
  name_list events = name_events(s), blocks = name_switched(s, switched_modes(s));
  int several = events.count > 1;
  char switched[NAMES + 32] = "", advice[NAMES + 320];
  if (blocks.count > 0) snprintf(switched, sizeof switched, " (%s: switched on and off)", blocks.text);
  if (s->events[event].kind == FB_TRIGGER_CROSSING)
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
                 several ? "s" : "", events.text, several ? "" : "s", MANY, gone, advice);
}

fb_status fb_chatter_note(fb_sim* s, int event, fb_error* error) {
  fb_chatter* c = &s->chatter[event];
  double gone = s->head->t - c->from;
  if (s->events[event].kind == FB_TRIGGER_TIME) return FB_OK;
  if (!(gone <= WINDOW)) *c = (fb_chatter){.from = s->head->t};
  c->modes |= 1u << s->head->mode;
  return ++c->count > MANY ? say(s, event, gone, error) : FB_OK;
}
