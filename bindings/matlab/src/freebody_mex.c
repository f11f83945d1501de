/* freebody_mex.c -- the gateway: every function of the toolbox in one MEX file
 *
 * Called as freebody_mex('f_dyn', ...), or by a link to this file that is named after the function, f_dyn.mex, which
 * saves the interpreter an m-file. Links share this library, so they share the cache and the handles. */
#include "api.h"

#include <string.h>

mx_version mx_compat;

/* freebody_compat, freebody_compat('v2r1'), 'v1r2' or 'off': the setting, or the one before. */
static void compat(mx_call* c) {
  static const char* const NAMES[] = {[MX_CORRECTED] = "off", [MX_V2R1] = "v2r1", [MX_V1R2] = "v1r2"};
  enum { COUNT = sizeof NAMES / sizeof NAMES[0] };
  c->plhs[0] = mxCreateString(NAMES[mx_compat]);
  if (c->nrhs == 0) return;
  const char* text = mx_text(c, 0, "the version");
  int i = 0;
  while (i < COUNT && strcmp(text, NAMES[i]) != 0) i++;
  if (i == COUNT) mx_fail(c, "value", "'%s' is not known; give 'v2r1', 'v1r2' or 'off'", text);
  mx_compat = (mx_version)i;
  if (mx_compat != MX_CORRECTED) mexLock(); /* `clear all` must not forget it */
}

/* freebody_cache: robots built so far; freebody_cache('clear') forgets them. */
static void cache(mx_call* c) {
  if (c->nrhs > 0 && strcmp(mx_text(c, 0, "the command"), "clear") == 0) mx_cache_clear();
  c->plhs[0] = mxCreateDoubleScalar(mx_cache_misses());
}

static const mx_function OWN[] = {{"freebody_compat", compat}, {"freebody_cache", cache}, {NULL, NULL}};
static const mx_function* const TABLES[] = {
    MX_DYNAMICS,         MX_KINEMATICS,       MX_INTEGRATION,         MX_ATTITUDE,       OWN,
    API_MODEL_FUNCTIONS, API_STATE_FUNCTIONS, API_DYNAMICS_FUNCTIONS, API_SIM_FUNCTIONS, API_RUN_FUNCTIONS};

static const mx_function* find(const char* name) {
  for (size_t t = 0; t < sizeof TABLES / sizeof TABLES[0]; t++)
    for (const mx_function* f = TABLES[t]; f->name; f++)
      if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

/* When the library is unloaded; when a link to it is, only the cache goes, which is made again at need. */
static void leave(void) {
  mx_cache_clear();
  api_free_all();
}

void mexFunction(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]) {
  mx_call c = {.name = mexFunctionName(), .nlhs = nlhs, .plhs = plhs, .nrhs = nrhs, .prhs = prhs};
  const mx_function* f = find(c.name);
  mexAtExit(strcmp(c.name, "freebody_mex") == 0 ? leave : mx_cache_clear);
  if (!f) {
    if (nrhs == 0 || !mxIsChar(prhs[0]))
      mexErrMsgIdAndTxt(
          "freebody:argument",
          "freebody_mex: give the name of a function first, as in freebody_mex('f_dyn', LP, SV)");
    c.name = mx_string(prhs[0]);
    c.nrhs--;
    c.prhs++;
    f = find(c.name);
  }
  if (f)
    f->call(&c);
  else
    mexErrMsgIdAndTxt("freebody:argument", "freebody_mex: there is no function '%s'", c.name);
}
