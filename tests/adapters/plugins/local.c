/* local.c -- a program that knows nothing of Freebody but the name of its library, as languages do, which it loads for
 * itself alone; a plugin must find the library all the same.
 *   local LIBRARY MODEL PLUGIN */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <freebody/io.h>
#include <freebody/plugin.h>

typedef fb_status (*model_load_fn)(const char* file, fb_model** model, fb_error* error);
typedef fb_status (*plugin_load_fn)(const fb_model* m, const char* name, const char* file,
                                    const fb_plugin_parameter* parameters, int count, fb_block* block,
                                    fb_error* error);
typedef void (*model_free_fn)(fb_model* model);

int main(int argc, char** argv) {
  void* library = argc == 4 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void* symbols[3] = {NULL};
  static const char* const names[3] = {"fb_model_load", "fb_block_load_plugin", "fb_model_free"};
  for (int i = 0; library && i < 3; i++) symbols[i] = dlsym(library, names[i]);
  if (!symbols[0] || !symbols[1] || !symbols[2]) {
    fprintf(stderr, "local: %s\n", argc == 4 ? dlerror() : "which LIBRARY, MODEL and PLUGIN?");
    return 2;
  }
  model_load_fn model_load;
  plugin_load_fn plugin_load;
  model_free_fn model_free;
  memcpy(&model_load, &symbols[0], sizeof model_load);
  memcpy(&plugin_load, &symbols[1], sizeof plugin_load);
  memcpy(&model_free, &symbols[2], sizeof model_free);

  fb_model* m = NULL;
  fb_block block;
  fb_error error;
  fb_status status = model_load(argv[2], &m, &error);
  if (!status) status = plugin_load(m, "law", argv[3], NULL, 0, &block, &error);
  if (status)
    fprintf(stderr, "local: %s\n", error.text);
  else
    block.free(block.user);
  model_free(m);
  return status ? 1 : 0;
}
