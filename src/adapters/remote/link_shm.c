/* link_shm.c -- a link through shared memory: an object with two boxes of one message each, laid out as in
 * freebody/remote_protocol.h
 *
 * Freebody makes the object, readable by its user alone, and removes it at the end. What the peer writes there is copied
 * before it is checked, so that it cannot change in between. To wait is to look for a short while, then to sleep on the
 * counter of the box (futex), in slices. */
#define _DEFAULT_SOURCE /* syscall, ftruncate */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#endif

#include <freebody/remote_protocol.h>

#include "adapters/remote/link.h"
#include "adapters/wall_clock.h"

enum { HEAD = 64 }; /* of a box [bytes] */

static fb_remote_shm* head_of(const fb_link* link) {
  return (fb_remote_shm*)link->map;
}

/* Sizes are our own: the peer can write to those in the object. */
static size_t room_of(const fb_link* link) {
  return (link->map_size - FB_REMOTE_SHM_BOXES) / 2 - HEAD;
}

static fb_remote_box* box_of(const fb_link* link, int index) {
  char* base = (char*)link->map + FB_REMOTE_SHM_BOXES + (size_t)index * (HEAD + room_of(link));
  return (fb_remote_box*)(void*)base;
}

static uint32_t load(uint32_t* x) {
  return atomic_load_explicit((_Atomic uint32_t*)x, memory_order_acquire);
}

static void store(uint32_t* x, uint32_t value) {
  atomic_store_explicit((_Atomic uint32_t*)x, value, memory_order_seq_cst);
}

/* --- sleeping --- */

#ifdef __linux__
static void sleep_on(uint32_t* word, uint32_t while_it_is, double seconds) {
  struct timespec limit = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  syscall(SYS_futex, word, FUTEX_WAIT, while_it_is, &limit, NULL, 0);
}

