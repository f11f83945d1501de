/* spacedyn.c -- the spacedyn-reference format: SpaceDyn's inputs and outputs under SpaceDyn's names.
 *
 * The reader makes body 1 of the base, with its frame at the centroid, and body i + 1 of link i, so q is
 * (R0, quaternion of A0, q), v is (v0, w0, qd), and the columns 6 .. of a Jacobian belong to the joints.
 * Everything is in inertial axes; matrices are lists of rows, the outermost list runs over links. */
#include <freebody/kinematics.h>
#include <freebody/momentum.h>

#include "eval/eval.h"
#include "eval/dynamics.h"
#include "format/spacedyn/spacedyn.h"

enum { BASE_NV = 6 };

static int link_count(const fb_eval* e) {
  return fb_model_nbody(e->model) - 2;
}

static int link_body(int link) {
  return link + 1;
}

/* ---- outputs of the links ---- */

/* One 3-vector a link, of its centroid. */
static void links_quantity(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  fb_json_begin_list(json);
  for (int i = 1; i <= link_count(e); i++)
    fb_eval_write_quantity(e, fb_model_com_frame(e->model, link_body(i)), (fb_eval_quantity)what, json);
  fb_json_end_list(json);
}

static void links_AA(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  fb_json_begin_list(json);
  for (int i = 1; i <= link_count(e); i++) fb_eval_write_quantity(e, link_body(i), FB_ROTATION, json);
  fb_json_end_list(json);
}

/* 3 x n a link: linear or angular rows of the centroid's Jacobian, or of its rate. */
enum { ANGULAR = 1, RATE = 2 };
static void links_jacobian(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  int n = link_count(e);
  fb_json_begin_list(json);
  for (int i = 1; i <= n; i++) {
    const double* J = fb_eval_jacobian(e, fb_model_com_frame(e->model, link_body(i)), (what & RATE) != 0);
    fb_eval_write_block(json, J, BASE_NV + n, what & ANGULAR ? 3 : 0, 3, BASE_NV, n);
  }
  fb_json_end_list(json);
}

/* ---- outputs of the end-points: the named frames, which the reader lists in the order of the links ---- */

static int end_frame(const fb_eval* e, int item) {
  return fb_model_nbody(e->model) + item;
}

/* The joints from the base to the end-point's link, in the scratch row; returns their number. */
static int path_joints(fb_eval* e, int item) {
  int length = 0, base = link_body(0);
  for (int b = fb_frame_body(e->model, end_frame(e, item)); b != base; b = fb_body_parent(e->model, b))
    length++;
  int at = length;
  for (int b = fb_frame_body(e->model, end_frame(e, item)); b != base; b = fb_body_parent(e->model, b))
    e->path[--at] = b - base;
  return length;
}

static void end_link(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  fb_json_int(json, fb_frame_body(e->model, end_frame(e, item)) - link_body(0));
}

static void write_ints(const int* x, int count, fb_json* json) {
  fb_json_begin_list(json);
  for (int i = 0; i < count; i++) fb_json_int(json, x[i]);
  fb_json_end_list(json);
}

static void end_joints(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  int length = path_joints(e, item);
  write_ints(e->path, length, json);
}

static void end_quantity(fb_eval* e, int item, int what, fb_json* json) {
  fb_eval_write_quantity(e, end_frame(e, item), (fb_eval_quantity)what, json);
}

/* A joint stands at its zero-displacement point, fixed in the link before it (f_kin_j). */
static void end_POS_j(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  int length = path_joints(e, item);
  fb_json_begin_list(json);
  for (int k = 0; k < length; k++)
    fb_eval_write_quantity(e, fb_model_joint_frame(e->model, link_body(e->path[k])), FB_POSITION, json);
  fb_json_end_list(json);
}

/* Its orientation is that of its link. */
static void end_ORI_j(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  int length = path_joints(e, item);
  fb_json_begin_list(json);
  for (int k = 0; k < length; k++) fb_eval_write_quantity(e, link_body(e->path[k]), FB_ROTATION, json);
  fb_json_end_list(json);
}

