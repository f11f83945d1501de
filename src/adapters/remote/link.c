/* link.c -- addresses, and which way they mean
 *
 *   udp://HOST:PORT   HOST is a number (127.0.0.1, [::1]) or localhost: names that a server would have to look up are
 *                     not taken, since that may block
 *   unix:PATH         a socket of type SOCK_SEQPACKET
 *   shm:/NAME         a shared memory object */
#include "adapters/remote/link.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include <freebody/remote.h>

static fb_status refuse(const char* address, const char* why, fb_error* error) {
  return fb_fail(error, FB_ERR_CONTENT,
                 "the address '%.100s' %s; addresses are udp://127.0.0.1:9000, unix:/tmp/arm or shm:/arm",
                 address, why);
}

static int read_port(const char* text, int* port) {
  char* end;
  long x = strtol(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || x < 1 || x > 65535) return 0;
  *port = (int)x;
  return 1;
}

static fb_status read_udp(fb_link* link, const char* place, const char* address, fb_error* error) {
  char host[64];
  const char* colon = strrchr(place, ':');
  size_t n = colon ? (size_t)(colon - place) : 0;
  int port;
  if (!colon || n == 0 || n >= sizeof host || !read_port(colon + 1, &port))
    return refuse(address, "has no host and port from 1 to 65535", error);
  memcpy(host, place, n);
  host[n] = '\0';
  if (strcmp(host, "localhost") == 0) snprintf(host, sizeof host, "127.0.0.1");
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
    memcpy(&link->to, &v4, sizeof v4);
    link->to_size = sizeof v4;
    return FB_OK;
  }
  if (host[0] == '[' && host[n - 1] == ']') {
    host[n - 1] = '\0';
    if (inet_pton(AF_INET6, host + 1, &v6.sin6_addr) == 1) {
      memcpy(&link->to, &v6, sizeof v6);
      link->to_size = sizeof v6;
      return FB_OK;
    }
  }
  return refuse(address, "has a host that is neither a number nor localhost", error);
}

static fb_status read_unix(fb_link* link, const char* path, const char* address, fb_error* error) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  if (!path[0]) return refuse(address, "has no path", error);
  if (strlen(path) >= sizeof to.sun_path)
    return refuse(address, "has a path of more than 107 bytes, which a Unix socket cannot have", error);
  memcpy(to.sun_path, path, strlen(path) + 1);
  memcpy(&link->to, &to, sizeof to);
  link->to_size = sizeof to;
  return FB_OK;
}

static fb_status read_shm(fb_link* link, const char* name, const char* address, fb_error* error) {
  if (name[0] != '/' || !name[1] || strchr(name + 1, '/') || strcmp(name, "/.") == 0 ||
      strcmp(name, "/..") == 0)
    return refuse(address, "has no name that begins with its only slash", error);
  snprintf(link->name, sizeof link->name, "%s", name);
  return FB_OK;
}

fb_status fb_link_init(fb_link* link, const char* address, fb_error* error) {
  static const double SPIN = 200e-6;
  memset(link, 0, sizeof *link);
  link->fd = -1;
  link->spin = link->most_spin = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN : 0;
  if (!address || !address[0]) return refuse("", "is empty", error);
  if (strlen(address) >= sizeof link->address) return refuse(address, "is too long", error);
  snprintf(link->address, sizeof link->address, "%s", address);
  if (strncmp(address, "udp://", 6) == 0) {
    link->transport = &fb_link_udp;
    return read_udp(link, address + 6, address, error);
  }
  if (strncmp(address, "unix:", 5) == 0) {
    link->transport = &fb_link_unix;
    return read_unix(link, address + 5, address, error);
  }
  if (strncmp(address, "shm:", 4) == 0) {
    link->transport = &fb_link_shm;
    return read_shm(link, address + 4, address, error);
  }
  return refuse(address, "is of no known kind", error);
}

fb_status fb_remote_check_address(const char* address, fb_error* error) {
  fb_link link;
  return fb_link_init(&link, address, error);
}

int fb_link_open(fb_link* link, fb_error* error) {
  if (link->is_open) return 1;
  int made = link->transport->open(link, error);
  link->is_open = made == 1;
  return made;
}

int fb_link_send(fb_link* link, const void* data, size_t size) {
  return link->is_open ? link->transport->send(link, data, size) : FB_LINK_LOST;
}

long fb_link_receive(fb_link* link, void* buffer, size_t room, double deadline) {
  return link->is_open ? link->transport->receive(link, buffer, room, deadline) : FB_LINK_LOST;
}

int fb_link_has_peer(fb_link* link) {
  return !link->transport->has_peer || (link->is_open && link->transport->has_peer(link));
}

void fb_link_close(fb_link* link) {
  if (link->is_open) link->transport->close(link);
  link->is_open = 0;
}

/* Looking pays where the peer answers meanwhile. Where it never does, because it is slow, or waits for our core, looking
 * only delays it: then it is tried again now and then. */
void fb_link_learn(fb_link* link, int slept) {
  enum { TRY = 512 };
  static const double LEAST = 5e-6;
  link->spin = slept ? link->spin / 2 : 2 * link->spin + LEAST;
  if (link->spin < LEAST) link->spin = 0;
  if (link->spin > link->most_spin || ++link->waits % TRY == 0) link->spin = link->most_spin;
}
