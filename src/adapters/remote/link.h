/* link.h -- the way to a peer: UDP, a Unix socket or shared memory. A link carries whole messages. Nothing here blocks
 * longer than its deadline, a time of fb_wall_clock. */
#ifndef FB_ADAPTERS_REMOTE_LINK_H
#define FB_ADAPTERS_REMOTE_LINK_H

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>

#include <freebody/status.h>

enum {
  FB_LINK_LOST = -1,  /* the peer is not there (any more); link->why says how that is known */
  FB_LINK_ENDED = -2, /* who waits shall give up */
  FB_LINK_NOTHING = -3
};

typedef struct fb_link fb_link;

typedef struct fb_link_transport {
  int (*open)(fb_link* link, fb_error* error);
  int (*send)(fb_link* link, const void* data, size_t size);
  long (*receive)(fb_link* link, void* buffer, size_t room, double deadline);
  void (*close)(fb_link* link);
  int (*has_peer)(fb_link* link); /* NULL: who is connected has one */
} fb_link_transport;

struct fb_link {
  const fb_link_transport* transport;
  char address[128]; /* as it was given */
  int is_open;
  struct sockaddr_storage to; /* of sockets */
  socklen_t to_size;
  int fd;
  char name[128]; /* of shared memory: "/arm" */
  void* map;
  size_t map_size, most; /* most: bytes of the largest message */
  double spin;           /* for how long to look before sleeping; 0 to most_spin [s] */
  double most_spin;
  int waits; /* how often it has waited */
  int (*ended)(void* user);
  void* user;
  char why[160];
};

/* Fills in what the address says; fails for one that is none. Nothing is opened. */
fb_status fb_link_init(fb_link* link, const char* address, fb_error* error);
/* One attempt: 1 when messages can be sent, 0 when the peer is not there, with link->why; -1 for what will not get better,
 * with error. */
int fb_link_open(fb_link* link, fb_error* error);
/* 1: on its way; 0: there is no room for it now; FB_LINK_LOST. */
int fb_link_send(fb_link* link, const void* data, size_t size);
/* The size of the next message, which may be 0, and more than fits into buffer; FB_LINK_NOTHING when there was none until the
 * deadline; FB_LINK_LOST; FB_LINK_ENDED. */
long fb_link_receive(fb_link* link, void* buffer, size_t room, double deadline);
/* 0: what is sent now would not be answered soon, because nobody is there who could. */
int fb_link_has_peer(fb_link* link);
void fb_link_close(fb_link* link);
/* For the ways: says why the peer is lost; FB_LINK_LOST. */
static inline int fb_link_lose(fb_link* link, const char* why) {
  snprintf(link->why, sizeof link->why, "%s", why);
  return FB_LINK_LOST;
}
/* For the ways: a message came, after sleeping or while looking. */
void fb_link_learn(fb_link* link, int slept);

extern const fb_link_transport fb_link_udp, fb_link_unix, fb_link_shm;

#endif
