/* xacro.c -- runs `xacro FILE` and takes its output: no shell, nothing on its standard input, a minute at most.
 *
 * xacro is a program of ROS that evaluates Python expressions in the file, so a .xacro file of a stranger runs code as it does
 * anywhere else. Where programs are not allowed, what it made of the file for an earlier run may be taken. */
#include "format/xacro.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>

#include "base/fnv.h"
#include "format/notes.h"
#include "text/files.h"
#include "text/path.h"

extern char** environ;

enum { MOST = 64 << 20, SECONDS = 60 };

static int needs_xacro(const char* file, const char* text) {
  return fb_path_ends_with(file, ".xacro") &&
         (strstr(text, "xacro:") || strstr(text, "${") || strstr(text, "$("));
}

/* --- what it made before --- */

/* What was made of a text ends with this, so that it is not taken for what another text, of the same name, would give. */
enum { MARK_SIZE = 40 };
static void mark_of(const char* text, size_t size, char mark[MARK_SIZE]) {
  snprintf(mark, MARK_SIZE, "<!-- xacro of %016llx -->\n", (unsigned long long)fb_fnv(text, size));
}

/* A copy as it was made, into *made, NULL: there is none with this number. Copies are named INDEX-NAME (scenario/read/input.c); the
 * index may be another one in another scenario. */
static fb_status read_copy(const char* folder, const char* file, int index, char** made, size_t* size,
                           fb_error* error) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  size_t room = strlen(folder) + strlen(base) + 16;
  char* path = malloc(room);
  if (!path) return fb_file_fail(file, error, FB_ERR_MEMORY, "out of memory");
  snprintf(path, room, "%s/%d-%s", folder, index, base);
  fb_status status = access(path, F_OK) == 0 ? fb_file_read(path, made, size, error) : FB_OK;
  if (!status && *made && needs_xacro(file, *made))
    status =
        fb_file_fail(path, error, FB_ERR_CONTENT, "this copy is not what xacro makes: there is xacro in it");
  free(path);
  return status;
}

/* The copy that was made of this text, into *made; *others: how many were made of others. */
static fb_status find_copy(const char* folder, const char* file, const char* mark, char** made, size_t* size,
                           int* others, fb_error* error) {
  enum { MOST_INPUTS = 100 };
  fb_status status = FB_OK;
  for (int i = 0; i < MOST_INPUTS; i++) {
    status = read_copy(folder, file, i, made, size, error);
    if (status || (*made && strstr(*made, mark))) break;
    *others += *made != NULL;
    free(*made);
    *made = NULL;
  }
  if (status) free(*made);
  return status;
}

static fb_status take_copy(const char* file, const fb_io_options* options, char** text, size_t* size,
                           fb_error* error) {
  char *made = NULL, mark[MARK_SIZE];
  size_t length = 0;
  int others = 0;
  mark_of(*text, *size, mark);
  fb_status status =
      options->expanded ? find_copy(options->expanded, file, mark, &made, &length, &others, error) : FB_OK;
  if (status) return status;
  if (!made)
    return fb_file_fail(
        file, error, FB_ERR_UNSUPPORTED,
        "this file needs the program xacro, which runs code of the file with your rights. It is not run with "
        "--no-plugins, --resume, --from or --replay: run it first (xacro robot.xacro > robot.urdf) and give "
        "its result, or resume a run by its folder alone%s",
        others ? "; the other run was made of another file of this name, or this one has changed" : "");
  fb_io_note(options, "%.200s is taken as xacro made it for the other run, in %.200s", file,
             options->expanded);
  free(*text);
  *text = made;
  *size = length;
  return FB_OK;
}

/* --- the process --- */

typedef struct child {
  pid_t pid;
  int out, err; /* ends that we read */
} child;

