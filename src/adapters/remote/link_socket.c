/* link_socket.c -- links over sockets: UDP, and Unix sockets of type SOCK_SEQPACKET
 *
 * Both keep messages apart. The UDP socket is connected, so that nobody but the peer is heard, and that a port that
 * nobody listens at is noticed. To wait is to look for a short while, which answers in a few microseconds, and then to
 * sleep in poll, in slices, so that a signal is noticed. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/remote/link.h"
#include "adapters/wall_clock.h"

static int open_socket(fb_link* link, int type, fb_error* error) {
  int fd = socket(link->to.ss_family, type, 0);
  if (fd < 0) {
    fb_fail(error, FB_ERR_IO, "cannot make a socket for %s: %s", link->address, strerror(errno));
    return -1;
  }
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (connect(fd, (const struct sockaddr*)&link->to, link->to_size) == 0) {
    link->fd = fd;
    return 1;
  }
  int why = errno;
  close(fd);
  snprintf(link->why, sizeof link->why, "%s", strerror(why));
  if (why == ENOENT || why == ECONNREFUSED || why == EAGAIN || why == EINTR) return 0;
  fb_fail(error, FB_ERR_IO, "cannot connect to %s: %s", link->address,
          why == EPROTOTYPE ? "the socket there is not of type SOCK_SEQPACKET" : strerror(why));
  return -1;
}

static int open_udp(fb_link* link, fb_error* error) {
  return open_socket(link, SOCK_DGRAM, error);
}

static int open_unix(fb_link* link, fb_error* error) {
  return open_socket(link, SOCK_SEQPACKET, error);
}

static int send_message(fb_link* link, const void* data, size_t size) {
  for (;;) {
    if (send(link->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return 1;
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) return 0;
    return fb_link_lose(link, errno == ECONNREFUSED ? "nobody listens there" : strerror(errno));
  }
}

static int has_hung_up(const fb_link* link) {
  struct pollfd one = {.fd = link->fd};
  return link->transport != &fb_link_udp && poll(&one, 1, 0) > 0 && (one.revents & (POLLHUP | POLLERR));
}

/* What is there now. */
static long peek(fb_link* link, void* buffer, size_t room) {
  long got = recv(link->fd, buffer, room, MSG_DONTWAIT | MSG_TRUNC);
  if (got > 0) return got;
  /* An empty datagram is a message, though none of ours; on a connection it may be the end. */
  if (got == 0) return has_hung_up(link) ? fb_link_lose(link, "it closed the connection") : 0;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return FB_LINK_NOTHING;
  return fb_link_lose(link, errno == ECONNREFUSED ? "nobody listens there" : strerror(errno));
}

static long receive(fb_link* link, void* buffer, size_t room, double deadline) {
  static const double SLICE = 0.1; /* the longest sleep before looking whether to give up [s] */
  double begun = fb_wall_clock(), now = begun;
  int slept = 0;
  for (;;) {
    long got = peek(link, buffer, room);
    if (got >= 0 && now > begun) fb_link_learn(link, slept);
    if (got != FB_LINK_NOTHING) return got;
    now = fb_wall_clock();
    if (now >= deadline) return FB_LINK_NOTHING;
    if (now - begun < link->spin) continue;
    if (link->ended && link->ended(link->user)) return FB_LINK_ENDED;
    slept = 1;
    struct pollfd one = {.fd = link->fd, .events = POLLIN};
    poll(&one, 1, (int)ceil(1e3 * fmin(SLICE, deadline - now)));
  }
}

static void close_socket(fb_link* link) {
  close(link->fd);
  link->fd = -1;
}

const fb_link_transport fb_link_udp = {open_udp, send_message, receive, close_socket, NULL};
const fb_link_transport fb_link_unix = {open_unix, send_message, receive, close_socket, NULL};
