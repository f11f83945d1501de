/* remote_trip.c -- how long a remote controller takes to answer: round trips over UDP, a Unix socket and shared memory in
 * lock-step, with a peer in C in another process of this machine (docs/remote.md).
 *
 *   bench_remote [EXCHANGES [PRIORITY]]       20000, none
 *
 * Measured is what a run waits for: from the call that sends the signals to the inputs, through the block. The peer of
 * sockets sleeps in recv; that of shared memory looks for messages for a while and then sleeps. With a priority both
 * processes have it (SCHED_FIFO), as `freebody run --priority` and flight software do: other programs then do not matter. */
#define _GNU_SOURCE /* fork and all, syscall */
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <freebody/model.h>
#include <freebody/model_def.h>
#include <freebody/remote.h>
#include <freebody/remote_protocol.h>
#include <freebody/sim.h>

enum { JOINTS = 6, MOST = 1000000, LOOKS = 2000 /* before sleeping */ };

static union {
  fb_remote_header head;
  fb_remote_hello hello;
  double numbers[8188];
} m;

/* --- peers --- */

/* Turns the message into its answer; 0 at the end. */
static int answer(void) {
  static uint32_t ninput;
  if (m.head.type == FB_REMOTE_END) return 0;
  if (m.head.type == FB_REMOTE_HELLO) {
    ninput = m.hello.ninput;
    m.head.type = FB_REMOTE_WELCOME;
    m.head.size = sizeof(fb_remote_welcome);
    return 1;
  }
  double* x = m.numbers + sizeof m.head / sizeof(double);
  for (uint32_t i = 0; i < ninput; i++) x[i] = -10 * x[i] - x[ninput + i];
  m.head.type = FB_REMOTE_REPLY;
  m.head.size = (uint32_t)(sizeof m.head + 8 * ninput);
  return 1;
}

static int serve_udp(int fd) {
  struct sockaddr_in from;
  socklen_t n = sizeof from;
  while (recvfrom(fd, &m, sizeof m, 0, (struct sockaddr*)&from, &n) > 0 && answer())
    if (sendto(fd, &m, m.head.size, 0, (struct sockaddr*)&from, n) < 0) return 1;
  return 0;
}

static int serve_unix(int door) {
  int fd = accept(door, NULL, NULL);
  while (recv(fd, &m, sizeof m, 0) > 0 && answer())
    if (send(fd, &m, m.head.size, 0) < 0) return 1;
  return 0;
}

#define LOAD(x) atomic_load((_Atomic uint32_t*)&(x))
#define STORE(x, value) atomic_store((_Atomic uint32_t*)&(x), value)

