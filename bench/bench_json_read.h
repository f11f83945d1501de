/* bench_json_read.h -- JSON read value by value: each text, number, true, false and null with the path that leads to
 * it. Enough for the figures of an earlier run, without libfreebody_io, which bench_race does not link. */
#ifndef FB_BENCH_JSON_READ_H
#define FB_BENCH_JSON_READ_H

enum { BENCH_JSON_DEPTH = 16 };

typedef struct bench_json_level {
  char close;   /* ']' or '}' */
  int index;    /* in a list: of the current item */
  char key[48]; /* in a map: of the current value; longer ones are cut */
} bench_json_level;

/* Start with bench_json j = {.at = text, .line = 1}. */
typedef struct bench_json {
  const char* at; /* zero-terminated text */
  int line;
  int after; /* 1: a value has ended; a comma or the end of its list or map follows */
  int depth;
  bench_json_level level[BENCH_JSON_DEPTH];
  char path[256];      /* "models.3.results.0.ns.poses" */
  char text[256];      /* the value; longer ones are cut */
  const char* problem; /* why reading ended early; NULL */
} bench_json;

/* 1 and the next value; 0 at the end, or with `problem` set. */
int bench_json_next(bench_json* j);

#endif
