/* browser.c -- controls Chromium by the DevTools protocol: JSON messages that end with a zero byte, over pipes,
 * so no port is opened. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "view/browser.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "run/run.h"

enum { MOST_BYTES = 1 << 29, CHUNK = 1 << 16 };

struct cmd_browser {
  cmd_browser_process process;
  double timeout; /* for each answer [s] */
  char* inbox;    /* bytes received; the first `used` are done with */
  size_t size, used, room;
  long last_id;
  char session[80];                  /* of the page; "" before it is opened */
  int loading, loaded;               /* loading: what the page throws is fatal */
  const char* awaited;               /* what it is doing, for messages */
  char thrown[sizeof(fb_error) / 2]; /* by the page's script; "" nothing */
};

static double timeout(void) {
  const char* text = getenv("FREEBODY_VIEW_TIMEOUT");
  double seconds;
  const char* after = text ? fb_number_parse(text, &seconds) : NULL;
  return after && !*after && seconds > 0 ? fmin(seconds, 1e6) : 60;
}

/* --- messages --- */

/* Room for CHUNK more bytes; 0 when there is no memory. */
static int make_room(cmd_browser* b) {
  if (b->room - b->size >= CHUNK) return 1;
  size_t room = 2 * b->room + CHUNK;
  char* inbox = realloc(b->inbox, room);
  if (!inbox) return 0;
  b->inbox = inbox;
  b->room = room;
  return 1;
}

