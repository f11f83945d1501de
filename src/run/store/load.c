/* load.c -- the parts of a run kept in memory: signals, texts, events, where its blocks and meshes are.
 *
 * All of it is read when the run is opened, so that whatever is wrong with it is said then; samples, meshes and the
 * last checkpoint are read on demand. What is read must follow without gaps and be as much as the table `total` says,
 * so that rows that are lost are missed. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "run/store/folder.h"

/* --- the object --- */

void fb_store_little_endian(double* x, size_t count) {
  const uint16_t probe = 1;
  unsigned char low;
  memcpy(&low, &probe, 1);
  if (low == 1) return;
  for (size_t i = 0; i < count; i++) {
    unsigned char bytes[8], swapped[8];
    memcpy(bytes, &x[i], 8);
    for (int j = 0; j < 8; j++) swapped[j] = bytes[7 - j];
    memcpy(&x[i], swapped, 8);
  }
}

fb_store* fb_store_new(const char* path) {
  fb_store* run = calloc(1, sizeof *run);
  char* copy = strdup(path);
  if (!run || !copy) {
    free(run);
    free(copy);
    return NULL;
  }
  run->path = copy;
  run->lock = -1;
  run->process = getpid();
  return run;
}

void fb_store_free(fb_store* run) {
  if (!run) return;
  if (fb_store_is_here(run)) {
    sqlite3_finalize(run->insert_block);
    sqlite3_finalize(run->insert_event);
    sqlite3_close(run->db); /* an open transaction is rolled back */
  }
  fb_store_unlock(run);
  for (int i = 0; i < run->nsignal; i++) {
    free((void*)run->signals[i].name);
    free((void*)run->signals[i].unit);
    free((void*)run->signals[i].axes);
    free((void*)run->signals[i].meaning);
  }
  for (size_t i = 0; i < run->nkept; i++) {
    free((void*)run->events[i].name);
    free((void*)run->events[i].text);
  }
  for (size_t i = 0; i < run->ntext; i++) {
    free(run->texts[i].key);
    free(run->texts[i].text);
  }
  for (size_t i = 0; i < run->nmesh; i++) free(run->meshes[i].name);
  free(run->signals);
  free(run->blocks);
  free(run->events);
  free(run->texts);
  free(run->meshes);
  free(run->rows);
  free(run->columns);
  free(run->column_sums);
  free(run->path);
  free(run);
}

/* --- what is remembered --- */

fb_status fb_store_keep_event(fb_store* run, double t, const char* name, const char* text, fb_error* error) {
  if (!run->writing || run->nkept < FB_STORE_WRITER_EVENTS) {
    if (!fb_grow(&run->events, run->nkept, 1, &run->event_room, sizeof *run->events))
      return fb_store_no_memory(error);
    fb_store_event event = {t, strdup(name), strdup(text)};
    if (!event.name || !event.text) {
      free((void*)event.name);
      free((void*)event.text);
      return fb_store_no_memory(error);
    }
    run->events[run->nkept++] = event;
  }
  run->nevent++;
  return FB_OK;
}

/* One more, whatever others of its key there are. */
static fb_status append_text(fb_store* run, const char* key, const char* text, fb_error* error) {
  if (!fb_grow(&run->texts, run->ntext, 1, &run->text_room, sizeof *run->texts))
    return fb_store_no_memory(error);
  fb_store_kept kept = {strdup(key), strdup(text)};
  if (!kept.key || !kept.text) {
    free(kept.key);
    free(kept.text);
    return fb_store_no_memory(error);
  }
  run->texts[run->ntext++] = kept;
  return FB_OK;
}

fb_status fb_store_keep_text(fb_store* run, const char* key, const char* text, fb_error* error) {
  const char* before = fb_store_get_text(run, key);
  if (before && strcmp(before, text) == 0) return FB_OK;
  fb_status status = append_text(run, key, text, error);
  if (status == FB_OK) run->nkey += !before;
  return status;
}

void fb_store_forget_text(fb_store* run, const char* key) {
  size_t left = 0;
  if (fb_store_get_text(run, key)) run->nkey--;
  for (size_t i = 0; i < run->ntext; i++) {
    fb_store_kept* kept = &run->texts[i];
    if (strcmp(kept->key, key) != 0) {
      run->texts[left++] = *kept;
    } else {
      free(kept->key);
      free(kept->text);
    }
  }
  run->ntext = left;
}

fb_status fb_store_keep_block(fb_store* run, fb_store_block block, fb_error* error) {
  if (!fb_grow(&run->blocks, run->nblock, 1, &run->block_room, sizeof *run->blocks))
    return fb_store_no_memory(error);
  run->blocks[run->nblock++] = block;
  run->nsample = block.first + block.count;
  run->t_last = block.t_last;
  return FB_OK;
}

