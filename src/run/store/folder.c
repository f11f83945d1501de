/* folder.c -- the folder of a run: finding run.db, locking, making, and removing what a run made.
 *
 * A run folder may come from a stranger, with links in it that lead to the user's own files. So a run is begun or taken
 * up only in a folder where none of the names that it writes is a link.
 *
 * The lock is flock() on the folder itself: it adds no file, and ends with its process however that dies.
 * File systems without it (some network ones) still have SQLite's own locks. */
#define _DEFAULT_SOURCE   /* flock */
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/files.h>

#include "run/store/folder.h"

#include "text/files.h"

char* fb_store_path(const char* folder, const char* name) {
  size_t n = strlen(folder), size = n + strlen(name) + 2;
  char* path = malloc(size);
  if (path) snprintf(path, size, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
  return path;
}

char* fb_store_folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  char* folder = strdup(slash ? path : ".");
  if (folder && slash) folder[slash == path ? 1 : slash - path] = '\0';
  return folder;
}

/* What cannot be looked at may be there. */
int fb_store_exists(const char* path) {
  struct stat info;
  return lstat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

fb_status fb_store_locate(const char* named, char** path, fb_error* error) {
  struct stat info;
  *path = NULL;
  if (stat(named, &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return fb_file_fail(named, error, FB_ERR_IO,
                          "there is no such folder; name the folder of a run, as 'freebody run' made it");
    return fb_file_fail(named, error, FB_ERR_IO, "cannot look at this: %s", strerror(errno));
  }
  *path = S_ISDIR(info.st_mode) ? fb_store_path(named, "run.db") : strdup(named);
  if (!*path) return fb_store_no_memory(error);
  if (stat(*path, &info) == 0 && S_ISREG(info.st_mode)) return FB_OK;
  free(*path);
  *path = NULL;
  return fb_file_fail(
      named, error, FB_ERR_IO,
      "there is no run in this folder: it has no run.db; name a folder that 'freebody run' made");
}

/* What is written in a run folder, run.db last. */
static const char* const NAMES[] = {"inputs",     "summary.json", "log.csv", "log.h5",
                                    "run.db-wal", "run.db-shm",   "run.db"};
enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0] };

static fb_status refuse_links(const char* folder, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < NAME_COUNT && status == FB_OK; i++) {
    char* path = fb_store_path(folder, NAMES[i]);
    status =
        path ? fb_file_refuse_link(path, ", or choose another folder", error) : fb_store_no_memory(error);
    free(path);
  }
  return status;
}

static fb_status lock_folder(const char* folder, const char* path, int* lock, fb_error* error) {
  *lock = open(folder, O_RDONLY | O_CLOEXEC);
  if (*lock < 0)
    return fb_file_fail(folder, error, FB_ERR_IO, "cannot open the folder: %s; choose another folder",
                        strerror(errno));
  if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return FB_OK;
  close(*lock);
  *lock = -1;
  return fb_file_fail(
      path, error, FB_ERR_IO,
      "another process is writing this run; wait until it ends, stop it, or choose another folder");
}

fb_status fb_store_lock(const char* folder, const char* path, int* lock, fb_error* error) {
  fb_status status = lock_folder(folder, path, lock, error);
  return status == FB_OK ? refuse_links(folder, error) : status;
}

/* A descriptor that a child process has, from fork, keeps the lock: it is given up, not left to the last of them. */
void fb_store_unlock(fb_store* run) {
  if (run->lock < 0) return;
  if (fb_store_is_here(run)) flock(run->lock, LOCK_UN);
  close(run->lock);
  run->lock = -1;
}

int fb_store_is_here(const fb_store* run) {
  return run->process == getpid();
}

/* --- making the folder --- */

static fb_status fail_make(const char* folder, fb_error* error) {
  if (errno == EEXIST || errno == ENOTDIR)
    return fb_file_fail(folder, error, FB_ERR_IO,
                        "this is a file, or lies under one; a run needs a folder: choose another name");
  if (errno == EACCES || errno == EPERM || errno == EROFS)
    return fb_file_fail(folder, error, FB_ERR_IO,
                        "no permission to make this folder; choose another place, or change the permissions");
  return fb_file_fail(folder, error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
}

/* mkdir that is content with a folder that is there. */
static int make_one(const char* folder) {
  struct stat info;
  if (mkdir(folder, 0777) == 0) return 1;
  int reason = errno;
  if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return 1;
  errno = reason;
  return 0;
}

fb_status fb_store_make_folder(const char* folder, fb_error* error) {
  char* path = strdup(folder);
  if (!path) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  for (char* c = path + 1; status == FB_OK && path[0] && *c; c++) {
    if (*c != '/') continue;
    *c = '\0';
    if (!make_one(path)) status = fail_make(folder, error);
    *c = '/';
  }
  if (status == FB_OK && !make_one(path)) status = fail_make(folder, error);
  free(path);
  return status;
}

fb_status fb_store_check_writable(const char* folder, fb_error* error) {
  if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0) return FB_OK;
  return fb_file_fail(folder, error, FB_ERR_IO,
                      "no permission to write in this folder; choose another, or change the permissions");
}

/* --- removing --- */

static int remove_entry(const char* path, const struct stat* info, int kind, struct FTW* place) {
  (void)info;
  (void)kind;
  (void)place;
  return remove(path);
}

/* The list is the whole of it: whatever else lies in the folder is the user's. run.db goes last, so that a
 * removal that fails half-way leaves a run that still is one. */
fb_status fb_store_remove_files(const char* folder, fb_error* error) {
  for (int i = 0; i < NAME_COUNT; i++) {
    char* path = fb_store_path(folder, NAMES[i]);
    if (!path) return fb_store_no_memory(error);
    errno = 0;
    int removed = i == 0 ? nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 : unlink(path) == 0;
    fb_status status = FB_OK;
    if (!removed && errno != ENOENT)
      status =
          fb_file_fail(path, error, FB_ERR_IO, "cannot remove this to replace the run: %s", strerror(errno));
    free(path);
    if (status != FB_OK) return status;
  }
  return FB_OK;
}
