/* description.c -- modelDescription.xml of a unit, for FMI 2.0 and 3.0
 *
 * Value reference 0 is the time, n + 1 is variable n of the plant, and in FMI 2 the n + 2nd variable of the list. All variables
 * are 64-bit floating-point scalars. (FMI 2.0.5, 2.2; FMI 3.0.2, 2.4) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/version.h>

#include "base/cookie.h"
#include "fmu/fmu.h"

typedef struct writer {
  const fb_plant* plant;
  int version;
  fb_text out;
} writer;

static fb_plant_variable variable_at(const fb_plant* plant, int i) {
  fb_plant_variable v = {.name = "", .unit = "1", .axes = "", .meaning = ""};
  fb_plant_get_variable(plant, i, &v, NULL);
  return v;
}

static void add_attribute(writer* w, const char* key, const char* value) {
  fb_text_printf(&w->out, " %s=\"", key);
  fb_fmu_escape(&w->out, value);
  fb_text_add(&w->out, "\"");
}

static void add_number(writer* w, const char* key, double x) {
  char text[32];
  add_attribute(w, key, isinf(x) ? (x > 0 ? "INF" : "-INF") : fb_number_format(x, text));
}

/* --- the head --- */

/* "a.b_1": a name that FMI calls structured; its parts are identifiers. */
static int is_structured(const char* name) {
  for (const char* p = name;; p++) {
    if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_')) return 0;
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_') p++;
    if (!*p) return 1;
    if (*p != '.') return 0;
  }
}

static int all_structured(const fb_plant* plant) {
  for (int i = 0; i < fb_plant_nvariable(plant); i++)
    if (!is_structured(variable_at(plant, i).name)) return 0;
  return 1;
}

static void add_head(writer* w, const char* name) {
  char token[FB_PLANT_TOKEN_SIZE], identifier[64];
  int three = w->version == 3;
  fb_plant_token(w->plant, token);
  fb_text_printf(&w->out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
                 w->version);
  add_attribute(w, "modelName", name);
  add_attribute(w, three ? "instantiationToken" : "guid", token);
  add_attribute(w, "description",
                fb_plant_controlled(w->plant) ? "a Freebody scenario with its control laws"
                                              : "the plant of a Freebody scenario");
  add_attribute(w, "generationTool", "Freebody " FB_VERSION_TEXT);
  add_attribute(w, "variableNamingConvention", all_structured(w->plant) ? "structured" : "flat");
  fb_text_add(&w->out, ">\n  <CoSimulation");
  add_attribute(w, "modelIdentifier", fb_fmu_identifier(name, identifier));
  add_attribute(w, "canHandleVariableCommunicationStepSize", "true");
  add_attribute(w, three ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", "true");
  add_attribute(w, three ? "canSerializeFMUState" : "canSerializeFMUstate", "true");
  fb_text_add(&w->out, "/>\n");
}

/* --- units --- */

static int unit_is_new(const fb_plant* plant, int index) {
  const char* unit = variable_at(plant, index).unit;
  if (strcmp(unit, "1") == 0 || strcmp(unit, "s") == 0) return 0;
  for (int i = 0; i < index; i++)
    if (strcmp(variable_at(plant, i).unit, unit) == 0) return 0;
  return 1;
}

static void add_unit(writer* w, const char* unit) {
  char text[64];
  fb_base_units base;
  fb_text_add(&w->out, "    <Unit");
  add_attribute(w, "name", fb_fmu_unit(unit, text));
  if (!fb_fmu_base_units(unit, &base)) {
    fb_text_add(&w->out, "/>\n");
    return;
  }
  const struct {
    const char* key;
    int power;
  } rows[] = {{"kg", base.kg}, {"m", base.m}, {"s", base.s}, {"A", base.A}, {"K", base.K}, {"rad", base.rad}};
  fb_text_add(&w->out, "><BaseUnit");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].power) fb_text_printf(&w->out, " %s=\"%d\"", rows[i].key, rows[i].power);
  fb_text_add(&w->out, "/></Unit>\n");
}

static void add_units(writer* w) {
  fb_text_add(&w->out, "  <UnitDefinitions>\n");
  add_unit(w, "s");
  for (int i = 0; i < fb_plant_nvariable(w->plant); i++)
    if (unit_is_new(w->plant, i)) add_unit(w, variable_at(w->plant, i).unit);
  fb_text_add(&w->out, "  </UnitDefinitions>\n");
}

static void add_settings(writer* w) {
  const fb_scenario* s = fb_plant_scenario(w->plant);
  fb_text_add(&w->out,
              "  <LogCategories>\n"
              "    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n"
              "    <Category name=\"logEvents\" description=\"events of the scenario that end it\"/>\n"
              "  </LogCategories>\n  <DefaultExperiment");
  add_number(w, "startTime", 0);
  add_number(w, "stopTime", fb_scenario_duration(s));
  add_number(w, "stepSize", fb_scenario_log_period(s));
  fb_text_add(&w->out, "/>\n");
}

