/* open.c -- a shared library becomes a block
 *
 * dlopen with all names resolved at once, so that missing symbols are reported now and not in the middle of a run; the
 * library's own names stay local, so that two plugins do not meet. What it calls of libfreebody it finds in the program
 * (linked with its names exported) or in the shared library that we are in, which is made global for it. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/support/library.h>
#include <freebody/version.h>

#include "adapters/plugin/plugin.h"
#include "base/cookie.h"

enum { PATH_SIZE = 4096, MOST_NUMBERS = 10000000 /* that a block may declare */ };

/* Languages load our shared library for themselves alone; a plugin would not find it there. */
static void show_ourselves(void) {
  static const char here = 0;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname) return;
  void* self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  if (self) dlclose(self); /* it stays global */
  (void)dlerror();
}

static fb_status refuse(fb_error* error) {
  fb_status status;
  char text[400];
  snprintf(text, sizeof text, "%.399s", fb_library_error(&status));
  int undefined = strstr(text, "undefined symbol") != NULL;
  return fb_fail(error, status, "the plugin cannot be loaded: %s%s", text,
                 undefined ? ". It calls what neither it nor this program has: link it with what it needs, "
                             "or build it with the headers of this Freebody, " FB_VERSION_TEXT
                             "; a program of one's own must export libfreebody (docs/plugins.md)"
                           : "");
}

static fb_status load(const char* file, void** library, fb_error* error) {
  char path[PATH_SIZE];
  fb_status status = fb_plugin_check_file(file, error);
  if (status) return status;
  /* A name without a slash would be looked for where system libraries are. */
  int n = snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
  if (n >= PATH_SIZE) return fb_fail(error, FB_ERR_IO, "the path of the plugin is too long");
  show_ourselves();
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return *library ? FB_OK : refuse(error);
}

static fb_status find(void* library, fb_plugin_block_fn* make, fb_error* error) {
  const int* version = (const int*)dlsym(library, "fb_plugin_version");
  if (!version)
    return fb_fail(error, FB_ERR_CONTENT,
                   "this library is no plugin of Freebody: it has no fb_plugin_version. In its source "
                   "include <freebody/plugin.h> and write: const int fb_plugin_version = FB_PLUGIN_VERSION;");
  if (*version != FB_PLUGIN_VERSION)
    return fb_fail(
        error, FB_ERR_UNSUPPORTED,
        "the plugin was built for version %d of the plugin interface, and this is Freebody " FB_VERSION_TEXT
        ", which has version %d; build it again with the headers of this one",
        *version, FB_PLUGIN_VERSION);
  void* symbol = dlsym(library, "fb_plugin_block");
  if (!symbol)
    return fb_fail(error, FB_ERR_CONTENT,
                   "the plugin has no function fb_plugin_block; <freebody/plugin.h> says what it must be");
  memcpy(make, &symbol, sizeof *make); /* C has no cast from data to functions */
  return FB_OK;
}

/* The plugin's own error with the block's name, or a word for it where it gave none. */
static fb_status failed(const fb_plugin_request* r, fb_status status, fb_error* error) {
  fb_error cause = *error;
  cause.text[sizeof cause.text - 1] = cause.file[sizeof cause.file - 1] = cause.path[sizeof cause.path - 1] =
      0;
  if ((int)status < 0 || status >= FB_STATUS_COUNT) status = FB_ERR_ARG;
  if (cause.text[0])
    fb_fail(error, status, "block \"%s\": %s", r->name, cause.text);
  else
    fb_fail(error, status,
            "block \"%s\": fb_plugin_block gave %s (%s) and no text; it should write into error->text what "
            "is wrong",
            r->name, fb_status_name(status), fb_status_meaning(status));
  fb_error_set_place(error, cause.file, cause.path, cause.place);
  return status;
}

