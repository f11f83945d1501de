/* joint_kind.c -- the tables of link kinds and joint kinds, and the properties of a joint type. */
#include "model/joint_kind.h"

#include <string.h>

#include "math/axis.h"

#define AS_ROW(kind, name, nq, nv, lengths, pitches, quats, quat_at) \
  {name, nq, nv, lengths, pitches, quats, quat_at},
const fb_link_row fb_link_rows[FB_LINK_KIND_COUNT] = {FB_LINK_LIST(AS_ROW)};
#undef AS_ROW

#define FB_LINK(kind, axis) {FB_LINK_##kind, FB_FROM_##axis},
#define AS_ROW(code, name, chain)                                                      \
  {name,                                                                               \
   FB_SUM(code, NQ),                                                                   \
   FB_SUM(code, NV),                                                                   \
   FB_SUM(code, AXIS2) > 0 ? 2 : FB_SUM(code, AXIS) > 0,                               \
   FB_SUM(code, LENGTHS),                                                              \
   FB_SUM(code, PITCHES),                                                              \
   FB_SUM(code, QUATS),                                                                \
   FB_SUM(code, LINKS) == 1 && FB_SUM(code, LENGTHS) == 3 && FB_SUM(code, QUATS) == 1, \
   FB_SUM(code, LINKS),                                                                \
   {chain}},
const fb_joint_kind fb_joint_kinds[FB_JOINT_TYPE_COUNT] = {FB_JOINT_LIST(AS_ROW)};
#undef AS_ROW
#undef FB_LINK

/* A row that does not fit is refused by the compiler. */
#define FITS(code, name, chain)                                                                \
  _Static_assert(FB_SUM(code, NQ) <= FB_JOINT_MAX_NQ && FB_SUM(code, NV) <= FB_JOINT_MAX_NV && \
                     FB_SUM(code, QUATS) <= 1 && FB_SUM(code, LINKS) <= FB_JOINT_MAX_LINKS,    \
                 "a joint has at most 7 coordinates in q and 6 in v, one quaternion and 6 links: " name);
FB_JOINT_LIST(FITS)
#undef FITS

static int is_type(fb_joint_type type) {
  return (unsigned)type < FB_JOINT_TYPE_COUNT;
}

const char* fb_joint_type_name(fb_joint_type type) {
  return is_type(type) ? fb_joint_kinds[type].name : "?";
}

int fb_joint_type_find(const char* name) {
  for (int i = 0; i < FB_JOINT_TYPE_COUNT; i++)
    if (strcmp(fb_joint_kinds[i].name, name) == 0) return i;
  return -1;
}

int fb_joint_type_nq(fb_joint_type type) {
  return is_type(type) ? fb_joint_kinds[type].nq : 0;
}

int fb_joint_type_nv(fb_joint_type type) {
  return is_type(type) ? fb_joint_kinds[type].nv : 0;
}

int fb_joint_type_naxis(fb_joint_type type) {
  return is_type(type) ? fb_joint_kinds[type].naxis : 0;
}

int fb_joint_type_has_pitch(fb_joint_type type) {
  return is_type(type) && fb_joint_kinds[type].pitches > 0;
}

int fb_joint_type_is_length(fb_joint_type type, int i) {
  if (i < 0 || i >= fb_joint_type_nv(type)) return 0;
  const fb_joint_link* link = fb_joint_kinds[type].chain;
  for (; i >= fb_link_rows[link->kind].nv; link++) i -= fb_link_rows[link->kind].nv;
  return i < fb_link_rows[link->kind].lengths;
}

int fb_joint_type_quat_index(fb_joint_type type) {
  if (!is_type(type) || fb_joint_kinds[type].quats == 0) return -1;
  const fb_joint_link* link = fb_joint_kinds[type].chain;
  int at = 0;
  for (; fb_link_rows[link->kind].quats == 0; link++) at += fb_link_rows[link->kind].nq;
  return at + fb_link_rows[link->kind].quat_at;
}

/* Up to the quaternion, places in q and v are the same. */
int fb_joint_type_q_of(fb_joint_type type, int i) {
  int quat = fb_joint_type_quat_index(type);
  if (quat < 0 || i < quat) return i;
  return i < quat + 3 ? -1 : i + 1;
}

int fb_joint_type_v_of(fb_joint_type type, int i) {
  int quat = fb_joint_type_quat_index(type);
  if (quat < 0 || i < quat) return i;
  return i < quat + 4 ? -1 : i - 1;
}

int fb_joint_link_axis(const fb_joint_def* joint, fb_joint_link link, double axis[3]) {
  static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, NONE[3] = {0, 0, 0};
  const double* const from[] = {[FB_FROM_NONE] = NONE,
                                [FB_FROM_AXIS] = joint->axis,
                                [FB_FROM_AXIS2] = joint->axis2,
                                [FB_FROM_X] = X,
                                [FB_FROM_Y] = Y,
                                [FB_FROM_Z] = Z};
  memcpy(axis, from[link.axis], 3 * sizeof *axis);
  return fb_axis_normalise(axis);
}
