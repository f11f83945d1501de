/* eval_spacedyn.c -- the spacedyn-reference format: SpaceDyn's inputs and outputs under SpaceDyn's names.
 *
 * The reader makes body 1 of the base, with its frame at the centroid, and body i + 1 of link i, so q is
 * (R0, quaternion of A0, q), v is (v0, w0, qd), and the columns 6 .. of a Jacobian belong to the joints.
 * Everything is in inertial axes; matrices are lists of rows, the outermost list runs over links. */
#include <freebody/kinematics.h>

#include "eval.h"
#include "eval_spacedyn.h"
#include "io/spacedyn.h"

enum { BASE_NV = 6 };

static int link_count(const fb_eval* e) {
  return fb_model_nbody(e->model) - 2;
}

static int link_body(int link) {
  return link + 1;
}

/* ---- outputs of the links ---- */

typedef enum link_vector { LINK_RR, LINK_VV, LINK_WW, LINK_VD, LINK_WD } link_vector;

/* One 3-vector a link, of its centroid. */
static void write_vectors(fb_eval* e, link_vector what, fb_json* json) {
  fb_json_begin_list(json);
  for (int i = 1; i <= link_count(e); i++) {
    double x[3] = {0, 0, 0};
    int frame = fb_model_com_frame(e->model, link_body(i));
    switch (what) {
      case LINK_RR:
        fb_frame_pose(e->model, e->data, frame, x, NULL);
        break;
      case LINK_VV:
        fb_frame_velocity(e->model, e->data, frame, x, NULL);
        break;
      case LINK_WW:
        fb_frame_velocity(e->model, e->data, frame, NULL, x);
        break;
      case LINK_VD:
        fb_frame_acceleration(e->model, e->data, frame, x, NULL);
        break;
      case LINK_WD:
        fb_frame_acceleration(e->model, e->data, frame, NULL, x);
        break;
    }
    fb_json_numbers(json, x, 3);
  }
  fb_json_end_list(json);
}

static void links_RR(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_vectors(e, LINK_RR, json);
}

static void links_vv(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_vectors(e, LINK_VV, json);
}

static void links_ww(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_vectors(e, LINK_WW, json);
}

static void links_vd(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_vectors(e, LINK_VD, json);
}

static void links_wd(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_vectors(e, LINK_WD, json);
}

static void links_AA(fb_eval* e, int item, fb_json* json) {
  (void)item;
  fb_json_begin_list(json);
  for (int i = 1; i <= link_count(e); i++) {
    double R[9];
    fb_frame_pose(e->model, e->data, link_body(i), NULL, R);
    fb_json_matrix(json, R, 3, 3);
  }
  fb_json_end_list(json);
}

/* 3 x n a link: linear or angular rows of the centroid's Jacobian, or of its rate. */
static void write_link_jacobians(fb_eval* e, int first_row, int rate, fb_json* json) {
  int n = link_count(e);
  fb_json_begin_list(json);
  for (int i = 1; i <= n; i++) {
    const double* J = fb_eval_jacobian(e, fb_model_com_frame(e->model, link_body(i)), rate);
    fb_write_block(json, J, BASE_NV + n, first_row, 3, BASE_NV, n);
  }
  fb_json_end_list(json);
}

static void links_JJ_t(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_link_jacobians(e, 0, 0, json);
}

static void links_JJ_r(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_link_jacobians(e, 3, 0, json);
}

static void links_JJ_t_dot(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_link_jacobians(e, 0, 1, json);
}

static void links_JJ_r_dot(fb_eval* e, int item, fb_json* json) {
  (void)item;
  write_link_jacobians(e, 3, 1, json);
}

/* ---- outputs of the end-points: the named frames, which the reader lists in the order of the links ---- */

static int end_frame(const fb_eval* e, int item) {
  return fb_model_nbody(e->model) + item;
}

