/* gnuplot.c -- gnuplot as a child process: the script on its standard input, the picture from its standard output into
 * a file. No shell, and none of the user's own settings. What goes to standard output, a device or a pipe is drawn
 * into a temporary file first: gnuplot does not report truncated output. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/plot.h"

extern char** environ;

typedef struct child {
  pid_t pid;
  int in;       /* our end of its standard input */
  FILE* errors; /* what it says */
} child;

static fb_status fail(const char* shown, fb_error* error, const char* text) {
  fb_place nowhere = {0, 0};
  fb_fail(error, FB_ERR_IO, "%s", text);
  fb_error_set_place(error, shown, NULL, nowhere);
  return FB_ERR_IO;
}

static fb_status fail_errno(const char* shown, fb_error* error, const char* doing) {
  char text[200];
  snprintf(text, sizeof text, "cannot %s: %s", doing, strerror(errno));
  return fail(shown, error, text);
}

/* Starts it; returns 0, or the reason. */
static int start(child* c, int out) {
  static char name[] = "gnuplot", plain[] = "--default-settings", from_input[] = "-";
  char* const argv[] = {name, plain, from_input, NULL};
  int ends[2];
  if (pipe(ends) != 0) return errno;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(c->errors), 2);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  int reason = posix_spawnp(&c->pid, name, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (reason) close(ends[1]);
  c->in = ends[1];
  return reason;
}

static void send_script(child* c, const fb_text* script) {
  const char* at = script->data;
  size_t left = script->size;
  while (left > 0) {
    ssize_t n = write(c->in, at, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break; /* it has ended; it says why */
    at += n;
    left -= (size_t)n;
  }
  close(c->in);
}

/* The first lines of what it said, on one line. */
static void read_errors(FILE* stream, char* text, size_t size) {
  rewind(stream);
  size_t n = fread(text, 1, size - 1, stream);
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ')) n--;
  text[n] = '\0';
  cmd_text_clean(text);
}

/* A picture that was cut off, by a full disk say, lacks its end; gnuplot does not tell. */
static int is_whole(int out, cmd_plot_kind kind) {
  enum { TAIL = 32 };
  static const char* const ends[] = {"</svg>", "IEND", "%%EOF"};
  char tail[TAIL];
  struct stat info;
  if (fstat(out, &info) != 0 || info.st_size < TAIL) return 0;
  ssize_t n = pread(out, tail, TAIL, info.st_size - TAIL);
  size_t m = strlen(ends[kind]);
  for (size_t i = 0; n > 0 && i + m <= (size_t)n; i++)
    if (memcmp(tail + i, ends[kind], m) == 0) return 1;
  return 0;
}

static fb_status run_child(child* c, const fb_text* script, int out, const char* shown, fb_error* error) {
  int reason = start(c, out);
  if (reason == ENOENT)
    return fail(
        shown, error,
        "gnuplot, which draws the plots, is not in PATH; install it (Debian: gnuplot-nox), or export the "
        "signals with 'freebody export'");
  if (reason) {
    char text[200];
    snprintf(text, sizeof text, "cannot start gnuplot: %s", strerror(reason));
    return fail(shown, error, text);
  }
  send_script(c, script);
  int status = 0;
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return FB_OK;
  char said[400], text[500];
  read_errors(c->errors, said, sizeof said);
  snprintf(text, sizeof text, "gnuplot could not draw this: %s",
           said[0] ? said : "it ended without a reason");
  return fail(shown, error, text);
}

/* All of a file to where it shall go. */
static fb_status copy_all(int from, int out, const char* shown, fb_error* error) {
  char buffer[1 << 16];
  off_t at = 0;
  for (ssize_t n; (n = pread(from, buffer, sizeof buffer, at)) != 0; at += n) {
    if (n < 0) return fail_errno(shown, error, "read the picture");
    for (ssize_t done = 0, m; done < n; done += m) {
      m = write(out, buffer + done, (size_t)(n - done));
      if (m < 0 && errno == EINTR) m = 0;
      if (m < 0) return fail_errno(shown, error, "write the picture");
    }
  }
  return FB_OK;
}

/* Into a file that can be looked at. */
static fb_status draw(const fb_text* script, int out, const char* shown, cmd_plot_kind kind,
                      fb_error* error) {
  child c = {0, -1, tmpfile()};
  fb_status status = c.errors ? FB_OK : fail(shown, error, "cannot make a temporary file");
  void (*before)(int) =
      signal(SIGPIPE, SIG_IGN); /* a child that ended early is reported by its own message */
  if (status == FB_OK) status = run_child(&c, script, out, shown, error);
  signal(SIGPIPE, before);
  if (c.errors) fclose(c.errors);
  if (status == FB_OK && !is_whole(out, kind))
    status = fail(shown, error, "the picture was not written to its end; is the disk full?");
  return status;
}

/* Whether what gnuplot writes there can be read again, to see that it is whole. */
static int can_be_read(int out) {
  struct stat info;
  return fstat(out, &info) == 0 && S_ISREG(info.st_mode) && (fcntl(out, F_GETFL) & O_ACCMODE) == O_RDWR;
}

fb_status cmd_plot_draw(const fb_text* script, int out, const char* shown, cmd_plot_kind kind,
                        fb_error* error) {
  if (out != STDOUT_FILENO && can_be_read(out)) return draw(script, out, shown, kind, error);
  FILE* between = tmpfile();
  if (!between) return fail(shown, error, "cannot make a temporary file");
  fb_status status = draw(script, fileno(between), shown, kind, error);
  if (status == FB_OK) status = copy_all(fileno(between), out, shown, error);
  fclose(between);
  return status;
}
