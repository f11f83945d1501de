/* sfunction.c -- a plant as a level-2 C MEX S-function: its source, a README, and the plant's folder. Components of a vector
 * are one port: p.hand.x, .y and .z are the port p.hand. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/files.h>
#include <freebody/status.h>
#include <freebody/version.h>

#include "fmu/fmu.h"
#include "text/files.h"

/* --- ports --- */

/* The length of a name without its component: ".x" or ".12". */
static size_t stem_length(const char* name) {
  const char* dot = strrchr(name, '.');
  size_t whole = strlen(name);
  if (!dot || !dot[1]) return whole;
  if (strchr("wxyz", dot[1]) && !dot[2]) return (size_t)(dot - name);
  return strspn(dot + 1, "0123456789") == strlen(dot + 1) ? (size_t)(dot - name) : whole;
}

static int same_port(const fb_plant_variable* a, const fb_plant_variable* b) {
  size_t length = stem_length(a->name);
  return a->role == b->role && a->name[length] && stem_length(b->name) == length &&
         strncmp(a->name, b->name, length) == 0;
}

/* The variables from `first` on that form a port. */
static int port_width(const fb_plant* plant, int first) {
  fb_plant_variable a, b;
  int width = 1;
  if (fb_plant_get_variable(plant, first, &a, NULL)) return 0;
  while (!fb_plant_get_variable(plant, first + width, &b, NULL) && same_port(&a, &b)) width++;
  return width;
}

/* For people, or as a literal of C, where two question marks could begin a trigraph. */
static void add_name(fb_text* out, const fb_plant_variable* v, int width, int readme) {
  size_t length = width > 1 ? stem_length(v->name) : strlen(v->name);
  for (size_t i = 0; i < length; i++) {
    char c = v->name[i];
    if (!readme && (c == '"' || c == '\\' || c == '?')) fb_text_add(out, "\\");
    fb_text_add_bytes(out, (unsigned char)c < 32 ? " " : &c, 1);
  }
}

/* Rows of a table, or lines of the README; the number of ports, and the widest so far in *widest. */
static int add_ports(fb_text* out, const fb_plant* plant, fb_plant_role role, int readme, int* widest) {
  int count = 0;
  for (int i = 0, width; i < fb_plant_nvariable(plant); i += width) {
    fb_plant_variable v;
    width = port_width(plant, i);
    if (fb_plant_get_variable(plant, i, &v, NULL) || v.role != role) continue;
    count++;
    if (width > *widest) *widest = width;
    fb_text_add(out, readme ? "  " : "    {\"");
    if (readme) fb_text_printf(out, "%d  ", count);
    add_name(out, &v, width, readme);
    if (readme)
      fb_text_printf(out, "  width %d, %s%s%s, %s\n", width, v.unit, v.axes[0] ? ", axes " : "", v.axes,
                     v.meaning);
    else
      fb_text_printf(out, "\", %d, %d},\n", i, width);
  }
  return count;
}

static void add_tables(fb_text* out, const fb_plant* plant) {
  char token[FB_PLANT_TOKEN_SIZE];
  int widest = 1;
  fb_text_add(out, "static const port INPUTS[] = {\n");
  int ninput = add_ports(out, plant, FB_PLANT_INPUT, 0, &widest);
  fb_text_add(out, "    {NULL, 0, 0}};\nstatic const port OUTPUTS[] = {\n");
  int noutput = add_ports(out, plant, FB_PLANT_OUTPUT, 0, &widest);
  fb_text_printf(out, "    {NULL, 0, 0}};\nenum { NINPUT = %d, NOUTPUT = %d, WIDEST = %d };\n", ninput,
                 noutput, widest);
  fb_text_printf(out, "static const char TOKEN[] = \"%s\";\n", fb_plant_token(plant, token));
}

/* --- files --- */

static void add_part(fb_text* out, const char* part, const char* name, const fb_plant* plant) {
  for (const char* p = part; *p;) {
    if (strncmp(p, "@NAME@", 6) == 0) {
      fb_text_add(out, name);
      p += 6;
    } else if (strncmp(p, "@TABLES@", 8) == 0) {
      add_tables(out, plant);
      p += 8;
    } else {
      size_t length = strcspn(p + 1, "@") + 1;
      fb_text_add_bytes(out, p, length);
      p += length;
    }
  }
}

static fb_status write_text(const char* folder, const char* name, const char* end, fb_text* text,
                            fb_error* error) {
  char file[4096];
  size_t size = 0;
  char* bytes = fb_text_take(text, &size);
  fb_status status = bytes ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for the S-function");
  if (!status && snprintf(file, sizeof file, "%s/%s%s", folder, name, end) >= (int)sizeof file)
    status = fb_fail(error, FB_ERR_ARG, "the name of the folder is too long");
  if (!status) status = fb_file_write_regular(file, bytes, size, error);
  free(bytes);
  return status;
}

static void add_readme(fb_text* out, const char* name, const fb_plant* plant) {
  int widest = 1;
  fb_text_printf(out,
                 "%s_sfun.c is a level-2 C MEX S-function, written by Freebody " FB_VERSION_TEXT
                 ".\n\n"
                 "Compile it in MATLAB, in this folder, with Freebody installed:\n\n"
                 "  [~, flags] = system('pkg-config --cflags --libs freebody');\n"
                 "  words = strsplit(strtrim(flags));\n"
                 "  mex('%s_sfun.c', words{:})\n\n"
                 "Then put an S-Function block into the model, with the name %s_sfun and the parameters\n\n"
                 "  '%s_plant', %g\n\n"
                 "which are the folder beside this file and the sample time in seconds. Inputs are held over "
                 "a sample.\n\n"
                 "Input ports:\n",
                 name, name, name, name, fb_scenario_log_period(fb_plant_scenario(plant)));
  add_ports(out, plant, FB_PLANT_INPUT, 1, &widest);
  fb_text_add(out, "\nOutput ports:\n");
  add_ports(out, plant, FB_PLANT_OUTPUT, 1, &widest);
}

fb_status fb_plant_write_sfunction(const fb_plant* plant, const char* folder, const char* given,
                                   fb_error* error) {
  fb_error unused;
  char name[64], data[4096];
  fb_text source = {0}, readme = {0};
  if (!error) error = &unused;
  fb_fmu_identifier(fb_fmu_name(plant, given), name);
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return fb_file_fail(folder, error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
  if (snprintf(data, sizeof data, "%s/%s_plant", folder, name) >= (int)sizeof data)
    return fb_fail(error, FB_ERR_ARG, "the name of the folder is too long");
  for (int i = 0; fb_sfunction_text[i]; i++) add_part(&source, fb_sfunction_text[i], name, plant);
  add_readme(&readme, name, plant);
  fb_status status = fb_file_refuse_link(data, "", error);
  if (!status) status = write_text(folder, name, "_sfun.c", &source, error);
  if (!status) status = write_text(folder, "README", ".txt", &readme, error);
  free(source.data);
  free(readme.data);
  return status ? status : fb_plant_write(plant, data, error);
}