/* The joints from the base to the end-point's link, in the scratch row; returns their number. */
static int path_joints(fb_eval* e, int item, double* path) {
  int length = 0, base = link_body(0);
  for (int b = fb_frame_body(e->model, end_frame(e, item)); b != base; b = fb_body_parent(e->model, b))
    path[length++] = b - base;
  for (int i = 0; i < length / 2; i++) {
    double swap = path[i];
    path[i] = path[length - 1 - i];
    path[length - 1 - i] = swap;
  }
  return length;
}

static void end_link(fb_eval* e, int item, fb_json* json) {
  fb_json_int(json, fb_frame_body(e->model, end_frame(e, item)) - link_body(0));
}

static void end_joints(fb_eval* e, int item, fb_json* json) {
  int length = path_joints(e, item, e->row);
  fb_json_numbers(json, e->row, length);
}

static void end_POS_e(fb_eval* e, int item, fb_json* json) {
  double p[3];
  fb_frame_pose(e->model, e->data, end_frame(e, item), p, NULL);
  fb_json_numbers(json, p, 3);
}

static void end_ORI_e(fb_eval* e, int item, fb_json* json) {
  double R[9];
  fb_frame_pose(e->model, e->data, end_frame(e, item), NULL, R);
  fb_json_matrix(json, R, 3, 3);
}

static void end_vel_e(fb_eval* e, int item, fb_json* json) {
  double x[3];
  fb_frame_velocity(e->model, e->data, end_frame(e, item), x, NULL);
  fb_json_numbers(json, x, 3);
}

static void end_omega_e(fb_eval* e, int item, fb_json* json) {
  double x[3];
  fb_frame_velocity(e->model, e->data, end_frame(e, item), NULL, x);
  fb_json_numbers(json, x, 3);
}

static void end_acc_e(fb_eval* e, int item, fb_json* json) {
  double x[3];
  fb_frame_acceleration(e->model, e->data, end_frame(e, item), x, NULL);
  fb_json_numbers(json, x, 3);
}

static void end_omegad_e(fb_eval* e, int item, fb_json* json) {
  double x[3];
  fb_frame_acceleration(e->model, e->data, end_frame(e, item), NULL, x);
  fb_json_numbers(json, x, 3);
}

/* A joint stands at its zero-displacement point, fixed in the link before it (f_kin_j). */
static void end_POS_j(fb_eval* e, int item, fb_json* json) {
  int length = path_joints(e, item, e->row);
  fb_json_begin_list(json);
  for (int k = 0; k < length; k++) {
    double p[3];
    int frame = fb_model_joint_frame(e->model, link_body((int)e->row[k]));
    fb_frame_pose(e->model, e->data, frame, p, NULL);
    fb_json_numbers(json, p, 3);
  }
  fb_json_end_list(json);
}

/* Its orientation is that of its link. */
static void end_ORI_j(fb_eval* e, int item, fb_json* json) {
  int length = path_joints(e, item, e->row);
  fb_json_begin_list(json);
  for (int k = 0; k < length; k++) {
    double R[9];
    fb_frame_pose(e->model, e->data, link_body((int)e->row[k]), NULL, R);
    fb_json_matrix(json, R, 3, 3);
  }
  fb_json_end_list(json);
}

/* Three rows of the Jacobian, the columns of the joints on the path only. */
static void write_path_columns(fb_eval* e, int item, int first_row, fb_json* json) {
  int nv = fb_model_nv(e->model), length = path_joints(e, item, e->row);
  const double* J = fb_eval_jacobian(e, end_frame(e, item), 0);
  double* columns = e->row + nv;
  fb_json_begin_list(json);
  for (int r = first_row; r < first_row + 3; r++) {
    for (int k = 0; k < length; k++) columns[k] = J[r * nv + BASE_NV + (int)e->row[k] - 1];
    fb_json_numbers(json, columns, length);
  }
  fb_json_end_list(json);
}

static void end_JJ_te(fb_eval* e, int item, fb_json* json) {
  write_path_columns(e, item, 0, json);
}

static void end_JJ_re(fb_eval* e, int item, fb_json* json) {
  write_path_columns(e, item, 3, json);
}