/* Three rows of the Jacobian, the columns of the joints on the path only. */
static void end_path_columns(fb_eval* e, int item, int what, fb_json* json) {
  int nv = fb_model_nv(e->model), length = path_joints(e, item), first = what & ANGULAR ? 3 : 0;
  const double* J = fb_eval_jacobian(e, end_frame(e, item), 0);
  fb_json_begin_list(json);
  for (int r = first; r < first + 3; r++) {
    for (int k = 0; k < length; k++) e->row[k] = J[r * nv + BASE_NV + e->path[k] - 1];
    fb_json_numbers(json, e->row, length);
  }
  fb_json_end_list(json);
}

/* The joints' columns of the Jacobian, or the base's; or of its rate. */
enum { BASE_PART = 1 };
static void end_jacobian(fb_eval* e, int item, int what, fb_json* json) {
  const double* J = fb_eval_jacobian(e, end_frame(e, item), (what & RATE) != 0);
  int base = what & BASE_PART;
  fb_eval_write_block(json, J, fb_model_nv(e->model), 0, 6, base ? 0 : BASE_NV,
                      base ? BASE_NV : link_count(e));
}

/* GJ = Je - Jb Hb^-1 Hbm */
static void end_GJ(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  int n = link_count(e);
  const double* GJ = fb_eval_generalized_jacobian(e, end_frame(e, item));
  if (GJ)
    fb_eval_write_block(json, GJ, n, 0, 6, 0, n);
  else
    fb_json_null(json);
}

/* ---- outputs of the whole system ---- */

static void system_vector(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  fb_json_numbers(json, fb_eval_vector(e, (fb_eval_vector_kind)what), fb_model_nv(e->model));
}

/* The keys vd0, wd0, qdd of a generalized acceleration. */
static void write_acceleration(const fb_eval* e, const double* vdot, fb_json* json) {
  fb_json_put_numbers(json, "vd0", vdot, 3);
  fb_json_put_numbers(json, "wd0", vdot + 3, 3);
  fb_json_put_numbers(json, "qdd", vdot + BASE_NV, link_count(e));
}

static void system_f_dyn(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  fb_json_begin_map(json);
  write_acceleration(e, fb_eval_vector(e, FB_VECTOR_FORWARD), json);
  fb_json_end_map(json);
}

static void system_mixed_dyn(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  int count = 0;
  for (int i = 1; i <= link_count(e); i++)
    if (e->prescribed[BASE_NV + i - 1]) e->path[count++] = i;
  fb_eval_mixed(e);
  fb_json_begin_map(json);
  fb_json_key(json, "prescribed_joints");
  write_ints(e->path, count, json);
  write_acceleration(e, e->x, json);
  fb_json_put_numbers(json, "tau", e->y + BASE_NV, link_count(e));
  fb_json_end_map(json);
}

typedef enum momentum_about { LINEAR, ABOUT_ORIGIN, ABOUT_BASE, ABOUT_COM } momentum_about;

static void system_momentum(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  double point[3] = {0, 0, 0}, linear[3], angular[3];
  if (what == ABOUT_BASE) fb_frame_pose(e->model, e->data, link_body(0), point, NULL);
  if (what == ABOUT_COM) fb_subtree_com(e->model, e->data, FB_WORLD, point, NULL, NULL);
  fb_momentum(e->model, e->data, point, linear, angular);
  fb_json_numbers(json, what == LINEAR ? linear : angular, 3);
}

static const char ENDS[] = "end_points";
enum { V = FB_NEEDS_V, A = FB_NEEDS_VDOT, T = FB_NEEDS_TAU | FB_NEEDS_V, COM = FB_NEEDS_COM };

