/* loops.c -- compiles loops: the frames and axes they join, and the paths of links that their forces act through
 *
 * A force between frames a and b is felt by the links from b towards the world, and by those from a. Where both ways
 * meet they continue as one, and of two frames on one floating tree nothing is left there. The path of a loop lists these
 * links, last first: links count parents first, so that the higher of two numbers is never the ancestor. */
#include "model/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/support/words.h>

#include "math/axis.h"
#include "model/definition/check.h"
#include "model/link_kind.h"
#include "model/definition/name_index.h"

/* --- types --- */

#define FB_LOOP_AS_ROW(code, name, rows) {name, rows},
static const struct {
  const char* name;
  int rows;
} KINDS[] = {FB_LOOP_LIST(FB_LOOP_AS_ROW)};
#undef FB_LOOP_AS_ROW

static int is_type(fb_loop_type type) {
  return type >= 0 && type < FB_LOOP_TYPE_COUNT;
}

const char* fb_loop_type_name(fb_loop_type type) {
  return is_type(type) ? KINDS[type].name : "?";
}

int fb_loop_type_find(const char* name) {
  for (int i = 0; i < FB_LOOP_TYPE_COUNT; i++)
    if (strcmp(KINDS[i].name, name) == 0) return i;
  return -1;
}

int fb_loop_type_nrow(fb_loop_type type) {
  return is_type(type) ? KINDS[type].rows : 0;
}

/* --- reading a model's --- */

static int is_loop(const fb_model* m, int loop) {
  return loop >= 0 && loop < m->top.nloop;
}

int fb_model_nloop(const fb_model* m) {
  return m->top.nloop;
}

const char* fb_loop_name(const fb_model* m, int loop) {
  return is_loop(m, loop) ? fb_model_def_loop(m->def, loop)->name : NULL;
}

fb_loop_type fb_loop_type_of(const fb_model* m, int loop) {
  return is_loop(m, loop) ? (fb_loop_type)m->top.loop_type[loop] : FB_LOOP_TYPE_COUNT;
}

int fb_model_find_loop(const fb_model* m, const char* name) {
  return fb_names_find(m->loop_names, m->top.nloop, name);
}

/* --- counting --- */

void fb_loops_count(fb_model* m) {
  fb_topology* t = &m->top;
  t->nloop = fb_model_def_nloop(m->def);
  for (int i = 0; i < t->nloop; i++) {
    const fb_loop_def* loop = fb_model_def_loop(m->def, i);
    t->nrow += fb_loop_type_nrow(loop->type);
    if (loop->type == FB_LOOP_GEAR) t->ngear += 1 + loop->njoint;
  }
}

/* --- names --- */

static fb_status check_names(fb_model* m, fb_error* error) {
  int n = m->top.nloop;
  for (int i = 0; i < n; i++) {
    const fb_loop_def* loop = fb_model_def_loop(m->def, i);
    if (!loop->name || !loop->name[0]) {
      fb_fail(error, FB_ERR_NAME, "loop %d has no name; every loop needs one", i + 1);
      return fb_def_fail(m->def, loop->place, error, FB_ERR_NAME);
    }
    m->loop_names[i] = (fb_name){loop->name, i};
  }
  fb_names_sort(m->loop_names, n);
  int repeated = fb_names_repeated(m->loop_names, n);
  if (!repeated) return FB_OK;
  fb_fail(error, FB_ERR_NAME, "the name \"%s\" is given to two loops; every loop needs a name of its own",
          m->loop_names[repeated].text);
  return fb_def_fail(m->def, fb_model_def_loop(m->def, m->loop_names[repeated].id)->place, error,
                     FB_ERR_NAME);
}

/* --- frames and axes --- */

static fb_status find_frame(const fb_model* m, const fb_loop_def* loop, const char* key, const char* name,
                            int* site, fb_error* error) {
  if (!name) {
    fb_fail(error, FB_ERR_NAME, "loop \"%s\": '%s' is missing; name the frame or body that it joins",
            loop->name, key);
    return FB_ERR_NAME;
  }
  *site = fb_model_find_frame(m, name);
  if (*site >= 0) return FB_OK;
  char near[FB_SUGGESTION_SIZE];
  fb_names_suggestion(m->frame_names, m->top.nframe, name, NULL, near);
  return fb_fail(error, FB_ERR_NAME, "loop \"%s\": there is no frame or body '%.60s'%s", loop->name, name,
                 near);
}

