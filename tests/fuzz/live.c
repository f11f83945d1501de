/* live.c -- harness: what comes over the wire to the live server. The server is the command's own; its loop turns here,
 * without its thread, and its clients come by pairs of sockets.
 *
 * An input is a letter and what follows it:
 *
 *   H  bytes, sent as they are; a blank line in them that is followed by nothing is completed
 *   R  bytes, sent as they are after a handshake that is in order
 *   F  lines, each a WebSocket frame after such a handshake: its first letter says which, the rest is its payload
 *      (t text, T text to be continued, c its continuation, C its end, b binary, p ping, o pong, x close) */
#include "../../app/live/server.c"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#include "fuzz.h"
#include "document/document.h"

static const char HANDSHAKE[] =
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

static cmd_live server;

/* --- the server --- */

static void begin(void) {
  static char folder[256];
  int ends[2];
  snprintf(folder, sizeof folder, "%s", fuzz_path("fuzz.run"));
  fuzz_make_run(folder);
  static char template_file[] = FB_TEST_DATA "/view/fake_page.html";
  server.folder = folder;
  server.page_template = template_file;
  server.loopback = 1;
  strcpy(server.address, "127.0.0.1");
  strcpy(server.status, "running");
  /* Nobody knocks where it listens. */
  fuzz_check(pipe(ends) == 0, "no pipe");
  server.socket = ends[0];
  fb_error error;
  fuzz_check(cmd_websockets_load(&error) == FB_OK, "no libwebsockets: %s", error.text);
  cmd_lws.set_log_level(0, NULL);
  fuzz_check(make_context(&server), "no server");
}

static void turn(int rounds) {
  for (int i = 0; i < rounds; i++) cmd_lws.service(server.context, -1);
}

/* Sends, and takes what comes back, in turns. */
static void say(int fd, const void* bytes, size_t size) {
  char received[4096];
  const char* at = (const char*)bytes;
  for (int patience = 100; size > 0 && patience > 0; patience--) {
    ssize_t n = send(fd, at, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) {
      at += n;
      size -= (size_t)n;
    }
    turn(1);
    while (recv(fd, received, sizeof received, MSG_DONTWAIT) > 0) continue;
  }
  turn(2);
  while (recv(fd, received, sizeof received, MSG_DONTWAIT) > 0) turn(1);
}

/* --- frames --- */

static int opcode(char letter) {
  static const char letters[] = "tTcCbpox";
  static const int codes[] = {0x81, 0x01, 0x00, 0x80, 0x82, 0x89, 0x8a, 0x88};
  const char* found = letter ? strchr(letters, letter) : NULL;
  return found ? codes[found - letters] : 0x81;
}

/* JSON has line ends where YAML has none: between a key and its colon. */
static char* on_one_line(const char* text, size_t size) {
  char* copy = fuzz_text((const uint8_t*)text, size);
  for (size_t i = 0; i < size; i++)
    if (copy[i] == '\r' || copy[i] == '\t') copy[i] = ' ';
  return copy;
}

/* What the server understands, a reader of YAML understands in the same way. */
static void check_message(const char* text, size_t size) {
  long long value = -1;
  int number = 0, truth = 0;
  fb_doc* doc = NULL;
  fb_error error;
  cmd_live_said said = cmd_live_read_message(text, size, &value);
  if (said == FB_LIVE_SAID_NONSENSE) return;
  fuzz_accept();
  char* line = on_one_line(text, size);
  fuzz_check(fb_doc_parse(line, size, "message", &doc, &error) == FB_OK, "no JSON: %s", line);
  free(line);
  const fb_node* from = fb_map_get(fb_doc_root(doc), "from");
  const fb_node* pause = fb_map_get(fb_doc_root(doc), "pause");
  fuzz_check((said == FB_LIVE_SAID_FROM) == (from != NULL), "another key");
  if (pause) fuzz_check(fb_node_bool(pause, &truth, &error) == FB_OK && truth == value, "another truth");
  if (from && value < 1000000)
    fuzz_check(fb_node_int(from, &number, &error) == FB_OK && number == value, "another number");
  fb_doc_free(doc);
}

static void say_frame(int fd, const uint8_t* line, size_t size) {
  uint8_t* frame = (uint8_t*)calloc(size + 14, 1); /* the mask is zero, so the payload is as it is */
  if (!frame) fuzz_fail("out of memory");
  size_t payload = size > 0 ? size - 1 : 0, head = 2;
  frame[0] = (uint8_t)opcode(size > 0 ? (char)line[0] : 't');
  frame[1] = (uint8_t)(0x80 | (payload < 126 ? payload : 126));
  if (payload >= 126) {
    frame[2] = (uint8_t)(payload >> 8);
    frame[3] = (uint8_t)payload;
    head = 4;
  }
  if (payload > 0) {
    memcpy(frame + head + 4, line + 1, payload);
    check_message((const char*)line + 1, payload);
  }
  say(fd, frame, head + 4 + payload);
  free(frame);
}

static void say_frames(int fd, const uint8_t* data, size_t size) {
  while (size > 0) {
    const uint8_t* end = (const uint8_t*)memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : size;
    say_frame(fd, data, length);
    size -= length + (end != NULL);
    data += length + (end != NULL);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int ends[2];
  if (!server.context) begin();
  if (size < 1) return 0;
  fuzz_check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no sockets");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  int before = server.connections;
  if (cmd_lws.adopt_socket_vhost(cmd_lws.get_vhost_by_name(server.context, "default"), ends[0])) {
    if (data[0] != 'H') say(ends[1], HANDSHAKE, sizeof HANDSHAKE - 1);
    if (data[0] == 'F')
      say_frames(ends[1], data + 1, size - 1);
    else
      say(ends[1], data + 1, size - 1);
    if (data[0] == 'H') say(ends[1], "\r\n\r\n", 4);
  }
  close(ends[1]);
  for (int i = 0; i < 100 && server.connections > before; i++) turn(1);
  fuzz_check(server.connections == before, "%d connections are left over", server.connections - before);
  fuzz_check(!server.clients && server.sending == 0, "a client or an answer is left over");
  return 0;
}
