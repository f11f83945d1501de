/* links.c -- compiles bodies and joints into links and sites (see model.h)
 *
 * With A the rotation that takes z to the joint's axis, a one-degree joint whose frame stands at T_lj
 * on the parent's link becomes a link at T_lj A that moves along or about its z axis, and the body's
 * frame stands at A^T on it:  T_lj A Rz(q) A^T = T_lj R(axis, q). Joints of several links repeat this,
 * with A^T in the place of T_lj. joint_path.h gives the links in their order from the parent to the body. */
#include "model/links.h"

#include <math.h>

#include "math/axis.h"
#include "model/definition/joint_path.h"
#include "model/pose.h"

int fb_links_of_joint(fb_joint_type type, int merge_fixed) {
  return merge_fixed && fb_joint_kinds[type].nv == 0 ? 0 : fb_joint_kinds[type].nlink;
}

/* The rotation that takes z to a link's axis, exact for axes along x, y or z; none without an axis. */
static fb_pose align_z(const fb_path_link* link) {
  fb_pose turn = fb_pose_identity();
  if (link->source != FB_FROM_NONE) fb_axis_from_z(link->axis, turn.R);
  return turn;
}

static fb_pose rotate_pose(const fb_pose* place, const fb_pose* turn) {
  fb_pose out;
  fb_pose_multiply(place, turn, &out);
  return out;
}

static fb_pose inverse_of(const fb_pose* pose) {
  fb_pose out;
  fb_pose_inverse(pose, &out);
  return out;
}

/* What is being compiled: the last link made and where the coordinates are. */
typedef struct compiler {
  fb_model* m;
  int link; /* parent of the next link, then the link itself */
  int nlink;
  int q, v; /* first coordinates of the joint */
} compiler;

/* A column of a rotation that is one axis, to rounding: its row, or -1. A cosine rounds to 1 for angles to 1e-8, so the
 * other two numbers tell. */
static int axis_of_column(const double R[9], int column) {
  static const double ROUND_OFF = 2.3e-16; /* a half turn by the double nearest to pi leaves 1.3e-16 */
  for (int row = 0; row < 3; row++)
    if (fabs(R[3 * row + column]) == 1 && fabs(R[3 * ((row + 1) % 3) + column]) < ROUND_OFF &&
        fabs(R[3 * ((row + 2) % 3) + column]) < ROUND_OFF)
      return row;
  return -1;
}

/* Whether a rotation takes each axis from one axis of the parent: then from which, and its sign. */
static void find_permutation(fb_model* m, int link, const double R[9]) {
  int* from = m->top.link_from + 3 * link;
  for (int column = 0; column < 3; column++) {
    from[column] = axis_of_column(R, column);
    if (from[column] >= 0)
      *fb_link_parameter(&m->par, link, FB_PAR_SIGN + column) = R[3 * from[column] + column];
  }
  if (from[0] < 0 || from[1] < 0 || from[2] < 0) from[0] = -1;
}

static void store_place(fb_model* m, int link, const fb_pose* place) {
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++)
      *fb_link_parameter(&m->par, link, FB_PAR_PLACE + 3 * column + row) = place->R[3 * row + column];
    *fb_link_parameter(&m->par, link, FB_PAR_AT + row) = place->p[row];
  }
  find_permutation(m, link, place->R);
}

static void add_link(compiler* c, const fb_path_link* link, double pitch, const fb_pose* place) {
  fb_topology* t = &c->m->top;
  const fb_link_row* row = &fb_link_rows[link->kind];
  int id = c->nlink++, is_single = row->nv == 1;
  t->link_parent[id] = c->link;
  t->link_kind[id] = (int)link->kind;
  t->link_q[id] = c->q + link->q;
  t->link_v[id] = c->v + link->v;
  t->link_nv[id] = row->nv;
  store_place(c->m, id, place);
  *fb_link_parameter(&c->m->par, id, FB_PAR_TURN) = is_single && row->lengths == 0;
  *fb_link_parameter(&c->m->par, id, FB_PAR_SLIDE) = row->pitches ? pitch : is_single && row->lengths > 0;
  c->link = id;
}

