/* server_http.c -- how the live server responds to plain requests, and which WebSockets it accepts.
 *
 * A page of another origin may not read what it gets from here, but it could open a WebSocket, for which browsers do
 * not ask the server; so a request whose Origin is not this server is refused. A name of another site may be made to
 * mean this machine after its page was loaded (DNS rebinding), and the browser then takes the two for one origin; so on
 * loopback the Host must be a name of loopback, elsewhere a number or this machine's own name. Programs without a
 * browser send no Origin, and are welcome. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <freebody/picture.h>

#include "live/server.h"
#include "run/run.h"

static const char WEBSOCKET_PATH[] = "/live";
static const char PAGE_TYPE[] = "text/html; charset=utf-8", TEXT_TYPE[] = "text/plain; charset=utf-8";

/* --- bodies --- */

static cmd_live_body* new_body(const char* text, size_t size) {
  cmd_live_body* body = malloc(sizeof *body + LWS_PRE + size);
  if (!body) return NULL;
  body->refs = 1;
  body->size = size;
  memcpy(body->bytes + LWS_PRE, text, size);
  return body;
}

void cmd_live_release(cmd_live_body* body) {
  if (body && --body->refs == 0) free(body);
}

/* The page of the run as it is now, kept for a second, as a crowd of browsers would else keep us busy. NULL: error has
 * why. */
static cmd_live_body* take_page(cmd_live* live, fb_error* error) {
  static const double KEPT = 1; /* [s] */
  double now = cmd_wall_now();
  if (!live->page || now > live->page_made + KEPT) {
    fb_store* run;
    char* text = NULL;
    size_t size = 0;
    fb_error ignored;
    if (fb_store_open(live->folder, &run, error) != FB_OK) return NULL;
    fb_picture_options options = fb_default_picture_options();
    options.page_template = live->page_template;
    fb_status status = fb_store_print_live_page(run, WEBSOCKET_PATH, &options, &text, &size, error);
    fb_store_close(run, &ignored);
    if (status != FB_OK) return NULL;
    cmd_live_release(live->page);
    live->page = new_body(text, size);
    live->page_made = now;
    free(text);
    if (!live->page) fb_fail(error, FB_ERR_MEMORY, "out of memory for the page of the run");
  }
  if (live->page) live->page->refs++;
  return live->page;
}

/* --- who asks --- */

/* The text of a header; 0 when it is too long for anything we know. */
static int copy_header(struct lws* wsi, enum lws_token_indexes header, char* text, int size) {
  text[0] = '\0';
  return cmd_lws.hdr_total_length(wsi, header) == 0 || cmd_lws.hdr_copy(wsi, text, size, header) >= 0;
}

static int is_same(const char* name, const char* host, size_t length) {
  return strlen(name) == length && strncasecmp(name, host, length) == 0;
}

/* An address in numbers; of IPv6 in brackets. */
static int is_number(const char* host, size_t length) {
  char text[64];
  unsigned char bytes[16];
  size_t bracket = host[0] == '[';
  if (length < 2 || length >= sizeof text || (bracket && host[length - 1] != ']')) return 0;
  memcpy(text, host + bracket, length - 2 * bracket);
  text[length - 2 * bracket] = '\0';
  return inet_pton(bracket ? AF_INET6 : AF_INET, text, bytes) == 1;
}

/* The name of this machine, in whatever domain. */
static int is_machine(const char* host, size_t length) {
  char hostname[256] = "";
  if (gethostname(hostname, sizeof hostname - 1) != 0) return 0;
  hostname[strcspn(hostname, ".")] = '\0';
  return hostname[0] && is_same(hostname, host, length < strcspn(host, ".") ? length : strcspn(host, "."));
}

/* Name and port may be written in many ways, the port also be that of a tunnel; the name must be ours. */
static int is_own_name(const cmd_live* live, const char* host) {
  const char* end = host[0] == '[' ? strchr(host, ']') : strchr(host, ':');
  size_t length = end ? (size_t)(end - host) + (host[0] == '[') : strlen(host);
  if (host[length] && (host[length] != ':' || host[length + 1 + strspn(host + length + 1, "0123456789")]))
    return 0;
  if (!live->loopback && (is_number(host, length) || is_machine(host, length))) return 1;
  return is_same("127.0.0.1", host, length) || is_same("localhost", host, length) ||
         is_same("[::1]", host, length) || is_same(live->address, host, length);
}

/* NULL, or why the request is not for us. */
static const char* find_fault(const cmd_live* live, struct lws* wsi) {
  char host[256], origin[272];
  if (!copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !host[0] || !is_own_name(live, host))
    return live->loopback
               ? "This server is known as 127.0.0.1 and localhost only; the request has another Host.\n"
               : "This server is known by its address and its machine's name; the request has another "
                 "Host.\n";
  if (!copy_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
      (origin[0] && (strncmp(origin, "http://", 7) != 0 || strcasecmp(origin + 7, host) != 0)))
    return "A page of another origin may not look at this run.\n";
  return NULL;
}

