/* units.c -- names and units as FMI writes them. */
#include <string.h>

#include "fmu/fmu.h"

void fb_fmu_escape(fb_text* out, const char* text) {
  for (const char* p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c == '&')
      fb_text_add(out, "&amp;");
    else if (c == '<')
      fb_text_add(out, "&lt;");
    else if (c == '>')
      fb_text_add(out, "&gt;");
    else if (c == '"')
      fb_text_add(out, "&quot;");
    else
      fb_text_add_bytes(out, c < 32 || c == 127 ? " " : p, 1);
  }
}

const char* fb_fmu_name(const fb_plant* plant, const char* name) {
  return name && name[0] ? name : fb_scenario_name(fb_plant_scenario(plant));
}

char* fb_fmu_identifier(const char* name, char buffer[64]) {
  size_t n = 0;
  if (name[0] >= '0' && name[0] <= '9') buffer[n++] = '_';
  for (; *name && n < 60; name++) {
    char c = *name;
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    buffer[n++] = plain ? c : '_';
  }
  if (n == 0) buffer[n++] = '_';
  buffer[n] = '\0';
  return buffer;
}

char* fb_fmu_unit(const char* unit, char buffer[64]) {
  size_t n = 0;
  for (; *unit && n < 63; unit++)
    if (*unit != '^') buffer[n++] = *unit == ' ' ? '.' : *unit;
  buffer[n] = '\0';
  return buffer;
}

/* --- base units --- */

static const struct {
  const char* name;
  fb_base_units base;
} UNITS[] = {
    {"1", {0}},
    {"kg", {.kg = 1}},
    {"m", {.m = 1}},
    {"s", {.s = 1}},
    {"A", {.A = 1}},
    {"K", {.K = 1}},
    {"rad", {.rad = 1}},
    {"N", {.kg = 1, .m = 1, .s = -2}},
    {"Pa", {.kg = 1, .m = -1, .s = -2}},
    {"J", {.kg = 1, .m = 2, .s = -2}},
    {"W", {.kg = 1, .m = 2, .s = -3}},
    {"Hz", {.s = -1}},
};

static int add_factor(const char* name, size_t length, int power, fb_base_units* out) {
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++) {
    const fb_base_units* base = &UNITS[i].base;
    if (strlen(UNITS[i].name) != length || strncmp(UNITS[i].name, name, length) != 0) continue;
    out->kg += power * base->kg;
    out->m += power * base->m;
    out->s += power * base->s;
    out->A += power * base->A;
    out->K += power * base->K;
    out->rad += power * base->rad;
    return 1;
  }
  return 0;
}

/* Factors with exponents, separated by blanks; all that follows a '/' divides. */
int fb_fmu_base_units(const char* unit, fb_base_units* out) {
  int sign = 1;
  *out = (fb_base_units){0};
  for (const char* p = unit; *p;) {
    if (*p == '/') sign = -1;
    if (strchr(" /()", *p)) {
      p++;
      continue;
    }
    size_t length = strcspn(p, " /()^");
    const char* end = p + length;
    int power = 1;
    if (end[0] == '^' && end[1] >= '1' && end[1] <= '9') {
      power = end[1] - '0';
      end += 2;
    }
    if (length == 0 || !add_factor(p, length, sign * power, out)) return 0;
    p = end;
  }
  return 1;
}
