/* words.c -- the known word nearest to a mistyped one, and lists of words in messages.
 *
 * Distance: insertions, deletions, substitutions and swaps of neighbours, each 1 (optimal string alignment),
 * on lower-case letters with '-' taken as '_'. A word is near when no more than a third of it is wrong. */

#include <stdio.h>
#include <string.h>

#include <freebody/support/words.h>

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

char* fb_words_join(const char* const* words, const char* quote, char* buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 0; words[i]; i++) {
    const char* comma = i ? ", " : "";
    size_t length = strlen(comma) + strlen(words[i]) + 2 * strlen(quote);
    if (used + length + (words[i + 1] ? sizeof ", ..." : 1) > size) {
      snprintf(buffer + used, size - used, "%s...", comma);
      break;
    }
    used += (size_t)snprintf(buffer + used, size - used, "%s%s%s%s", comma, quote, words[i], quote);
  }
  return buffer;
}

char* fb_suggestion(const char* word, const char* const* candidates, char buffer[FB_SUGGESTION_SIZE]) {
  const char* near = fb_nearest_word(word, candidates);
  buffer[0] = '\0';
  if (near) snprintf(buffer, FB_SUGGESTION_SIZE, "; did you mean '%s'?", near);
  return buffer;
}

char* fb_suggestion_or_list(const char* word, const char* const* candidates, const char* otherwise,
                            char buffer[FB_SUGGESTION_SIZE]) {
  if (*fb_suggestion(word, candidates, buffer)) return buffer;
  int used = snprintf(buffer, FB_SUGGESTION_SIZE, "; %.60s ", otherwise);
  fb_words_join(candidates, "", buffer + used, FB_SUGGESTION_SIZE - (size_t)used);
  return buffer;
}
