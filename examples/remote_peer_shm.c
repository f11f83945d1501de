/* remote_peer_shm.c -- the controller of remote_peer.c through shared memory (docs/remote.md).
 *
 *   example_remote_peer_shm [/NAME]       /freebody
 *
 * It looks for messages for a while, which gives the shortest answer, and then sleeps (futex) with `waits` set. */
#define _GNU_SOURCE /* syscall */
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <freebody/remote_protocol.h>

#define LOAD(x) atomic_load((_Atomic uint32_t*)&(x))
#define STORE(x, value) atomic_store((_Atomic uint32_t*)&(x), value)

enum { LOOKS = 2000 }; /* before sleeping */

static char m[FB_REMOTE_MOST_BYTES];

/* Turns the message into its answer. */
static void answer(void) {
  fb_remote_header* head = (fb_remote_header*)(void*)m;
  double* x = (double*)(void*)(m + sizeof *head);
  static uint32_t ninput;
  if (head->type == FB_REMOTE_HELLO) {
    ninput = ((fb_remote_hello*)(void*)m)->ninput;
    head->type = FB_REMOTE_WELCOME;
    head->size = sizeof(fb_remote_welcome);
  } else {
    for (uint32_t i = 0; i < ninput; i++) x[i] = 100 * (0.5 - x[i]) - 20 * x[ninput + i];
    head->type = FB_REMOTE_REPLY;
    head->size = (uint32_t)(sizeof *head + 8 * ninput);
  }
}

int main(int argc, char** argv) {
  static const struct timespec patience = {0, 100000000};
  const char* name = argc > 1 ? argv[1] : "/freebody";
  int fd;
  while ((fd = shm_open(name, O_RDWR, 0)) < 0 || lseek(fd, 0, SEEK_END) == 0) { /* Freebody makes it */
    if (fd >= 0) close(fd);
    usleep(1000);
  }
  size_t size = (size_t)lseek(fd, 0, SEEK_END);
  char* base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) return perror("remote_peer_shm"), 1;
  fb_remote_shm* shm = (fb_remote_shm*)(void*)base;
  while (LOAD(shm->state) == 0) sched_yield();
  shm->peer_pid = (uint32_t)getpid();
  fb_remote_box* in = (fb_remote_box*)(void*)(base + FB_REMOTE_SHM_BOXES);
  fb_remote_box* out = (fb_remote_box*)(void*)(base + FB_REMOTE_SHM_BOXES + 64 + shm->room);
  for (int looks = 0; LOAD(shm->state) == FB_REMOTE_SHM_READY;) {
    uint32_t taken = LOAD(in->taken);
    if (LOAD(in->posted) == taken && ++looks < LOOKS) continue;
    looks = 0;
    STORE(in->waits, 1);
    if (LOAD(in->posted) == taken) syscall(SYS_futex, &in->posted, FUTEX_WAIT, taken, &patience, NULL, 0);
    STORE(in->waits, 0);
    if (LOAD(in->posted) == taken) continue;
    memcpy(m, (char*)in + 64, in->size);
    STORE(in->taken, taken + 1);
    if (((fb_remote_header*)(void*)m)->type == FB_REMOTE_END) return 0;
    answer();
    uint32_t bytes = ((fb_remote_header*)(void*)m)->size;
    while (LOAD(out->posted) != LOAD(out->taken) && LOAD(shm->state) == FB_REMOTE_SHM_READY) sched_yield();
    memcpy((char*)out + 64, m, out->size = bytes);
    STORE(out->posted, out->posted + 1);
    if (LOAD(out->waits)) syscall(SYS_futex, &out->posted, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
  return 0;
}
