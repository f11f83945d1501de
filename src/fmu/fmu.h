/* fmu.h -- what the writers of units and S-functions share. */
#ifndef FB_FMU_FMU_H
#define FB_FMU_FMU_H

#include <freebody/fmu.h>
#include <freebody/text.h>

/* Adds text to XML or HTML: & < > " escaped, control characters as blanks. */
void fb_fmu_escape(fb_text* out, const char* text);
/* The name of the model, or the scenario's; and the same as a C identifier of at most 60 characters, in buffer[64]. */
const char* fb_fmu_name(const fb_plant* plant, const char* name);
char* fb_fmu_identifier(const char* name, char buffer[64]);
/* "N m s/rad" as FMI and Modelica write it, "N.m.s/rad", in buffer[64]. */
char* fb_fmu_unit(const char* unit, char buffer[64]);

typedef struct fb_base_units {
  int kg, m, s, A, K, rad; /* exponents */
} fb_base_units;
/* The unit in base units; 0 when it has a part that is not known. */
int fb_fmu_base_units(const char* unit, fb_base_units* out);

/* page.c: documentation/index.html. */
fb_status fb_fmu_page(const fb_plant* plant, const char* name, char** text, size_t* size, fb_error* error);

#endif