/* Makes the links of one joint whose frame is at `at` on link c->link; returns the pose of the frame after them on the
 * last. */
static fb_pose compile_joint(compiler* c, const fb_joint_path* path, const fb_pose* at) {
  fb_pose frame = *at; /* that after the links so far, on the last of them */
  for (int i = 0; i < path->nlink; i++) {
    fb_pose turn = align_z(&path->link[i]), place = rotate_pose(&frame, &turn);
    if (i > 0 && path->link[i].source == path->link[i - 1].source) place = fb_pose_identity(); /* exactly */
    add_link(c, &path->link[i], path->pitch, &place);
    frame = inverse_of(&turn);
  }
  return frame;
}

/* --- sites --- */

static void set_site(fb_model* m, int site, int link, int body, const fb_pose* pose) {
  m->top.site_link[site] = link;
  m->top.site_body[site] = body;
  m->top.site_rigid[site] = 1;
  fb_pose_store(m->par.site_pose, site, pose);
}

static void compile_body(compiler* c, int b, int merge_fixed) {
  fb_model* m = c->m;
  fb_topology* t = &m->top;
  const fb_body_def* body = fb_model_def_body(m->def, b);
  int parent = t->body_parent[b], parent_link = t->body_link[parent];
  fb_pose on_parent = fb_pose_load(m->par.site_pose, parent);
  fb_joint_path path = fb_joint_path_of(&body->joint);
  fb_pose joint = fb_pose_placed(&on_parent, path.place.R, path.place.p), local = joint;
  set_site(m, fb_joint_site(t, b), parent_link, parent, &joint);

  c->link = parent_link;
  c->q = t->body_q[b];
  c->v = t->body_v[b];
  if (fb_links_of_joint(body->joint.type, merge_fixed) > 0) local = compile_joint(c, &path, &joint);
  if (path.has_tail) local = rotate_pose(&local, &path.tail);
  t->body_link[b] = c->link;
  set_site(m, b, c->link, b, &local);
  set_site(m, fb_com_site(t, b), c->link, b, &local); /* until inertia.c moves it to the centre of mass */
}

/* --- what the passes need --- */

static fb_link_place place_of(const fb_topology* t, const fb_parameters* par, int i) {
  const int* from = t->link_from + 3 * i;
  if (from[0] < 0) return FB_PLACE_ANY;
  int upright = t->link_kind[i] == FB_LINK_FREE && t->link_parent[i] == 0;
  for (int k = 0; k < 3; k++) upright &= from[k] == k && *fb_link_parameter(par, i, FB_PAR_SIGN + k) == 1;
  return upright ? FB_PLACE_UPRIGHT : FB_PLACE_PERMUTED;
}

/* Stretches of links that are alike, each on the one before. */
static void find_runs(fb_topology* t, const fb_parameters* par) {
  t->nrun = 0;
  for (int i = 1; i < t->nlink; i++) {
    t->link_place[i] = (int)place_of(t, par, i);
    if (i == 1 || t->link_kind[i] != t->link_kind[i - 1] || t->link_place[i] != t->link_place[i - 1] ||
        t->link_parent[i] != i - 1) {
      t->run_first[t->nrun] = i;
      t->run_kind[t->nrun++] = t->link_kind[i];
    }
    t->run_end[t->nrun - 1] = i + 1;
  }
}

/* Revolute links of which each carries only the next, in groups from the root on, so that those that are not full are
 * at the tips; any other link is a group by itself. */
static void find_groups(fb_topology* t) {
  for (int i = 1; i < t->nlink; i++) {
    int up = i - 1, goes_on = t->link_parent[i] == up && t->link_child[up] == i && t->link_next[i] == 0;
    goes_on &= t->link_kind[i] == FB_LINK_REVOLUTE && t->link_kind[up] == FB_LINK_REVOLUTE;
    t->link_group[i] = goes_on ? t->link_group[up] % FB_GROUP + 1 : 1;
  }
}

