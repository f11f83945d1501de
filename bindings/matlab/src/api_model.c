/* api_model.c -- freebody.Model: reading, describing and writing models; arguments that its methods share */
#include "api.h"

#include <stdlib.h>
#include <string.h>

static void release_model(void* object) {
  api_model* m = object;
  fb_sim_free(m->sim);
  fb_data_free(m->data);
  fb_model_free(m->model);
  free(m);
}

/* Takes the definition over. */
static void keep_model(mx_call* c, fb_model_def* def) {
  fb_error error;
  api_model* m = calloc(1, sizeof *m);
  if (!m) {
    fb_model_def_free(def);
    mx_fail(c, "FB_ERR_MEMORY", "out of memory");
  }
  fb_status status = fb_model_build(def, NULL, &m->model, &error);
  fb_model_def_free(def);
  if (!status) m->data = fb_data_new(m->model);
  if (!status && !m->data) status = fb_fail(&error, FB_ERR_MEMORY, "out of memory");
  if (status) {
    release_model(m);
    mx_refuse(c, &error);
  }
  c->plhs[0] = api_keep(c, API_MODEL, m, release_model);
}

static void load(mx_call* c) {
  fb_model_def* def;
  fb_error error;
  mx_check(c, fb_model_def_read(mx_text(c, 0, "the file name"), NULL, &def, &error), &error);
  keep_model(c, def);
}

static void parse(mx_call* c) {
  fb_model_def* def;
  fb_error error;
  const char* text = mx_text(c, 0, "the text");
  mx_check(c, fb_model_def_parse(text, strlen(text), "text", NULL, &def, &error), &error);
  keep_model(c, def);
}

/* The model of a SpaceDyn robot. */
static void of_links(mx_call* c) {
  if (c->nrhs < 1 || !mxIsStruct(c->prhs[0])) mx_fail(c, "type", "give LP, a structure");
  sd_robot* robot = mx_robot(c, c->prhs[0]);
  if (!robot->model) mx_fail(c, "FB_ERR_INERTIA", "an inertia of LP is not symmetric");
  fb_model_def* def = fb_model_def_copy(fb_model_definition(robot->model));
  if (!def) mx_fail(c, "FB_ERR_MEMORY", "out of memory");
  keep_model(c, def);
}

api_model* api_model_of(const mx_call* c) {
  return api_get(c, API_MODEL);
}

/* --- arguments --- */

int api_frame(const mx_call* c, const fb_model* m, int argument) {
  if (argument < c->nrhs && mxIsChar(c->prhs[argument])) {
    const char* name = mx_text(c, argument, "the frame");
    int frame = fb_model_find_frame(m, name);
    if (frame < 0)
      mx_fail(c, "FB_ERR_NAME", "there is no frame '%s'; frames and bodies are in model.frames", name);
    return frame;
  }
  return mx_index(c, argument, "the frame", fb_model_nframe(m)) - 1;
}

const double* api_columns(const mx_call* c, int argument, const char* what, int rows, size_t* count) {
  if (argument >= c->nrhs) mx_fail(c, "argument", "too few arguments: %s is missing", what);
  const mxArray* a = c->prhs[argument];
  size_t have = mxGetNumberOfElements(a);
  int is_row = rows > 0 && mxGetM(a) == 1 && have == (size_t)rows;
  if (!is_row && (int)mxGetM(a) != rows)
    mx_fail(c, "size", "%s is %d x %d; it must have %d rows, a state in each column", what, (int)mxGetM(a),
            (int)mxGetN(a), rows);
  *count = rows > 0 ? have / (size_t)rows : 1;
  return mx_doubles(c, a, what, have, 1);
}

const double* api_q(const mx_call* c, const fb_model* m, int argument) {
  size_t count;
  fb_error error;
  const double* q = api_columns(c, argument, "q", fb_model_nq(m), &count);
  if (count != 1) mx_fail(c, "size", "q has %d columns; give one configuration", (int)count);
  mx_check(c, fb_model_check_state(m, q, NULL, &error), &error);
  return q;
}

const double* api_v(const mx_call* c, const fb_model* m, int argument) {
  if (argument >= c->nrhs || mxIsEmpty(c->prhs[argument])) return NULL;
  size_t count;
  const double* v = api_columns(c, argument, "v", fb_model_nv(m), &count);
  if (count != 1) mx_fail(c, "size", "v has %d columns; give one velocity", (int)count);
  return v;
}