static int serve_shm(const char* name) {
  int fd;
  while ((fd = shm_open(name, O_RDWR, 0)) < 0 || lseek(fd, 0, SEEK_END) == 0) {
    if (fd >= 0) close(fd);
    usleep(1000);
  }
  char* base = mmap(NULL, (size_t)lseek(fd, 0, SEEK_END), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  fb_remote_shm* shm = (fb_remote_shm*)(void*)base;
  while (LOAD(shm->state) == 0) sched_yield();
  fb_remote_box* in = (fb_remote_box*)(void*)(base + FB_REMOTE_SHM_BOXES);
  fb_remote_box* out = (fb_remote_box*)(void*)(base + FB_REMOTE_SHM_BOXES + 64 + shm->room);
  shm->peer_pid = (uint32_t)getpid();
  for (int looks = 0; LOAD(shm->state) == FB_REMOTE_SHM_READY;) {
    uint32_t taken = LOAD(in->taken);
    if (LOAD(in->posted) == taken && ++looks < LOOKS) continue;
    STORE(in->waits, 1);
    while (LOAD(in->posted) == taken && LOAD(shm->state) == FB_REMOTE_SHM_READY)
      syscall(SYS_futex, &in->posted, FUTEX_WAIT, taken, NULL, NULL, 0);
    STORE(in->waits, 0);
    looks = 0;
    memcpy(&m, (char*)in + 64, in->size);
    STORE(in->taken, in->posted);
    if (!answer()) return 0;
    memcpy((char*)out + 64, &m, out->size = m.head.size);
    STORE(out->posted, out->posted + 1);
    if (LOAD(out->waits)) syscall(SYS_futex, &out->posted, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
  return 0;
}

/* --- the simulation --- */

static void must(fb_status status, const fb_error* error) {
  if (status == FB_OK) return;
  fprintf(stderr, "bench_remote: %s\n", error->text);
  exit(1);
}

static fb_model* make_model(void) {
  fb_error error;
  fb_model* model;
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; def && i < JOINTS; i++) {
    char name[16], parent[16];
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "link%d", i);
    snprintf(parent, sizeof parent, "link%d", i - 1);
    body.name = name;
    body.parent = i ? parent : NULL;
    body.joint.type = FB_JOINT_REVOLUTE;
    body.joint.axis[0] = i % 2;
    body.joint.axis[1] = 0;
    body.joint.axis[2] = (i + 1) % 2;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    must(fb_model_def_add_body(def, &body, NULL, &error), &error);
  }
  must(fb_model_build(def, NULL, &model, &error), &error);
  fb_model_def_free(def);
  return model;
}

static double trips[MOST];
static int ntrip;

static fb_status keep(void* user, const fb_remote_exchange* e, fb_error* error) {
  (void)user, (void)error;
  if (ntrip < MOST && isfinite(e->round_trip)) trips[ntrip++] = e->round_trip;
  return FB_OK;
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void simulate(const fb_model* model, const char* address, int exchanges) {
  fb_error error;
  fb_sim* sim;
  fb_block block;
  fb_port signals[2 * JOINTS];
  int coordinates[JOINTS];
  char names[2 * JOINTS][16];
  for (int i = 0; i < 2 * JOINTS; i++) {
    snprintf(names[i], sizeof names[i], "%s.link%d", i < JOINTS ? "q" : "v", i % JOINTS);
    signals[i] = (fb_port){.name = names[i], .count = 1};
    coordinates[i % JOINTS] = i % JOINTS;
  }
  fb_remote_options options = fb_default_remote_options();
  options.address = address;
  options.period = 1e-3;
  options.timeout = 1;
  options.signals = signals;
  options.nsignal = 2 * JOINTS;
  options.coordinates = coordinates;
  options.ncoordinate = JOINTS;
  options.record = keep;
  must(fb_block_new_remote(model, "remote", &options, &block, &error), &error);
  fb_sim_options how = fb_default_sim_options();
  how.method = FB_METHOD_RK4;
  how.step = 1e-3;
  must(fb_sim_new(model, &how, &sim, &error), &error);
  must(fb_sim_add_block(sim, &block, NULL, &error), &error);
  ntrip = 0;
  must(fb_sim_start(sim, NULL, NULL, &error), &error);
  must(fb_sim_run_until(sim, 1e-3 * exchanges, &error), &error);
  fb_sim_free(sim);
}

/* --- the figures --- */

static void report(const char* what) {
  qsort(trips, (size_t)ntrip, sizeof *trips, by_size);
  if (ntrip == 0) return;
  printf("  %-14s %8.1f %8.1f %8.1f %8.1f %9.1f\n", what, 1e6 * trips[0], 1e6 * trips[ntrip / 2],
         1e6 * trips[(int)(0.99 * ntrip)], 1e6 * trips[(int)(0.999 * ntrip)], 1e6 * trips[ntrip - 1]);
}

static void measure(const fb_model* model, const char* what, int exchanges) {
  char address[100], path[60];
  int fd = -1;
  snprintf(path, sizeof path, "/tmp/bench-remote-%d", (int)getpid());
  if (strcmp(what, "udp") == 0) {
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t n = sizeof here;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(fd, (struct sockaddr*)&here, sizeof here) != 0 ||
        getsockname(fd, (struct sockaddr*)&here, &n) != 0)
      exit(1);
    snprintf(address, sizeof address, "udp://127.0.0.1:%d", ntohs(here.sin_port));
  } else if (strcmp(what, "unix") == 0) {
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    snprintf(here.sun_path, sizeof here.sun_path, "%s", path);
    fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (bind(fd, (struct sockaddr*)&here, sizeof here) != 0 || listen(fd, 1) != 0) exit(1);
    snprintf(address, sizeof address, "unix:%s", path);
  } else {
    snprintf(address, sizeof address, "shm:%s", path + 4);
  }
  pid_t peer = fork();
  if (peer == 0)
    _exit(what[0] == 'u' ? what[1] == 'd' ? serve_udp(fd) : serve_unix(fd) : serve_shm(path + 4));
  simulate(model, address, exchanges);
  kill(peer, SIGKILL);
  waitpid(peer, NULL, 0);
  if (fd >= 0) close(fd);
  unlink(path);
  report(what);
}

int main(int argc, char** argv) {
  static const char* const ways[] = {"udp", "unix", "shm"};
  int exchanges = argc > 1 ? atoi(argv[1]) : 20000;
  if (exchanges < 1 || exchanges > MOST)
    return fprintf(stderr, "bench_remote: 1 to %d exchanges\n", (int)MOST), 2;
  const struct sched_param priority = {.sched_priority = argc > 2 ? atoi(argv[2]) : 0};
  if (argc > 2 && sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
    return perror("bench_remote: priority"), 1;
  fb_model* model = make_model();
  printf("round trips in lock-step, %d exchanges of %d signals and %d inputs [us]\n", exchanges, 2 * JOINTS,
         JOINTS);
  printf("  %-14s %8s %8s %8s %8s %9s\n", "", "least", "p50", "p99", "p99.9", "longest");
  for (int i = 0; i < 3; i++) measure(model, ways[i], exchanges);
  fb_model_free(model);
  return 0;
}
