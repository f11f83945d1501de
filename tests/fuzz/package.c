/* package.c -- harness: package.xml of a ROS package, and model.config of a folder of Gazebo; the same input is both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static char folder[256];

static const char ROBOT[] =
    "<robot name='r'><link name='l'><visual><geometry><mesh filename='package://wanted/part.stl'/></geometry>"
    "</visual></link></robot>";
static const char WORLD[] =
    "<sdf version='1.9'><model name='m'><include><uri>model://given</uri></include></model></sdf>";
static const char MODEL[] = "<sdf version='1.9'><model name='part'><link name='l'/></model></sdf>";

static const char* path_of(const char* name) {
  static char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_text(const char* name, const char* text) {
  fuzz_write(path_of(name), text, strlen(text));
}

/* pack/ is the package, with a robot in urdf/ of it; other/ has a world that includes the model in pack/. */
static void prepare(void) {
  snprintf(folder, sizeof folder, "%s", fuzz_path("packages"));
  fuzz_check(mkdir(folder, 0700) == 0, "no folder");
  static const char* const inside[] = {"pack", "pack/urdf", "other"};
  for (int i = 0; i < 3; i++) fuzz_check(mkdir(path_of(inside[i]), 0700) == 0, "no folder %s", inside[i]);
  write_text("pack/urdf/robot.urdf", ROBOT);
  write_text("other/robot.urdf", ROBOT);
  write_text("other/world.sdf", WORLD);
  write_text("pack/model.sdf", MODEL);
  setenv("ROS_PACKAGE_PATH", folder, 1);
}

/* The file of the mesh is that in the package, or the address stays. */
static void find_mesh(const char* robot, const char* expected) {
  fb_model_def* def = NULL;
  fb_error error;
  if (!fuzz_ok(fb_model_def_read(path_of(robot), NULL, &def, &error), &error)) fuzz_fail("%s", error.text);
  const char* file = fb_model_def_shape(def, 1, 0)->file;
  int found = strcmp(file, expected) == 0;
  fuzz_check(found || strcmp(file, "package://wanted/part.stl") == 0, "the mesh is '%s'", file);
  if (found) fuzz_accept();
  fb_model_def_free(def);
}

static void include_model(void) {
  char pair[300];
  const char* const packages[] = {pair, NULL};
  fb_io_options options = fb_default_io_options();
  fb_model_def* def = NULL;
  fb_error error;
  snprintf(pair, sizeof pair, "given=%s/pack", folder);
  options.packages = packages;
  if (fuzz_ok(fb_model_def_read(path_of("other/world.sdf"), &options, &def, &error), &error)) {
    fuzz_check(fb_model_def_nbody(def) == 2, "%d bodies", fb_model_def_nbody(def));
    fuzz_accept();
  }
  fb_model_def_free(def);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!folder[0]) prepare();
  fuzz_write(path_of("pack/package.xml"), data, size);
  fuzz_write(path_of("pack/model.config"), data, size);
  find_mesh("pack/urdf/robot.urdf", "../part.stl");
  find_mesh("other/robot.urdf", "../pack/part.stl");
  include_model();
  return 0;
}
