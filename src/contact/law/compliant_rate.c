/* compliant_rate.c -- the rate of a compliant contact at the onset of contact
 *
 *   rate = max(sqrt(k A), c A),   A = n^T J H^-1 J^T n
 *
 * of the law spring, whose stiffness does not depend on the load; n and the points of J are the nearest ones of a pair. The
 * largest of all pairs counts. Cost O(pairs), each with one response. */
#include <math.h>

#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "contact/law/compliant.h"

static fb_row row_at(const fb_model* m, const fb_data* d, const fb_collider* a, const fb_collider* b,
                     const fb_contact_point* point) {
  fb_row row = {.coordinate = -1, .body = {fb_frame_body(m, b->frame), fb_frame_body(m, a->frame)}};
  const double* points[2] = {point->p_b, point->p_a};
  for (int end = 0; end < 2; end++) {
    double origin[3];
    fb_frame_pose(m, d, row.body[end], origin, NULL);
    for (int i = 0; i < 3; i++) row.arm_w[end][i] = points[end][i] - origin[i];
  }
  for (int i = 0; i < 3; i++) row.linear[i] = point->normal[i];
  return row;
}

double fb_contact_rate(const fb_model* m, fb_data* d, const unsigned char* prescribed,
                       const fb_contact* how) {
  double most = 0;
  if (how->law != FB_CONTACT_SPRING) return 0;
  for (int a = 0; a < how->na; a++)
    for (int b = 0; b < how->nb; b++) {
      fb_placement at_a, at_b;
      fb_contact_point point;
      double ease;
      if (!fb_contact_can_collide(m, &how->a[a], &how->b[b])) continue;
      fb_collider_place(m, d, &how->a[a], &at_a);
      fb_collider_place(m, d, &how->b[b], &at_b);
      if (fb_collider_contact_points(&how->a[a], &at_a, &how->b[b], &at_b, INFINITY, &point, 1) < 1) continue;
      fb_row row = row_at(m, d, &how->a[a], &how->b[b], &point);
      fb_response_matrix(m, d, prescribed, &row, 1, &ease);
      most = fmax(most, fmax(sqrt(fmax(0, how->stiffness * ease)), how->damping * ease));
    }
  return most;
}
