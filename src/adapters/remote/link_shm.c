/* link_shm.c -- a link through shared memory: an object with two boxes of one message each, laid out as in
 * freebody/remote_protocol.h
 *
 * Freebody makes the object, readable by its user alone, and removes it at the end. A peer may do anything to it, also
 * shorten it, after which an access to mapped memory ends the process (SIGBUS), whatever was checked before. So nothing is
 * accessed here: it is read and written as a file (pread, pwrite), and the counter that peers wait for is raised by the
 * kernel (futex), which all fail instead. The mapping only gives futexes their addresses. What the peer wrote is copied
 * before it is checked, so that it cannot change in between. To wait is to look for a short while, then to sleep on the
 * counter of the box, in slices.
 *
 * Who owns the object holds a lock on it (flock), which ends with the process: an object without is left over. */
#define _DEFAULT_SOURCE /* syscall, ftruncate, flock */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
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

/* Sizes are our own: the peer can write to those in the object. */
static size_t room_of(const fb_link* link) {
  return (link->map_size - FB_REMOTE_SHM_BOXES) / 2 - HEAD;
}

static size_t box_at(const fb_link* link, int index) {
  return FB_REMOTE_SHM_BOXES + (size_t)index * (HEAD + room_of(link));
}

/* --- the content --- */

/* 0: so much is not there. */
static int get(const fb_link* link, size_t at, void* to, size_t size) {
  long got = pread(link->fd, to, size, (off_t)at);
  atomic_thread_fence(memory_order_acquire);
  return got == (long)size;
}

static int put(const fb_link* link, size_t at, const void* from, size_t size) {
  atomic_thread_fence(memory_order_release);
  return pwrite(link->fd, from, size, (off_t)at) == (long)size;
}

static int put_word(const fb_link* link, size_t at, uint32_t x) {
  return put(link, at, &x, sizeof x);
}

/* A box without its message. Bytes are copied one by one, so that a counter that is being raised may be neither the old nor
 * the new one; who sees it differ reads it again, and then has the new one. */
static int get_box(const fb_link* link, int index, fb_remote_box* box) {
  return get(link, box_at(link, index), box, sizeof *box);
}

/* The same with at most `room` bytes of its message. 0: so much of it is not there. */
static int get_message(const fb_link* link, int index, fb_remote_box* box, void* to, size_t room) {
  char head[HEAD];
  struct iovec parts[2] = {{head, sizeof head}, {to, room}};
  long got = preadv(link->fd, parts, 2, (off_t)box_at(link, index));
  atomic_thread_fence(memory_order_acquire);
  if (got < (long)sizeof head) return 0;
  memcpy(box, head, sizeof *box);
  return got - (long)sizeof head >= (long)(box->size < room ? box->size : room);
}

/* The message of a box and its size, which stands at the end of its head. */
static int put_message(const fb_link* link, int index, const void* from, size_t size) {
  char head[HEAD] = {0};
  const size_t at = offsetof(fb_remote_box, size);
  const uint32_t number = (uint32_t)size;
  union {
    const void* in;
    void* out;
  } data = {from};
  memcpy(head + at, &number, sizeof number);
  struct iovec parts[2] = {{head + at, sizeof head - at}, {data.out, size}};
  return pwritev(link->fd, parts, 2, (off_t)(box_at(link, index) + at)) == (long)(sizeof head - at + size);
}

static int has_shrunk(const fb_link* link) {
  struct stat info;
  return fstat(link->fd, &info) == 0 && info.st_size < (off_t)link->map_size;
}

/* --- the counters --- */

#ifdef __linux__
static uint32_t* word_at(const fb_link* link, size_t at) {
  return (uint32_t*)(void*)((char*)link->map + at);
}

static void sleep_on(const fb_link* link, size_t at, uint32_t while_it_is, double seconds) {
  struct timespec limit = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
  syscall(SYS_futex, word_at(link, at), FUTEX_WAIT, while_it_is, &limit, NULL, 0);
}

