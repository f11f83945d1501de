/* session.c -- the conversation with a peer: HELLO and WELCOME, then STEP n and REPLY n
 *
 * In lock-step a reply to an earlier step is late, and dropped; in real time the newest reply to any step counts. What
 * else arrives makes the exchange invalid: it is for the options to say what follows. Nothing that a peer sends can make
 * an exchange longer than its timeout. */
#include "adapters/remote/session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adapters/remote/message.h"
#include "adapters/wall_clock.h"

static const double AGAIN = 0.05; /* between two HELLOs [s] */
enum { FLOOD = 10000 };           /* messages in one exchange */

fb_status fb_session_init(fb_session* s, const fb_remote_options* options, int ninput, char* text,
                          fb_error* error) {
  memset(s, 0, sizeof *s);
  s->text = text;
  fb_status status = fb_link_init(&s->link, options->address, error);
  if (status) return status;
  s->options = options;
  s->nsignal = options->nsignal;
  s->ninput = ninput;
  s->text_size = strlen(text);
  size_t most = (size_t)(s->nsignal > ninput ? s->nsignal : ninput);
  s->room = FB_MESSAGE_HEADER + 8 * most;
  if (s->room < FB_MESSAGE_HELLO + s->text_size) s->room = FB_MESSAGE_HELLO + s->text_size;
  if (s->room > FB_REMOTE_MOST_BYTES)
    return fb_fail(error, FB_ERR_ARG,
                   "%d signals and %d inputs make messages of %zu bytes, and %d are the most; send fewer",
                   s->nsignal, ninput, s->room, (int)FB_REMOTE_MOST_BYTES);
  s->room += 64; /* texts of END and REFUSE may be longer */
  s->link.most = s->room;
  s->link.ended = options->ended;
  s->link.user = options->user;
  s->out = fb_pool_take(&s->pool, s->room, 1);
  s->in = fb_pool_take(&s->pool, s->room, 1);
  s->inputs = fb_pool_take(&s->pool, (size_t)ninput, sizeof *s->inputs);
  return s->pool.failed ? fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller") : FB_OK;
}

/* Says why; what the caller is to return for it. */
static unsigned because(fb_session* s, unsigned outcome, const char* format, ...) FB_PRINTF(3, 4);
static unsigned because(fb_session* s, unsigned outcome, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(s->why, sizeof s->why, format, args);
  va_end(args);
  return outcome;
}

static void disconnect(fb_session* s) {
  fb_link_close(&s->link);
  s->connected = 0;
}

static void nap(double seconds) {
  struct timespec time = {0, (long)(1e9 * fmax(0, fmin(seconds, 0.01)))};
  nanosleep(&time, NULL);
}

static void send_end(fb_session* s, long long number, const char* why) {
  size_t most = s->room - FB_MESSAGE_HEADER, size = strlen(why) < most ? strlen(why) : most;
  fb_message_put_header(s->out, FB_REMOTE_END, FB_MESSAGE_HEADER + size, s->id, number, 0);
  memcpy(s->out + FB_MESSAGE_HEADER, why, size);
  fb_link_send(&s->link, s->out, FB_MESSAGE_HEADER + size);
}

/* --- greeting --- */

static size_t put_hello(fb_session* s, long long number, double t) {
  const fb_remote_options* o = s->options;
  size_t size = FB_MESSAGE_HELLO + s->text_size;
  unsigned char* to = s->out;
  const double times[2] = {o->period, o->timeout};
  fb_message_put_header(to, FB_REMOTE_HELLO, size, s->id, number, t);
  fb_message_put_u32(to + 32, (uint32_t)s->nsignal);
  fb_message_put_u32(to + 36, (uint32_t)s->ninput);
  fb_message_put_u32(to + 40, o->pace == FB_REMOTE_REALTIME);
  fb_message_put_u32(to + 44, (uint32_t)s->text_size);
  fb_message_put_doubles(to + 48, times, 2);
  memcpy(to + FB_MESSAGE_HELLO, s->text, s->text_size);
  return size;
}

typedef enum greeting { WELCOME, NOBODY, REFUSED, FAILED } greeting;

