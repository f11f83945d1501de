/* neighbours.c -- checks the files next to run.db before SQLite opens it, and that run.db stays in place.
 *
 * SQLite acts on files by their names alone: it rolls back what run.db-journal says and removes a file that it names,
 * it writes the index of the journal into run.db-shm, and it copies what run.db-wal says into run.db. In a folder from
 * a stranger each of them may be a second name of a file of the user's: an archive can hold hard links. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/copy_text.h"
#include "run/store/folder.h"
#include "text/files.h"

/* What has a name like run.db, with an ending; 0 when there is none, or < 0 without memory. */
static int find_file(const fb_store* run, const char* ending, struct stat* info) {
  char* name = fb_join_texts(run->path, ending, "");
  if (!name) return -1;
  int found = lstat(name, info) == 0;
  free(name);
  return found;
}

/* SQLite undoes what a rollback journal says, and removes a file that it names. No run has one: they are in WAL mode. */
static fb_status refuse_rollback(const fb_store* run, fb_error* error) {
  struct stat info;
  int found = find_file(run, "-journal", &info);
  if (found < 0) return fb_store_no_memory(error);
  if (!found) return FB_OK;
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "the folder contains run.db-journal, which Freebody never creates and SQLite would "
                      "act on; if you know where the run comes from, remove it");
}

static fb_status refuse_strange(const fb_store* run, const char* ending, int* found, fb_error* error) {
  struct stat info;
  *found = find_file(run, ending, &info);
  if (*found < 0) return fb_store_no_memory(error);
  if (!*found || (S_ISREG(info.st_mode) && info.st_nlink == 1)) return FB_OK;
  return fb_file_fail(
      run->path, error, FB_ERR_IO,
      "the folder contains run.db%s, which is %s and not a file of its own, as SQLite makes it; remove it, "
      "or copy the folder with 'cp -rL' and use the copy",
      ending, S_ISREG(info.st_mode) ? "a second name of another file" : "a link, a folder or a device");
}

fb_status fb_store_check_beside(const fb_store* run, fb_error* error) {
  int journal = 0, index = 0;
  fb_status status = refuse_rollback(run, error);
  if (status == FB_OK) status = refuse_strange(run, "-wal", &journal, error);
  if (status == FB_OK) status = refuse_strange(run, "-shm", &index, error);
  return status == FB_OK && journal ? fb_store_check_links(run, error) : status;
}

fb_status fb_store_check_links(const fb_store* run, fb_error* error) {
  struct stat info;
  if (stat(run->path, &info) != 0 || info.st_nlink == 1) return FB_OK;
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "this file has a second name (a hard link), and what is written here would change "
                      "that file too; copy the folder with 'cp -r' and use the copy");
}

static fb_status fail_search(const fb_store* run, fb_error* error) {
  return fb_file_fail(run->path, error, FB_ERR_IO, "cannot look at this file: %s", strerror(errno));
}

fb_status fb_store_note_place(fb_store* run, fb_error* error) {
  struct stat info;
  if (stat(run->path, &info) != 0) return fail_search(run, error);
  run->device = info.st_dev;
  run->inode = info.st_ino;
  return FB_OK;
}

fb_status fb_store_check_place(const fb_store* run, fb_error* error) {
  struct stat info;
  int found = stat(run->path, &info) == 0;
  if (found && info.st_dev == run->device && info.st_ino == run->inode) return FB_OK;
  if (!found && errno != ENOENT && errno != ENOTDIR) return fail_search(run, error);
  return fb_file_fail(run->path, error, FB_ERR_IO,
                      "this file, or its folder, was removed, renamed or replaced while the run was "
                      "written, and nothing more is kept; if it lies elsewhere now, resume it there");
}