static fb_status find_axis(const fb_loop_def* loop, const char* key, const double given[3], double axis[3],
                           fb_error* error) {
  memcpy(axis, given, 3 * sizeof *axis);
  if (fb_axis_normalise(axis)) return FB_OK;
  return fb_fail(error, FB_ERR_ARG, "loop \"%s\": %s is [%g, %g, %g], which has no direction", loop->name,
                 key, given[0], given[1], given[2]);
}

/* Three axes in frame a, the loop's own last, and the axis in frame b that goes with it. */
static fb_status set_axes(fb_model* m, int i, const fb_loop_def* loop, fb_error* error) {
  double *E = m->par.loop_axes + 9 * i, *normal = m->par.loop_normal + 3 * i, axis[3] = {0, 0, 1}, R[9];
  int two = loop->type == FB_LOOP_UNIVERSAL;
  normal[2] = 1;
  fb_status status = FB_OK;
  if (two || loop->type == FB_LOOP_REVOLUTE || loop->type == FB_LOOP_PRISMATIC) {
    status = find_axis(loop, "axis", loop->axis, axis, error);
    if (!status) status = find_axis(loop, two ? "axis2" : "axis", two ? loop->axis2 : axis, normal, error);
  }
  fb_axis_from_z(axis, R);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) E[3 * r + c] = R[3 * c + r];
  return status;
}

static fb_status set_length(fb_model* m, int i, const fb_loop_def* loop, fb_error* error) {
  if (loop->type != FB_LOOP_DISTANCE) return FB_OK;
  m->par.loop_length[i] = loop->length;
  if (isnan(loop->length) || (loop->length > 0 && loop->length < FB_HUGE_NUMBER)) return FB_OK;
  return fb_fail(error, FB_ERR_ARG,
                 "loop \"%s\": length is %g m; it must be more than zero (type: point keeps two origins "
                 "together) and at most 1e30",
                 loop->name, loop->length);
}

static fb_status compile_frames(fb_model* m, int i, const fb_loop_def* loop, fb_error* error) {
  int* site = m->top.loop_site + 2 * i;
  fb_status status = find_frame(m, loop, "a", loop->a, &site[0], error);
  if (!status) status = find_frame(m, loop, "b", loop->b, &site[1], error);
  if (!status && fb_sites_are_fixed(&m->top, site[0], site[1]))
    status = fb_fail(error, FB_ERR_TREE,
                     "loop \"%s\": '%.60s' and '%.60s' are on one rigid body, so there is nothing to close",
                     loop->name, loop->a, loop->b);
  if (!status) status = set_axes(m, i, loop, error);
  return status ? status : set_length(m, i, loop, error);
}

/* --- gears --- */

static fb_status add_gear(fb_model* m, int at, const fb_loop_def* loop, const char* joint, double ratio,
                          fb_error* error) {
  int body = joint ? fb_model_find_joint(m, joint) : -1;
  if (body < 1) {
    char near[FB_SUGGESTION_SIZE];
    fb_names_suggestion(m->joint_names, m->top.nbody - 1, joint ? joint : "", NULL, near);
    return fb_fail(error, FB_ERR_NAME, "loop \"%s\": there is no joint '%.60s'%s", loop->name,
                   joint ? joint : "", near);
  }
  if (fb_joint_nv(m, body) != 1)
    return fb_fail(error, FB_ERR_JOINT,
                   "loop \"%s\": joint '%.60s' is %s and has %d coordinates; a gear couples joints of one",
                   loop->name, joint, fb_joint_type_name(fb_joint_type_of(m, body)), fb_joint_nv(m, body));
  if (!isfinite(ratio) || fabs(ratio) > FB_HUGE_NUMBER || ratio == 0)
    return fb_fail(error, FB_ERR_ARG,
                   "loop \"%s\": the ratio of '%.60s' is %g; give a number that is not zero, at most 1e30",
                   loop->name, joint, -ratio);
  for (int k = m->top.loop_gear[at]; k < m->top.loop_gear[at + 1]; k++)
    if (m->top.gear_v[k] == fb_joint_v_index(m, body))
      return fb_fail(error, FB_ERR_NAME, "loop \"%s\": joint '%.60s' is named twice", loop->name, joint);
  m->top.gear_v[m->top.loop_gear[at + 1]] = fb_joint_v_index(m, body);
  m->par.gear_ratio[m->top.loop_gear[at + 1]++] = ratio;
  return FB_OK;
}

