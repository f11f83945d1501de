/* plant.c -- harness: plant.json, the description of a plant in its folder; the scenario beside it stays as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/plant.h>

#include "fuzz.h"

static char folder[256], file[300];

static void prepare(void) {
  fb_plant* plant = NULL;
  fb_error error;
  snprintf(folder, sizeof folder, "%s", fuzz_path("plant"));
  snprintf(file, sizeof file, "%s/plant.json", folder);
  fuzz_check(fb_plant_read(FB_SCENARIOS "/pendulum/pendulum.yaml", NULL, &plant, &error) == FB_OK, "%s",
             error.text);
  fuzz_check(fb_plant_write(plant, folder, &error) == FB_OK, "%s", error.text);
  fb_plant_free(plant);
}

/* What is accepted can be looked at, stepped, saved and restored. */
static void use(fb_plant* plant) {
  fb_error error;
  void* bytes = NULL;
  size_t size = 0;
  for (int i = 0; i < fb_plant_nvariable(plant); i++) {
    fb_plant_variable v;
    double x = 0;
    fuzz_check(fb_plant_get_variable(plant, i, &v, &error) == FB_OK, "%s", error.text);
    fuzz_check(v.name && v.unit && v.axes && v.meaning, "variable %d lacks a text", i);
    fuzz_check(fb_plant_find(plant, v.name) >= 0, "variable '%s' is not found", v.name);
    fuzz_ok(fb_plant_get(plant, &i, 1, &x, &error), &error);
  }
  if (!fuzz_ok(fb_plant_save(plant, &bytes, &size, &error), &error)) return;
  fuzz_ok(fb_plant_step(plant, 0.02, &error), &error);
  fuzz_check(fb_plant_restore(plant, bytes, size, &error) == FB_OK, "its own state is refused: %s",
             error.text);
  fuzz_check(fb_plant_time(plant) == 0, "the state is that of another time");
  fb_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_plant* plant = NULL;
  fb_error error;
  if (!folder[0]) prepare();
  fuzz_write(file, data, size);
  if (fuzz_ok(fb_plant_open(folder, &plant, &error), &error)) {
    fuzz_accept();
    use(plant);
  }
  fb_plant_free(plant);
  return 0;
}
