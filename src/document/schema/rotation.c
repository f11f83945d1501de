/* rotation.c -- the four notations of a rotation in a document; at most one may be given. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "document/schema/fields.h"
#include "math/vector3.h"

static int is_rotation(fb_field_kind kind) {
  return kind == FB_FIELD_ANGLES || kind == FB_FIELD_QUATERNION || kind == FB_FIELD_MATRIX;
}

static fb_status read_angles(const fb_node* node, const char* key, double R[9], fb_error* error) {
  double angles[3];
  fb_status status = fb_node_numbers(node, FB_Q_ANGLE, 3, angles, error);
  if (status) return status;
  if (strcmp(key, "rpy") == 0)
    fb_rot_from_rpy(angles, R);
  else
    fb_rot_from_euler_xyz(angles, R);
  return FB_OK;
}

static fb_status read_quaternion(const fb_node* node, double R[9], fb_error* error) {
  double q[4];
  fb_status status = fb_node_numbers(node, FB_Q_NONE, 4, q, error);
  if (status) return status;
  double largest = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
  if (largest == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the quaternion is zero, so it is no rotation; the identity is [1, 0, 0, 0]");
  for (int i = 0; i < 4; i++)
    if (largest > 1e100 || largest < 1e-100) q[i] /= largest; /* squares would leave the range of doubles */
  fb_rot_from_quat(q, R);
  return FB_OK;
}

static fb_status read_matrix(const fb_node* node, double R[9], fb_error* error) {
  double M[9];
  fb_status status = fb_node_matrix(node, 3, 3, M, error);
  if (status) return status;
  double det = det3x3(M), off = defect3x3(M);
  if (fabs(det + 1) < 1e-3)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the matrix has the determinant %.3g, so it is a mirror image and not a rotation; "
                        "turn the sign of one axis",
                        det);
  if (!(off <= 1e-6))
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the matrix is not a rotation: its rows must be orthonormal to 1e-6, but an element "
                        "of dcm dcm^T - 1 is %.3g (determinant %.3g)",
                        off, det);
  /* What is a rotation to the last digits stays as it is, so that writing and reading change nothing. */
  if (off <= 4e-15)
    memcpy(R, M, sizeof M);
  else
    fb_rot_nearest(M, R);
  return FB_OK;
}

fb_status fb_fields_rotation(const fb_fields* values, double R[9], fb_error* error) {
  const fb_node* node = NULL;
  const fb_field* field = NULL;
  for (int i = 0; i < values->count; i++) {
    if (!values->value[i] || !is_rotation(values->fields[i]->kind)) continue;
    if (node)
      return fb_node_fail(values->value[i], error, FB_ERR_CONTENT,
                          "the rotation is given twice, as '%s' and as '%s'; keep one of them", field->key,
                          values->fields[i]->key);
    node = values->value[i];
    field = values->fields[i];
  }
  if (!node) return FB_OK;
  if (field->kind == FB_FIELD_ANGLES) return read_angles(node, field->key, R, error);
  return field->kind == FB_FIELD_QUATERNION ? read_quaternion(node, R, error) : read_matrix(node, R, error);
}
