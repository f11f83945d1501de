/* fmu.h -- plants as files for other simulators: co-simulation units of FMI 2.0 and 3.0, and S-functions for Simulink
 * (libfreebody_io). docs/fmi.md describes them. */
#ifndef FREEBODY_FMU_H
#define FREEBODY_FMU_H

#include <freebody/export.h>
#include <freebody/plant.h>
#include <freebody/status.h>

typedef struct fb_fmu_options {
  int version;         /* of FMI: 2 or 3 */
  const char* name;    /* of the model; NULL: the scenario's */
  const char* library; /* the file libfreebody_fmu.so, which is copied into the unit */
  const char* notices; /* a text file with licences of what is in the library; NULL: none */
  int cookie_;         /* set by fb_default_fmu_options */
} fb_fmu_options;

FB_BEGIN_DECLS

FB_API fb_fmu_options fb_default_fmu_options(void); /* FMI 3.0 */
/* Writes the unit, a zip archive, atomically. The same plant and library give the same bytes. */
FB_API fb_status fb_plant_write_fmu(const fb_plant* plant, const char* file, const fb_fmu_options* options,
                                    fb_error* error);
/* The file modelDescription.xml of the unit; free it with fb_free. */
FB_API fb_status fb_plant_print_fmu_description(const fb_plant* plant, const fb_fmu_options* options,
                                                char** text, size_t* size, fb_error* error);
/* Writes a level-2 C MEX S-function into a folder, which is made if necessary: NAME_sfun.c, its README.txt, and the
 * plant's folder NAME_plant/. name NULL: the scenario's. */
FB_API fb_status fb_plant_write_sfunction(const fb_plant* plant, const char* folder, const char* name,
                                          fb_error* error);

FB_END_DECLS

#endif
