/* shm.c -- harness: shared memory with a peer that does anything to the object.
 *
 * An input is what the peer does, in records of a kind, an offset (2 bytes, the lowest first), a length (1 byte) and bytes:
 *
 *   0 writes the bytes at the offset     1 cuts the object to so many bytes    2 removes its name
 *   3 puts an object of its own there    4 a FIFO there
 *
 * After each Freebody sends a message and looks for one; after 5 it opens the link anew. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/remote/link.h"
#include "adapters/remote/message.h"
#include "fuzz.h"

enum { MOST = 320 };

static char name[64], path[80];

static void remove_it(void) {
  shm_unlink(name);
}

static void act(int kind, size_t at, const uint8_t* bytes, size_t count) {
  int fd = kind < 2 ? shm_open(name, O_RDWR | O_NONBLOCK, 0) : -1;
  struct stat info;
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    if (kind == 0 && count > 0 && pwrite(fd, bytes, count, (off_t)at) < 0) fuzz_fail("the peer cannot write");
    if (kind == 1 && ftruncate(fd, (off_t)at) < 0) fuzz_fail("the peer cannot cut");
  }
  if (fd >= 0) close(fd);
  if (kind >= 2 && kind <= 4) shm_unlink(name);
  if (kind == 3 && (fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600)) >= 0) {
    if (count > 0 && write(fd, bytes, count) < 0) fuzz_fail("the peer cannot write");
    close(fd);
  }
  if (kind == 4 && mkfifo(path, 0600)) fuzz_fail("the peer cannot make a FIFO");
}

/* 0: the peer is lost, or cannot be waited for. */
static int use(fb_link* link) {
  static const char text[] = "a message of some length, which goes to the peer";
  unsigned char buffer[MOST];
  if (fb_link_send(link, text, sizeof text) == FB_LINK_LOST) return 0;
  long got = fb_link_receive(link, buffer, sizeof buffer, -INFINITY);
  fuzz_check(got >= FB_LINK_NOTHING, "%ld bytes were received", got);
  if (got > 0) fuzz_accept();
  fb_link_has_peer(link);
  if (got == FB_LINK_LOST) fuzz_check(link->why[0], "lost without a reason");
  return got != FB_LINK_LOST;
}

static int try_open(fb_link* link) {
  fb_error error;
  int made = fb_link_open(link, &error);
  if (made < 0) fuzz_ok(FB_ERR_IO, &error);
  return made == 1;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_link link;
  fb_error error;
  char address[80];
  if (!name[0]) {
    snprintf(name, sizeof name, "/freebody-fuzz-%ld", (long)getpid());
    snprintf(path, sizeof path, "/dev/shm%s", name);
    atexit(remove_it);
  }
  snprintf(address, sizeof address, "shm:%s", name);
  remove_it();
  fuzz_check(fb_link_init(&link, address, &error) == FB_OK, "%s", error.text);
  link.most = MOST;
  link.spin = 0;
  int open = try_open(&link);
  while (size >= 4) {
    int kind = data[0] % 6;
    size_t at = (size_t)data[1] | (size_t)data[2] << 8, count = data[3];
    data += 4, size -= 4;
    if (count > size) count = size;
    act(kind, at, data, count);
    data += count, size -= count;
    if (open && !use(&link)) fb_link_close(&link), open = 0;
    if (kind == 5 && open) fb_link_close(&link), open = 0;
    if (!open && kind == 5) open = try_open(&link);
  }
  fb_link_close(&link);
  return 0;
}
