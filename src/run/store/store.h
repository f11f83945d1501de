/* store.h -- the inside of the run store: what its files share. Tables: run/store/schema.c and docs/run-store.md; files: folder.h. */
#ifndef FB_RUN_STORE_STORE_H
#define FB_RUN_STORE_STORE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <freebody/status.h>
#include <freebody/store.h>

enum {
  FB_STORE_APPLICATION = 0x4662726e, /* "Fbrn": a database of ours */
  FB_STORE_VERSION = 3,              /* of the tables */
  FB_STORE_BLOCK_SAMPLES = 1024,
  FB_STORE_WRITER_EVENTS = 1000, /* a writer remembers so many, the first ones; readers all of them */
  FB_STORE_BUSY_MS = 1000        /* how long to wait for a tool that holds the database */
};

/* A text by its key. */
typedef struct fb_store_kept {
  char *key, *text;
} fb_store_kept;

/* Where samples first .. first+count-1 are, and from when to when they reach. */
typedef struct fb_store_block {
  long long first;
  int count;
  double t_first, t_last;
} fb_store_block;

typedef struct fb_store_mesh {
  char* name;
  long long row;
  uint32_t data_sum;
} fb_store_mesh;

struct fb_store {
  sqlite3* db;
  char* path;        /* of run.db, as messages name it */
  int lock;          /* descriptor of the locked folder while writing, else -1 */
  pid_t process;     /* that opened it: a child made by fork has no use of SQLite's descriptors and locks */
  int writing;       /* opened by create or resume */
  int in_write;      /* a transaction is open */
  dev_t device;      /* of run.db, when it was opened for writing, */
  ino_t inode;       /* and its number there */
  double work, most; /* of SQLite for the statement at hand, and what no sound run asks of it */
  double text, most_text; /* bytes that it has read of texts, likewise */

  fb_store_signal* signals;
  int nsignal;
  size_t signal_room;
  fb_store_block* blocks; /* all that are closed, one after the other */
  size_t nblock, block_room;
  long long nsample; /* in these */
  fb_store_event* events;
  size_t nevent, nkept, event_room; /* how many there are, and how many of them `events` holds */
  fb_store_kept* texts;             /* the newest of a key last; handed-out ones live as long as the run */
  size_t nkey, ntext, text_room;
  fb_store_mesh* meshes;
  size_t nmesh, nsorted, mesh_room;      /* the first `nsorted` of them are in the order of their names */
  double column[FB_STORE_BLOCK_SAMPLES]; /* of a block, as it is read */

  /* Writing: the block being filled, sample after sample (t first), and as it is stored, column after
   * column, with a checksum of each. */
  double *rows, *columns;
  unsigned char* column_sums;
  int nrow, max_rows;
  double t_last;
  int epoch;            /* of what is written now */
  long long checkpoint; /* id of the last, 0 without one */
  sqlite3_stmt *insert_block, *insert_event;

  fb_error failure; /* the first write that failed; nothing is written after it */
};

/* ---- run/store/sql.c: SQLite with our messages ---- */

/* What went wrong in SQLite, in words; `doing` completes "cannot ...". */
fb_status fb_store_fail(fb_store* run, const char* doing, fb_error* error);
/* Nothing is written any more: whoever asks hears why. */
void fb_store_give_up(fb_store* run, const fb_error* why);
/* "the run is damaged: ...", with what to do about it. */
fb_status fb_store_damaged(const fb_store* run, fb_error* error, const char* format, ...) FB_PRINTF(3, 4);
static inline fb_status fb_store_no_memory(fb_error* error) {
  fb_fail(error, FB_ERR_MEMORY, "out of memory while working on a run");
  return FB_ERR_MEMORY;
}
fb_status fb_store_exec(fb_store* run, const char* sql, const char* doing, fb_error* error);
fb_status fb_store_prepare(fb_store* run, const char* sql, sqlite3_stmt** statement, fb_error* error);
/* Runs a statement that returns no rows, and resets it. */
fb_status fb_store_step(fb_store* run, sqlite3_stmt* statement, const char* doing, fb_error* error);
/* A statement with one number in it. */
fb_status fb_store_exec_number(fb_store* run, const char* sql, long long number, const char* doing,
                               fb_error* error);
/* Opens run->path; immutable: a file that nobody changes, in a folder that cannot be written. */
fb_status fb_store_connect(fb_store* run, int flags, int immutable, fb_error* error);

/* ---- run/store/row.c: rows with their checksums ---- */

/* A row being written: values are bound one after the other, and summed on the way. */
typedef struct fb_store_row {
  sqlite3_stmt* statement;
  int column, code;
  uint32_t sum;
} fb_store_row;

/* CRC-32, as zlib has it. */
uint32_t fb_store_sum(const void* data, size_t size);
fb_store_row fb_store_row_begin(sqlite3_stmt* statement);
void fb_store_row_int(fb_store_row* row, long long x);
void fb_store_row_real(fb_store_row* row, double x);
void fb_store_row_text(fb_store_row* row, const char* text); /* NULL: none */
void fb_store_row_blob(fb_store_row* row, const void* data, size_t size);
/* Binds the sum of what was bound, then `data` where it is not NULL, and runs the statement. */
fb_status fb_store_row_write(fb_store* run, fb_store_row* row, const void* data, size_t size,
                             const char* doing, fb_error* error);