static void wake(const fb_link* link, size_t at) {
  syscall(SYS_futex, word_at(link, at), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Adds 1 in one piece, and wakes who sleeps on it. 0: it is not there. */
static int raise_word(const fb_link* link, size_t at, uint32_t now) {
  uint32_t* word = word_at(link, at);
  const uintptr_t more = 0;
  long woken = syscall(SYS_futex, word, FUTEX_WAKE_OP, INT_MAX, more, word,
                       FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_LT, 0));
  return woken >= 0 || (errno == ENOSYS && put_word(link, at, now + 1));
}
#else
static void sleep_on(const fb_link* link, size_t at, uint32_t while_it_is, double seconds) {
  (void)link, (void)at, (void)while_it_is;
  struct timespec nap = {0, (long)(1e9 * fmin(seconds, 50e-6))};
  nanosleep(&nap, NULL);
}

static void wake(const fb_link* link, size_t at) {
  (void)link, (void)at;
}

static int raise_word(const fb_link* link, size_t at, uint32_t now) {
  return put_word(link, at, now + 1);
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

/* Whether the name is (still) that of an open object. */
static int is_named(const fb_link* link, int fd) {
  struct stat here, there;
  int other = shm_open(link->name, O_RDONLY | O_NONBLOCK, 0);
  int same = other >= 0 && fstat(fd, &here) == 0 && fstat(other, &there) == 0 &&
             here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  if (other >= 0) close(other);
  return same;
}

/* Removes an open object that a run left behind that was killed, and nothing else. 0: it stays. */
static int remove_open(const fb_link* link, int fd, fb_error* error) {
  fb_remote_shm head = {0};
  struct stat info;
  int regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (!regular || pread(fd, &head, sizeof head, 0) != (long)sizeof head ||
      head.magic != FB_REMOTE_SHM_MAGIC) {
    fb_fail(error, FB_ERR_IO,
            "the shared memory %s is there already, and not of Freebody; choose another name, or remove it "
            "(in /dev/shm)",
            link->address);
    return 0;
  }
  if (flock(fd, LOCK_EX | LOCK_NB)) {
    fb_fail(error, FB_ERR_IO, "the shared memory %s is in use by process %lu; choose another name",
            link->address, (unsigned long)head.owner_pid);
    return 0;
  }
  if (!is_named(link, fd) || shm_unlink(link->name) == 0 || errno == ENOENT) return 1;
  return fail(link, "remove", error), 0;
}

static int remove_stale(const fb_link* link, fb_error* error) {
  int fd = shm_open(link->name, O_RDONLY | O_NONBLOCK, 0); /* a FIFO would block */
  if (fd < 0 && errno == ENOENT) return 1;
  if (fd < 0) return fail(link, "open", error), 0;
  int removed = remove_open(link, fd, error);
  close(fd);
  return removed;
}

static int create(const fb_link* link, fb_error* error) {
  for (int i = 0; i < 3; i++) {
    int fd = shm_open(link->name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (fd >= 0) return fail(link, "lock", error), close(fd), shm_unlink(link->name), -1;
    if (errno != EEXIST) break;
    if (!remove_stale(link, error)) return -1;
  }
  return fail(link, "create", error);
}

/* Its room is taken now: a page that is missing later would end the peer. 0 with errno. */
static int take_room(const fb_link* link) {
  if (ftruncate(link->fd, (off_t)link->map_size)) return 0;
#ifdef __linux__
  int why = posix_fallocate(link->fd, 0, (off_t)link->map_size);
  if (why == ENOSPC || why == EFBIG) return errno = why, 0;
#endif
  return 1;
}

static int fill(fb_link* link) {
  const fb_remote_shm head = {.magic = FB_REMOTE_SHM_MAGIC,
                              .version = FB_REMOTE_VERSION,
                              .size = link->map_size,
                              .owner_pid = (uint32_t)getpid(),
                              .room = (uint32_t)room_of(link)};
  if (!take_room(link) || !put(link, 0, &head, sizeof head)) return 0;
  link->map = mmap(NULL, link->map_size, PROT_READ | PROT_WRITE, MAP_SHARED, link->fd, 0);
  if (link->map == MAP_FAILED) return 0;
  return put_word(link, offsetof(fb_remote_shm, state), FB_REMOTE_SHM_READY);
}

static int open_shm(fb_link* link, fb_error* error) {
  size_t room = (link->most + 63) / 64 * 64;
  link->map_size = FB_REMOTE_SHM_BOXES + 2 * (HEAD + room);
  link->map = MAP_FAILED;
  link->fd = create(link, error);
  if (link->fd < 0) return -1;
  if (fill(link)) return 1;
  fail(link, "make", error);
  if (link->map != MAP_FAILED) munmap(link->map, link->map_size);
  close(link->fd);
  shm_unlink(link->name);
  link->fd = -1;
  return -1;
}

static void close_shm(fb_link* link) {
  if (!has_shrunk(link)) put_word(link, offsetof(fb_remote_shm, state), FB_REMOTE_SHM_ENDED);
  wake(link, box_at(link, 0) + offsetof(fb_remote_box, posted));
  munmap(link->map, link->map_size);
  if (is_named(link, link->fd)) shm_unlink(link->name);
  close(link->fd);
  link->fd = -1;
}

/* --- messages --- */

static int shortened(fb_link* link) {
  return fb_link_lose(link, "it, or another process, shortened the shared memory");
}

static int lost(fb_link* link) {
  fb_remote_shm head;
  if (has_shrunk(link) || !get(link, 0, &head, sizeof head)) return shortened(link), 1;
  for (int i = 0; i < 2; i++) { /* the peer may have been writing it */
    if (head.peer_pid == 0 || is_alive(head.peer_pid)) return 0;
    if (!get(link, 0, &head, sizeof head)) return shortened(link), 1;
  }
  snprintf(link->why, sizeof link->why, "its process %lu has ended", (unsigned long)head.peer_pid);
  put_word(link, offsetof(fb_remote_shm, peer_pid), 0);
  return 1;
}

/* A peer that has died may have left a message in its box, which the next one then finds. */
static int send_message(fb_link* link, const void* data, size_t size) {
  fb_remote_box box;
  if (size > room_of(link)) return 0;
  if (!get_box(link, 0, &box)) return shortened(link);
  if (box.posted != box.taken) return lost(link) ? FB_LINK_LOST : 0;
  if (put_message(link, 0, data, size) &&
      raise_word(link, box_at(link, 0) + offsetof(fb_remote_box, posted), box.posted))
    return 1;
  return shortened(link);
}

/* What is there now; *posted is the counter of its box. */
static long peek(fb_link* link, void* buffer, size_t room, uint32_t* posted) {
  fb_remote_box box;
  if (!get_box(link, 1, &box)) return shortened(link);
  *posted = box.posted;
  if (box.posted == box.taken) return FB_LINK_NOTHING;
  if (!get_message(link, 1, &box, buffer, room_of(link) < room ? room_of(link) : room) ||
      !put_word(link, box_at(link, 1) + offsetof(fb_remote_box, taken), box.posted))
    return shortened(link);
  return (long)box.size;
}

static void sleep_a_while(fb_link* link, uint32_t posted, double seconds) {
  size_t at = box_at(link, 1), waits = at + offsetof(fb_remote_box, waits);
  fb_remote_box box;
  put_word(link, waits, 1);
  atomic_thread_fence(memory_order_seq_cst);
  if (get(link, at, &box, sizeof box) && box.posted == posted)
    sleep_on(link, at + offsetof(fb_remote_box, posted), posted, seconds);
  put_word(link, waits, 0);
}

static long receive(fb_link* link, void* buffer, size_t room, double deadline) {
  static const double SLICE = 1e-3; /* the longest sleep: a peer may not know how to wake us [s] */
  double begun = fb_wall_clock(), now = begun;
  int slept = 0;
  for (;;) {
    uint32_t posted = 0;
    long got = peek(link, buffer, room, &posted);
    if (got >= 0 && now > begun) fb_link_learn(link, slept);
    if (got != FB_LINK_NOTHING) return got;
    now = fb_wall_clock();
    if (now >= deadline) return lost(link) ? FB_LINK_LOST : FB_LINK_NOTHING;
    if (now - begun < link->spin) continue;
    if (link->ended && link->ended(link->user)) return FB_LINK_ENDED;
    slept = 1;
    if (lost(link)) return FB_LINK_LOST;
    sleep_a_while(link, posted, fmin(SLICE, deadline - now));
  }
}

/* One who has looked at the object: its number is there, or a message was taken. */
static int has_peer(fb_link* link) {
  fb_remote_shm head;
  fb_remote_box box;
  return get(link, 0, &head, sizeof head) && get_box(link, 0, &box) &&
         (head.peer_pid != 0 || (box.posted > 0 && box.posted == box.taken));
}

const fb_link_transport fb_link_shm = {open_shm, send_message, receive, close_shm, has_peer};
