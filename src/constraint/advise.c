/* advise.c -- rows of loops that repeat others, in words. */
#include <freebody/loop.h>

#include <stdio.h>
#include <string.h>

#include "constraint/rows.h"

/* What a row of a loop takes away. */
static void name_row(const fb_model* m, int loop, int row, char* text, size_t size) {
  static const char* const AXES = "xyz";
  int type = m->top.loop_type[loop], at = row - m->top.loop_row[loop];
  int origins = type == FB_LOOP_PRISMATIC ? 2 : type == FB_LOOP_PLANAR ? 1 : 3;
  if (type == FB_LOOP_GEAR || type == FB_LOOP_DISTANCE)
    snprintf(text, size, "%s", fb_loop_type_name((fb_loop_type)type));
  else if (at < origins)
    snprintf(text, size, "origin along %c", type == FB_LOOP_PLANAR ? 'z' : AXES[at]);
  else
    snprintf(text, size, "turning %d", at - origins + 1);
}

/* The rows of a loop that repeat others: their number, and their names. */
static int list_rows(const fb_model* m, const fb_data* d, int loop, char* text, size_t size) {
  int count = 0;
  size_t used = 0;
  for (int i = d->rank; i < d->counted; i++) {
    int row = fb_row_at(d, i);
    if (row < m->top.loop_row[loop] || row >= m->top.loop_row[loop + 1]) continue;
    char name[32];
    name_row(m, loop, row, name, sizeof name);
    if (used + sizeof name < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", count ? ", " : "", name);
    count++;
  }
  return count;
}

int fb_loops_advise(const fb_model* m, fb_data* d, const double* q, fb_advice_fn advise, void* user) {
  int all = 0;
  if (m->top.nloop == 0) return 0;
  int mobility = fb_loops_mobility(m, d, q);
  for (int loop = 0; loop < m->top.nloop; loop++) {
    char rows[160] = "", text[480];
    int count = list_rows(m, d, loop, rows, sizeof rows);
    all += count;
    if (count == 0 || !advise) continue;
    snprintf(
        text, sizeof text,
        "loop \"%s\": %d of its %d conditions (%s) repeat%s what the other joints and loops already enforce "
        "(%d motions are left): the forces there are not determined, and the least of them are reported",
        fb_loop_name(m, loop), count, m->top.loop_row[loop + 1] - m->top.loop_row[loop], rows,
        count == 1 ? "s" : "", mobility);
    advise(user, fb_model_def_loop(m->def, loop)->place, text);
  }
  return all;
}
