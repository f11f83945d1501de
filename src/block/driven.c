/* driven.c -- forces of joints and wrenches at frames that a host program or another process gives as numbers. */
#include "block/driven.h"

#include <string.h>

#include "block/coordinate.h"

void fb_driven_act(const fb_driven* d, const int* now, const double* u, fb_action* action) {
  for (int i = 0; i < d->ncoordinate; i++)
    if (now[i] >= 0) action->tau[now[i]] += u[i];
  u += d->ncoordinate;
  for (int i = 0; i < d->nframe; i++, u += 6) {
    fb_wrench* wrench = fb_action_add_wrench(action);
    wrench->frame = d->frames[i];
    wrench->in_frame_axes = d->in_frame_axes;
    memcpy(wrench->force, u, sizeof wrench->force);
    memcpy(wrench->torque, u + 3, sizeof wrench->torque);
  }
}

fb_status fb_driven_rebind(const fb_driven* d, const fb_model* first, const fb_model* next, int* now,
                           fb_error* error) {
  for (int i = 0; i < d->ncoordinate; i++) {
    int before = now[i];
    now[i] = fb_coordinate_in(first, d->coordinates[i], next);
    if (now[i] < 0 && before >= 0) fb_coordinate_note_removed(first, d->coordinates[i], error);
  }
  return FB_OK;
}
