/* server_message.c -- messages from clients: {"from": n} and {"pause": true|false}. JSON, read strictly: one key, a
 * whole number without sign or a truth value, blanks where JSON has them, and nothing before or after. */
#include <string.h>

#include "live/server.h"

typedef struct scan {
  const char *at, *end;
} scan;

static void skip_blanks(scan* s) {
  while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at)) s->at++;
}

/* Goes past the word, and the blanks before it, if it stands here. */
static int take(scan* s, const char* word) {
  size_t length = strlen(word);
  skip_blanks(s);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0) return 0;
  s->at += length;
  return 1;
}

/* 0 .. 2^53, without leading zeros. */
static int take_whole(scan* s, long long* value) {
  static const long long MOST = 1LL << 53;
  skip_blanks(s);
  const char* begin = s->at;
  *value = 0;
  for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
    *value = 10 * *value + (*s->at - '0');
    if (*value > MOST) return 0;
  }
  return s->at > begin && (*begin != '0' || s->at == begin + 1);
}

cmd_live_said cmd_live_read_message(const char* text, size_t size, long long* value) {
  scan s = {text, text + size};
  if (!take(&s, "{")) return FB_LIVE_SAID_NONSENSE;
  int from = take(&s, "\"from\""), pause = !from && take(&s, "\"pause\"");
  if ((!from && !pause) || !take(&s, ":")) return FB_LIVE_SAID_NONSENSE;
  int fits = from ? take_whole(&s, value) : (*value = take(&s, "true")) || take(&s, "false");
  if (!fits || !take(&s, "}")) return FB_LIVE_SAID_NONSENSE;
  skip_blanks(&s);
  if (s.at != s.end) return FB_LIVE_SAID_NONSENSE;
  return from ? FB_LIVE_SAID_FROM : FB_LIVE_SAID_PAUSE;
}
