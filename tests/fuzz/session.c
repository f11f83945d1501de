/* session.c -- harness: the conversation with a remote controller that answers as it likes.
 *
 * An input is a byte (1: real time, 2: resumed), then what arrives, in the order in which it is asked for, in records of a
 * kind, a length (2 bytes, the lowest first) and bytes:
 *
 *   0 nothing   1 the peer is lost   2 the bytes as they are   3 the bytes behind a header that fits, whose type is the first
 *   of them   4 likewise, longer than it says to be (the length is added to what was received)
 *
 * Then everything is silent. Nothing is sent anywhere: the link is one of this file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/remote/message.h"
#include "adapters/remote/session.h"
#include "fuzz.h"

enum { SIGNALS = 3, INPUTS = 2, STEPS = 8 };

static const uint8_t* input;
static size_t left;
static const fb_session* session;
static long long number; /* of the step that was sent last */

static int open_link(fb_link* link, fb_error* error) {
  (void)link, (void)error;
  return 1;
}

static int send_message(fb_link* link, const void* data, size_t size) {
  fb_message m;
  char why[FB_MESSAGE_WHY];
  (void)link;
  fuzz_check(fb_message_read((const unsigned char*)data, size, &m, why), "a message that is none: %s", why);
  fuzz_check(size <= session->link.most, "a message of %zu bytes, and %zu are the most", size,
             session->link.most);
  number = (long long)m.header.number;
  return 1;
}

static long lose(fb_link* link) {
  strcpy(link->why, "it is gone");
  return FB_LINK_LOST;
}

static long receive(fb_link* link, void* buffer, size_t room, double deadline) {
  (void)deadline;
  if (left < 3) return FB_LINK_NOTHING;
  int kind = input[0] % 5;
  size_t size = (size_t)input[1] | (size_t)input[2] << 8;
  input += 3, left -= 3;
  if (size > left) size = left;
  const uint8_t* bytes = input;
  input += size, left -= size;
  if (kind == 0) return FB_LINK_NOTHING;
  if (kind == 1) return lose(link);
  unsigned char message[FB_MESSAGE_HEADER + 65536] = {0};
  size_t whole = size;
  if (kind >= 3 && size > 0) {
    whole = FB_MESSAGE_HEADER + size - 1;
    fb_message_put_header(message, bytes[0], whole, session->id, number, 0);
    memcpy(message + FB_MESSAGE_HEADER, bytes + 1, size - 1);
  } else {
    memcpy(message, bytes, size);
  }
  memcpy(buffer, message, whole < room ? whole : room);
  if (kind == 4) whole += size;
  return whole > 0 ? (long)whole : 1;
}

static void close_link(fb_link* link) {
  (void)link;
}

static const fb_link_transport WAY = {open_link, send_message, receive, close_link, NULL};

static void exchange(fb_session* s, long long n) {
  const double signals[SIGNALS] = {1, 2, 3};
  fb_remote_outcome outcome = fb_session_exchange(s, n, 0.1 * (double)n, signals);
  fuzz_check(outcome >= 0 && outcome < FB_REMOTE_OUTCOME_COUNT, "outcome %d", (int)outcome);
  fuzz_check(memchr(s->why, 0, sizeof s->why), "a reason without end");
  fuzz_check(outcome == FB_REMOTE_REPLIED || outcome == FB_REMOTE_PENDING || s->why[0], "no reason given");
  for (int i = 0; i < INPUTS && outcome == FB_REMOTE_REPLIED; i++)
    fuzz_check(isfinite(s->inputs[i]), "input %d is %g", i, s->inputs[i]);
  if (outcome == FB_REMOTE_REPLIED) fuzz_accept();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_remote_options o = fb_default_remote_options();
  fb_session s;
  fb_error error;
  if (size < 1) return 0;
  o.address = "udp://127.0.0.1:9";
  o.period = 0.1;
  o.timeout = 1e-4;
  o.wait = 1e-4;
  o.nsignal = SIGNALS;
  o.pace = data[0] & 1 ? FB_REMOTE_REALTIME : FB_REMOTE_LOCKSTEP;
  long long first = data[0] & 2 ? 1000 : 0;
  input = data + 1, left = size - 1;
  session = &s;
  char* text = strdup("a\trad\t\nb\trad\t\nc\tm\tworld\nu\tN m\t\nw\t1\t\n");
  if (!text) return 0;
  fuzz_check(fb_session_init(&s, &o, INPUTS, text, &error) == FB_OK, "%s", error.text);
  s.link.transport = &WAY;
  if (fuzz_ok(fb_session_begin(&s, first, 0, &error), &error))
    for (int i = 0; i < STEPS; i++) exchange(&s, first + i);
  fb_session_free(&s);
  return 0;
}
