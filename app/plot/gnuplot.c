/* gnuplot.c -- gnuplot as a child process: the script on its standard input, the picture from its standard output into
 * a file. No shell, and none of the user's own settings. What goes to standard output, a device or a pipe is drawn
 * into a temporary file first: gnuplot does not report truncated output. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/plot.h"
#include "view/browser.h"

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

/* Draws into a file that can be looked at; `log` gets what gnuplot says. */
static fb_status run_child(const fb_text* script, int out, int log, fb_error* error) {
  static char name[] = "gnuplot", plain[] = "--default-settings", from_input[] = "-";
  char* const argv[] = {name, plain, from_input, NULL};
  char said[400];
  int ends[2], status = 0;
  pid_t pid;
  int reason = cmd_child_pipe(ends);
  if (!reason) {
    const cmd_child_end theirs[] = {{ends[0], 0}, {out, 1}, {log, 2}};
    reason = cmd_child_start(argv, theirs, 3, NULL, &pid);
    close(ends[0]);
    if (!reason) cmd_child_write(ends[1], script->data, script->size); /* where it fails, gnuplot says why */
    close(ends[1]);
  }
  if (reason == ENOENT)
    return fb_fail(
        error, FB_ERR_IO,
        "gnuplot, which draws the plots, is not in PATH; install it (Debian: gnuplot-nox), or export "
        "the signals with 'freebody export'");
  if (reason) return fb_fail(error, FB_ERR_IO, "cannot start gnuplot: %s", strerror(reason));
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return FB_OK;
  cmd_child_words(log, said, sizeof said);
  return fb_fail(error, FB_ERR_IO, "gnuplot could not draw this: %s",
                 said[0] ? said : "it ended without a reason");
}

/* All of a file to where it shall go. */
static fb_status copy_all(int from, int out, fb_error* error) {
  char buffer[1 << 16];
  off_t at = 0;
  for (ssize_t n; (n = pread(from, buffer, sizeof buffer, at)) != 0; at += n) {
    if (n < 0) return fb_fail(error, FB_ERR_IO, "cannot read the picture: %s", strerror(errno));
    for (ssize_t done = 0, m; done < n; done += m) {
      m = write(out, buffer + done, (size_t)(n - done));
      if (m < 0 && errno == EINTR) m = 0;
      if (m < 0) return fb_fail(error, FB_ERR_IO, "cannot write the picture: %s", strerror(errno));
    }
  }
  return FB_OK;
}

static fb_status draw(const fb_text* script, int out, cmd_plot_kind kind, fb_error* error) {
  FILE* log = tmpfile();
  if (!log) return fb_fail(error, FB_ERR_IO, "cannot make a temporary file");
  void (*before)(int) =
      signal(SIGPIPE, SIG_IGN); /* a child that ended early is reported by its own message */
  fb_status status = run_child(script, out, fileno(log), error);
  signal(SIGPIPE, before);
  fclose(log);
  if (status == FB_OK && !is_whole(out, kind))
    status = fb_fail(error, FB_ERR_IO, "the picture was not written to its end; is the disk full?");
  return status;
}

/* Whether what gnuplot writes there can be read again, to see that it is whole. */
static int can_be_read(int out) {
  struct stat info;
  return fstat(out, &info) == 0 && S_ISREG(info.st_mode) && (fcntl(out, F_GETFL) & O_ACCMODE) == O_RDWR;
}

fb_status cmd_plot_draw(const fb_text* script, int out, const char* shown, cmd_plot_kind kind,
                        fb_error* error) {
  fb_status status = FB_OK;
  if (out != STDOUT_FILENO && can_be_read(out)) {
    status = draw(script, out, kind, error);
  } else {
    FILE* between = tmpfile();
    status = between ? draw(script, fileno(between), kind, error)
                     : fb_fail(error, FB_ERR_IO, "cannot make a temporary file");
    if (status == FB_OK) status = copy_all(fileno(between), out, error);
    if (between) fclose(between);
  }
  if (status != FB_OK) fb_error_set_place(error, shown, NULL, (fb_place){0, 0});
  return status;
}
