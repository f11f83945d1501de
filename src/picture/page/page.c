/* page.c -- the report page: the template, with the elements of the runs, or of a model, at its marker. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "base/cookie.h"
#include "base/copy_text.h"
#include "base/grow.h"
#include "picture/page/parts.h"
#include "text/files.h"

static const char MARKER[] = "<!--freebody-data-->";

fb_picture_options fb_default_picture_options(void) {
  return (fb_picture_options){.cookie_ = FB_COOKIE};
}

fb_status fb_picture_options_check(const fb_picture_options* options, fb_error* error) {
  return fb_cookie_check(options ? options->cookie_ : 0, "picture_options", error);
}

static fb_status fail_stream(const fb_page_out* out, fb_error* error) {
  return fb_file_fail(out->shown, error, FB_ERR_IO, "cannot write the page: %s", strerror(errno));
}

fb_status fb_page_check(const fb_page_out* out, fb_error* error) {
  return ferror(out->stream) ? fail_stream(out, error) : FB_OK;
}

/* --- the template --- */

typedef struct page_template {
  char* text;
  size_t size, marker; /* where the marker begins */
} page_template;

static fb_status fail_template(const char* file, const char* text, fb_error* error) {
  return fb_file_fail(file, error, FB_ERR_CONTENT,
                      "%s; a page template contains it exactly once. Build the viewer again", text);
}

static fb_status read_template(const char* file, page_template* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  if (!file) return fb_fail(error, FB_ERR_ARG, "a page needs a template: set page_template");
  fb_status status = fb_file_read(file, &out->text, &out->size, error);
  if (status != FB_OK) return status;
  const char* first = strstr(out->text, MARKER);
  if (!first)
    status = fail_template(file, "the marker <!--freebody-data--> is missing", error);
  else if (strstr(first + 1, MARKER))
    status = fail_template(file, "the marker <!--freebody-data--> occurs more than once", error);
  else
    out->marker = (size_t)(first - out->text);
  if (status != FB_OK) free(out->text);
  return status;
}

/* --- a run or a model --- */

/* What a page shows: a run, which may be in progress, or a model alone. */
typedef struct subject {
  fb_store* run;         /* NULL: the model */
  const fb_model* model; /* NULL: that of the run */
  const char* live;      /* where samples come from; NULL: from the page */
} subject;

/* What the scene could not show, for the page and for the caller. */
typedef struct notes {
  const fb_picture_options* options;
  char** texts;
  size_t count, room;
  int lost; /* one could not be kept */
} notes;

static void keep_note(void* user, const char* text) {
  notes* n = (notes*)user;
  if (n->options->note) n->options->note(n->options->note_user, text);
  char* copy = fb_copy_text(text);
  if (copy && fb_grow(&n->texts, n->count, 1, &n->room, sizeof *n->texts))
    n->texts[n->count++] = copy;
  else {
    n->lost = 1;
    free(copy);
  }
}

static fb_status put_meshes(const fb_page_out* out, int number, const fb_scene* scene, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < scene->nmesh && status == FB_OK; i++) {
    const fb_mesh* mesh = &scene->meshes[i];
    char id[48];
    snprintf(id, sizeof id, "freebody-%d-mesh-%d", number, i);
    fb_page_begin(out, "text/plain", id);
    status = fb_page_put_words(out, mesh->position, 3 * (size_t)mesh->nvertex, error);
    fb_page_put(out, "\n", 1);
    if (status == FB_OK) status = fb_page_put_words(out, mesh->triangle, 3 * (size_t)mesh->ntriangle, error);
    fb_page_end(out);
  }
  return status;
}

static fb_status put_subject(const fb_page_out* out, const subject* s, int number,
                             const fb_picture_options* options, fb_error* error) {
  notes n = {options, NULL, 0, 0, 0};
  fb_scene* scene;
  fb_status status = s->run ? fb_scene_of_run(s->run, keep_note, &n, &scene, error)
                            : fb_scene_of_model(s->model, keep_note, &n, &scene, error);
  if (status == FB_OK) {
    status = n.lost ? fb_page_no_memory(error) : FB_OK;
    if (status == FB_OK)
      status = fb_page_put_header(out, s->run, number, scene, (const char* const*)n.texts, (int)n.count,
                                  s->live, error);
    if (status == FB_OK) status = put_meshes(out, number, scene, error);
    if (status == FB_OK) status = fb_page_check(out, error);
    if (status == FB_OK && s->run && !s->live) status = fb_page_put_columns(out, s->run, number, error);
    fb_scene_free(scene);
  }
  for (size_t i = 0; i < n.count; i++) free(n.texts[i]);
  free(n.texts);
  return status;
}