static void write_end_jacobian(fb_eval* e, int item, int rate, int from, int cols, fb_json* json) {
  const double* J = fb_eval_jacobian(e, end_frame(e, item), rate);
  fb_write_block(json, J, fb_model_nv(e->model), 0, 6, from, cols);
}

static void end_Je(fb_eval* e, int item, fb_json* json) {
  write_end_jacobian(e, item, 0, BASE_NV, link_count(e), json);
}

static void end_Jb(fb_eval* e, int item, fb_json* json) {
  write_end_jacobian(e, item, 0, 0, BASE_NV, json);
}

static void end_Je_dot(fb_eval* e, int item, fb_json* json) {
  write_end_jacobian(e, item, 1, BASE_NV, link_count(e), json);
}

static void end_Jb_dot(fb_eval* e, int item, fb_json* json) {
  write_end_jacobian(e, item, 1, 0, BASE_NV, json);
}

/* ---- outputs of the whole system ---- */

static void system_mass(fb_eval* e, int item, fb_json* json) {
  (void)item;
  fb_json_number(json, fb_model_mass(e->model));
}

static void system_Rg(fb_eval* e, int item, fb_json* json) {
  (void)item;
  double com[3];
  fb_subtree_com(e->model, e->data, FB_WORLD, com, NULL, NULL);
  fb_json_numbers(json, com, 3);
}

static const char ENDS[] = "end_points";

static const fb_eval_output OUTPUTS[] = {
    {NULL, "AA", 0, FB_PRINT, links_AA},
    {NULL, "RR", 0, FB_PRINT, links_RR},
    {NULL, "vv", FB_NEEDS_V, FB_PRINT, links_vv},
    {NULL, "ww", FB_NEEDS_V, FB_PRINT, links_ww},
    {NULL, "vd", FB_NEEDS_VDOT, FB_PRINT, links_vd},
    {NULL, "wd", FB_NEEDS_VDOT, FB_PRINT, links_wd},
    {NULL, "JJ_t", 0, FB_PRINT, links_JJ_t},
    {NULL, "JJ_r", 0, FB_PRINT, links_JJ_r},
    {NULL, "JJ_t_dot", FB_NEEDS_V, FB_REQUEST, links_JJ_t_dot},
    {NULL, "JJ_r_dot", FB_NEEDS_V, FB_REQUEST, links_JJ_r_dot},
    {ENDS, "link", 0, FB_NAME, end_link},
    {ENDS, "joints", 0, FB_PRINT, end_joints},
    {ENDS, "POS_e", 0, FB_PRINT, end_POS_e},
    {ENDS, "ORI_e", 0, FB_PRINT, end_ORI_e},
    {ENDS, "vel_e", FB_NEEDS_V, FB_PRINT, end_vel_e},
    {ENDS, "omega_e", FB_NEEDS_V, FB_PRINT, end_omega_e},
    {ENDS, "acc_e", FB_NEEDS_VDOT, FB_PRINT, end_acc_e},
    {ENDS, "omegad_e", FB_NEEDS_VDOT, FB_PRINT, end_omegad_e},
    {ENDS, "POS_j", 0, FB_PRINT, end_POS_j},
    {ENDS, "ORI_j", 0, FB_PRINT, end_ORI_j},
    {ENDS, "JJ_te", 0, FB_PRINT, end_JJ_te},
    {ENDS, "JJ_re", 0, FB_PRINT, end_JJ_re},
    {ENDS, "Je", 0, FB_PRINT, end_Je},
    {ENDS, "Jb", 0, FB_PRINT, end_Jb},
    {ENDS, "Je_dot", FB_NEEDS_V, FB_REQUEST, end_Je_dot},
    {ENDS, "Jb_dot", FB_NEEDS_V, FB_REQUEST, end_Jb_dot},
    {NULL, "mass", 0, FB_PRINT, system_mass},
    {NULL, "Rg", FB_NEEDS_COM, FB_PRINT, system_Rg},
    {NULL, NULL, 0, FB_PRINT, NULL},
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
                                         count_items,          read_model, fb_spacedyn_read_inputs};
