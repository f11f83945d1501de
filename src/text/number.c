/* number.c -- decimal numbers as text and back, the same in every locale.
 *
 * Most numbers in a file have at most 15 digits and a small exponent. Then digits and power of ten are both
 * exact doubles and one multiplication or division rounds correctly (W. D. Clinger, "How to read floating
 * point numbers accurately", 1990). The rest goes to strtod in the C locale. */

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "text/number.h"

static const double POWER_OF_TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* The thread's locale is replaced for one call only; the program's own locale is not touched. */
static double strtod_in_c_locale(const char* text) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(plain);
  double x = strtod(text, NULL);
  uselocale(before);
  if (plain) freelocale(plain);
  return x;
}

/* What scanning finds: digits as an integer, how many, and the power of ten to apply. */
typedef struct scan {
  uint64_t digits;
  int count; /* significant digits seen, leading zeros left out */
  int exponent;
  int any;
} scan;

static const char* scan_digits(const char* p, scan* s, int after_point) {
  for (; is_digit(*p); p++) {
    s->any = 1;
    if (s->count > 0 || *p != '0') s->count++;
    if (s->count <= 18) {
      s->digits = 10 * s->digits + (uint64_t)(*p - '0');
      if (after_point && s->exponent > -100000) s->exponent--;
    }
  }
  return p;
}

/* The exponent part, if the text has a whole one. */
static const char* scan_exponent(const char* p, scan* s) {
  if (*p != 'e' && *p != 'E') return p;
  const char* q = p + 1;
  int negative = *q == '-';
  if (*q == '-' || *q == '+') q++;
  if (!is_digit(*q)) return p;
  int e = 0;
  for (; is_digit(*q); q++)
    if (e < 100000) e = 10 * e + (*q - '0');
  s->exponent += negative ? -e : e;
  return q;
}

const char* fb_number_parse(const char* text, double* out) {
  scan s = {0};
  const char* p = text;
  int negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  p = scan_digits(p, &s, 0);
  if (*p == '.' && (s.any || is_digit(p[1]))) p = scan_digits(p + 1, &s, 1);
  if (!s.any) return NULL;
  p = scan_exponent(p, &s);
  if (s.count <= 15 && abs(s.exponent) <= 22 && FLT_EVAL_METHOD == 0) {
    double m = (double)s.digits, power = POWER_OF_TEN[abs(s.exponent)];
    double x = s.exponent < 0 ? m / power : m * power;
    *out = negative ? -x : x;
  } else {
    *out = strtod_in_c_locale(text);
  }
  return p;
}

int fb_number_is_not_finite(const char* text) {
  static const char* const words[] = {".nan", "nan", ".inf", "inf", "infinity", NULL};
  char lower[12];
  size_t n = 0;
  if (*text == '-' || *text == '+') text++;
  for (; text[n] && n < sizeof lower - 1; n++)
    lower[n] = (char)(text[n] >= 'A' && text[n] <= 'Z' ? text[n] - 'A' + 'a' : text[n]);
  if (text[n]) return 0;
  lower[n] = '\0';
  for (int i = 0; words[i]; i++)
    if (strcmp(lower, words[i]) == 0) return 1;
  return 0;
}

/* x with at most so many digits, whatever the locale; returns the number that the text reads back as. */
static double print_digits(double x, int digits, char buffer[32]) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(plain);
  snprintf(buffer, 32, "%.*g", digits, x);
  double back = strtod(buffer, NULL);
  uselocale(before);
  if (plain) freelocale(plain);
  return back;
}

char* fb_number_format(double x, char buffer[32]) {
  if (x == floor(x) && fabs(x) < 1e15 && !(x == 0 && signbit(x))) {
    snprintf(buffer, 32, "%.0f", x);
    return buffer;
  }
  for (int digits = 15; digits <= 17; digits++)
    if (print_digits(x, digits, buffer) == x) break;
  return buffer;
}

/* A multiple n * period, computed in doubles, lies within an ulp of the decimal that it stands for. */
char* fb_time_format(double t, char buffer[32]) {
  enum { DIGITS = 13 }; /* so few that an arbitrary time is not near one of them by chance */
  double near = isfinite(t) ? print_digits(t, DIGITS, buffer) : t;
  if (near == nextafter(t, INFINITY) || near == nextafter(t, -INFINITY))
    return fb_number_format(near, buffer);
  return fb_number_format(t, buffer);
}
