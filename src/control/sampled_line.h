/* sampled_line.h -- the delay line of a sampled block: its last outputs, each with the instant from which it acts,
 * as numbers in the block's memory. */
#ifndef FB_CONTROL_SAMPLED_LINE_H
#define FB_CONTROL_SAMPLED_LINE_H

#include <freebody/block.h>

/* What does not change: how many outputs there is room for, and what is in one. */
typedef struct fb_line {
  int room;
  int nv, moves, nwrench;
  int nport; /* number of values of its outputs */
} fb_line;

/* Numbers in memory. */
long long fb_line_size(const fb_line* line);
/* Nothing is in the line, and nothing acts. */
void fb_line_empty(double* memory);
/* Whether the counts and places in memory are such as the functions below leave there, and may be given to them. */
int fb_line_is_sound(const fb_line* line, const double* memory);
/* Puts in what an action holds and ports [nport], to act from `begin` on; the oldest makes room. Later ones begin later.
 * now [nv] is where each coordinate of the line is in an action; -1: nowhere. */
void fb_line_put(const fb_line* line, double* memory, double begin, const fb_action* action, const int* now,
                 const double* ports);
/* Adds what acts at t to an action: the last output that has begun. */
void fb_line_drive(const fb_line* line, const double* memory, double t, const int* now, fb_action* action);
/* Its ports at t; left as they are when none has begun. */
void fb_line_outputs(const fb_line* line, const double* memory, double t, double* ports);
/* The next beginning after t; INFINITY when there is none. */
double fb_line_next(const fb_line* line, const double* memory, double t);

#endif