/* Where the blocks of numbers of each link lie. Past the last link there is room for whole blocks of links. */
static void place_blocks(fb_topology* t) {
  for (int i = 0; i < fb_links_in_blocks(t->nlink); i++)
    t->link_block[i + 1] = t->link_block[i] + FB_BODY_SIZE;
  for (int i = 0; i < t->nlink; i++) t->link_ext[i + 1] = t->link_ext[i] + FB_EXT_SIZE;
}

/* Links connected without passing the world or what is fixed to it. */
static void find_trees(fb_topology* t) {
  t->link_tree[0] = -1;
  t->nmoving = 0;
  for (int i = 1; i < t->nlink; i++) {
    t->link_tree[i] = t->link_tree[t->link_parent[i]];
    if (t->link_tree[i] < 0 && t->link_kind[i] != FB_LINK_FIXED) {
      t->tree_link[t->nmoving] = i;
      t->link_tree[i] = t->nmoving++;
    }
    if (t->link_tree[i] >= 0) t->tree_end[t->link_tree[i]] = i + 1;
    for (int k = 0; k < t->link_nv[i]; k++) t->coordinate_tree[t->link_v[i] + k] = t->link_tree[i];
  }
}

/* Children and each subtree's slots. */
static void number_slots(fb_topology* t) {
  int slot = 0;
  t->first_angle = t->nq;
  for (int i = 0; i < t->nlink; i++) {
    t->link_slot[i] = slot;
    const fb_link_row* kind = &fb_link_rows[t->link_kind[i]];
    for (int k = 0; k < t->link_nv[i]; k++) t->slot_v[slot++] = t->link_v[i] + k;
    t->link_slot_end[i] = slot;
    if (kind->nv != 1 || kind->lengths > 0) continue; /* no angle */
    if (t->first_angle > t->link_q[i]) t->first_angle = t->link_q[i];
    if (t->end_angle <= t->link_q[i]) t->end_angle = t->link_q[i] + 1;
  }
  while ((t->end_angle - t->first_angle) % 4 != 0 && t->first_angle > 0) t->first_angle--; /* whole vectors */
  for (int i = t->nlink - 1; i > 0; i--) {
    int parent = t->link_parent[i];
    t->link_next[i] = t->link_child[parent];
    t->link_child[parent] = i;
    if (t->link_slot_end[parent] < t->link_slot_end[i]) t->link_slot_end[parent] = t->link_slot_end[i];
  }
  t->in_order = t->one_chain = 1;
  for (int s = 0; s < t->nv; s++) t->in_order &= t->slot_v[s] == s;
  for (int i = 1; i < t->nlink; i++) t->one_chain &= t->link_parent[i] == i - 1;
}

void fb_links_compile(fb_model* m, int merge_fixed) {
  fb_topology* t = &m->top;
  fb_pose identity = fb_pose_identity();
  compiler c = {.m = m, .nlink = 1};
  t->link_parent[0] = -1;
  t->link_kind[0] = FB_LINK_FIXED;
  store_place(m, 0, &identity);
  set_site(m, FB_WORLD, 0, FB_WORLD, &identity);
  set_site(m, fb_com_site(t, FB_WORLD), 0, FB_WORLD, &identity);
  set_site(m, fb_joint_site(t, FB_WORLD), 0, FB_WORLD, &identity);
  for (int i = 1; i < t->nbody; i++) compile_body(&c, t->body_order[i], merge_fixed);

  place_blocks(t);
  find_trees(t);
  number_slots(t);
  find_runs(t, &m->par);
  find_groups(t);

  int site = t->nbody;
  for (int b = 1; b < t->nbody; b++) {
    fb_pose local = fb_pose_load(m->par.site_pose, b);
    for (int i = 0; i < fb_model_def_nframe(m->def, b); i++, site++) {
      const fb_frame_def* frame = fb_model_def_frame(m->def, b, i);
      fb_pose pose = fb_pose_placed(&local, frame->R, frame->at);
      set_site(m, site, t->body_link[b], b, &pose);
    }
  }
}
