/* orient.c -- poses of MJCF: pos, and one of quat, axisangle, euler, xyaxes, zaxis.
 *
 * Which of them holds is decided where it is written: an element's own goes before those of its class. */
#include <math.h>

#include <freebody/rotation.h>

#include "format/mjcf/reader.h"
#include "math/vector3.h"

static const char* const KINDS[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
static const int COUNTS[] = {4, 4, 6, 3, 3};
enum { QUAT, AXISANGLE, XYAXES, ZAXIS, EULER, NKIND };

/* Divides by the length; 0 where it is none that a direction can have. */
static int make_unit(double x[3]) {
  double length = norm3(x);
  if (!(length > 1e-14 && isfinite(length))) return 0;
  for (int i = 0; i < 3; i++) x[i] /= length;
  return 1;
}

void fb_mjcf_turn_z(const double to[3], double R[9]) {
  static const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
  double unit[3] = {to[0], to[1], to[2]}, axis[3];
  fb_rot_identity(R);
  if (!make_unit(unit)) return;
  cross3(z, unit, axis);
  double sine = norm3(axis);
  if (sine < 1e-10)
    fb_rot_from_axis_angle(x, unit[2] > 0 ? 0 : acos(-1.0), R);
  else
    fb_rot_from_axis_angle(axis, atan2(sine, unit[2]), R);
}

/* Moving axes (small letters) multiply from the right, fixed ones from the left. */
static void from_euler(const char seq[4], const double angles[3], double R[9]) {
  fb_rot_identity(R);
  for (int i = 0; i < 3; i++) {
    double turn[9];
    char c = seq[i], small = (char)(c | 0x20);
    if (small == 'x') fb_rot_x(angles[i], turn);
    if (small == 'y') fb_rot_y(angles[i], turn);
    if (small == 'z') fb_rot_z(angles[i], turn);
    if (c == small)
      fb_rot_multiply(R, turn, R);
    else
      fb_rot_multiply(turn, R, R);
  }
}

/* y is made orthogonal to x; 0 where the two leave no frame. */
static int from_axes(const double axes[6], double R[9]) {
  double x[3] = {axes[0], axes[1], axes[2]}, y[3] = {axes[3], axes[4], axes[5]}, z[3];
  if (!make_unit(x)) return 0;
  add_scaled3(y, -dot3(x, y), x);
  if (!make_unit(y)) return 0;
  cross3(x, y, z);
  for (int i = 0; i < 3; i++) {
    R[3 * i] = x[i];
    R[3 * i + 1] = y[i];
    R[3 * i + 2] = z[i];
  }
  return 1;
}

static int from_quat(double q[4], double R[9]) {
  double largest = 0;
  for (int i = 0; i < 4; i++) largest = fmax(largest, fabs(q[i]));
  if (!(largest > 1e-14)) return 0;
  for (int i = 0; i < 4; i++) q[i] /= largest;
  fb_rot_from_quat(q, R);
  return 1;
}

static int convert(const fb_mjcf_reader* r, int kind, double x[6], double R[9]) {
  double angles[3] = {x[0] * r->set.angle, x[1] * r->set.angle, x[2] * r->set.angle};
  switch (kind) {
    case QUAT:
      return from_quat(x, R);
    case AXISANGLE:
      if (!make_unit(x)) return 0;
      fb_rot_from_axis_angle(x, x[3] * r->set.angle, R);
      return 1;
    case XYAXES:
      return from_axes(x, R);
    case ZAXIS:
      fb_mjcf_turn_z(x, R);
      return make_unit(x);
    default:
      from_euler(r->set.eulerseq, angles, R);
      return 1;
  }
}

fb_status fb_mjcf_rotation(const fb_mjcf_reader* r, int node, const char* kind, double R[9]) {
  double x[6] = {0};
  int found = -1;
  fb_mjcf_source s = {NULL, 0};
  for (int i = 0; i < NKIND && found < 0; i++)
    if (fb_mjcf_find(r, node, NULL, KINDS[i], &s)) found = i;
  for (int i = 0; i < NKIND && found < 0 && kind; i++)
    if (fb_mjcf_find(r, node, kind, KINDS[i], &s)) found = i;
  if (found < 0) return FB_OK;
  fb_status status = fb_xml_numbers(s.xml, s.element, KINDS[found], COUNTS[found], x, r->error);
  if (status || fb_xml_number_count(s.xml, s.element, KINDS[found]) == 0) return status;
  if (convert(r, found, x, R)) return FB_OK;
  return fb_xml_fail(s.xml, s.element, r->error, FB_ERR_CONTENT,
                     "%s=\"%.100s\" of <%s> is no rotation: a direction in it is zero or too long",
                     KINDS[found], fb_xml_attribute(s.xml, s.element, KINDS[found]),
                     fb_xml_name(s.xml, s.element));
}

fb_status fb_mjcf_pose(const fb_mjcf_reader* r, int node, const char* kind, fb_pose* pose) {
  fb_status status = fb_mjcf_numbers(r, node, kind, "pos", 3, pose->p, NULL);
  return status ? status : fb_mjcf_rotation(r, node, kind, pose->R);
}