/* What stands where the marker was. */
static fb_status put_data(const fb_page_out* plain, const subject* s, const fb_picture_options* options,
                          fb_error* error) {
  fb_page_sums sums;
  fb_page_out out = *plain;
  out.sums = &sums;
  if (!fb_page_sums_begin(&sums)) return fb_page_no_memory(error);
  fb_status status = put_subject(&out, s, 0, options, error);
  for (int i = 0; i < options->nother && s->run && status == FB_OK; i++)
    status = put_subject(&out, &(subject){.run = options->others[i]}, i + 1, options, error);
  if (status == FB_OK) status = fb_page_sums_end(&out, error);
  fb_page_sums_free(&sums);
  return status;
}

static fb_status put_page(const fb_page_out* out, const subject* s, const page_template* page,
                          const fb_picture_options* options, fb_error* error) {
  size_t after = page->marker + sizeof MARKER - 1;
  fwrite(page->text, 1, page->marker, out->stream);
  fb_status status = put_data(out, s, options, error);
  fwrite(page->text + after, 1, page->size - after, out->stream);
  fflush(out->stream);
  return status == FB_OK ? fb_page_check(out, error) : status;
}

/* --- to a file --- */

static fb_status put_file(const subject* s, const fb_output* output, const page_template* page,
                          const fb_picture_options* options, fb_error* error) {
  fb_page_out out = {fb_output_stream(output), output->shown, output->temporary, NULL};
  if (!out.stream) return fail_stream(&out, error);
  fb_status status = put_page(&out, s, page, options, error);
  if (fclose(out.stream) != 0 && status == FB_OK) status = fail_stream(&out, error);
  return status;
}

static fb_status write_page(const subject* s, const char* file, const fb_picture_options* options,
                            fb_error* error) {
  page_template page;
  fb_output output;
  fb_status status = read_template(options->page_template, &page, error);
  if (status != FB_OK) return status;
  if (strcmp(file, "-") == 0) {
    fb_page_out out = {stdout, "standard output", NULL, NULL};
    status = put_page(&out, s, &page, options, error);
  } else {
    status = fb_output_open(file, &output, error);
    if (status == FB_OK)
      status = fb_output_close(&output, put_file(s, &output, &page, options, error), error);
  }
  free(page.text);
  return status;
}

fb_status fb_store_write_page(fb_store* run, const char* file, const fb_picture_options* options,
                              fb_error* error) {
  fb_status status = fb_picture_options_check(options, error);
  if (status != FB_OK) return status;
  if (!run || !file) return fb_fail(error, FB_ERR_ARG, "fb_store_write_page needs a run and a file");
  for (int i = 0; i < options->nother; i++)
    if (!options->others || !options->others[i])
      return fb_fail(error, FB_ERR_ARG, "the run others[%d] to compare with is missing", i);
  return write_page(&(subject){.run = run}, file, options, error);
}

fb_status fb_model_write_page(const fb_model* model, const char* file, const fb_picture_options* options,
                              fb_error* error) {
  fb_status status = fb_picture_options_check(options, error);
  if (status != FB_OK) return status;
  if (!model || !file) return fb_fail(error, FB_ERR_ARG, "fb_model_write_page needs a model and a file");
  return write_page(&(subject){.model = model}, file, options, error);
}

/* --- to memory --- */

fb_status fb_store_print_live_page(fb_store* run, const char* path, const fb_picture_options* options,
                                   char** text, size_t* size, fb_error* error) {
  page_template page;
  *text = NULL;
  *size = 0;
  fb_status status = fb_picture_options_check(options, error);
  if (status == FB_OK) status = read_template(options->page_template, &page, error);
  if (status != FB_OK) return status;
  fb_page_out out = {open_memstream(text, size), "the page", NULL, NULL};
  const subject s = {.run = run, .live = path};
  status = out.stream ? put_page(&out, &s, &page, options, error) : fb_page_no_memory(error);
  if (out.stream && fclose(out.stream) != 0 && status == FB_OK) status = fb_page_no_memory(error);
  if (status != FB_OK) {
    free(*text);
    *text = NULL;
    *size = 0;
  }
  free(page.text);
  return status;
}
