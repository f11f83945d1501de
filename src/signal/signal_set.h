/* signal_set.h -- which signals a list has, in constant time each: a hash table of their places, linear probing. */
#ifndef FB_SIGNAL_SIGNAL_SET_H
#define FB_SIGNAL_SIGNAL_SET_H

#include <stdlib.h>
#include <string.h>

#include <freebody/signal.h>

#include "base/checksum.h"

typedef struct fb_signal_set {
  int* at;     /* one more than the place of a signal in the list; 0: free */
  size_t room; /* a power of two, at least twice the signals */
} fb_signal_set;

/* Where a signal is, or, where that is 0, goes. */
static inline int* fb_signal_set_place(const fb_signal_set* set, const fb_signal* list,
                                       const fb_signal* signal) {
  size_t i = (size_t)fb_checksum(0, signal, sizeof *signal) & (set->room - 1);
  while (set->at[i] && memcmp(&list[set->at[i] - 1], signal, sizeof *signal) != 0)
    i = (i + 1) & (set->room - 1);
  return &set->at[i];
}

/* Room for `more` beside the `count` of the list; 0: out of memory. */
static inline int fb_signal_set_grow(fb_signal_set* set, const fb_signal* list, int count, int more) {
  size_t room = set->room ? set->room : 64;
  while (room < 2 * ((size_t)count + (size_t)more)) room *= 2;
  if (room == set->room) return 1;
  free(set->at);
  *set = (fb_signal_set){(int*)calloc(room, sizeof *set->at), room};
  for (int i = 0; set->at && i < count; i++) *fb_signal_set_place(set, list, &list[i]) = i + 1;
  return set->at != NULL;
}

/* Appends a signal that the list, which has the room, does not have. */
static inline void fb_signal_set_add(fb_signal_set* set, fb_signal* list, int* count, fb_signal signal) {
  int* place = fb_signal_set_place(set, list, &signal);
  if (*place) return;
  list[*count] = signal;
  *place = ++*count;
}

#endif
