/* def.c -- the model files of SpaceDyn's C++ library, .def: lists in a fixed order, by which they are read, as there.
 *
 *   ###LINK_NUMBER n+1                      with the base
 *   BB[...] J_type[...] EE[...]             n numbers each: parent, 0 turns or 1 slides, 0 or the number of an end-point
 *   rpy1[...] ...                           n lists: angles about moving x, y, z [deg]
 *   CtoJ_p_i[...] JtoC_i_i[...] ...         n pairs: parent's centroid to joint, joint to own centroid [m]
 *   CtoE_1[...] ..., rpyE_1[...] ...        a list for each end-point: from the centroid [m], angles [deg]
 *   mass[...]                               n+1 numbers [kg]
 *   ###Link0 I11= I22= I33= I12= I13= I23=  n+1 times: elements of the inertia about the centroid [kg m^2]
 *   ###EOF 777
 *
 * Words that begin with ### are headings. Gravity is not in the file. SpaceDyn's cc(:,i,i) is -JtoC_i_i. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "format/notes.h"
#include "format/spacedyn/params.h"
#include "format/spacedyn/spacedyn.h"

enum { WORD_MAX = 128, MOST_LINKS = 100000 };

typedef struct cursor {
  const char *at, *end, *file;
  int line;
  char word[WORD_MAX]; /* the last one */
  fb_error* error;
} cursor;

/* --- words --- */

static int is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

/* The next word: "[", "]", or what is between blanks and brackets; 0 at the end. Brackets of headings belong to them. */
static int next_word(cursor* c) {
  size_t n = 0;
  for (; c->at < c->end && is_blank(*c->at); c->at++) c->line += *c->at == '\n';
  c->word[0] = '\0';
  if (c->at >= c->end) return 0;
  int heading = *c->at == '#';
  if (!heading && (*c->at == '[' || *c->at == ']')) {
    c->word[0] = *c->at++;
    c->word[1] = '\0';
    return 1;
  }
  for (; c->at < c->end && !is_blank(*c->at) && (heading || (*c->at != '[' && *c->at != ']')); c->at++)
    if (n + 1 < WORD_MAX) c->word[n++] = *c->at;
  c->word[n] = '\0';
  return 1;
}

static fb_status fail(const cursor* c, const char* expected) {
  fb_status status =
      fb_fail(c->error, FB_ERR_CONTENT, "expected %s, but found %s%.60s%s", expected,
              c->at < c->end || c->word[0] ? "'" : "the end of the file", c->word, c->word[0] ? "'" : "");
  fb_error_set_place(c->error, c->file, NULL, (fb_place){c->line, 0});
  return status;
}

static fb_status read_number(cursor* c, const char* what, double* out) {
  next_word(c);
  const char* end = fb_number_parse(c->word, out);
  if (end && !*end && *out >= -1e300 && *out <= 1e300) return FB_OK;
  return fail(c, what);
}

/* Behind headings and the name to the first number of a list. Names but for `name` are not examined. */
static fb_status open_list(cursor* c, const char* name, const char* what) {
  do {
    if (!next_word(c)) return fail(c, what);
  } while (c->word[0] == '#');
  if (strncmp(c->word, name, strlen(name)) != 0) return fail(c, what);
  if (!next_word(c) || c->word[0] != '[') return fail(c, what);
  return FB_OK;
}

static fb_status read_list(cursor* c, const char* name, const char* what, int count, double* out) {
  fb_status status = open_list(c, name, what);
  for (int i = 0; i < count && !status; i++) status = read_number(c, what, &out[i]);
  if (!status && (!next_word(c) || c->word[0] != ']')) status = fail(c, what);
  return status;
}

/* --- the parts --- */

static fb_status read_count(cursor* c, int* n) {
  double x;
  while (next_word(c))
    if (strcmp(c->word, "###LINK_NUMBER") == 0) break;
  fb_status status = read_number(c, "the number of links behind ###LINK_NUMBER", &x);
  if (status) return status;
  if (!(x >= 1 && x <= MOST_LINKS) || x != (int)x)
    return fail(c, "a number of links from 1 to 100000, with the base");
  *n = (int)x - 1;
  return FB_OK;
}

/* Topology; *ends is how many end-points there are, end[i] which of them link i has. */
static fb_status read_tree(cursor* c, fb_spacedyn_params* p, double* x, int* end, int* ends) {
  *ends = 0;
  if (p->n == 0) return FB_OK;
  fb_status status = read_list(c, "BB", "BB[ ] with a number for each joint", p->n, x);
  for (int i = 0; i < p->n && !status; i++) {
    if (!(x[i] >= 0 && x[i] <= i) || x[i] != (int)x[i])
      return fail(c, "parents that come before their links in BB");
    p->BB[i] = (int)x[i];
  }
  if (!status) status = read_list(c, "J_type", "J_type[ ] with 0 or 1 for each joint", p->n, x);
  for (int i = 0; i < p->n && !status; i++) {
    p->type[i] = x[i] == 1 ? 'P' : 'R';
    if (x[i] != 0 && x[i] != 1) status = fail(c, "0 (rotational) or 1 (prismatic) in J_type");
  }
  if (!status) status = read_list(c, "EE", "EE[ ] with a number for each link", p->n, x);
  for (int i = 0; i < p->n && !status; i++) {
    if (!(x[i] >= 0 && x[i] <= p->n) || x[i] != (int)x[i])
      return fail(c, "0 or the number of an end-point in EE");
    end[i] = (int)x[i];
    p->SE[i] = end[i] > 0;
    if (end[i] > *ends) *ends = end[i];
  }
  return status;
}

