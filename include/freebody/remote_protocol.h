/* remote_protocol.h -- the messages between Freebody and a controller in another process (docs/remote.md).
 *
 * This header needs nothing but the C standard library, so that a peer can be built from a copy of it. All numbers are
 * little endian, doubles are IEEE 754, and every field is aligned to its size: on little-endian machines the structs below
 * are the messages. A message is one datagram (UDP), one packet (Unix socket of type SOCK_SEQPACKET) or the content of a
 * box (shared memory).
 *
 *   Freebody                                   peer
 *   HELLO   number of the next step, names  ->
 *                                           <- WELCOME, or REFUSE with a text
 *   STEP n  t, signals                      ->
 *                                           <- REPLY n, inputs
 *   ...
 *   END     why, as a text                  ->                       */
#ifndef FREEBODY_REMOTE_PROTOCOL_H
#define FREEBODY_REMOTE_PROTOCOL_H

#include <stdint.h>

enum {
  FB_REMOTE_MAGIC = 0x4d524246, /* the letters FBRM */
  FB_REMOTE_VERSION = 1,
  FB_REMOTE_MOST_BYTES = 65504 /* of a message, over every transport */
};

enum {
  FB_REMOTE_HELLO = 1,   /* to the peer: fb_remote_hello, then a text */
  FB_REMOTE_WELCOME = 2, /* from the peer: fb_remote_welcome */
  FB_REMOTE_STEP = 3,    /* to the peer: fb_remote_header, then a double for each signal */
  FB_REMOTE_REPLY = 4,   /* from the peer: fb_remote_header, then a double for each input */
  FB_REMOTE_END = 5,     /* from either: fb_remote_header, then a text that says why */
  FB_REMOTE_REFUSE = 6   /* from the peer, instead of WELCOME: likewise */
};

/* Every message begins with it. An answer may be a copy of the message that it answers, with another type and size. */
typedef struct fb_remote_header {
  uint32_t magic;
  uint16_t version;
  uint16_t type;
  uint32_t size;    /* of the whole message [bytes] */
  uint32_t session; /* chosen by Freebody in HELLO; the peer repeats it */
  uint64_t number;  /* of the step, from 0 on; an answer repeats it */
  double t;         /* simulated time [s] */
} fb_remote_header;

/* After it comes a text in UTF-8: a line "name TAB unit TAB axes LF" for each signal, then for each input. */
typedef struct fb_remote_hello {
  fb_remote_header header;  /* number and t are those of the next step: not 0 where a run is resumed */
  uint32_t nsignal, ninput; /* doubles in STEP and in REPLY */
  uint32_t realtime;        /* 1: Freebody does not wait for replies; 0: lock-step */
  uint32_t text_size;       /* [bytes] */
  double period, timeout;   /* [s] */
} fb_remote_hello;

/* Must repeat nsignal and ninput: that the two sides agree. */
typedef struct fb_remote_welcome {
  fb_remote_header header;
  uint32_t nsignal, ninput;
} fb_remote_welcome;

/* ---- shared memory ---- */

enum {
  FB_REMOTE_SHM_MAGIC = 0x4d534246, /* FBSM */
  FB_REMOTE_SHM_READY = 1,          /* of state */
  FB_REMOTE_SHM_ENDED = 2,
  FB_REMOTE_SHM_BOXES = 64 /* where the first box is [bytes] */
};

/* The object begins with it; Freebody makes the object and removes it at the end. */
typedef struct fb_remote_shm {
  uint32_t magic, version;
  uint64_t size;                /* of the object [bytes] */
  uint32_t owner_pid, peer_pid; /* the peer writes its own, so that its death is noticed */
  uint32_t room;                /* for a message in each box, a multiple of 64 [bytes] */
  uint32_t state;               /* written last: FB_REMOTE_SHM_READY */
} fb_remote_shm;

/* Box 0 is to the peer, box 1 from it: at FB_REMOTE_SHM_BOXES + index * (64 + room), the message 64 bytes after that. Who
 * writes fills the box when posted equals taken, then adds 1 to posted (release); who reads copies the message when they
 * differ (acquire), then sets taken to posted. Who sleeps on posted (futex) sets waits to 1 before; who posts wakes it. */
typedef struct fb_remote_box {
  uint32_t posted, taken, waits;
  uint32_t size; /* of the message [bytes] */
} fb_remote_box;

#endif
