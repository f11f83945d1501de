/* live.c -- where `freebody run --live` listens; and, where Freebody was built without libwebsockets, that it cannot. */
#include "live/live.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

/* 0 .. 65535, in digits alone. */
static int read_port(const char* text, int* port) {
  size_t length = strlen(text);
  if (length < 1 || length > 5 || strspn(text, "0123456789") != length) return 0;
  *port = atoi(text);
  return *port <= 65535;
}

/* "ADDRESS" or "ADDRESS:PORT"; an IPv6 address stands in brackets, for it has colons of its own. */
static int read_address(const char* text, cmd_live_place* place) {
  int bracket = text[0] == '[';
  const char* end = strchr(text, bracket ? ']' : ':');
  if (bracket && !end) return 0;
  const char* begin = text + bracket;
  size_t length = end ? (size_t)(end - begin) : strlen(begin);
  if (length >= sizeof place->address) return 0;
  memcpy(place->address, begin, length);
  place->address[length] = '\0';
  if (strcmp(place->address, "localhost") == 0) strcpy(place->address, "127.0.0.1");
  unsigned char bytes[16];
  int known =
      inet_pton(AF_INET, place->address, bytes) == 1 || inet_pton(AF_INET6, place->address, bytes) == 1;
  if (!known || (strchr(place->address, ':') != NULL) != bracket) return 0;
  const char* rest = end ? end + bracket : "";
  if (!*rest) return 1;
  place->ports = 1;
  return *rest == ':' && read_port(rest + 1, &place->port);
}

int cmd_live_read_place(const cmd_app* app, const char* text, cmd_live_place* place) {
  *place = (cmd_live_place){"127.0.0.1", FB_LIVE_PORT, FB_LIVE_PORTS};
  if (!text || read_address(text, place)) return 1;
  *place = (cmd_live_place){"127.0.0.1", FB_LIVE_PORT, 1};
  if (read_port(text, &place->port)) return 1;
  return cmd_refuse(app,
                    "--live takes nothing, a port, or an address of this machine with or without a port, as "
                    "9000, 0.0.0.0:9000 or [::1]:9000; not '%s'",
                    text);
}

#ifndef FB_LIVE

int cmd_live_open(const cmd_app* app, const cmd_live_place* place, cmd_live** live) {
  (void)app;
  (void)place;
  *live = NULL;
  fputs(
      "freebody run: this freebody was built without libwebsockets, which --live needs: install it (Debian: "
      "libwebsockets-dev) and build Freebody again, or leave out --live and look at the run when it has "
      "ended\n",
      stderr);
  return FB_EXIT_FAILED;
}

/* No cmd_live can be made, so all that is left is a run that nobody watches. */
int cmd_live_start(cmd_live* live, const char* folder) {
  (void)live;
  (void)folder;
  return FB_EXIT_OK;
}

void cmd_live_finish(cmd_live* live, int hasty) {
  (void)live;
  (void)hasty;
}

void cmd_live_close(cmd_live* live) {
  (void)live;
}

int cmd_live_paused(const cmd_live* live) {
  (void)live;
  return 0;
}

void cmd_live_committed(cmd_live* live) {
  (void)live;
}

#endif