/* The answer to HELLO; NOBODY for what is none. */
static greeting check_welcome(fb_session* s, size_t size) {
  fb_message m;
  char text[120], why[FB_MESSAGE_WHY];
  if (size > s->room || !fb_message_read(s->in, size, &m, why))
    return because(s, REFUSED, "%s", size > s->room ? "it sent a message that is too large" : why);
  if (m.header.session != s->id) return NOBODY;
  if (m.header.type == FB_REMOTE_REFUSE)
    return because(s, REFUSED, "it refuses: %s", fb_message_text(&m, text, sizeof text));
  if (m.header.type != FB_REMOTE_WELCOME) return NOBODY;
  if (size != FB_MESSAGE_WELCOME)
    return because(s, REFUSED, "its WELCOME has %zu bytes instead of %d", size, (int)FB_MESSAGE_WELCOME);
  unsigned long nsignal = fb_message_u32(m.body), ninput = fb_message_u32(m.body + 4);
  if (nsignal == (unsigned long)s->nsignal && ninput == (unsigned long)s->ninput) return WELCOME;
  snprintf(s->why, sizeof s->why,
           "it expects %lu signals and %lu inputs, and the scenario has %d signals and %d inputs", nsignal,
           ninput, s->nsignal, s->ninput);
  return REFUSED;
}

/* Sends HELLO, unless it was just sent, and waits for the answer. */
static greeting shake(fb_session* s, long long number, double t, double deadline) {
  double now = fb_wall_clock();
  if (now - s->greeted >= AGAIN) {
    int sent = fb_link_send(&s->link, s->out, put_hello(s, number, t));
    if (sent == FB_LINK_LOST) snprintf(s->why, sizeof s->why, "%s", s->link.why);
    if (sent == FB_LINK_LOST) disconnect(s);
    if (sent != FB_LINK_LOST) s->greeted = now;
  }
  double end = fmin(deadline, s->greeted + AGAIN); /* also for a peer that sends without end */
  for (int count = 0; count == 0 || fb_wall_clock() < end; count++) {
    long got = fb_link_receive(&s->link, s->in, s->room, end);
    if (got == FB_LINK_LOST) {
      snprintf(s->why, sizeof s->why, "%s", s->link.why);
      disconnect(s);
    }
    s->ended |= got == FB_LINK_ENDED;
    if (got < 0) return NOBODY;
    greeting answer = check_welcome(s, (size_t)got);
    if (answer != NOBODY) return answer;
  }
  return NOBODY;
}

/* One attempt. */
static greeting try_greeting(fb_session* s, long long number, double t, double deadline, fb_error* error) {
  int was_open = s->link.is_open, open = fb_link_open(&s->link, error);
  if (open < 0) return FAILED;
  if (open == 0) snprintf(s->why, sizeof s->why, "%s", s->link.why);
  if (open == 0) return NOBODY;
  if (!was_open) s->greeted = -INFINITY;
  greeting answer = shake(s, number, t, deadline);
  if (answer != WELCOME) return answer;
  s->connected = s->begun = 1;
  s->last_received = fb_wall_clock();
  s->newest = number - 1;
  return WELCOME;
}

/* Until the deadline. */
static greeting greet(fb_session* s, long long number, double t, double deadline, fb_error* error) {
  double begun = fb_wall_clock();
  int reported = 0;
  for (;;) {
    greeting answer = try_greeting(s, number, t, deadline, error);
    double now = fb_wall_clock();
    if (answer != NOBODY || now >= deadline || s->ended) return answer;
    s->ended = s->options->ended && s->options->ended(s->options->user);
    if (s->ended) return answer;
    if (!reported && now > begun + 1) {
      char text[260];
      snprintf(text, sizeof text, "waiting for the controller at %s", s->link.address);
      if (s->options->note) s->options->note(s->options->user, text);
      reported = 1;
    }
    if (!s->link.is_open) nap(deadline - now);
  }
}

/* Unlike that of any greeting before, of this process or another one. */
static void take_id(fb_session* s) {
  double now = fb_wall_clock();
  uint32_t bits = (uint32_t)(int64_t)(1e6 * now) * 2654435761u;
  s->id = (s->id + 1) ^ bits ^ (uint32_t)getpid();
  s->greeted = -INFINITY;
}

