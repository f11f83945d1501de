/* nearest_word.c -- the known word nearest to a mistyped one.
 *
 * Distance: insertions, deletions, substitutions and swaps of neighbours, each 1 (optimal string alignment),
 * on lower-case letters with '-' taken as '_'. A word is near when no more than a third of it is wrong. */
#include <string.h>

#include "io/document.h"

enum { LONGEST = 40 };

static char folded(char c) {
  if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
  return c == '-' || c == ' ' ? '_' : c;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static int distance(const char* a, int na, const char* b, int nb) {
  int rows[3][LONGEST + 1];
  for (int j = 0; j <= nb; j++) rows[0][j] = j;
  for (int i = 1; i <= na; i++) {
    int *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      char x = folded(a[i - 1]), y = folded(b[j - 1]);
      row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == folded(b[j - 2]) && folded(a[i - 2]) == y)
        row[j] = least(row[j], before[j - 2] + 1);
    }
  }
  return rows[na % 3][nb];
}

const char* fb_nearest_word(const char* word, const char* const* candidates) {
  size_t n = strlen(word);
  if (n > LONGEST) return NULL;
  const char* best = NULL;
  int best_distance = LONGEST + 1;
  for (; *candidates; candidates++) {
    size_t m = strlen(*candidates);
    if (m > LONGEST) continue;
    int d = distance(word, (int)n, *candidates, (int)m);
    int longer = (int)(n > m ? n : m);
    if (d < best_distance && 3 * d <= longer + 1 && d < longer) {
      best = *candidates;
      best_distance = d;
    }
  }
  return best;
}
