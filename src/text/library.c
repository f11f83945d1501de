/* library.c -- functions of a shared library that is loaded when it is first needed
 *
 * Some libraries bring dozens of others, which the loader would read and relocate at every start of a program that never
 * calls them: HDF5 and libwebsockets take 5 ms. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <freebody/support/library.h>

#include <dlfcn.h>
#include <string.h>

const char* fb_library_error(fb_status* status) {
  const char* why = dlerror();
  if (!why) why = "no reason is given";
  int no_memory = strstr(why, "out of memory") || strstr(why, "annot allocate memory");
  *status = no_memory ? FB_ERR_MEMORY : FB_ERR_IO;
  return why;
}

static fb_status refuse(const char* file, fb_error* error) {
  fb_status status;
  const char* why = fb_library_error(&status);
  return fb_fail(error, status, "cannot load the library %s: %.300s", file, why);
}

fb_status fb_library_load(const char* file, const char* const* names, int count, void* table,
                          fb_error* error) {
  if (!dlopen(file, RTLD_LAZY | RTLD_GLOBAL)) return refuse(file, error);
  for (int i = 0; i < count; i++) {
    void* symbol = dlsym(RTLD_DEFAULT, names[i]);
    if (!symbol) return refuse(file, error);
    memcpy((char*)table + (size_t)i * sizeof symbol, &symbol, sizeof symbol);
  }
  return FB_OK;
}
