/* page.c -- the page of a unit for people: documentation/index.html with its variables. */
#include <math.h>

#include <freebody/status.h>
#include <freebody/version.h>

#include "fmu/fmu.h"

static const char* const ROLES[] = {[FB_PLANT_INPUT] = "input",
                                    [FB_PLANT_OUTPUT] = "output",
                                    [FB_PLANT_PARAMETER] = "parameter",
                                    [FB_PLANT_START] = "start value"};

static void add_row(fb_text* out, const fb_plant_variable* v) {
  const char* cells[] = {v->name, ROLES[v->role], v->unit, v->axes, v->meaning};
  char number[32];
  fb_text_add(out, "<tr>");
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    fb_text_add(out, "<td>");
    fb_fmu_escape(out, cells[i]);
  }
  fb_text_printf(out, "<td>%s\n", isfinite(v->start) ? fb_number_format(v->start, number) : "");
}

fb_status fb_fmu_page(const fb_plant* plant, const char* name, char** text, size_t* size, fb_error* error) {
  const fb_scenario* s = fb_plant_scenario(plant);
  fb_text out = {0};
  fb_text_add(&out, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>");
  fb_fmu_escape(&out, name);
  fb_text_add(&out,
              "</title>\n<style>body{font-family:sans-serif;max-width:60em;margin:2em "
              "auto}table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2em "
              ".5em;text-align:left}</style>\n<h1>");
  fb_fmu_escape(&out, name);
  fb_text_printf(&out,
                 "</h1>\n<p>A co-simulation unit made by Freebody " FB_VERSION_TEXT
                 ": %s. Method and step: %s. The unit begins at t = 0; communication steps may have any "
                 "length, and inputs are held during a step.\n"
                 "<table><tr><th>variable<th>role<th>unit<th>axes<th>meaning<th>at the start\n",
                 fb_plant_controlled(plant) ? "a scenario with its control laws"
                                            : "the plant of a scenario, without control laws",
                 fb_scenario_integrator(s));
  for (int i = 0; i < fb_plant_nvariable(plant); i++) {
    fb_plant_variable v;
    if (!fb_plant_get_variable(plant, i, &v, NULL)) add_row(&out, &v);
  }
  fb_text_add(&out, "</table>\n</html>\n");
  *text = fb_text_take(&out, size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for the page of the unit");
}
