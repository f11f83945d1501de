/* compare.h -- what the files of a comparison share: the pair of runs, and the memory of the result. */
#ifndef FB_RUN_COMPARE_COMPARE_H
#define FB_RUN_COMPARE_COMPARE_H

#include <freebody/compare.h>

/* A comparison being made. */
typedef struct fb_compare_work {
  fb_store* runs[2];
  fb_compare_options options;
  int* columns[2];              /* of each run: time (-1), then the signals that both have */
  int ncolumn;                  /* 1 + how many these are */
  unsigned char* is_named;      /* [ncolumn - 1] named by the options */
  long long first[2], count[2]; /* samples of each run in the time that both have */
  fb_comparison* out;
} fb_compare_work;

/* Zeroed memory that lives as long as the comparison; NULL when there is none. */
void* fb_comparison_take(fb_comparison* c, size_t count, size_t size);
/* A copy of a text, likewise. */
const char* fb_comparison_text(fb_comparison* c, const char* text);
/* Times that are the same instant. */
int fb_compare_is_instant(double a, double b);

/* ---- samples.c ---- */

/* The time that both runs have, and how their samples lie in it. */
fb_status fb_compare_find_times(fb_compare_work* work, fb_error* error);
/* Fills the differences of work->out->signals. */
fb_status fb_compare_samples(fb_compare_work* work, fb_error* error);

/* ---- events.c, numbers.c ---- */

fb_status fb_compare_events(fb_compare_work* work, fb_error* error);
fb_status fb_compare_numbers(fb_compare_work* work, fb_error* error);

#endif