static const fb_eval_output OUTPUTS[] = {
    {NULL, "AA", 0, FB_PRINT, links_AA, 0},
    {NULL, "RR", 0, FB_PRINT, links_quantity, FB_POSITION},
    {NULL, "vv", V, FB_PRINT, links_quantity, FB_VELOCITY},
    {NULL, "ww", V, FB_PRINT, links_quantity, FB_TURNING},
    {NULL, "vd", A, FB_PRINT, links_quantity, FB_ACCELERATION},
    {NULL, "wd", A, FB_PRINT, links_quantity, FB_TURNING_RATE},
    {NULL, "JJ_t", 0, FB_PRINT, links_jacobian, 0},
    {NULL, "JJ_r", 0, FB_PRINT, links_jacobian, ANGULAR},
    {NULL, "JJ_t_dot", V, FB_REQUEST, links_jacobian, RATE},
    {NULL, "JJ_r_dot", V, FB_REQUEST, links_jacobian, ANGULAR | RATE},
    {NULL, "HH", 0, FB_PRINT, fb_eval_write_inertia, 0},
    {NULL, "Force0", V, FB_PRINT, system_vector, FB_VECTOR_BIAS},
    {NULL, "Force0_gravity", 0, FB_PRINT, system_vector, FB_VECTOR_GRAVITY},
    {NULL, "Force_ex", 0, FB_PRINT, system_vector, FB_VECTOR_PUSH},
    {NULL, "r_ne_noext", A, FB_PRINT, system_vector, FB_VECTOR_INVERSE_UNLOADED},
    {NULL, "r_ne", A, FB_PRINT, system_vector, FB_VECTOR_INVERSE},
    {NULL, "f_dyn", T, FB_PRINT, system_f_dyn, 0},
    {ENDS, "link", 0, FB_NAME, end_link, 0},
    {ENDS, "joints", 0, FB_PRINT, end_joints, 0},
    {ENDS, "POS_e", 0, FB_PRINT, end_quantity, FB_POSITION},
    {ENDS, "ORI_e", 0, FB_PRINT, end_quantity, FB_ROTATION},
    {ENDS, "vel_e", V, FB_PRINT, end_quantity, FB_VELOCITY},
    {ENDS, "omega_e", V, FB_PRINT, end_quantity, FB_TURNING},
    {ENDS, "acc_e", A, FB_PRINT, end_quantity, FB_ACCELERATION},
    {ENDS, "omegad_e", A, FB_PRINT, end_quantity, FB_TURNING_RATE},
    {ENDS, "POS_j", 0, FB_PRINT, end_POS_j, 0},
    {ENDS, "ORI_j", 0, FB_PRINT, end_ORI_j, 0},
    {ENDS, "JJ_te", 0, FB_PRINT, end_path_columns, 0},
    {ENDS, "JJ_re", 0, FB_PRINT, end_path_columns, ANGULAR},
    {ENDS, "Je", 0, FB_PRINT, end_jacobian, 0},
    {ENDS, "Jb", 0, FB_PRINT, end_jacobian, BASE_PART},
    {ENDS, "GJ", 0, FB_PRINT, end_GJ, 0},
    {ENDS, "Je_dot", V, FB_REQUEST, end_jacobian, RATE},
    {ENDS, "Jb_dot", V, FB_REQUEST, end_jacobian, BASE_PART | RATE},
    {NULL, "mass", 0, FB_PRINT, fb_eval_write_mass, 0},
    {NULL, "Rg", COM, FB_PRINT, fb_eval_write_com, 0},
    {NULL, "linear_momentum", V, FB_PRINT, system_momentum, LINEAR},
    {NULL, "angular_momentum_origin", V, FB_PRINT, system_momentum, ABOUT_ORIGIN},
    {NULL, "angular_momentum_base", V, FB_PRINT, system_momentum, ABOUT_BASE},
    {NULL, "angular_momentum_cm", V | COM, FB_PRINT, system_momentum, ABOUT_COM},
    {NULL, "kinetic_energy", V, FB_PRINT, fb_eval_write_energy, FB_ENERGY_KINETIC},
    {NULL, "potential_energy", 0, FB_PRINT, fb_eval_write_energy, FB_ENERGY_POTENTIAL},
    {NULL, "mixed_dyn", A | T, FB_PRINT, system_mixed_dyn, 0},
    {NULL, NULL, 0, FB_PRINT, NULL, 0},
};

static int count_items(const fb_eval* e, const char* list) {
  (void)list;
  return fb_model_nframe(e->model) - fb_model_nbody(e->model);
}

static fb_status read_model(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                            fb_error* error) {
  return fb_spacedyn_read(root, options, def, error);
}

static const char* const KEYS[] = {"format", "version", "name",         "description",  "units",
                                   "model",  "cases",   "trajectories", "verification", NULL};

const fb_eval_format fb_eval_spacedyn = {"spacedyn-reference", KEYS,       OUTPUTS,
                                         count_items,          read_model, fb_eval_spacedyn_inputs};