/* Waits for more bytes. */
static fb_status receive(cmd_browser* b, double until, fb_error* error) {
  if (b->used > 0) memmove(b->inbox, b->inbox + b->used, b->size - b->used);
  b->size -= b->used;
  b->used = 0;
  if (b->size > MOST_BYTES) return fb_fail(error, FB_ERR_IO, "the browser's answer is too long");
  if (!make_room(b)) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  for (;;) {
    struct pollfd ready = {b->process.from, POLLIN, 0};
    if (cmd_interrupt_requested()) return fb_fail(error, FB_ERR_IO, "interrupted");
    double left = until - cmd_wall_now();
    if (left <= 0) {
      char what[200];
      snprintf(what, sizeof what,
               "%s took more than %.6g s; FREEBODY_VIEW_TIMEOUT=SECONDS in the environment gives it longer",
               b->awaited, b->timeout);
      return fb_fail(error, FB_ERR_IO, "%s", what);
    }
    /* In slices, for a signal may come just before poll begins. */
    int n = poll(&ready, 1, left < 0.25 ? (int)(1000 * left) + 1 : 250);
    if (n <= 0) continue;
    ssize_t got = read(b->process.from, b->inbox + b->size, b->room - b->size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return cmd_browser_fail_with_log(&b->process, error, "Chromium ended unexpectedly");
    b->size += (size_t)got;
    return FB_OK;
  }
}

/* The next message; it stands in the inbox until the next call. */
static fb_status next_message(cmd_browser* b, double until, cmd_reply* message, fb_error* error) {
  size_t looked = b->used;
  for (;;) {
    char* end = b->size > looked ? (char*)memchr(b->inbox + looked, 0, b->size - looked) : NULL;
    if (end) {
      *message = (cmd_reply){b->inbox + b->used, end};
      b->used = (size_t)(end - b->inbox) + 1;
      return FB_OK;
    }
    looked = b->size - b->used; /* receive moves what is left to the front */
    fb_status status = receive(b, until, error);
    if (status) return status;
  }
}

/* What a script threw: its first line. */
static void read_exception(cmd_browser* b, cmd_reply details) {
  char* text = cmd_reply_text(cmd_reply_find(details, "exception/description"), NULL);
  if (text && !text[0]) {
    free(text);
    text = cmd_reply_text(cmd_reply_find(details, "exception/value"), NULL);
  }
  if (text && !text[0]) {
    free(text);
    text = cmd_reply_text(cmd_reply_find(details, "text"), NULL);
  }
  if (text) text[strcspn(text, "\n")] = '\0';
  snprintf(b->thrown, sizeof b->thrown, "%.400s", text && text[0] ? text : "an exception without a text");
  cmd_text_clean(b->thrown);
  free(text);
}

/* A message that is not a reply: an event. */
static fb_status notice(cmd_browser* b, cmd_reply message, fb_error* error) {
  cmd_reply method = cmd_reply_find(message, "method");
  if (cmd_reply_is(method, "Page.loadEventFired")) b->loaded = 1;
  if (cmd_reply_is(method, "Inspector.targetCrashed"))
    return cmd_browser_fail_with_log(&b->process, error,
                                     "the page has crashed in the browser, perhaps for want of memory");
  if (cmd_reply_is(method, "Runtime.exceptionThrown") && b->loading) {
    read_exception(b, cmd_reply_find(message, "params/exceptionDetails"));
    return fb_fail(error, FB_ERR_IO, "the page's script failed: %s", b->thrown);
  }
  return FB_OK;
}

/* Calls a method with its parameters, JSON, and waits for its result. */
static fb_status call(cmd_browser* b, const char* method, const char* parameters, cmd_reply* result,
                      fb_error* error) {
  fb_text message = {0};
  long id = ++b->last_id;
  fb_text_printf(&message, "{\"id\":%ld,\"method\":\"%s\",\"params\":%s", id, method, parameters);
  if (b->session[0]) fb_text_printf(&message, ",\"sessionId\":\"%s\"", b->session);
  fb_text_add(&message, "}");
  size_t size;
  char* text = fb_text_take(&message, &size);
  if (!text) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  int reason = cmd_child_write(b->process.to, text, size + 1);
  free(text);
  if (reason && cmd_interrupt_requested()) return fb_fail(error, FB_ERR_IO, "interrupted");
  if (reason) return cmd_browser_fail_with_log(&b->process, error, "Chromium has ended");
  fb_status status = FB_OK;
  double until = cmd_wall_now() + b->timeout;
  cmd_reply answer = {NULL, NULL};
  while (!status && cmd_reply_id(cmd_reply_find(answer, "id")) != id) {
    status = next_message(b, until, &answer, error);
    if (!status && !cmd_reply_find(answer, "id").at) status = notice(b, answer, error);
  }
  if (status) return status;
  *result = cmd_reply_find(answer, "result");
  if (result->at) return FB_OK;
  char* why = cmd_reply_text(cmd_reply_find(answer, "error/message"), NULL);
  status =
      fb_fail(error, FB_ERR_IO, "Chromium does not do %s: %.300s", method, why ? cmd_text_clean(why) : "?");
  free(why);
  return status;
}

/* --- what others call --- */

fb_status cmd_browser_open(cmd_browser** browser, fb_error* error) {
  *browser = NULL;
  cmd_browser* b = calloc(1, sizeof *b);
  if (!b) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  b->timeout = timeout();
  b->awaited = "starting Chromium";
  fb_status status = cmd_browser_start(&b->process, error);
  cmd_reply result;
  if (!status) status = call(b, "Browser.getVersion", "{}", &result, error);
  if (status)
    cmd_browser_close(b);
  else
    *browser = b;
  return status;
}

void cmd_browser_close(cmd_browser* b) {
  if (!b) return;
  cmd_browser_end(&b->process);
  free(b->inbox);
  free(b);
}

/* A JSON object of one string. */
static char* with_text(const char* key, const char* text) {
  fb_json* json = fb_json_new(0);
  if (!json) return NULL;
  fb_json_begin_map(json);
  fb_json_put_string(json, key, text);
  fb_json_end_map(json);
  return fb_json_finish(json, NULL);
}

static fb_status call_with_text(cmd_browser* b, const char* method, const char* key, const char* text,
                                cmd_reply* result, fb_error* error) {
  char* parameters = with_text(key, text);
  if (!parameters) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  fb_status status = call(b, method, parameters, result, error);
  free(parameters);
  return status;
}

/* A tab, and the session in which it is spoken to. */
static fb_status open_tab(cmd_browser* b, fb_error* error) {
  cmd_reply result;
  fb_status status = call(b, "Target.createTarget", "{\"url\":\"about:blank\"}", &result, error);
  if (status) return status;
  char* id = cmd_reply_text(cmd_reply_find(result, "targetId"), NULL);
  char parameters[160];
  snprintf(parameters, sizeof parameters, "{\"targetId\":\"%.80s\",\"flatten\":true}", id ? id : "");
  free(id);
  status = call(b, "Target.attachToTarget", parameters, &result, error);
  if (status) return status;
  char* session = cmd_reply_text(cmd_reply_find(result, "sessionId"), NULL);
  snprintf(b->session, sizeof b->session, "%s", session ? session : "");
  free(session);
  status = call(b, "Page.enable", "{}", &result, error);
  return status ? status : call(b, "Runtime.enable", "{}", &result, error);
}

/* "file:///..." of a file that exists; free() it, or NULL. */
static char* address(const char* file) {
  static const char hex[] = "0123456789ABCDEF";
  char* path = realpath(file, NULL);
  if (!path) return NULL;
  fb_text text = {0};
  fb_text_add(&text, "file://");
  for (const unsigned char* c = (const unsigned char*)path; *c; c++) {
    int plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                strchr("/-._~", *c) != NULL;
    char escaped[3] = {'%', hex[*c >> 4], hex[*c & 15]};
    fb_text_add_bytes(&text, plain ? (const char*)c : escaped, plain ? 1 : 3);
  }
  free(path);
  return fb_text_take(&text, NULL);
}

static fb_status navigate(cmd_browser* b, const char* file, fb_error* error) {
  char* url = address(file);
  if (!url) return fb_fail(error, FB_ERR_IO, "cannot find the page %s: %s", file, strerror(errno));
  cmd_reply result;
  fb_status status = call_with_text(b, "Page.navigate", "url", url, &result, error);
  free(url);
  if (status) return status;
  char* why = cmd_reply_text(cmd_reply_find(result, "errorText"), NULL);
  if (why && why[0])
    status = fb_fail(error, FB_ERR_IO,
                     "Chromium cannot open the page %s: %.100s; a browser in a container of its own (snap, "
                     "flatpak) may not see this folder",
                     file, cmd_text_clean(why));
  free(why);
  double until = cmd_wall_now() + b->timeout;
  while (!status && !b->loaded) {
    cmd_reply message;
    status = next_message(b, until, &message, error);
    if (!status) status = notice(b, message, error);
  }
  return status;
}

fb_status cmd_browser_load(cmd_browser* b, const char* file, int width, int height, fb_error* error) {
  /* A page that is damaged says so, at the latest when it is loaded. */
  static const char ready[] =
      "new Promise((done, failed) => { const look = () => {  const why = document.querySelector('.message "
      "[role=alert]');  if (window.freebody) Promise.resolve(window.freebody.ready).then(done, failed);  "
      "else if (why) failed(new Error(why.textContent));  else if (document.querySelector('#app > "
      ".opening'))   failed(new Error('its template is damaged; build it again with scripts/viewer and "
      "make'));  else setTimeout(look, 10); }; look(); })";
  b->awaited = "opening a tab in Chromium";
  fb_status status = open_tab(b, error);
  char size[160];
  snprintf(size, sizeof size, "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width,
           height);
  cmd_reply result;
  if (!status) status = call(b, "Emulation.setDeviceMetricsOverride", size, &result, error);
  b->awaited = "loading the page";
  b->loading = 1;
  if (!status) status = navigate(b, file, error);
  b->awaited = "waiting for the page to be ready";
  if (!status) status = cmd_browser_evaluate(b, ready, NULL, NULL, error);
  b->loading = 0;
  return status;
}

fb_status cmd_browser_evaluate(cmd_browser* b, const char* expression, char** text, size_t* size,
                               fb_error* error) {
  if (!b->loading) b->awaited = "drawing a picture";
  fb_json* json = fb_json_new(0);
  if (!json) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  fb_json_begin_map(json);
  fb_json_put_string(json, "expression", expression);
  fb_json_put_bool(json, "awaitPromise", 1);
  fb_json_put_bool(json, "returnByValue", 1);
  fb_json_end_map(json);
  char* parameters = fb_json_finish(json, NULL);
  cmd_reply result = {NULL, NULL};
  fb_status status = parameters ? call(b, "Runtime.evaluate", parameters, &result, error)
                                : fb_fail(error, FB_ERR_MEMORY, "out of memory");
  free(parameters);
  if (status) return status;
  cmd_reply thrown = cmd_reply_find(result, "exceptionDetails");
  if (thrown.at) {
    read_exception(b, thrown);
    return fb_fail(error, FB_ERR_IO, "the page's script failed: %s", b->thrown);
  }
  if (!text) return FB_OK;
  *text = cmd_reply_text(cmd_reply_find(result, "result/value"), size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory");
}

fb_status cmd_browser_capture(cmd_browser* b, char** text, size_t* size, fb_error* error) {
  cmd_reply result;
  b->awaited = "taking a picture of the page";
  fb_status status = call(b, "Page.captureScreenshot", "{\"format\":\"png\"}", &result, error);
  if (status) return status;
  *text = cmd_reply_text(cmd_reply_find(result, "data"), size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory");
}
