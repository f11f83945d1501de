/* write.c -- a plant as a co-simulation unit: a zip archive of
 *
 *   modelDescription.xml                     variables, units, capabilities
 *   binaries/x86_64-linux/NAME.so            libfreebody_fmu.so; FMI 2: binaries/linux64/NAME.so
 *   resources/plant.json, resources/N-FILE   what the plant is made from
 *   documentation/index.html, licenses/      for people */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <freebody/support/files.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "fmu/fmu.h"
#include "plant/plant.h"
#include "scenario/read/read.h"
#include "text/files.h"

fb_fmu_options fb_default_fmu_options(void) {
  return (fb_fmu_options){.version = 3, .cookie_ = FB_COOKIE};
}

/* The folder of binaries for this machine; NULL when FMI has no name for it. */
static const char* platform(int version) {
  struct utsname machine;
  if (uname(&machine) < 0) return NULL;
  if (strcmp(machine.machine, "x86_64") == 0) return version == 3 ? "x86_64-linux" : "linux64";
  if (strcmp(machine.machine, "aarch64") == 0) return version == 3 ? "aarch64-linux" : "linuxaarch64";
  return NULL;
}

static fb_status add_file(fb_zip* zip, const char* name, const char* file, int executable, fb_error* error) {
  char* bytes = NULL;
  size_t size = 0;
  fb_status status = fb_file_read_most(file, FB_MOST_BINARY, &bytes, &size, error);
  if (!status) status = fb_zip_add(zip, name, bytes, size, executable, error);
  free(bytes);
  return status;
}

/* Takes over text. */
static fb_status add_text(fb_zip* zip, const char* name, fb_status status, char* text, size_t size,
                          fb_error* error) {
  if (!status) status = fb_zip_add(zip, name, text, size, 0, error);
  free(text);
  return status;
}

static fb_status add_resources(fb_zip* zip, const fb_plant* p, fb_error* error) {
  char name[4096];
  fb_status status = fb_zip_add(zip, "resources/plant.json", p->description, p->description_size, 0, error);
  for (size_t i = 0; i < p->scenario->input_count && !status; i++) {
    const fb_scenario_input* in = &p->scenario->inputs[i];
    fb_scenario_copy_name("resources", (int)i, in->file, name, sizeof name);
    status = fb_zip_add(zip, name, in->text, in->size, 0, error);
  }
  return status;
}

static fb_status add_all(fb_zip* zip, const fb_plant* p, const fb_fmu_options* options, fb_error* error) {
  char identifier[64], binary[200], *text = NULL;
  size_t size = 0;
  const char* name = fb_fmu_name(p, options->name);
  fb_status status = fb_plant_print_fmu_description(p, options, &text, &size, error);
  status = add_text(zip, "modelDescription.xml", status, text, size, error);
  if (status) return status;
  snprintf(binary, sizeof binary, "binaries/%s/%s.so", platform(options->version),
           fb_fmu_identifier(name, identifier));
  status = add_file(zip, binary, options->library, 1, error);
  if (!status) status = add_resources(zip, p, error);
  if (status) return status;
  text = NULL;
  status = fb_fmu_page(p, name, &text, &size, error);
  status = add_text(zip, "documentation/index.html", status, text, size, error);
  if (!status && options->notices)
    status = add_file(zip, "documentation/licenses/license.txt", options->notices, 0, error);
  return status;
}

static fb_status check(const fb_fmu_options* options, fb_error* error) {
  if (fb_cookie_check(options ? options->cookie_ : 0, "fmu_options", error)) return FB_ERR_ARG;
  if (options->version != 2 && options->version != 3)
    return fb_fail(error, FB_ERR_ARG, "there is FMI 2 and FMI 3, but no FMI %d", options->version);
  if (!options->library) return fb_fail(error, FB_ERR_ARG, "the unit needs the file libfreebody_fmu.so");
  if (!platform(options->version))
    return fb_fail(error, FB_ERR_UNSUPPORTED, "FMI has no name for the binaries of this machine");
  return FB_OK;
}

fb_status fb_plant_write_fmu(const fb_plant* plant, const char* file, const fb_fmu_options* options,
                             fb_error* error) {
  fb_error unused;
  fb_zip zip = {.count = 0};
  char* bytes = NULL;
  size_t size = 0;
  if (!error) error = &unused;
  fb_status status = check(options, error);
  if (!status) status = add_all(&zip, plant, options, error);
  if (!status) status = fb_zip_finish(&zip, &bytes, &size, error);
  if (!status) status = fb_file_write(file, bytes, size, error);
  fb_zip_drop(&zip);
  free(bytes);
  return status;
}