static fb_status check_sizes(const fb_plugin_request* r, const fb_block* b, fb_error* error) {
  const struct {
    const char* what;
    int count;
  } sizes[] = {{"nmemory", b->nmemory},
               {"nstate", b->nstate},
               {"nwrench", b->nwrench},
               {"noutput", b->noutput},
               {"ninput", b->ninput}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i].count < 0 || sizes[i].count > MOST_NUMBERS)
      return fb_fail(error, FB_ERR_CONTENT,
                     "block \"%s\": its %s is %d; it must be from 0 to %d. Was it left unset?", r->name,
                     sizes[i].what, sizes[i].count, MOST_NUMBERS);
  return FB_OK;
}

static fb_status check_period(const fb_plugin_request* r, const fb_block* b, fb_error* error) {
  if (!(b->period >= 0) || isinf(b->period))
    return fb_fail(error, FB_ERR_CONTENT,
                   "block \"%s\": its period is %g s; it must be 0, or with tick greater than 0 and finite",
                   r->name, b->period);
  if (b->tick && b->period == 0)
    return fb_fail(error, FB_ERR_CONTENT,
                   "block \"%s\": it has a tick, but its period is 0 s; set period to the time between ticks",
                   r->name);
  return FB_OK;
}

static fb_status check_block(const fb_plugin_request* r, const fb_block* b, fb_error* error) {
  int parameters = 0;
  if (b->cookie_ != FB_COOKIE)
    return fb_fail(error, FB_ERR_CONTENT,
                   "block \"%s\": fb_plugin_block has replaced the block that it was given; fill that one "
                   "in, which fb_default_block() has made",
                   r->name);
  int whole = (b->noutput == 0 || b->outputs) && (b->ninput == 0 || b->inputs);
  while (b->parameters && b->parameters[parameters]) parameters++;
  if (!b->act && !b->tick && !b->output)
    return fb_fail(error, FB_ERR_CONTENT,
                   "block \"%s\": fb_plugin_block has filled neither act nor tick of the block", r->name);
  fb_status status = check_sizes(r, b, error);
  if (!status && (!whole || (b->noutput > 0 && !b->output)))
    status = fb_fail(error, FB_ERR_CONTENT,
                     "block \"%s\": it has noutput = %d and ninput = %d, so it needs the lists outputs and "
                     "inputs, and the function output",
                     r->name, b->noutput, b->ninput);
  if (!status) status = check_period(r, b, error);
  if (status) return status;
  if (parameters > b->nmemory)
    return fb_fail(
        error, FB_ERR_CONTENT,
        "block \"%s\" names %d parameters, the first numbers of its memory, but has only %d; set nmemory",
        r->name, parameters, b->nmemory);
  return FB_OK;
}

static fb_status fill(const fb_plugin_request* r, fb_plugin_block_fn make, fb_block* block, fb_error* error) {
  fb_error_clear(error);
  fb_status status = make(r->m, r->name, r->parameters, r->count, block, error);
  if (status) return failed(r, status, error);
  status = check_block(r, block, error);
  if (status && block->cookie_ == FB_COOKIE) fb_block_free(block);
  return status;
}

fb_status fb_plugin_blame(const char* file, fb_error* error) {
  fb_error cause = *error;
  fb_fail(error, cause.status, "plugin '%.200s': %s", file ? file : "", cause.text);
  fb_error_set_place(error, cause.file, cause.path, cause.place);
  return cause.status;
}

fb_status fb_plugin_open(const fb_plugin_request* request, void (*report)(void* to, fb_plugin_stage stage),
                         void* to, void** library, fb_block* block, fb_error* error) {
  fb_plugin_block_fn make = NULL;
  *library = NULL;
  *block = fb_default_block();
  if (report) report(to, FB_PLUGIN_LOADS);
  fb_status status = load(request->file, library, error);
  if (!status) status = find(*library, &make, error);
  if (!status && report) report(to, FB_PLUGIN_FILLS);
  if (!status) status = fill(request, make, block, error);
  if (!status) return FB_OK;
  fb_plugin_blame(request->file, error);
  if (*library) dlclose(*library);
  *library = NULL;
  *block = fb_default_block();
  return status;
}