/* --- answers ---
 *
 * A connection is closed after its answer. There is one page to ask for, and when a second request brought a body,
 * libwebsockets 4.1.6 would turn round and round in it for ever. */

static int add_header(struct lws* wsi, const char* name, const char* value, unsigned char** at,
                      unsigned char* end) {
  return cmd_lws.add_http_header_by_name(wsi, (const unsigned char*)name, (const unsigned char*)value,
                                         (int)strlen(value), at, end);
}

static int send_headers(struct lws* wsi, unsigned code, const char* type, size_t size) {
  unsigned char buffer[LWS_PRE + 1024], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer;
  return cmd_lws.add_http_common_headers(wsi, code, type, size, &at, end) ||
         add_header(wsi, "connection:", "close", &at, end) ||
         (code == 405 && add_header(wsi, "allow:", "GET, HEAD", &at, end)) ||
         add_header(wsi, "cache-control:", "no-store", &at, end) ||
         add_header(wsi, "x-content-type-options:", "nosniff", &at, end) ||
         add_header(wsi, "referrer-policy:", "no-referrer", &at, end) ||
         add_header(wsi, "x-frame-options:", "DENY", &at, end) ||
         cmd_lws.finalize_write_http_header(wsi, start, &at, end);
}

/* Takes the body over. */
static int begin_answer(cmd_live* live, struct lws* wsi, cmd_live_client* client, unsigned code,
                        const char* type, cmd_live_body* body) {
  int head = cmd_lws.hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
  if (!body || send_headers(wsi, code, type, body->size) || head) {
    cmd_live_release(body);
    return -1;
  }
  client->body = body;
  client->sent = 0;
  live->sending++;
  cmd_lws.callback_on_writable(wsi);
  return 0;
}

static int answer_text(cmd_live* live, struct lws* wsi, cmd_live_client* client, unsigned code,
                       const char* text) {
  return begin_answer(live, wsi, client, code, TEXT_TYPE, new_body(text, strlen(text)));
}

int cmd_live_answer(cmd_live* live, struct lws* wsi, cmd_live_client* client, const char* path) {
  fb_error error;
  const char* fault = find_fault(live, wsi);
  cmd_live_drop_answer(live, client);
  if (fault) return answer_text(live, wsi, client, 403, fault);
  if (!cmd_lws.hdr_total_length(wsi, WSI_TOKEN_GET_URI) && !cmd_lws.hdr_total_length(wsi, WSI_TOKEN_HEAD_URI))
    return answer_text(live, wsi, client, 405, "This server answers GET and HEAD only.\n");
  if (strcmp(path, WEBSOCKET_PATH) == 0)
    return answer_text(live, wsi, client, 400, "This is where a WebSocket connects; the page is at /\n");
  if (strcmp(path, "/") != 0)
    return answer_text(live, wsi, client, 404, "There is nothing here; the page is at /\n");
  cmd_live_body* page = take_page(live, &error);
  if (!page) return answer_text(live, wsi, client, 500, error.text);
  return begin_answer(live, wsi, client, 200, PAGE_TYPE, page);
}

int cmd_live_answer_more(cmd_live* live, struct lws* wsi, cmd_live_client* client) {
  enum { CHUNK = 1 << 16, PATIENCE = 10 /* s */ };
  cmd_live_body* body = client ? client->body : NULL;
  if (!body) return 0;
  size_t left = body->size - client->sent, count = left < CHUNK ? left : CHUNK;
  cmd_lws.set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE);
  int written = cmd_lws.write(wsi, body->bytes + LWS_PRE + client->sent, count,
                              count == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
  if (written < 0 || (size_t)written < count) return -1;
  client->sent += count;
  if (count < left) {
    cmd_lws.callback_on_writable(wsi);
    return 0;
  }
  cmd_live_drop_answer(live, client);
  return -1;
}

void cmd_live_drop_answer(cmd_live* live, cmd_live_client* client) {
  if (!client || !client->body) return;
  cmd_live_release(client->body);
  client->body = NULL;
  live->sending--;
}

/* --- WebSockets --- */

/* 0: let in; < 0: closed, after an answer. */
int cmd_live_upgrade(cmd_live* live, struct lws* wsi) {
  char path[16], protocol[16];
  /* By the header, and not by what the library hands over: to a protocol that it does not know it has answered by now, and
   * points to memory that it has freed (libwebsockets 4.1.6). */
  if (!copy_header(wsi, WSI_TOKEN_UPGRADE, protocol, sizeof protocol) ||
      strcasecmp(protocol, "websocket") != 0)
    return -1;
  unsigned code =
      find_fault(live, wsi)                                                                          ? 403
      : !copy_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || strcmp(path, WEBSOCKET_PATH) != 0 ? 404
                                                                                                     : 0;
  if (!code) return 0;
  cmd_lws.return_http_status(wsi, code, NULL);
  return -1;
}
