/* fmu.h -- what the writers of units and S-functions share. */
#ifndef FB_FMU_FMU_H
#define FB_FMU_FMU_H

#include <stddef.h>

#include <freebody/fmu.h>
#include <freebody/status.h>
#include <freebody/support/text.h>

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

/* Its parts, NULL-ended; @NAME@ and @TABLES@ are to be replaced. */
extern const char* const fb_sfunction_text[];

/* Start with {0}; fb_zip_finish gives the bytes. */
typedef struct fb_zip {
  fb_text data;      /* local headers and contents */
  fb_text directory; /* the central directory */
  int count;
} fb_zip;

/* Adds a file of at most 1 GiB. executable: its permissions on Unix. */
fb_status fb_zip_add(fb_zip* zip, const char* name, const void* bytes, size_t size, int executable,
                     fb_error* error);
/* The archive; free it with fb_free. zip is then empty. */
fb_status fb_zip_finish(fb_zip* zip, char** bytes, size_t* size, fb_error* error);
void fb_zip_drop(fb_zip* zip);

#endif