static int compare_meshes(const void* a, const void* b) {
  return strcmp(((const fb_store_mesh*)a)->name, ((const fb_store_mesh*)b)->name);
}

/* Those that were read are sorted; those written since follow them. */
fb_store_mesh* fb_store_find_mesh(const fb_store* run, const char* name) {
  const fb_store_mesh wanted = {(char*)name, 0, 0};
  fb_store_mesh* found = NULL;
  if (run->nsorted > 0)
    found = (fb_store_mesh*)bsearch(&wanted, run->meshes, run->nsorted, sizeof *run->meshes, compare_meshes);
  for (size_t i = run->nsorted; i < run->nmesh && !found; i++)
    if (strcmp(run->meshes[i].name, name) == 0) found = &run->meshes[i];
  return found;
}

/* One more, whatever others of its name there are. */
static fb_status append_mesh(fb_store* run, const char* name, fb_store_mesh** mesh, fb_error* error) {
  char* copy = strdup(name);
  if (!copy || !fb_grow(&run->meshes, run->nmesh, 1, &run->mesh_room, sizeof *run->meshes)) {
    free(copy);
    return fb_store_no_memory(error);
  }
  *mesh = &run->meshes[run->nmesh++];
  **mesh = (fb_store_mesh){copy, 0, 0};
  return FB_OK;
}

fb_status fb_store_keep_mesh(fb_store* run, const char* name, long long row, uint32_t data_sum,
                             fb_error* error) {
  fb_store_mesh* mesh = fb_store_find_mesh(run, name);
  fb_status status = mesh ? FB_OK : append_mesh(run, name, &mesh, error);
  if (status != FB_OK) return status;
  mesh->row = row;
  mesh->data_sum = data_sum;
  return FB_OK;
}

/* --- reading it --- */

/* How much of everything there should be. */
typedef struct total {
  long long signals, samples, events, texts, meshes, checkpoint;
} total;

static fb_status load_total(fb_store* run, total* t, fb_error* error) {
  sqlite3_stmt* statement;
  int more = 0;
  fb_status status =
      fb_store_select_rows(run, "total", "id, signals, samples, events, texts, meshes, checkpoint",
                           "WHERE id = 0", &statement, error);
  if (status == FB_OK) status = fb_store_next_row(run, statement, "total", "iiiiiii", &more, error);
  long long* fields[] = {&t->signals, &t->samples, &t->events, &t->texts, &t->meshes, &t->checkpoint};
  for (int i = 0; i < 6 && more; i++) *fields[i] = sqlite3_column_int64(statement, i + 1);
  sqlite3_finalize(statement);
  if (status == FB_OK && !more) status = fb_store_damaged(run, error, "the row of its table 'total' is gone");
  return status;
}

static fb_status load_signal(fb_store* run, sqlite3_stmt* statement, fb_error* error) {
  if (sqlite3_column_int64(statement, 0) != run->nsignal)
    return fb_store_damaged(run, error, "signal %d is missing", run->nsignal);
  if (!fb_grow(&run->signals, (size_t)run->nsignal, 1, &run->signal_room, sizeof *run->signals))
    return fb_store_no_memory(error);
  fb_store_signal s = {fb_store_copy_text(statement, 1), fb_store_copy_text(statement, 2),
                       fb_store_copy_text(statement, 3), fb_store_copy_text(statement, 4)};
  run->signals[run->nsignal++] = s;
  return s.name && s.unit && s.axes && s.meaning ? FB_OK : fb_store_no_memory(error);
}

static int compare_keys(const void* a, const void* b) {
  return strcmp(((const fb_store_kept*)a)->key, ((const fb_store_kept*)b)->key);
}

/* Each once: looking for every one among all others would take for ever in a file that holds very many. */
static fb_status sort_texts(fb_store* run, fb_error* error) {
  if (run->ntext > 0) qsort(run->texts, run->ntext, sizeof *run->texts, compare_keys);
  for (size_t i = 1; i < run->ntext; i++)
    if (compare_keys(&run->texts[i - 1], &run->texts[i]) == 0)
      return fb_store_damaged(run, error, "its text '%.40s' is there twice", run->texts[i].key);
  run->nkey = run->ntext;
  return FB_OK;
}

static fb_status load_text(fb_store* run, sqlite3_stmt* statement, fb_error* error) {
  const char *key = (const char*)sqlite3_column_text(statement, 0),
             *text = (const char*)sqlite3_column_text(statement, 1);
  return key && text ? append_text(run, key, text, error) : fb_store_no_memory(error);
}

/* More than any disk holds; what is computed with a number of samples does not overflow. */
static const long long MOST_SAMPLES = 1LL << 48;

