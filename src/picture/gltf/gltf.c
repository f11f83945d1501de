/* gltf.c -- a run as binary glTF 2.0 (.glb): a header, a chunk of JSON padded with spaces, and a chunk of numbers. The
 * same run gives the same bytes. */
#include "picture/gltf/gltf.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "picture/page/parts.h"
#include "text/files.h"

fb_status fb_gltf_no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while a glTF file was written");
}

/* --- the file --- */

static size_t pad(size_t size) {
  return (size + 3) / 4 * 4;
}

static void put_words(FILE* stream, const unsigned* words, int count) {
  for (int i = 0; i < count; i++) {
    unsigned char bytes[4];
    fb_gltf_put_u32(bytes, words[i]);
    fwrite(bytes, 1, 4, stream);
  }
}

static void put_file(FILE* stream, const fb_gltf* g, const char* json, size_t size, size_t numbers) {
  const unsigned json_size = (unsigned)pad(size), bin_size = (unsigned)numbers;
  const unsigned whole = 12 + 8 + json_size + (bin_size ? 8 + bin_size : 0);
  const unsigned head[] = {0x46546c67u /* glTF */, 2, whole, json_size, 0x4e4f534au /* JSON */};
  const unsigned bin[] = {bin_size, 0x004e4942u /* BIN */};
  put_words(stream, head, 5);
  fwrite(json, 1, size, stream);
  fwrite("   ", 1, pad(size) - size, stream);
  if (bin_size) put_words(stream, bin, 2);
  for (int i = 0; i < FB_GLTF_VIEWS; i++)
    if (g->views[i].size) fwrite(g->views[i].data, 1, g->views[i].size, stream);
}

static fb_status write_glb(const fb_gltf* g, const char* json, size_t size, const char* file,
                           fb_error* error) {
  size_t numbers = 0;
  for (int i = 0; i < FB_GLTF_VIEWS; i++) numbers += g->views[i].size;
  if (numbers + size > UINT32_MAX - 64)
    return fb_file_fail(
        file, error, FB_ERR_IO,
        "a glTF file is limited to 4 GiB, and this animation is larger; use fewer frames per second");
  fb_output output;
  fb_status status = fb_output_open(file, &output, error);
  if (status != FB_OK) return status;
  FILE* stream = fb_output_stream(&output);
  if (stream) put_file(stream, g, json, size, numbers);
  int failed = !stream || ferror(stream);
  if (stream && fclose(stream) != 0) failed = 1;
  if (failed) status = fb_file_fail(file, error, FB_ERR_IO, "cannot write the file: %s", strerror(errno));
  return fb_output_close(&output, status, error);
}

/* --- the whole --- */

static int prepare(fb_gltf* g) {
  static const double half = 0.70710678118654752440; /* square root */
  size_t nbody = (size_t)g->scene->nbody;
  g->times = -1;
  g->shapes = calloc((size_t)g->scene->nshape + 1, sizeof *g->shapes);
  g->channels = malloc(nbody * sizeof *g->channels);
  g->rest = (double(*)[7])calloc(nbody, sizeof *g->rest);
  if (!g->shapes || !g->channels || !g->rest) return 0;
  for (size_t i = 0; i < nbody; i++) g->channels[i] = (fb_gltf_channels){-1, -1};
  g->rest[0][3] = half; /* z up to y up */
  g->rest[0][4] = -half;
  return 1;
}

static void release(fb_gltf* g) {
  for (int i = 0; i < FB_GLTF_VIEWS; i++) free(g->views[i].data);
  free(g->accessors);
  free(g->geometries);
  free(g->materials);
  free(g->meshes);
  free(g->shapes);
  free(g->channels);
  free(g->rest);
}

fb_status fb_store_write_gltf(fb_store* run, const char* file, const fb_picture_options* options,
                              fb_error* error) {
  fb_status status = fb_picture_options_check(options, error);
  if (status != FB_OK) return status;
  if (!run || !file) return fb_fail(error, FB_ERR_ARG, "fb_store_write_gltf needs a run and a file");
  if (!(options->frames_per_second >= 0) || isinf(options->frames_per_second))
    return fb_fail(error, FB_ERR_ARG, "frames_per_second is %g; it must be 0 or greater",
                   options->frames_per_second);
  fb_scene* scene = NULL;
  status = fb_scene_of_run(run, options->note, options->note_user, &scene, error);
  if (status != FB_OK) return status;
  fb_gltf g = {.scene = scene};
  status = prepare(&g) ? FB_OK : fb_gltf_no_memory(error);
  if (status == FB_OK) status = fb_gltf_add_shapes(&g, error);
  if (status == FB_OK) status = fb_gltf_add_motion(&g, run, options, error);
  size_t size = 0;
  char* json = status == FB_OK ? fb_gltf_print(&g, run, &size) : NULL;
  if (status == FB_OK) status = json ? write_glb(&g, json, size, file, error) : fb_gltf_no_memory(error);
  free(json);
  release(&g);
  fb_scene_free(scene);
  return status;
}