static void to_radians(double* x, int count) {
  for (int i = 0; i < count; i++) x[i] *= 0.017453292519943295;
}

static fb_status read_places(cursor* c, fb_spacedyn_params* p) {
  fb_status status = FB_OK;
  for (int i = 0; i < p->n && !status; i++) {
    status = read_list(c, "rpy", "rpy[ ] with three angles for each joint", 3, p->Qi + 3 * i);
    to_radians(p->Qi + 3 * i, 3);
  }
  for (int i = 0; i < p->n && !status; i++) {
    status =
        read_list(c, "CtoJ", "CtoJ[ ], from the centroid of the parent to the joint", 3, p->c_from + 3 * i);
    if (!status) status = read_list(c, "", "JtoC[ ], from the joint to the centroid", 3, p->c_own + 3 * i);
    for (int k = 0; k < 3; k++) p->c_own[3 * i + k] *= -1;
  }
  return status;
}

static fb_status read_ends(cursor* c, fb_spacedyn_params* p, const int* end, int ends, double* x) {
  fb_status status = FB_OK;
  for (int e = 0; e < ends && !status; e++)
    status = read_list(c, "CtoE", "CtoE[ ] for each end-point", 3, x + 3 * e);
  for (int i = 0; i < p->n && !status; i++)
    if (end[i]) memcpy(p->ce + 3 * i, x + 3 * (end[i] - 1), 3 * sizeof *x);
  for (int e = 0; e < ends && !status; e++) {
    status = read_list(c, "rpyE", "rpyE[ ] for each end-point", 3, x + 3 * e);
    to_radians(x + 3 * e, 3);
  }
  for (int i = 0; i < p->n && !status; i++)
    if (end[i]) memcpy(p->Qe + 3 * i, x + 3 * (end[i] - 1), 3 * sizeof *x);
  return status;
}

static fb_status read_inertia(cursor* c, double* out) {
  for (int i = 0; i < 6; i++) {
    static const char* const names[] = {"I11=", "I22=", "I33=", "I12=", "I13=", "I23="};
    do next_word(c);
    while (c->word[0] == '#');
    if (strcmp(c->word, names[i]) != 0) return fail(c, names[i]);
    fb_status status = read_number(c, "a number behind it", &out[i]);
    if (status) return status;
  }
  return FB_OK;
}

static fb_status read_masses(cursor* c, fb_spacedyn_params* p, double* x) {
  fb_status status = read_list(c, "mass", "mass[ ] with a number for each link and the base", p->n + 1, x);
  if (status) return status;
  p->m0 = x[0];
  memcpy(p->m, x + 1, (size_t)p->n * sizeof *x);
  status = read_inertia(c, p->inertia0);
  for (int i = 0; i < p->n && !status; i++) status = read_inertia(c, p->inertia + 6 * i);
  return status;
}

/* A file that was cut has lost its last words. */
static fb_status read_end(cursor* c) {
  double x;
  next_word(c);
  if (strcmp(c->word, "###EOF") != 0) return fail(c, "###EOF 777 at the end of the file");
  fb_status status = read_number(c, "777 behind ###EOF", &x);
  return status || x == 777 ? status : fail(c, "777 behind ###EOF");
}

static fb_status read_all(cursor* c, fb_spacedyn_params* p) {
  int n = 0, ends = 0, *end = NULL;
  double* x = NULL;
  fb_status status = read_count(c, &n);
  if (status) return status;
  end = calloc((size_t)n + 1, sizeof *end);
  x = calloc((size_t)n + 1, 3 * sizeof *x);
  if (!end || !x || !fb_spacedyn_params_make(p, n)) {
    free(end);
    free(x);
    return fb_fail(c->error, FB_ERR_MEMORY, "out of memory while the model was read");
  }
  status = read_tree(c, p, x, end, &ends);
  if (!status) status = read_places(c, p);
  if (!status) status = read_ends(c, p, end, ends, x);
  if (!status) status = read_masses(c, p, x);
  if (!status) status = read_end(c);
  free(end);
  free(x);
  return status;
}

int fb_spacedyn_def_is(const char* text, size_t size) {
  static const char mark[] = "###LINK_NUMBER";
  size_t n = sizeof mark - 1;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3;
  size_t at = 0;
  while (at < size && is_blank(text[at])) at++;
  if (size - at < n || memcmp(text + at, "###", 3) != 0) return 0;
  for (; at + n <= size && at < 2000; at++)
    if (memcmp(text + at, mark, n) == 0) return at == 0 || is_blank(text[at - 1]);
  return 0;
}

fb_status fb_spacedyn_def_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                               fb_model_def** def, fb_error* error) {
  fb_spacedyn_params p = {0};
  cursor c = {.at = text, .end = text + size, .file = name, .line = 1, .error = error};
  *def = NULL;
  fb_note_base(options);
  fb_status status = read_all(&c, &p);
  if (!status) status = fb_spacedyn_to_def(&p, (fb_place){0, 0}, name, NULL, def, error);
  fb_spacedyn_params_free(&p);
  if (!status) fb_io_apply_inertia(options, FB_INERTIA_REPAIR, *def);
  return status;
}