fb_status fb_session_begin(fb_session* s, long long number, double t, fb_error* error) {
  double wait = s->options->wait;
  disconnect(s);
  take_id(s);
  s->why[0] = '\0';
  greeting answer = greet(s, number, t, fb_wall_clock() + wait, error);
  if (answer == WELCOME) return FB_OK;
  if (answer == FAILED) return error ? error->status : FB_ERR_IO;
  const char* address = s->link.address;
  if (answer == REFUSED) send_end(s, number, s->why);
  disconnect(s);
  if (s->ended)
    return fb_fail(error, FB_ERR_IO, "interrupted while waiting for the controller at %s", address);
  if (answer == REFUSED)
    return fb_fail(error, FB_ERR_IO, "the controller at %s cannot be used: %s", address, s->why);
  return fb_fail(error, FB_ERR_IO,
                 "there is no controller at %s after %g s%s%s; start it, or wait longer for it (wait)",
                 address, wait, s->why[0] ? ": " : "", s->why);
}

/* After the peer was lost: whether it is there again. Only who listens is waited for. */
static fb_remote_outcome greet_again(fb_session* s, long long number, double t) {
  fb_error error;
  int waits = s->options->pace == FB_REMOTE_LOCKSTEP && fb_link_has_peer(&s->link);
  double wait = waits ? s->options->timeout : 0;
  greeting answer = try_greeting(s, number, t, fb_wall_clock() + wait, &error);
  if (answer == WELCOME) return FB_REMOTE_REPLIED;
  if (answer == REFUSED) return FB_REMOTE_INVALID;
  if (answer == FAILED) snprintf(s->why, sizeof s->why, "%.200s", error.text);
  if (!s->why[0]) because(s, FB_REMOTE_LOST, "it does not answer HELLO");
  return FB_REMOTE_LOST;
}

/* --- replies --- */

typedef enum verdict { GOOD, OLD, WRONG, LOST } verdict;

static verdict check_values(fb_session* s, const fb_message* m) {
  if (m->nbody != 8 * (size_t)s->ninput)
    return because(s, WRONG, "its reply has %zu bytes, and %d inputs take %d", m->nbody + FB_MESSAGE_HEADER,
                   s->ninput, FB_MESSAGE_HEADER + 8 * s->ninput);
  for (int i = 0; i < s->ninput; i++) {
    double x;
    fb_message_doubles(m->body + 8 * (size_t)i, &x, 1);
    if (isfinite(x)) continue;
    return because(s, WRONG, "input %d of its reply is %g", i, x);
  }
  fb_message_doubles(m->body, s->inputs, (size_t)s->ninput);
  return GOOD;
}

/* A message of the peer, when the newest step is `number` and replies to those from `first` on are wanted. */
static verdict check_reply(fb_session* s, size_t size, long long first, long long number) {
  fb_message m;
  char text[120], why[FB_MESSAGE_WHY];
  if (size > s->room)
    return because(s, WRONG, "it sent %zu bytes, and %d inputs take %d", size, s->ninput,
                   FB_MESSAGE_HEADER + 8 * s->ninput);
  if (!fb_message_read(s->in, size, &m, why)) return because(s, WRONG, "%s", why);
  if (m.header.session != s->id || m.header.type == FB_REMOTE_WELCOME) return OLD;
  if (m.header.type == FB_REMOTE_END)
    return because(s, LOST, "it has ended: %s", fb_message_text(&m, text, sizeof text));
  if (m.header.type != FB_REMOTE_REPLY)
    return because(s, WRONG, "it sent a message of type %u instead of REPLY", m.header.type);
  if (m.header.number > (uint64_t)number)
    return because(s, WRONG, "it replies to step %llu, and the last one sent is %lld",
                   (unsigned long long)m.header.number, number);
  return m.header.number < (uint64_t)first ? OLD : check_values(s, &m);
}

static fb_remote_outcome lose(fb_session* s, const char* why) {
  if (why) snprintf(s->why, sizeof s->why, "%s", why);
  disconnect(s);
  take_id(s);
  return FB_REMOTE_LOST;
}