mxArray* api_transposed(size_t rows, size_t columns, const double* by_rows) {
  mxArray* a = mx_matrix(rows, columns, NULL);
  double* out = mxGetPr(a);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) out[i + rows * j] = by_rows[columns * i + j];
  return a;
}

mxArray* api_list(int count, const char* (*name)(const void*, int), const void* of) {
  mxArray* list = mxCreateCellMatrix((mwSize)count, 1);
  for (int i = 0; i < count; i++) mxSetCell(list, (mwIndex)i, mxCreateString(name(of, i)));
  return list;
}

void api_set(mxArray* s, const char* name, mxArray* value) {
  mxSetField(s, 0, name, value);
}

const char** api_texts(const mx_call* c, int argument) {
  if (argument >= c->nrhs || mxIsEmpty(c->prhs[argument])) return NULL;
  const mxArray* a = c->prhs[argument];
  if (!mxIsCell(a))
    mx_fail(c, "type", "the settings must be a cell array of texts, as in {'gravity.z=-9.81'}");
  size_t count = mxGetNumberOfElements(a);
  const char** texts = mxCalloc(count + 1, sizeof *texts);
  for (size_t i = 0; i < count; i++) {
    const mxArray* item = mxGetCell(a, (mwIndex)i);
    if (!item || !mxIsChar(item)) mx_fail(c, "type", "setting %d is not a text", (int)i + 1);
    texts[i] = mx_string(item);
  }
  return texts;
}

/* --- describing and writing --- */

static const char* frame_at(const void* m, int i) {
  return fb_frame_name(m, i);
}
static const char* body_at(const void* m, int i) {
  return fb_body_name(m, i + 1);
}
static const char* joint_at(const void* m, int i) {
  return fb_joint_name(m, i + 1);
}
static const char* type_at(const void* m, int i) {
  return fb_joint_type_name(fb_joint_type_of(m, i + 1));
}

static void info(mx_call* c) {
  static const char* NAMES[] = {"name",   "nq",    "nv",     "mass", "gravity", "bodies",
                                "joints", "types", "frames", "q_at", "v_at"};
  const fb_model* m = api_model_of(c)->model;
  int nbody = fb_model_nbody(m) - 1;
  mxArray* s = mxCreateStructMatrix(1, 1, 11, NAMES);
  mxArray *q_at = mx_matrix((size_t)nbody, 1, NULL), *v_at = mx_matrix((size_t)nbody, 1, NULL),
          *g = mx_matrix(3, 1, NULL);
  for (int i = 0; i < nbody; i++) {
    mxGetPr(q_at)[i] = fb_joint_q_index(m, i + 1) + 1;
    mxGetPr(v_at)[i] = fb_joint_v_index(m, i + 1) + 1;
  }
  fb_model_def_gravity(fb_model_definition(m), mxGetPr(g));
  api_set(s, "name", mxCreateString(fb_model_name(m)));
  api_set(s, "nq", mxCreateDoubleScalar(fb_model_nq(m)));
  api_set(s, "nv", mxCreateDoubleScalar(fb_model_nv(m)));
  api_set(s, "mass", mxCreateDoubleScalar(fb_model_mass(m)));
  api_set(s, "gravity", g);
  api_set(s, "bodies", api_list(nbody, body_at, m));
  api_set(s, "joints", api_list(nbody, joint_at, m));
  api_set(s, "types", api_list(nbody, type_at, m));
  api_set(s, "frames", api_list(fb_model_nframe(m), frame_at, m));
  api_set(s, "q_at", q_at);
  api_set(s, "v_at", v_at);
  c->plhs[0] = s;
}

static void write(mx_call* c) {
  fb_error error;
  const fb_model* m = api_model_of(c)->model;
  mx_check(c, fb_model_def_write(fb_model_definition(m), mx_text(c, 1, "the file name"), NULL, &error),
           &error);
}

/* The model as SpaceDyn's JSON. */
static void spacedyn(mx_call* c) {
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_SPACEDYN;
  char* text;
  size_t size;
  const fb_model* m = api_model_of(c)->model;
  mx_check(c, fb_model_def_print(fb_model_definition(m), &options, &text, &size, &error), &error);
  c->plhs[0] = mxCreateString(text);
  fb_free(text);
}

const mx_function API_MODEL_FUNCTIONS[] = {
    {"Model.load", load},   {"Model.parse", parse},       {"Model.of_links", of_links}, {"Model.info", info},
    {"Model.write", write}, {"Model.spacedyn", spacedyn}, {"free", api_free},           {NULL, NULL}};
