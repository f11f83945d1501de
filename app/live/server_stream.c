/* server_stream.c -- the clients of the live server: each has its own place in the run and gets what is new from
 * there on, a message whenever its socket takes one. Who reads slowly falls behind, and nobody else notices.
 *
 *   numbers: float64, little endian: number of the first sample, how many there are, their times, their values of
 *            signal 0, of signal 1 ...
 *   text:    {"status": "running", "paused": false, "samples": 120, "first_event": 3, "events": [{"t", "name", "text"}]} */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>

#include "live/server.h"
#include "run/run.h"

/* --- coming and going --- */

void cmd_live_enter(cmd_live* live, struct lws* wsi, cmd_live_client* client) {
  memset(client, 0, sizeof *client);
  client->wsi = wsi;
  client->moved = cmd_wall_now();
  client->next = live->clients;
  if (client->next) client->next->before = client;
  live->clients = client;
}

void cmd_live_leave(cmd_live* live, cmd_live_client* client) {
  if (!client || !client->wsi) return;
  if (client->next) client->next->before = client->before;
  if (client->before)
    client->before->next = client->next;
  else
    live->clients = client->next;
  memset(client, 0, sizeof *client);
}

void cmd_live_wake(cmd_live* live) {
  for (cmd_live_client* c = live->clients; c; c = c->next) cmd_lws.callback_on_writable(c->wsi);
}

/* --- the store --- */

/* "failed: why" is "failed" here. */
static void note_status(cmd_live* live, fb_store* run) {
  const char* text = fb_store_get_text(run, "status");
  if (!text) text = "running";
  size_t length = strcspn(text, ":");
  if (length >= sizeof live->status) length = sizeof live->status - 1;
  memcpy(live->status, text, length);
  live->status[length] = '\0';
}

/* What the messages are made with: the columns to read and a place for the largest. */
static int make_room(cmd_live* live, const fb_store* run) {
  if (live->columns) return 1;
  size_t width = (size_t)fb_store_nsignal(run) + 1, numbers = FB_LIVE_NUMBERS + 2;
  if (numbers < width + 2) numbers = width + 2;
  live->columns = malloc(width * sizeof *live->columns);
  live->message = malloc(LWS_PRE + numbers * sizeof(double));
  live->message_first = live->message_count = -1;
  if (!live->columns || !live->message) {
    free(live->columns);
    free(live->message);
    live->columns = NULL;
    live->message = NULL;
    return 0;
  }
  for (size_t i = 0; i < width; i++) live->columns[i] = (int)i - 1;
  return 1;
}

void cmd_live_poll(cmd_live* live) {
  static const double SHARE = 10; /* looking takes a tenth of the time at most */
  fb_store* run;
  fb_error ignored;
  long long commits = atomic_load(&live->commits);
  double begin = cmd_wall_now();
  if ((live->run && commits == live->commits_seen && !live->over) || begin < live->next_poll) return;
  fb_status status = fb_store_open(live->folder, &run, &ignored);
  live->next_poll = live->over ? 0 : begin + SHARE * (cmd_wall_now() - begin);
  if (status != FB_OK) return; /* a busy or full disk may be better next time */
  if (!make_room(live, run)) {
    fb_store_close(run, &ignored);
    return;
  }
  fb_store_close(live->run, &ignored);
  live->run = run;
  live->commits_seen = commits;
  note_status(live, run);
  cmd_live_wake(live);
}

/* --- what a client says --- */

static int refuse(cmd_live_client* client, enum lws_close_status why) {
  cmd_lws.close_reason(client->wsi, why, NULL, 0);
  return -1;
}

static int handle_command(cmd_live* live, cmd_live_client* client) {
  long long value = 0;
  switch (cmd_live_read_message(client->received, client->received_size, &value)) {
    case FB_LIVE_SAID_FROM:
      client->started = 1;
      client->text_sent = 0;
      client->cursor = value;
      client->event = 0;
      cmd_live_poll(live);
      cmd_lws.callback_on_writable(client->wsi);
      return 0;
    case FB_LIVE_SAID_PAUSE:
      atomic_store(&live->paused, (int)value);
      cmd_live_wake(live);
      return 0;
    default:
      return refuse(client, LWS_CLOSE_STATUS_INVALID_PAYLOAD);
  }
}