static void wake(uint32_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
#else
static void sleep_on(uint32_t* word, uint32_t while_it_is, double seconds) {
  (void)word, (void)while_it_is;
  struct timespec nap = {0, (long)(1e9 * fmin(seconds, 50e-6))};
  nanosleep(&nap, NULL);
}

static void wake(uint32_t* word) {
  (void)word;
}
#endif

/* --- the object --- */

static int is_alive(uint32_t pid) {
  return pid > 0 && pid <= INT_MAX && (kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

static int fail(const fb_link* link, const char* doing, fb_error* error) {
  fb_fail(error, FB_ERR_IO, "cannot %s the shared memory %s: %s", doing, link->address, strerror(errno));
  return -1;
}

/* Removes what a run left behind that was killed, and nothing else. 0: it stays. */
static int remove_stale(const fb_link* link, fb_error* error) {
  fb_remote_shm head = {0};
  int fd = shm_open(link->name, O_RDONLY, 0);
  if (fd < 0 && errno == ENOENT) return 1;
  if (fd < 0) return fail(link, "open", error), 0;
  long got = read(fd, &head, sizeof head);
  close(fd);
  if (got != (long)sizeof head || head.magic != FB_REMOTE_SHM_MAGIC) {
    fb_fail(error, FB_ERR_IO,
            "the shared memory %s is there already, and not of Freebody; choose another name, or remove it "
            "(in /dev/shm)",
            link->address);
    return 0;
  }
  if (is_alive(head.owner_pid)) {
    fb_fail(error, FB_ERR_IO, "the shared memory %s is in use by process %lu; choose another name",
            link->address, (unsigned long)head.owner_pid);
    return 0;
  }
  if (shm_unlink(link->name) == 0 || errno == ENOENT) return 1;
  return fail(link, "remove", error), 0;
}

static int create(const fb_link* link, fb_error* error) {
  for (int i = 0; i < 2; i++) {
    int fd = shm_open(link->name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (fd >= 0) return fd;
    if (errno != EEXIST) break;
    if (!remove_stale(link, error)) return -1;
  }
  return fail(link, "create", error);
}

static int open_shm(fb_link* link, fb_error* error) {
  size_t room = (link->most + 63) / 64 * 64;
  link->map_size = FB_REMOTE_SHM_BOXES + 2 * (HEAD + room);
  int fd = create(link, error);
  if (fd < 0) return -1;
  int sized = ftruncate(fd, (off_t)link->map_size) == 0;
  link->map = sized ? mmap(NULL, link->map_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (link->map == MAP_FAILED) {
    fail(link, "map", error);
    close(fd);
    shm_unlink(link->name);
    return -1;
  }
  close(fd);
  fb_remote_shm* head = head_of(link);
  *head = (fb_remote_shm){.magic = FB_REMOTE_SHM_MAGIC,
                          .version = FB_REMOTE_VERSION,
                          .size = link->map_size,
                          .owner_pid = (uint32_t)getpid(),
                          .room = (uint32_t)room};
  store(&head->state, FB_REMOTE_SHM_READY);
  return 1;
}

static void close_shm(fb_link* link) {
  store(&head_of(link)->state, FB_REMOTE_SHM_ENDED);
  wake(&box_of(link, 0)->posted);
  munmap(link->map, link->map_size);
  link->map = NULL;
  shm_unlink(link->name);
}

/* --- messages --- */

static int lost(fb_link* link) {
  uint32_t pid = load(&head_of(link)->peer_pid);
  if (pid == 0 || is_alive(pid)) return 0;
  snprintf(link->why, sizeof link->why, "its process %lu has ended", (unsigned long)pid);
  store(&head_of(link)->peer_pid, 0);
  return 1;
}

/* A peer that has died may have left a message in its box, which the next one then finds. */
static int send_message(fb_link* link, const void* data, size_t size) {
  fb_remote_box* box = box_of(link, 0);
  uint32_t posted = load(&box->posted);
  if (size > room_of(link)) return 0;
  if (posted != load(&box->taken)) return lost(link) ? FB_LINK_LOST : 0;
  memcpy((char*)box + HEAD, data, size);
  box->size = (uint32_t)size;
  store(&box->posted, posted + 1);
  if (atomic_load((_Atomic uint32_t*)&box->waits)) wake(&box->posted);
  return 1;
}

static long look(fb_link* link, void* buffer, size_t room) {
  fb_remote_box* box = box_of(link, 1);
  uint32_t posted = load(&box->posted);
  if (posted == load(&box->taken)) return FB_LINK_NOTHING;
  size_t size = load(&box->size), most = room_of(link) < room ? room_of(link) : room;
  memcpy(buffer, (const char*)box + HEAD, size < most ? size : most);
  store(&box->taken, posted);
  return size > 0 ? (long)size : 1;
}

static long receive(fb_link* link, void* buffer, size_t room, double deadline) {
  static const double SLICE = 1e-3; /* the longest sleep: a peer may not know how to wake us [s] */
  fb_remote_box* box = box_of(link, 1);
  double begun = fb_wall_clock(), now = begun;
  int slept = 0;
  for (;;) {
    uint32_t posted = load(&box->posted);
    long got = look(link, buffer, room);
    if (got > 0 && now > begun) fb_link_learn(link, slept);
    if (got != FB_LINK_NOTHING) return got;
    now = fb_wall_clock();
    if (now >= deadline) return lost(link) ? FB_LINK_LOST : FB_LINK_NOTHING;
    if (now - begun < link->spin) continue;
    if (link->ended && link->ended(link->user)) return FB_LINK_ENDED;
    slept = 1;
    if (lost(link)) return FB_LINK_LOST;
    store(&box->waits, 1);
    if (load(&box->posted) == posted) sleep_on(&box->posted, posted, fmin(SLICE, deadline - now));
    store(&box->waits, 0);
  }
}

/* One who has looked at the object: its number is there, or a message was taken. */
static int has_peer(fb_link* link) {
  fb_remote_box* box = box_of(link, 0);
  uint32_t posted = load(&box->posted);
  return load(&head_of(link)->peer_pid) != 0 || (posted > 0 && posted == load(&box->taken));
}

const fb_link_way fb_link_shm = {open_shm, send_message, receive, close_shm, has_peer};
