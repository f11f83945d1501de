/* remote_rig.h -- peers of remote controllers in processes of their own, sound and odd, over each transport on this machine.
 * Include after cmocka.h and _GNU_SOURCE. */
#ifndef FB_TESTS_REMOTE_RIG_H
#define FB_TESTS_REMOTE_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <freebody/remote_protocol.h>

typedef enum peer_way { UDP, UNIX, SHM, WAYS } peer_way;

/* What a peer does wrong, from step ODD_FROM on unless it is in the greeting. */
typedef enum peer_oddity {
  SOUND,
  SENDS_NAN,
  SENDS_INFINITY,
  SHORT_REPLY,
  LONG_REPLY,
  HUGE_REPLY,
  FALSE_SIZE,
  OLD_VERSION,
  WRONG_MAGIC,
  WRONG_TYPE,
  FUTURE_STEP,
  EMPTY_MESSAGE,
  GARBAGE,
  STALLS,
  STALLS_ONCE,
  FLOODS,
  FLOODS_OLD,
  TWICE,
  DIES,
  ENDS,
  ENDS_LONG, /* through shared memory: more than fits into its box */
  CUTS_ALL,  /* shortens the shared memory */
  CUTS_HALF,
  CUTS_END,
  REPLACES, /* puts another object in its place */
  OLD_WELCOME,
  OTHER_COUNTS,
  SHORT_WELCOME,
  REFUSES,
  SILENT,
  RANDOM
} peer_oddity;

enum { ODD_FROM = 5, LOOK_MS = 20 };

typedef struct peer {
  pid_t pid;
  char address[200];
} peer;

/* --- inside the child --- */

typedef struct peer_link {
  peer_way transport;
  int fd;
  struct sockaddr_in from;
  char name[100];
  fb_remote_shm* shm;
} peer_link;

static char peer_in[FB_REMOTE_MOST_BYTES], peer_out[FB_REMOTE_MOST_BYTES];

#define PEER_LOAD(x) atomic_load((_Atomic uint32_t*)&(x))
#define PEER_STORE(x, value) atomic_store((_Atomic uint32_t*)&(x), value)

static inline fb_remote_box* peer_box(const peer_link* l, int index) {
  char* base = (char*)l->shm;
  return (fb_remote_box*)(void*)(base + FB_REMOTE_SHM_BOXES + (size_t)index * (64 + l->shm->room));
}