/* A message may come in pieces. */
int cmd_live_receive(cmd_live* live, cmd_live_client* client, const char* bytes, size_t count) {
  if (cmd_lws.frame_is_binary(client->wsi)) return refuse(client, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
  if (count > sizeof client->received - client->received_size)
    return refuse(client, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
  if (count > 0) memcpy(client->received + client->received_size, bytes, count);
  client->received_size += count;
  if (cmd_lws.remaining_packet_payload(client->wsi) > 0 || !cmd_lws.is_final_fragment(client->wsi)) return 0;
  int code = handle_command(live, client);
  client->received_size = 0;
  return code;
}

/* --- messages to a client --- */

static int text_is_due(const cmd_live* live, const cmd_live_client* c) {
  return !c->text_sent || c->event < fb_store_nevent(live->run) ||
         c->paused_sent != atomic_load(&live->paused) || strcmp(c->status_sent, live->status) != 0;
}

static int send_text(cmd_live_client* client, const char* text, size_t size) {
  unsigned char* buffer = malloc(LWS_PRE + size);
  if (!buffer) return -1;
  memcpy(buffer + LWS_PRE, text, size);
  int written = cmd_lws.write(client->wsi, buffer + LWS_PRE, size, LWS_WRITE_TEXT);
  free(buffer);
  return written < 0 ? -1 : 0;
}

/* The events that this client has not heard of, some of them when there are many. */
static void put_events(fb_json* json, fb_store* run, int* next) {
  enum { MOST = 200 };
  int end = fb_store_nevent(run) - *next > MOST ? *next + MOST : fb_store_nevent(run);
  fb_json_put_int(json, "first_event", *next);
  fb_json_put_list(json, "events");
  for (; *next < end; ++*next) {
    fb_store_event event = fb_store_get_event(run, *next);
    fb_json_begin_map(json);
    fb_json_put_number(json, "t", event.t);
    fb_json_put_string(json, "name", event.name);
    fb_json_put_string(json, "text", event.text);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static int send_page_text(cmd_live* live, cmd_live_client* client) {
  size_t size = 0;
  int paused = atomic_load(&live->paused);
  fb_json* json = fb_json_new(0);
  if (!json) return -1;
  fb_json_begin_map(json);
  fb_json_put_string(json, "status", live->status);
  fb_json_put_bool(json, "paused", paused);
  fb_json_put_int(json, "samples", fb_store_nsample(live->run));
  put_events(json, live->run, &client->event);
  fb_json_end_map(json);
  char* text = fb_json_finish(json, &size);
  if (!text) return -1;
  client->text_sent = 1;
  client->paused_sent = paused;
  memcpy(client->status_sent, live->status, sizeof client->status_sent);
  int code = send_text(client, text, size);
  free(text);
  return code;
}

/* In place; where the machine's order is the wire's, nothing changes. */
static void to_little_endian(double* x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    unsigned char bytes[8];
    memcpy(&bits, &x[i], 8);
    for (int j = 0; j < 8; j++) bytes[j] = (unsigned char)(bits >> (8 * j));
    memcpy(&x[i], bytes, 8);
  }
}

/* Those who keep up all want the same, so it is read once. */
static int read_samples(cmd_live* live, long long first, long long count) {
  fb_error ignored;
  size_t width = (size_t)fb_store_nsignal(live->run) + 1;
  double* numbers = (double*)(void*)(live->message + LWS_PRE);
  if (live->message_first == first && live->message_count == count) return 1;
  live->message_first = -1;
  if (fb_store_read_signals(live->run, live->columns, (int)width, first, count, numbers + 2, &ignored) !=
      FB_OK)
    return 0;
  numbers[0] = (double)first;
  numbers[1] = (double)count;
  to_little_endian(numbers, 2 + width * (size_t)count);
  live->message_first = first;
  live->message_count = count;
  return 1;
}

static int send_samples(cmd_live* live, cmd_live_client* client) {
  long long width = fb_store_nsignal(live->run) + 1, most = FB_LIVE_NUMBERS / width;
  long long count = fb_store_nsample(live->run) - client->cursor;
  if (most < 1) most = 1;
  if (count > most) count = most;
  if (!read_samples(live, client->cursor, count)) return -1;
  client->cursor += count;
  size_t size = (size_t)(2 + width * count) * sizeof(double);
  return cmd_lws.write(client->wsi, live->message + LWS_PRE, size, LWS_WRITE_BINARY) < 0 ? -1 : 0;
}

/* Who came in at the last moment has so long to say what it wants [s]. */
static const double GRACE = 0.5;

/* One message, as the library asks. News come before samples, but the end of the run comes after them. */
int cmd_live_notify(cmd_live* live, cmd_live_client* client) {
  int ready = client->started && live->run, code = 0;
  int text = ready && text_is_due(live, client),
      samples = ready && (client->cursor < fb_store_nsample(live->run));
  int ended = strcmp(live->status, "running") != 0;
  if (!text && !samples && !live->over) return 0;
  if (!client->started && cmd_wall_now() < client->moved + GRACE) return 0;
  if (!text && !samples) return refuse(client, LWS_CLOSE_STATUS_NORMAL);
  client->moved = cmd_wall_now();
  code = text && (!samples || !ended || !client->text_sent) ? send_page_text(live, client)
                                                            : send_samples(live, client);
  if (code == 0) cmd_lws.callback_on_writable(client->wsi);
  return code;
}