static int set_close(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/* 0, or the reason as errno. */
static int start(const char* file, child* c) {
  int out[2], err[2];
  char* name = malloc(strlen(file) + 3);
  if (!name) return ENOMEM;
  sprintf(name, "%s%s", file[0] == '-' ? "./" : "", file);
  char* argv[] = {(char*)"xacro", name, NULL};
  if (pipe(out)) {
    free(name);
    return errno;
  }
  if (pipe(err)) {
    int reason = errno;
    close(out[0]);
    close(out[1]);
    free(name);
    return reason;
  }
  for (int i = 0; i < 2; i++) {
    set_close(out[i]);
    set_close(err[i]);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  int reason = posix_spawnp(&c->pid, "xacro", &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  free(name);
  close(out[1]);
  close(err[1]);
  c->out = out[0];
  c->err = err[0];
  if (reason) {
    close(c->out);
    close(c->err);
  }
  return reason;
}

/* Takes what is there; 0 at the end. What is beyond the limit is read and dropped. */
static int take(int descriptor, fb_text* into, size_t most) {
  char part[65536];
  ssize_t n = read(descriptor, part, sizeof part);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n > 0 && into->size + (size_t)n > most)
    into->failed = 1;
  else if (n > 0)
    fb_text_add_bytes(into, part, (size_t)n);
  return n > 0;
}

/* Reads both ends until they are closed; 0 when the time is over. */
static int listen_to(const child* c, fb_text* out, fb_text* err) {
  struct pollfd ends[2] = {{c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
  time_t until = time(NULL) + SECONDS;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    int ready = poll(ends, 2, 500);
    if (ready < 0 && errno != EINTR) return 1;
    if (ends[0].fd >= 0 && ends[0].revents && !take(c->out, out, MOST)) ends[0].fd = -1;
    if (ends[1].fd >= 0 && ends[1].revents && !take(c->err, err, 1 << 16)) ends[1].fd = -1;
    if (time(NULL) > until) return 0;
  }
  return 1;
}

/* Its exit code. One that has closed its outputs and does not end is stopped too. */
static int finish(const child* c, int in_time) {
  enum { WAITS = 200 };
  static const struct timespec SHORT = {0, 10000000};
  int code = -1, ended = 0;
  close(c->out);
  close(c->err);
  for (int i = 0; in_time && !ended && i < WAITS; i++) {
    ended = waitpid(c->pid, &code, WNOHANG) == c->pid;
    if (!ended) nanosleep(&SHORT, NULL);
  }
  if (!ended) kill(c->pid, SIGKILL);
  while (!ended && waitpid(c->pid, &code, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(code) ? WEXITSTATUS(code) : 128;
}

/* The last line that xacro has to say. */
static const char* last_words(fb_text* err) {
  if (!err->size) return "";
  while (err->size > 0 && (err->data[err->size - 1] == '\n' || err->data[err->size - 1] == '\r'))
    err->data[--err->size] = '\0';
  const char* line = strrchr(err->data, '\n');
  return line ? line + 1 : err->data;
}

fb_status fb_xacro_expand(const char* file, const fb_io_options* options, char** text, size_t* size,
                          fb_error* error) {
  child c;
  fb_text out = {0}, err = {0};
  fb_status status = FB_OK;
  if (!needs_xacro(file, *text)) return FB_OK;
  if (options->no_programs) return take_copy(file, options, text, size, error);
  int reason = start(file, &c);
  if (reason == ENOENT)
    return fb_file_fail(
        file, error, FB_ERR_UNSUPPORTED,
        "this file needs xacro, which is not installed here. Install it (it comes with ROS, as "
        "ros-DISTRO-xacro, and as the Python package xacro), or run it where it is: xacro "
        "robot.xacro > robot.urdf");
  if (reason) return fb_file_fail(file, error, FB_ERR_IO, "xacro cannot be started: %s", strerror(reason));
  int in_time = listen_to(&c, &out, &err), code = finish(&c, in_time);
  if (!in_time)
    status = fb_file_fail(file, error, FB_ERR_IO, "xacro took more than a minute and was stopped");
  else if (code != 0)
    status = fb_file_fail(file, error, FB_ERR_CONTENT, "xacro failed: %.400s", last_words(&err));
  else if (out.failed)
    status = fb_file_fail(file, error, FB_ERR_MEMORY, "what xacro makes of this file is too large");
  else if (!out.size)
    status = fb_file_fail(file, error, FB_ERR_CONTENT, "xacro made nothing of this file");
  if (!status) {
    char mark[MARK_SIZE];
    mark_of(*text, *size, mark);
    fb_text_add(&out, mark);
    status = out.failed ? fb_file_fail(file, error, FB_ERR_MEMORY, "out of memory") : FB_OK;
  }
  if (!status) {
    free(*text);
    *text = fb_text_take(&out, size);
  }
  free(out.data);
  free(err.data);
  return status;
}