static fb_status load_block(fb_store* run, sqlite3_stmt* statement, fb_error* error) {
  long long first = sqlite3_column_int64(statement, 0), count = sqlite3_column_int64(statement, 1);
  fb_store_block block = {first, (int)count, sqlite3_column_double(statement, 2),
                          sqlite3_column_double(statement, 3)};
  if (first < 0 || first > MOST_SAMPLES || count < 1 || count > FB_STORE_BLOCK_SAMPLES)
    return fb_store_damaged(run, error, "a block contains %lld samples from number %lld on", count, first);
  if (first != run->nsample)
    return fb_store_damaged(run, error, "the samples from number %lld on are missing", run->nsample);
  if (!(block.t_first <= block.t_last) || (run->nblock > 0 && block.t_first < run->t_last))
    return fb_store_damaged(run, error, "time goes back at sample %lld", first);
  return fb_store_keep_block(run, block, error);
}

static fb_status load_event(fb_store* run, sqlite3_stmt* statement, fb_error* error) {
  if (sqlite3_column_int64(statement, 0) != (long long)run->nevent)
    return fb_store_damaged(run, error, "event %zu is missing", run->nevent);
  const char *name = (const char*)sqlite3_column_text(statement, 2),
             *text = (const char*)sqlite3_column_text(statement, 3);
  if (!name || !text) return fb_store_no_memory(error);
  return fb_store_keep_event(run, sqlite3_column_double(statement, 1), name, text, error);
}

static fb_status sort_meshes(fb_store* run, fb_error* error) {
  if (run->nmesh > 0) qsort(run->meshes, run->nmesh, sizeof *run->meshes, compare_meshes);
  for (size_t i = 1; i < run->nmesh; i++)
    if (compare_meshes(&run->meshes[i - 1], &run->meshes[i]) == 0)
      return fb_store_damaged(run, error, "its mesh '%.60s' is there twice", run->meshes[i].name);
  run->nsorted = run->nmesh;
  return FB_OK;
}

static fb_status load_mesh(fb_store* run, sqlite3_stmt* statement, fb_error* error) {
  const char* name = (const char*)sqlite3_column_text(statement, 0);
  fb_store_mesh* mesh;
  fb_status status = name ? append_mesh(run, name, &mesh, error) : fb_store_no_memory(error);
  if (status != FB_OK) return status;
  mesh->row = sqlite3_column_int64(statement, 3);
  mesh->data_sum = (uint32_t)sqlite3_column_int64(statement, 1);
  return FB_OK;
}

static fb_status compare(fb_store* run, const total* t, fb_error* error) {
  const struct {
    const char* what;
    long long there, should_be;
  } rows[] = {
      {"signals", run->nsignal, t->signals},         {"samples", run->nsample, t->samples},
      {"events", (long long)run->nevent, t->events}, {"texts", (long long)run->nkey, t->texts},
      {"meshes", (long long)run->nmesh, t->meshes},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].there != rows[i].should_be)
      return fb_store_damaged(run, error, "it has %lld %s and should have %lld", rows[i].there, rows[i].what,
                              rows[i].should_be);
  if (t->checkpoint < 0 || t->checkpoint > MOST_SAMPLES)
    return fb_store_damaged(run, error, "its last checkpoint has the number %lld", t->checkpoint);
  run->checkpoint = t->checkpoint;
  return FB_OK;
}

/* Texts and meshes by the table and not its index, which may lack what the table has. */
static const struct {
  const char *name, *columns, *types, *rest;
  fb_status (*load)(fb_store* run, sqlite3_stmt* statement, fb_error* error);
} TABLES[] = {
    {"signal", "id, name, unit, axes, meaning, epoch", "itttti", "ORDER BY id", load_signal},
    {"meta", "key, text", "tt", "NOT INDEXED", load_text},
    {"block", FB_STORE_BLOCK_COLUMNS, FB_STORE_BLOCK_TYPES, "ORDER BY first", load_block},
    {"event", "id, t, name, text, epoch", "irtti", "ORDER BY id", load_event},
    /* The number of the row comes after the sum, which does not cover it. */
    {"mesh", "name, data_sum, sum, rowid", "ti", "NOT INDEXED", load_mesh},
};

fb_status fb_store_load(fb_store* run, fb_error* error) {
  total t = {0, 0, 0, 0, 0, 0};
  fb_status status = load_total(run, &t, error);
  for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES && status == FB_OK; i++) {
    sqlite3_stmt* statement;
    int more = 1;
    status = fb_store_select_rows(run, TABLES[i].name, TABLES[i].columns, TABLES[i].rest, &statement, error);
    while (status == FB_OK && more) {
      status = fb_store_next_row(run, statement, TABLES[i].name, TABLES[i].types, &more, error);
      if (status == FB_OK && more) status = TABLES[i].load(run, statement, error);
    }
    sqlite3_finalize(statement);
  }
  if (status == FB_OK) status = sort_texts(run, error);
  if (status == FB_OK) status = sort_meshes(run, error);
  return status == FB_OK ? compare(run, &t, error) : status;
}