static inline void peer_open_shm(peer_link* l) {
  int fd;
  while ((fd = shm_open(l->name, O_RDWR, 0)) < 0 || lseek(fd, 0, SEEK_END) == 0) {
    if (fd >= 0) close(fd);
    usleep(500);
  }
  l->shm = mmap(NULL, (size_t)lseek(fd, 0, SEEK_END), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (l->shm == MAP_FAILED) _exit(3);
  while (PEER_LOAD(l->shm->state) == 0) sched_yield();
  l->shm->peer_pid = (uint32_t)getpid();
}

static inline long peer_receive(peer_link* l) {
  if (l->transport == UDP) {
    socklen_t n = sizeof l->from;
    return recvfrom(l->fd, peer_in, sizeof peer_in, 0, (struct sockaddr*)&l->from, &n);
  }
  if (l->transport == UNIX) return recv(l->fd, peer_in, sizeof peer_in, 0);
  fb_remote_box* box = peer_box(l, 0);
  while (PEER_LOAD(box->posted) == PEER_LOAD(box->taken)) {
    if (PEER_LOAD(l->shm->state) != FB_REMOTE_SHM_READY) return 0;
    usleep(20);
  }
  uint32_t size = box->size;
  memcpy(peer_in, (char*)box + 64, size);
  PEER_STORE(box->taken, box->posted);
  return (long)size;
}

static inline void peer_send(peer_link* l, size_t size) {
  if (l->transport == UDP) sendto(l->fd, peer_out, size, 0, (struct sockaddr*)&l->from, sizeof l->from);
  if (l->transport == UNIX) send(l->fd, peer_out, size, MSG_NOSIGNAL);
  if (l->transport != SHM) return;
  fb_remote_box* box = peer_box(l, 1);
  while (PEER_LOAD(box->posted) != PEER_LOAD(box->taken) && PEER_LOAD(l->shm->state) == FB_REMOTE_SHM_READY)
    sched_yield();
  size_t fits = size < l->shm->room ? size : l->shm->room;
  memcpy((char*)box + 64, peer_out, fits);
  box->size = (uint32_t)size;
  PEER_STORE(box->posted, box->posted + 1);
  if (PEER_LOAD(box->waits)) syscall(SYS_futex, &box->posted, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Turns the STEP into its REPLY: u = 100 (0.5 - q) - 20 v. Returns its size. */
static inline size_t peer_reply(uint32_t nsignal, uint32_t ninput) {
  const double* x = (const double*)(void*)(peer_in + sizeof(fb_remote_header));
  double* u = (double*)(void*)(peer_out + sizeof(fb_remote_header));
  fb_remote_header* head = (fb_remote_header*)(void*)peer_out;
  memcpy(peer_out, peer_in, sizeof *head);
  for (uint32_t i = 0; i < ninput; i++)
    u[i] = 100 * (0.5 - x[i]) - 20 * (ninput + i < nsignal ? x[ninput + i] : 0);
  head->type = FB_REMOTE_REPLY;
  head->size = (uint32_t)(sizeof *head + 8 * ninput);
  return head->size;
}

static inline void peer_welcome(peer_link* l, peer_oddity odd) {
  fb_remote_hello* hello = (fb_remote_hello*)(void*)peer_in;
  fb_remote_welcome* out = (fb_remote_welcome*)(void*)peer_out;
  memcpy(out, hello, sizeof *out);
  out->header.type = odd == REFUSES ? FB_REMOTE_REFUSE : FB_REMOTE_WELCOME;
  out->header.size = sizeof *out;
  if (odd == OLD_WELCOME) out->header.version = 0;
  if (odd == OTHER_COUNTS) out->nsignal += 3;
  if (odd == SHORT_WELCOME) out->header.size -= 4;
  if (odd == REFUSES) memcpy(&out->nsignal, "no fuel\0", 8);
  if (odd != SILENT) peer_send(l, out->header.size);
}

/* Bits of the header are turned, and sometimes the length is another. */
static inline void peer_scramble(size_t* size) {
  static uint32_t seed = 1;
  for (int i = 0; i < 3; i++) {
    seed = seed * 1664525u + 1013904223u;
    peer_out[(seed >> 8) % sizeof(fb_remote_header)] ^= (char)(1u << (seed >> 29));
  }
  if (seed >> 30 == 0) *size = 1 + (seed >> 8) % (2 * *size);
}

/* Shortens the object to so many bytes, and lives on. */
static inline size_t peer_cut(const peer_link* l, size_t bytes) {
  int fd = shm_open(l->name, O_RDWR, 0);
  if (fd < 0 || ftruncate(fd, (off_t)bytes)) _exit(4);
  for (;;) pause();
}

static inline size_t peer_replace(const peer_link* l) {
  shm_unlink(l->name);
  if (shm_open(l->name, O_RDWR | O_CREAT | O_EXCL, 0600) < 0) _exit(4);
  for (;;) pause();
}

/* 0: nothing is to be sent. */
static inline size_t peer_spoil(peer_link* l, peer_oddity odd, size_t size, uint32_t ninput) {
  fb_remote_header* head = (fb_remote_header*)(void*)peer_out;
  double* u = (double*)(void*)(peer_out + sizeof *head);
  switch (odd) {
    case SENDS_NAN:
      return u[ninput - 1] = strtod("nan", NULL), size;
    case SENDS_INFINITY:
      return u[0] = -strtod("inf", NULL), size;
    case SHORT_REPLY:
      return head->size = (uint32_t)size - 8;
    case LONG_REPLY:
      return head->size = (uint32_t)size + 8;
    case HUGE_REPLY:
      return head->size = 60000;
    case FALSE_SIZE:
      return head->size = 7, size;
    case OLD_VERSION:
      return head->version = 0, size;
    case WRONG_MAGIC:
      return head->magic = 1, size;
    case WRONG_TYPE:
      return head->type = FB_REMOTE_STEP, size;
    case FUTURE_STEP:
      return head->number += 7, size;
    case EMPTY_MESSAGE:
      return peer_send(l, 0), (size_t)0;
    case GARBAGE:
      return memset(peer_out, 0x5a, size), size;
    case RANDOM:
      return peer_scramble(&size), size;
    case STALLS:
      return 0;
    case STALLS_ONCE:
      return head->number == ODD_FROM ? 0 : size;
    case FLOODS: /* one reply among many to the step before it */
    case FLOODS_OLD:
      head->number--;
      for (int i = 0; i < (odd == FLOODS ? 50 : 30000) && PEER_LOAD(head->magic) == FB_REMOTE_MAGIC; i++) {
        if (l->transport == SHM && l->shm->state != FB_REMOTE_SHM_READY) _exit(0);
        peer_send(l, size);
      }
      head->number++;
      return size;
    case TWICE:
      return peer_send(l, size), size;
    case DIES:
      _exit(0);
    case ENDS:
      head->type = FB_REMOTE_END;
      memcpy(u, "lunch", 5);
      return head->size = sizeof *head + 5;
    case ENDS_LONG:
      head->type = FB_REMOTE_END;
      memset(u, 'x', l->shm->room);
      return head->size = l->shm->room + 1;
    case CUTS_ALL:
      return peer_cut(l, 0);
    case CUTS_HALF:
      return peer_cut(l, FB_REMOTE_SHM_BOXES + 64 + l->shm->room);
    case CUTS_END:
      return peer_cut(l, FB_REMOTE_SHM_BOXES + 2 * (64 + l->shm->room) - 1);
    case REPLACES:
      return peer_replace(l);
    default:
      return size;
  }
}

static inline void peer_serve(peer_link* l, peer_oddity odd) {
  uint32_t nsignal = 0, ninput = 0;
  for (long got; (got = peer_receive(l)) > 0;) {
    fb_remote_header* head = (fb_remote_header*)(void*)peer_in;
    if (head->type == FB_REMOTE_END) break;
    if (head->type == FB_REMOTE_HELLO) {
      nsignal = ((fb_remote_hello*)(void*)peer_in)->nsignal;
      ninput = ((fb_remote_hello*)(void*)peer_in)->ninput;
      peer_welcome(l, odd);
      continue;
    }
    size_t size = peer_reply(nsignal, ninput);
    if (head->number >= ODD_FROM) size = peer_spoil(l, odd, size, ninput);
    if (size > 0) peer_send(l, size);
  }
  _exit(0);
}

/* --- in the test --- */

/* A socket that the child inherits: so the address is taken before anybody asks for it. */
static inline int peer_bind(peer_way transport, const char* name, int port, peer* p) {
  int fd = -1;
  if (transport == UDP) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t n = sizeof here;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr*)&here, sizeof here), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr*)&here, &n), 0);
    snprintf(p->address, sizeof p->address, "udp://127.0.0.1:%d", ntohs(here.sin_port));
  } else if (transport == UNIX) {
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    snprintf(here.sun_path, sizeof here.sun_path, "%s", name);
    unlink(name);
    fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    assert_int_equal(bind(fd, (struct sockaddr*)&here, sizeof here), 0);
    assert_int_equal(listen(fd, 4), 0);
    snprintf(p->address, sizeof p->address, "unix:%s", name);
  } else {
    snprintf(p->address, sizeof p->address, "shm:/%s", name);
  }
  return fd;
}

/* name: of the Unix socket, in the present folder, or of the shared memory; port 0: any. */
static inline peer peer_start_at(peer_way transport, peer_oddity odd, const char* name, int port) {
  peer p;
  memset(&p, 0, sizeof p);
  int fd = peer_bind(transport, name, port, &p);
  fflush(NULL);
  p.pid = fork();
  assert_true(p.pid >= 0);
  if (p.pid > 0) {
    if (fd >= 0) close(fd);
    return p;
  }
  alarm(60); /* a test that failed leaves nobody behind */
  peer_link link = {.transport = transport, .fd = fd};
  snprintf(link.name, sizeof link.name, "/%s", name);
  if (transport == UNIX) link.fd = accept(fd, NULL, NULL);
  if (transport == SHM) peer_open_shm(&link);
  peer_serve(&link, odd);
  _exit(0);
}

static inline peer peer_start(peer_way transport, peer_oddity odd) {
  char name[64];
  snprintf(name, sizeof name, "freebody-test-%d", (int)getpid());
  return peer_start_at(transport, odd, name, 0);
}

static inline void peer_stop(const peer* p) {
  kill(p->pid, SIGKILL);
  waitpid(p->pid, NULL, 0);
}

#endif