/* --- variables --- */

static const struct {
  const char *causality, *variability, *initial;
} ROLES[] = {
    [FB_PLANT_INPUT] = {"input", "continuous", NULL},
    [FB_PLANT_OUTPUT] = {"output", "continuous", "calculated"},
    [FB_PLANT_PARAMETER] = {"parameter", "tunable", "exact"},
    [FB_PLANT_START] = {"parameter", "fixed", "exact"},
};

static void add_meaning(writer* w, const fb_plant_variable* v) {
  fb_text meaning = {0};
  fb_text_printf(&meaning, "%s%s%s", v->meaning, v->axes[0] ? ", axes: " : "", v->axes);
  char* whole = fb_text_take(&meaning, NULL);
  if (!whole) w->out.failed = 1;
  add_attribute(w, "description", whole ? whole : "");
  free(whole);
}

static void add_variable(writer* w, int reference, const fb_plant_variable* v) {
  char unit[64];
  fb_text_add(&w->out, w->version == 3 ? "    <Float64" : "    <ScalarVariable");
  add_attribute(w, "name", v->name);
  fb_text_printf(&w->out, " valueReference=\"%d\"", reference);
  add_meaning(w, v);
  add_attribute(w, "causality", ROLES[v->role].causality);
  add_attribute(w, "variability", ROLES[v->role].variability);
  if (ROLES[v->role].initial) add_attribute(w, "initial", ROLES[v->role].initial);
  if (w->version == 2) fb_text_add(&w->out, "><Real");
  if (strcmp(v->unit, "1") != 0) add_attribute(w, "unit", fb_fmu_unit(v->unit, unit));
  if (isfinite(v->least)) add_number(w, "min", v->least);
  if (v->role != FB_PLANT_OUTPUT) add_number(w, "start", v->start);
  fb_text_add(&w->out, w->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
}

static void add_variables(writer* w) {
  fb_text_add(&w->out, "  <ModelVariables>\n");
  fb_text_add(
      &w->out,
      w->version == 3
          ? "    <Float64 name=\"time\" valueReference=\"0\" description=\"simulated time\" "
            "causality=\"independent\" variability=\"continuous\" unit=\"s\"/>\n"
          : "    <ScalarVariable name=\"time\" valueReference=\"0\" description=\"simulated time\" "
            "causality=\"independent\" variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>\n");
  for (int i = 0; i < fb_plant_nvariable(w->plant); i++) {
    fb_plant_variable v = variable_at(w->plant, i);
    add_variable(w, i + 1, &v);
  }
  fb_text_add(&w->out, "  </ModelVariables>\n");
}

/* --- structure: the outputs, each of which may depend on everything --- */

static void add_unknowns(writer* w, const char* list, const char* three) {
  if (w->version == 2) fb_text_printf(&w->out, "    <%s>\n", list);
  for (int i = 0; i < fb_plant_nvariable(w->plant); i++) {
    if (variable_at(w->plant, i).role != FB_PLANT_OUTPUT) continue;
    if (w->version == 3)
      fb_text_printf(&w->out, "    <%s valueReference=\"%d\"/>\n", three, i + 1);
    else
      fb_text_printf(&w->out, "      <Unknown index=\"%d\"/>\n", i + 2);
  }
  if (w->version == 2) fb_text_printf(&w->out, "    </%s>\n", list);
}

static int has_outputs(const fb_plant* plant) {
  for (int i = 0; i < fb_plant_nvariable(plant); i++)
    if (variable_at(plant, i).role == FB_PLANT_OUTPUT) return 1;
  return 0;
}

static void add_structure(writer* w) {
  fb_text_add(&w->out, "  <ModelStructure>\n");
  if (has_outputs(w->plant)) {
    add_unknowns(w, "Outputs", "Output");
    add_unknowns(w, "InitialUnknowns", "InitialUnknown");
  }
  fb_text_add(&w->out, "  </ModelStructure>\n</fmiModelDescription>\n");
}

fb_status fb_plant_print_fmu_description(const fb_plant* plant, const fb_fmu_options* options, char** text,
                                         size_t* size, fb_error* error) {
  *text = NULL;
  if (fb_cookie_check(options ? options->cookie_ : 0, "fmu_options", error)) return FB_ERR_ARG;
  writer w = {.plant = plant, .version = options->version};
  add_head(&w, fb_fmu_name(plant, options->name));
  add_units(&w);
  add_settings(&w);
  add_variables(&w);
  add_structure(&w);
  *text = fb_text_take(&w.out, size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for modelDescription.xml");
}
