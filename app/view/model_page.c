/* model_page.c -- `freebody view MODEL`: the page of a model without a run, whose joints are moved by sliders. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "view/view.h"

int cmd_view_is_model(const char* file) {
  static const char database[] = "SQLite format 3";
  char head[sizeof database] = "";
  struct stat info;
  if (stat(file, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  FILE* stream = fopen(file, "rb");
  if (!stream) return 0;
  size_t n = fread(head, 1, sizeof head, stream);
  fclose(stream);
  return n != sizeof head || memcmp(head, database, sizeof head) != 0;
}

/* "arm.urdf" in any folder: "arm.html" in this one. */
static char* default_page(const char* model) {
  static const char ending[] = ".html";
  const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, *dot = strrchr(name, '.');
  size_t n = dot && dot != name ? (size_t)(dot - name) : strlen(name);
  char* page = cmd_take(n + sizeof ending, 1);
  memcpy(page, name, n);
  memcpy(page + n, ending, sizeof ending);
  return page;
}

static int check(const cmd_app* app, const cmd_view_args* args) {
  if (args->kind != FB_VIEW_PAGE)
    return cmd_usage_error(app, "'%s' is a model; pictures, videos and .glb files are made of runs",
                           args->run);
  if (args->nwith) return cmd_usage_error(app, "'%s' is a model; --with compares runs", args->run);
  return FB_EXIT_OK;
}

int cmd_view_model(const cmd_app* app, const cmd_view_args* args, const char** file, char** made) {
  int code = check(app, args);
  if (code != FB_EXIT_OK) return code;
  cmd_loaded loaded;
  fb_error error = {0};
  fb_io_options reading = fb_default_io_options();
  reading.note = cmd_view_note;
  cmd_reading_apply(&args->reading, &reading);
  fb_status status = cmd_load(args->run, &reading, &loaded, &error);
  if (status != FB_OK) return cmd_input_code(app, status, &error);
  fb_picture_options options = fb_default_picture_options();
  char* page = cmd_view_template(app);
  options.page_template = page;
  options.note = cmd_view_note;
  *made = args->out ? NULL : default_page(args->run);
  *file = args->out ? args->out : *made;
  code = !page ? FB_EXIT_FAILED
               : cmd_exit_code(app, fb_model_write_page(loaded.model, *file, &options, &error), &error);
  free(page);
  cmd_unload(&loaded);
  return code;
}
