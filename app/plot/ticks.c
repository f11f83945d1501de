/* ticks.c -- round numbers on an axis: steps of 1, 2 or 5 times a power of ten, labels with just the
 * digits that tell neighbours apart. */
#include <math.h>
#include <string.h>

#include "plot/plot.h"

/* The round step nearest to range / wanted; *power is that of its last digit. */
static double round_step(double range, int wanted, int* power) {
  double raw = range / wanted;
  *power = (int)floor(log10(raw));
  double unit = pow(10, *power), part = raw / unit;
  if (part < 1.5) return unit;
  if (part < 3.5) return 2 * unit;
  if (part < 7.5) return 5 * unit;
  ++*power;
  return 10 * unit;
}

/* Fixed decimals where that is short, else as many digits as neighbours need to differ. */
static void write_label(double x, double greatest, int power, char* text, size_t size) {
  int top = greatest > 0 ? (int)floor(log10(greatest)) : 0;
  if (top < 6 && power > -5 && top - power < 14) {
    snprintf(text, size, "%.*f", power < 0 ? -power : 0, x);
    return;
  }
  int digits = top - power + 1;
  snprintf(text, size, "%.*g", digits < 1 ? 1 : digits > 16 ? 16 : digits, x);
}

void cmd_ticks_choose(double lo, double hi, int wanted, cmd_ticks* ticks) {
  ticks->count = 0;
  if (!(hi > lo) || !isfinite(hi - lo)) return;
  if (wanted < 2) wanted = 2;
  if (wanted > FB_TICKS_MAX / 3) wanted = FB_TICKS_MAX / 3;
  int power;
  double step = round_step(hi - lo, wanted, &power);
  double first = ceil(lo / step - 1e-9), greatest = fabs(lo) > fabs(hi) ? fabs(lo) : fabs(hi);
  for (int i = 0; ticks->count < FB_TICKS_MAX; i++) {
    double x = (first + i) * step;
    if (x > hi + 1e-9 * step) break;
    if (fabs(x) < 1e-9 * step) x = 0;
    ticks->at[ticks->count] = x;
    write_label(x, greatest, power, ticks->text[ticks->count], FB_TICK_TEXT);
    ticks->count++;
  }
}

int cmd_ticks_width(const cmd_ticks* ticks) {
  int width = 0;
  for (int i = 0; i < ticks->count; i++) {
    int w = (int)strlen(ticks->text[i]);
    if (w > width) width = w;
  }
  return width;
}
