/* A user's program: reads a model and says what it is; the run store is there too, with all it needs. */
#include <freebody/freebody.h>
#include <stdio.h>

int main(int argc, char** argv) {
  fb_error error;
  fb_model* m = NULL;
  fb_store* run = NULL;
  if (fb_store_open("no such run", &run, &error) != FB_ERR_IO)
    return fb_store_export(run, "log.h5", NULL, 0, &error) ? 2 : 3;
  if (argc != 2 || fb_model_load(argv[1], &m, &error) != FB_OK) return 1;
  printf("%s: %s has %d velocities\n", fb_version(), fb_model_name(m), fb_model_nv(m));
  fb_model_free(m);
  return 0;
}
