/* folder.h -- the folder of a run: run.db and what may lie beside it, the lock on it, and names that may not be used. */
#ifndef FB_RUN_STORE_FOLDER_H
#define FB_RUN_STORE_FOLDER_H

#include "run/store/store.h"

/* ---- run/store/folder.c: the folder around run.db ---- */

/* "folder/name", malloc'd. */
char* fb_store_path(const char* folder, const char* name);
/* The folder of a run.db, malloc'd. */
char* fb_store_folder_of(const char* path);
/* run.db of what the user named: a folder, or run.db itself. FB_ERR_IO when there is none. */
fb_status fb_store_locate(const char* named, char** path, fb_error* error);
/* Locks the folder against other writers as long as the descriptor is open. FB_ERR_IO when a name in it that a run
 * writes is a link; the descriptor is open then, too. */
fb_status fb_store_lock(const char* folder, const char* path, int* lock, fb_error* error);
void fb_store_unlock(fb_store* run);
/* Whether this process opened it, and is not a child made by fork. */
int fb_store_is_here(const fb_store* run);
/* Makes the folder and the ones above it. */
fb_status fb_store_make_folder(const char* folder, fb_error* error);
/* SQLite says only that there is no file when it may not make one. */
fb_status fb_store_check_writable(const char* folder, fb_error* error);
/* Removes what a run consists of, run.db last. */
fb_status fb_store_remove_files(const char* folder, fb_error* error);
int fb_store_exists(const char* path);

/* ---- run/store/neighbours.c: what lies beside run.db ---- */

/* Refuses what SQLite would act on and no run has: a rollback journal, and a journal or an index that is a link, a second
 * name of another file, or no file at all. */
fb_status fb_store_check_beside(const fb_store* run, fb_error* error);
/* Refuses a run.db that has a second name, under which it would change too. */
fb_status fb_store_check_links(const fb_store* run, fb_error* error);
/* Notes which file is written, and whether it still has its name: what is written into another is lost. */
fb_status fb_store_note_place(fb_store* run, fb_error* error);
fb_status fb_store_check_place(const fb_store* run, fb_error* error);

#endif