static fb_status compile_gear(fb_model* m, int i, const fb_loop_def* loop, fb_error* error) {
  m->top.loop_site[2 * i] = m->top.loop_site[2 * i + 1] = -1;
  m->par.loop_length[i] = loop->offset;
  if (loop->njoint < 1)
    return fb_fail(error, FB_ERR_CONTENT, "loop \"%s\": a gear needs the joint or joints 'b'", loop->name);
  if (!isfinite(loop->offset))
    return fb_fail(error, FB_ERR_NOT_FINITE, "loop \"%s\": offset is %g; give a finite number", loop->name,
                   loop->offset);
  fb_status status = add_gear(m, i, loop, loop->a, 1, error);
  for (int k = 0; k < loop->njoint && !status; k++)
    status = add_gear(m, i, loop, loop->joints[k], -loop->ratios[k], error);
  return status;
}

/* --- paths --- */

/* The next link of a path: a and b are those that have been reached, 0 at its end. */
static int next_on_path(const fb_topology* t, int* a, int* b, fb_path_end* end) {
  int link = *a > *b ? *a : *b;
  if (link == 0) return 0;
  *end = *a == *b ? FB_PATH_BOTH : *a > *b ? FB_PATH_FROM_A : FB_PATH_FROM_B;
  int next = t->link_parent[link];
  if (*end != FB_PATH_FROM_B) *a = next;
  if (*end != FB_PATH_FROM_A) *b = next;
  return link;
}

/* Counts the links on all paths, and lists them too. */
static int walk_paths(fb_topology* t, int list) {
  int at = 0, u = 0;
  for (int i = 0; i < t->nloop; i++) {
    t->loop_path[i] = at;
    t->loop_u[i] = u;
    if (t->loop_type[i] == FB_LOOP_GEAR) continue;
    int a = t->site_link[t->loop_site[2 * i]], b = t->site_link[t->loop_site[2 * i + 1]], link;
    fb_path_end end;
    while ((link = next_on_path(t, &a, &b, &end)) != 0) {
      if (list) {
        t->path_link[at] = link;
        t->path_end[at] = (int)end;
      }
      at++;
      u += t->link_nv[link];
    }
  }
  t->loop_path[t->nloop] = at;
  t->loop_u[t->nloop] = t->nu = u;
  return at;
}

static fb_status find_paths(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  t->npath = walk_paths(t, 0);
  m->path_memory = malloc(2 * ((size_t)t->npath + 1) * sizeof(int));
  if (!m->path_memory) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the loops were compiled");
  t->path_link = (int*)m->path_memory;
  t->path_end = t->path_link + t->npath;
  walk_paths(t, 1);
  return FB_OK;
}

/* --- the whole --- */

/* Their matrices are dense, and indices in them are ints. */
static fb_status check_count(const fb_model* m, fb_error* error) {
  enum { MOST_ROWS = 40000 };
  if (m->top.nrow <= MOST_ROWS) return FB_OK;
  return fb_fail(error, FB_ERR_ARG, "%d loops with %d rows are too many; at most %d rows are possible",
                 m->top.nloop, m->top.nrow, (int)MOST_ROWS);
}

fb_status fb_loops_compile(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  if (t->nloop == 0) return FB_OK;
  fb_status counted = check_count(m, error);
  if (counted) return counted;
  fb_status status = check_names(m, error);
  for (int i = 0; i < t->nloop && !status; i++) {
    const fb_loop_def* loop = fb_model_def_loop(m->def, i);
    t->loop_type[i] = (int)loop->type;
    t->loop_row[i + 1] = t->loop_row[i] + fb_loop_type_nrow(loop->type);
    t->loop_gear[i + 1] = t->loop_gear[i];
    status = loop->type == FB_LOOP_GEAR ? compile_gear(m, i, loop, error) : compile_frames(m, i, loop, error);
    if (status) fb_def_fail(m->def, loop->place, error, status);
  }
  return status ? status : find_paths(m, error);
}