/* --- exchanges --- */

static int send_step(fb_session* s, long long number, double t, const double* signals) {
  size_t size = FB_MESSAGE_HEADER + 8 * (size_t)s->nsignal;
  fb_message_put_header(s->out, FB_REMOTE_STEP, size, s->id, number, t);
  fb_message_put_doubles(s->out + FB_MESSAGE_HEADER, signals, (size_t)s->nsignal);
  return fb_link_send(&s->link, s->out, size);
}

static fb_remote_outcome flooded(fb_session* s) {
  return because(s, FB_REMOTE_INVALID, "it floods: %d messages, and no reply to this step among them",
                 (int)FLOOD);
}

/* Waits for the reply to this step. */
static fb_remote_outcome wait_for(fb_session* s, long long number, double begun) {
  double deadline = begun + s->options->timeout;
  for (int count = 0; count < FLOOD; count++) {
    long got = fb_link_receive(&s->link, s->in, s->room, deadline);
    if (got == FB_LINK_LOST) return lose(s, s->link.why);
    if (got == FB_LINK_ENDED) s->ended = 1;
    if (got < 0) break;
    verdict v = check_reply(s, (size_t)got, number, number);
    if (v == LOST) return lose(s, NULL);
    if (v == WRONG) return FB_REMOTE_INVALID;
    if (v == GOOD) {
      s->last_received = fb_wall_clock();
      s->round_trip = s->last_received - begun;
      return FB_REMOTE_REPLIED;
    }
    s->outdated++;
    if (count + 1 == FLOOD) return flooded(s);
    if (count % 64 == 63 && fb_wall_clock() > deadline) break;
  }
  return because(s, FB_REMOTE_TIMEOUT, "no reply within %g ms", 1e3 * s->options->timeout);
}

/* Takes what has arrived. */
static fb_remote_outcome take_newest(fb_session* s, long long number) {
  int replied = 0, wrong = 0;
  for (int count = 0;; count++) {
    long got = fb_link_receive(&s->link, s->in, s->room, -INFINITY);
    if (got == FB_LINK_LOST) return replied ? FB_REMOTE_REPLIED : lose(s, s->link.why);
    if (got < 0) break;
    verdict v = check_reply(s, (size_t)got, s->newest + 1, number);
    if (v == LOST) return lose(s, NULL);
    if (v == GOOD) {
      fb_message m;
      fb_message_read(s->in, (size_t)got, &m, s->why);
      s->newest = (long long)m.header.number;
      s->last_received = fb_wall_clock();
      replied = 1;
    }
    wrong |= v == WRONG;
    s->outdated += v == OLD;
    if (count + 1 == FLOOD) return flooded(s);
  }
  if (replied) return FB_REMOTE_REPLIED;
  if (wrong) return FB_REMOTE_INVALID;
  if (fb_wall_clock() - s->last_received <= s->options->timeout) return FB_REMOTE_PENDING;
  return because(s, FB_REMOTE_TIMEOUT, "nothing was heard for %g ms", 1e3 * s->options->timeout);
}

fb_remote_outcome fb_session_exchange(fb_session* s, long long number, double t, const double* signals) {
  s->why[0] = '\0';
  s->outdated = 0;
  s->round_trip = NAN;
  s->next = number + 1;
  if (!s->connected) {
    fb_remote_outcome outcome = greet_again(s, number, t);
    if (outcome != FB_REMOTE_REPLIED) return outcome;
  }
  double begun = fb_wall_clock();
  int sent = send_step(s, number, t, signals);
  if (sent == FB_LINK_LOST) return lose(s, s->link.why);
  if (s->options->pace == FB_REMOTE_REALTIME) return take_newest(s, number);
  if (sent) return wait_for(s, number, begun);
  return because(s, FB_REMOTE_TIMEOUT, "it does not take the messages that it is sent");
}

void fb_session_free(fb_session* s) {
  if (s->connected) send_end(s, s->next, "the run has ended");
  fb_link_close(&s->link);
  fb_pool_free(&s->pool);
  free(s->text);
}
