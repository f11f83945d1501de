/* server_listen.c -- the socket that the live server listens on, and which clients it accepts.
 *
 * The socket is ours and not the library's, so that what is wrong with an address or a port can be said in words, and
 * so that a crowd is turned away before it costs anything. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "live/server.h"

typedef union any_address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} any_address;

static socklen_t fill_address(const char* address, int port, any_address* a) {
  memset(a, 0, sizeof *a);
  if (inet_pton(AF_INET, address, &a->v4.sin_addr) == 1) {
    a->v4.sin_family = AF_INET;
    a->v4.sin_port = htons((uint16_t)port);
    return sizeof a->v4;
  }
  inet_pton(AF_INET6, address, &a->v6.sin6_addr);
  a->v6.sin6_family = AF_INET6;
  a->v6.sin6_port = htons((uint16_t)port);
  return sizeof a->v6;
}

static int is_loopback(const any_address* a) {
  static const unsigned char loopback6[16] = {[15] = 1};
  if (a->any.sa_family == AF_INET) return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
  return memcmp(&a->v6.sin6_addr, loopback6, 16) == 0;
}

/* All addresses of this machine; a browser here then uses loopback. */
static int is_every_address(const char* address) {
  return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

/* Nobody who is started by us gets it, and it never makes us wait. */
static void make_ours(int fd) {
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* A socket that listens there, or -1 and errno. */
static int listen_at(const any_address* a, socklen_t size) {
  const int on = 1;
  int fd = socket(a->any.sa_family, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  make_ours(fd);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, &a->any, size) == 0 && listen(fd, 128) == 0) return fd;
  int why = errno;
  close(fd);
  errno = why;
  return -1;
}

static int say_why_not(const cmd_live_place* place, int why) {
  static const char other[] = "choose another with --live=PORT, or --live=0 for any that is free";
  const char *address = place->address, *open = strchr(address, ':') ? "[" : "", *shut = *open ? "]" : "";
  int port = place->port;
  if (why == EADDRINUSE && place->ports > 1)
    fprintf(stderr, "freebody run: the ports %d to %d of %s are all taken by other programs; %s\n", port,
            port + place->ports - 1, address, other);
  else if (why == EADDRINUSE)
    fprintf(stderr, "freebody run: port %d of %s is taken by another program; %s\n", port, address, other);
  else if (why == EACCES)
    fprintf(stderr, "freebody run: no permission to listen on port %d of %s; %s\n", port, address, other);
  else if (why == EADDRNOTAVAIL)
    fprintf(stderr,
            "freebody run: this machine has no address %s to listen on; 127.0.0.1 is for this machine alone, "
            "0.0.0.0 means all its addresses\n",
            address);
  else
    fprintf(stderr, "freebody run: cannot listen on %s%s%s:%d: %s\n", open, address, shut, port,
            strerror(why));
  return FB_EXIT_FAILED;
}

/* The page's address, with the port that it came to. */
static void note_url(cmd_live* live) {
  any_address a;
  socklen_t size = sizeof a;
  memset(&a, 0, sizeof a);
  getsockname(live->socket, &a.any, &size);
  int v6 = a.any.sa_family == AF_INET6, port = ntohs(v6 ? a.v6.sin6_port : a.v4.sin_port);
  const char* address = !is_every_address(live->address) ? live->address : v6 ? "::1" : "127.0.0.1";
  snprintf(live->url, sizeof live->url, v6 ? "http://[%s]:%d/" : "http://%s:%d/", address, port);
  live->loopback = is_loopback(&a);
}

int cmd_live_listen(cmd_live* live, const cmd_live_place* place) {
  int why = 0;
  snprintf(live->address, sizeof live->address, "%s", place->address);
  for (int i = 0; i < place->ports && live->socket < 0 && (i == 0 || why == EADDRINUSE); i++) {
    any_address a;
    socklen_t size = fill_address(place->address, place->port + i, &a);
    live->socket = listen_at(&a, size);
    why = errno;
  }
  if (live->socket < 0) return say_why_not(place, why);
  note_url(live);
  return FB_EXIT_OK;
}

/* --- who comes --- */

/* What was said already is read first: a socket closed over unread words takes the answer with it. */
static void turn_away(int fd) {
  static const char text[] =
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\nContent-Type: "
      "text/plain\r\n"
      "Content-Length: 47\r\n\r\ntoo many are watching this run; try again later";
  char received[1024];
  (void)!recv(fd, received, sizeof received, MSG_DONTWAIT);
  (void)!send(fd, text, sizeof text - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  shutdown(fd, SHUT_WR);
  close(fd);
}

void cmd_live_accept(cmd_live* live, struct lws_vhost* vhost) {
  enum { AT_ONCE = 16 }; /* the others are served in between */
  const int on = 1;
  for (int i = 0; i < AT_ONCE; i++) {
    int fd = accept(live->socket, NULL, NULL);
    if (fd < 0) {
      /* Without descriptors the one who waits stays there; do not spin on it. */
      const struct timespec nap = {0, 20000000};
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) nanosleep(&nap, NULL);
      return;
    }
    make_ours(fd);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (live->connections >= FB_LIVE_CONNECTIONS)
      turn_away(fd);
    else
      cmd_lws.adopt_socket_vhost(vhost, fd); /* closes it when it cannot */
  }
}