/* SELECT columns, sum FROM table ... */
fb_status fb_store_select_rows(fb_store* run, const char* table, const char* columns, const char* rest,
                               sqlite3_stmt** statement, fb_error* error);
/* The next row of it; *more is 0 after the last. `types` has a letter for each column, in the order in which they were
 * written: i integer, r real, t text, n text or NULL, b blob. A row of other types, or whose sum is not the one stored
 * with it, is damaged. */
fb_status fb_store_next_row(fb_store* run, sqlite3_stmt* statement, const char* table, const char* types,
                            int* more, fb_error* error);
/* What is read of a block, and the letters for it. */
#define FB_STORE_BLOCK_COLUMNS "first, count, t_first, t_last, epoch, data_sums"
#define FB_STORE_BLOCK_TYPES "iirrib"
/* A copy of a text of the present row; NULL without memory. */
char* fb_store_copy_text(sqlite3_stmt* statement, int column);

/* ---- run/store/schema.c: the tables ---- */

/* Makes them in an empty database. */
fb_status fb_store_make_tables(fb_store* run, fb_error* error);
/* Is it a database, a run, of a version that can be read, with our tables and nothing else? */
fb_status fb_store_check_tables(fb_store* run, fb_error* error);

/* ---- run/store/exchange.c: what remote controllers sent ---- */

enum {
  FB_STORE_EXCHANGES = 1024 /* in a row, at most */,
  FB_EXCHANGE_T = 0,
  FB_EXCHANGE_OUTCOME,
  FB_EXCHANGE_INPUTS
};

/* Exchanges first .. first+count-1 of a controller: each has t, the outcome and the inputs. */
typedef struct fb_store_exchanges {
  long long first;
  int count, ninput;
  double* numbers; /* [count][2 + ninput], malloc'd */
} fb_store_exchanges;

fb_status fb_store_add_exchanges(fb_store* run, const char* controller, const fb_store_exchanges* exchanges,
                                 fb_error* error);
/* The row with exchange `number`; count is 0 when the record ends before it. out->numbers is freed or reused. */
fb_status fb_store_read_exchanges(fb_store* run, const char* controller, long long number,
                                  fb_store_exchanges* out, fb_error* error);

/* ---- run/store/load.c: what a run holds in memory ---- */

fb_store* fb_store_new(const char* path);
/* Closes the database and frees everything; nothing is committed. */
void fb_store_free(fb_store* run);
/* Reads all but samples, meshes and checkpoints, and checks it. */
fb_status fb_store_load(fb_store* run, fb_error* error);
/* These count an event, a text, a block, a mesh, and remember it; or nothing at all without memory. */
fb_status fb_store_keep_event(fb_store* run, double t, const char* name, const char* text, fb_error* error);
fb_status fb_store_keep_text(fb_store* run, const char* key, const char* text, fb_error* error);
fb_status fb_store_keep_block(fb_store* run, fb_store_block block, fb_error* error);
fb_status fb_store_keep_mesh(fb_store* run, const char* name, long long row, uint32_t data_sum,
                             fb_error* error);
fb_store_mesh* fb_store_find_mesh(const fb_store* run, const char* name);
void fb_store_forget_text(fb_store* run, const char* key);

/* Numbers of this machine to those of the file, and back. */
void fb_store_little_endian(double* x, size_t count);

/* ---- run/store/checkpoint.c ---- */

typedef struct fb_store_checkpoint {
  long long id, samples, events; /* id 0: there is none */
  double t;
  uint32_t data_sum;
  void* data; /* the snapshot, malloc'd */
  size_t size;
} fb_store_checkpoint;

/* The last checkpoint at or before the time t (INFINITY: the last one of all), read and checked. */
fb_status fb_store_read_checkpoint(fb_store* run, double t, fb_store_checkpoint* checkpoint, fb_error* error);

/* ---- run/store/write.c ---- */

/* Is it open for writing, and did all writes go well so far? */
fb_status fb_store_check_writing(fb_store* run, fb_error* error);
/* Opened for writing: what cannot be set inside a transaction. */
fb_status fb_store_use_journal(fb_store* run, fb_error* error);
/* Loaded: room for samples, and statements to write with. */
fb_status fb_store_start_writing(fb_store* run, fb_error* error);
/* Begins the transaction that the next commit ends, if none is open. */
fb_status fb_store_begin(fb_store* run, fb_error* error);
/* Closes the block being filled. */
fb_status fb_store_close_block(fb_store* run, fb_error* error);
/* A text into the table, whatever the last checkpoint had. */
fb_status fb_store_put_text(fb_store* run, const char* key, const char* text, fb_error* error);
fb_status fb_store_put_signals(fb_store* run, const fb_store_signal* signals, int count, fb_error* error);
/* How much there is of everything, so that what is lost is missed. */
fb_status fb_store_put_total(fb_store* run, int nsignal, fb_error* error);

#endif
