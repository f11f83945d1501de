/* advise.c -- rows of loops that repeat others, in words. */
#include <freebody/loop.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/rows.h"

/* What a row of a loop takes away; directions are those of frame a, or across and along the loop's axis. */
static const char* name_row(int type, int at) {
  static const char* const ORIGIN[] = {"origin along x", "origin along y", "origin along z"};
  static const char* const BY_AXIS[] = {"origin across the axis", "origin across the axis",
                                        "origin along the axis"};
  static const char* const TURNING[] = {"turning about x", "turning about y", "turning about z"};
  switch (type) {
    case FB_LOOP_GEAR:
      return "gear";
    case FB_LOOP_DISTANCE:
      return "distance";
    case FB_LOOP_PLANAR:
      return at == 0 ? ORIGIN[2] : "tilting of the plane";
    case FB_LOOP_PRISMATIC:
      return at < 2 ? BY_AXIS[at] : "turning";
    case FB_LOOP_POINT:
    case FB_LOOP_WELD:
      return at < 3 ? ORIGIN[at] : TURNING[at - 3];
    default:
      return at < 3 ? BY_AXIS[at] : type == FB_LOOP_UNIVERSAL ? "right angle" : "tilting of the axis";
  }
}

/* The rows of a loop that repeat others: their number, and their names. */
static int list_rows(const fb_model* m, const fb_data* d, int loop, char* text, size_t size) {
  int count = 0;
  size_t used = 0;
  for (int i = d->rank; i < m->top.nrow; i++) {
    int row = fb_row_at(d, i);
    if (row < m->top.loop_row[loop] || row >= m->top.loop_row[loop + 1] || isnan(d->row_error[row])) continue;
    const char* name = name_row(m->top.loop_type[loop], row - m->top.loop_row[loop]);
    if (!strstr(text, name) && used + strlen(name) + 3 < size)
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
        "(%d motion%s left): the forces there are not determined, and the least of them are reported",
        fb_loop_name(m, loop), count, m->top.loop_row[loop + 1] - m->top.loop_row[loop], rows,
        count == 1 ? "s" : "", mobility, mobility == 1 ? " is" : "s are");
    advise(user, fb_model_def_loop(m->def, loop)->place, text);
  }
  return all;
}
