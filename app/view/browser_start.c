/* browser_start.c -- starts Chromium, with its ends of two pipes as descriptors 3 and 4, and ends it. Its profile,
 * its temporary files and its log lie in a folder that is made for it and removed with it. */
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "view/browser.h"

/* --- the folder --- */

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* place) {
  (void)info;
  (void)kind;
  (void)place;
  remove(path);
  return 0;
}

/* Its helpers may still be writing while they end, so more than once if need be. */
static void remove_folder(const char* folder) {
  struct stat info;
  for (int i = 0; i < 50 && lstat(folder, &info) == 0; i++) {
    struct timespec moment = {0, i ? 20000000 : 0};
    nanosleep(&moment, NULL);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  }
}

static fb_status make_folder(cmd_browser_process* b, fb_error* error) {
  enum {
    LONGEST = 46
  }; /* with a longer name Chromium could not make its socket in it, of 108 bytes at most */
  const char* place = getenv("TMPDIR");
  if (!place || place[0] != '/' || strlen(place) > LONGEST) place = "/tmp";
  snprintf(b->folder, sizeof b->folder, "%s/freebody-XXXXXX", place);
  if (!mkdtemp(b->folder)) {
    b->folder[0] = '\0';
    return fb_fail(error, FB_ERR_IO, "cannot make a temporary folder in %s for the browser: %s", place,
                   strerror(errno));
  }
  char log[sizeof b->folder + 8];
  snprintf(log, sizeof log, "%s/log", b->folder);
  b->log = open(log, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (b->log >= 0) return FB_OK;
  return fb_fail(error, FB_ERR_IO, "cannot make %s for the browser: %s", log, strerror(errno));
}

/* --- starting and ending --- */

static int start_as(cmd_browser_process* b, char* program, const cmd_child_end* ends, int nend) {
  char profile[sizeof b->folder + 32];
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", b->folder);
  /* Chromium refuses to run its sandbox for root. */
  char* sandbox = geteuid() == 0 ? "--no-sandbox" : "--no-first-run";
  char* const argv[] = {program,
                        "--headless",
                        "--remote-debugging-pipe",
                        profile,
                        sandbox,
                        "--no-first-run",
                        "--no-default-browser-check",
                        "--hide-scrollbars",
                        "--mute-audio",
                        "--force-device-scale-factor=1",
                        "--force-color-profile=srgb",
                        "--disable-gpu",
                        "--use-gl=angle",
                        "--use-angle=swiftshader",
                        "--enable-unsafe-swiftshader",
                        "--disable-dev-shm-usage",
                        "--disable-quic",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-extensions",
                        "--disable-breakpad",
                        "--disable-crash-reporter",
                        "--host-resolver-rules=MAP * ~NOTFOUND",
                        "about:blank",
                        NULL};
  return cmd_child_start(argv, ends, nend, b->folder, &b->pid);
}

/* The browser that the environment names, or the first of the usual names that is there. */
static fb_status start_any(cmd_browser_process* b, const cmd_child_end* ends, int nend, fb_error* error) {
  static char names[][24] = {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};
  char* named = getenv("FREEBODY_CHROMIUM");
  int reason = ENOENT, count = (int)(sizeof names / sizeof names[0]);
  if (named && named[0])
    reason = start_as(b, named, ends, nend);
  else
    for (int i = 0; i < count && reason == ENOENT; i++) reason = start_as(b, names[i], ends, nend);
  if (!reason) return FB_OK;
  b->pid = 0;
  if (named && named[0])
    return fb_fail(error, FB_ERR_IO,
                   "cannot start '%s', which FREEBODY_CHROMIUM names as the browser for pictures: %s", named,
                   strerror(reason));
  if (reason == ENOENT)
    return fb_fail(error, FB_ERR_IO,
                   "pictures and videos are made by Chromium, and it is not in PATH; install it (Debian: "
                   "apt-get install chromium), name another with FREEBODY_CHROMIUM, or write the page (-o "
                   "report.html) and open it in any browser");
  return fb_fail(error, FB_ERR_IO, "cannot start Chromium: %s", strerror(reason));
}

static fb_status connect(cmd_browser_process* b, fb_error* error) {
  int there[2] = {-1, -1}, back[2] = {-1, -1};
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  int reason = nothing < 0 ? errno : cmd_child_pipe(there);
  if (!reason) reason = cmd_child_pipe(back);
  fb_status status = FB_OK;
  if (reason) {
    status = fb_fail(error, FB_ERR_IO, "cannot make pipes to the browser: %s", strerror(reason));
  } else {
    const cmd_child_end ends[] = {{nothing, 0}, {b->log, 1}, {b->log, 2}, {there[0], 3}, {back[1], 4}};
    status = start_any(b, ends, 5, error);
  }
  b->to = there[1];
  b->from = back[0];
  if (there[0] >= 0) close(there[0]);
  if (back[1] >= 0) close(back[1]);
  if (nothing >= 0) close(nothing);
  return status;
}

fb_status cmd_browser_start(cmd_browser_process* b, fb_error* error) {
  *b = (cmd_browser_process){.pid = 0, .to = -1, .from = -1, .log = -1};
  fb_status status = make_folder(b, error);
  return status ? status : connect(b, error);
}

void cmd_browser_end(cmd_browser_process* b) {
  static const char leave[] = "{\"id\":1000000000,\"method\":\"Browser.close\"}";
  /* Asked to, it ends its own children in order; a container may have nobody else to do that. */
  if (b->pid) cmd_child_kill(b->pid, cmd_child_write(b->to, leave, sizeof leave) == 0 ? 2 : 0);
  if (b->to >= 0) close(b->to);
  if (b->from >= 0) close(b->from);
  if (b->log >= 0) close(b->log);
  if (b->folder[0]) remove_folder(b->folder);
}

fb_status cmd_browser_fail_with_log(cmd_browser_process* b, fb_error* error, const char* what) {
  char words[360];
  cmd_child_words(b->log, words, sizeof words);
  return fb_fail(error, FB_ERR_IO, "%s%s%s", what, words[0] ? "; it said: " : ", and it gave no reason",
                 words);
}
