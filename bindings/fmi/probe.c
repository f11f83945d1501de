/* probe.c -- whether the static libraries can be part of a shared one: one call of each, tried when the build is configured. */
#include <expat.h>
#include <yaml.h>
#ifdef FB_LUA
#include <lauxlib.h>
#endif
#ifdef FB_SUNDIALS
#include <arkode/arkode.h>
#include <cvode/cvode.h>
#endif

int fmi2Probe(void);
int fmi2Probe(void) {
  yaml_parser_t parser;
  int sum = yaml_parser_initialize(&parser) + (XML_ParserCreate(NULL) != NULL);
#ifdef FB_LUA
  sum += luaL_newstate() != NULL;
#endif
#ifdef FB_SUNDIALS
  sum += CVodeCreate(CV_BDF, NULL) != NULL;
  ARKodePrintMem(NULL, NULL);
#endif
  return sum;
}
