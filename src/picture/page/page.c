/* page.c -- the report page: the template, with the elements of one or two runs at its marker. */
#include "picture/page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/files.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "picture/page/parts.h"

enum { COOKIE = 0x0fb5a };

static const char MARKER[] = "<!--freebody-data-->";

fb_picture_options fb_default_picture_options(void) {
  return (fb_picture_options){.cookie_ = COOKIE};
}

fb_status fb_picture_options_check(const fb_picture_options* options, fb_error* error) {
  if (options && options->cookie_ == COOKIE) return FB_OK;
  return fb_fail(error, FB_ERR_ARG, "show options must come from fb_default_picture_options");
}

static fb_status fail_stream(const fb_page_out* out, fb_error* error) {
  fb_fail(error, FB_ERR_IO, "cannot write the page: %s", strerror(errno));
  fb_error_set_place(error, out->shown, NULL, (fb_place){0, 0});
  return FB_ERR_IO;
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
  fb_fail(error, FB_ERR_CONTENT, "%s; a page template contains it exactly once. Build the viewer again",
          text);
  fb_error_set_place(error, file, NULL, (fb_place){0, 0});
  return FB_ERR_CONTENT;
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

/* --- a run --- */

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

static fb_status put_run(const fb_page_out* out, fb_store* run, int number, const char* live,
                         const fb_picture_options* options, fb_error* error) {
  notes n = {options, NULL, 0, 0, 0};
  fb_scene* scene;
  fb_status status = fb_scene_of_run(run, keep_note, &n, &scene, error);
  if (status == FB_OK) {
    status = n.lost ? fb_page_no_memory(error) : FB_OK;
    if (status == FB_OK)
      status =
          fb_page_put_header(out, run, number, scene, (const char* const*)n.texts, (int)n.count, live, error);
    if (status == FB_OK) status = put_meshes(out, number, scene, error);
    if (status == FB_OK) status = fb_page_check(out, error);
    if (status == FB_OK && !live) status = fb_page_put_columns(out, run, number, error);
    fb_scene_free(scene);
  }
  for (size_t i = 0; i < n.count; i++) free(n.texts[i]);
  free(n.texts);
  return status;
}

/* What stands where the marker was. */
static fb_status put_data(const fb_page_out* plain, fb_store* run, const char* live,
                          const fb_picture_options* options, fb_error* error) {
  fb_page_sums sums;
  fb_page_out out = *plain;
  out.sums = &sums;
  if (!fb_page_sums_begin(&sums)) return fb_page_no_memory(error);
  fb_status status = put_run(&out, run, 0, live, options, error);
  if (status == FB_OK && options->second) status = put_run(&out, options->second, 1, NULL, options, error);
  if (status == FB_OK) status = fb_page_sums_end(&out, error);
  fb_page_sums_free(&sums);
  return status;
}

static fb_status put_page(const fb_page_out* out, fb_store* run, const char* live, const page_template* page,
                          const fb_picture_options* options, fb_error* error) {
  size_t after = page->marker + sizeof MARKER - 1;
  fwrite(page->text, 1, page->marker, out->stream);
  fb_status status = put_data(out, run, live, options, error);
  fwrite(page->text + after, 1, page->size - after, out->stream);
  fflush(out->stream);
  return status == FB_OK ? fb_page_check(out, error) : status;
}

/* --- to a file --- */

static fb_status put_file(fb_store* run, const fb_output* output, const page_template* page,
                          const fb_picture_options* options, fb_error* error) {
  fb_page_out out = {fb_output_stream(output), output->shown, output->temporary, NULL};
  if (!out.stream) return fail_stream(&out, error);
  fb_status status = put_page(&out, run, NULL, page, options, error);
  if (fclose(out.stream) != 0 && status == FB_OK) status = fail_stream(&out, error);
  return status;
}

static fb_status put_standard_output(fb_store* run, const page_template* page,
                                     const fb_picture_options* options, fb_error* error) {
  fb_page_out out = {stdout, "standard output", NULL, NULL};
  return put_page(&out, run, NULL, page, options, error);
}

fb_status fb_page_write(fb_store* run, const char* file, const fb_picture_options* options, fb_error* error) {
  page_template page;
  fb_output output;
  fb_status status = fb_picture_options_check(options, error);
  if (status == FB_OK && (!run || !file))
    status = fb_fail(error, FB_ERR_ARG, "fb_page_write needs a run and a file");
  if (status == FB_OK) status = read_template(options->page_template, &page, error);
  if (status != FB_OK) return status;
  if (strcmp(file, "-") == 0) {
    status = put_standard_output(run, &page, options, error);
  } else {
    status = fb_output_open(file, &output, error);
    if (status == FB_OK)
      status = fb_output_close(&output, put_file(run, &output, &page, options, error), error);
  }
  free(page.text);
  return status;
}

/* --- to memory --- */

fb_status fb_page_print_live(fb_store* run, const char* path, const fb_picture_options* options, char** text,
                             size_t* size, fb_error* error) {
  page_template page;
  *text = NULL;
  *size = 0;
  fb_status status = fb_picture_options_check(options, error);
  if (status == FB_OK) status = read_template(options->page_template, &page, error);
  if (status != FB_OK) return status;
  fb_page_out out = {open_memstream(text, size), "the page", NULL, NULL};
  status = out.stream ? put_page(&out, run, path, &page, options, error) : fb_page_no_memory(error);
  if (out.stream && fclose(out.stream) != 0 && status == FB_OK) status = fb_page_no_memory(error);
  if (status != FB_OK) {
    free(*text);
    *text = NULL;
    *size = 0;
  }
  free(page.text);
  return status;
}
