/* block.c -- the parts that every block uses. */
#include <freebody/block.h>

#include <stddef.h>

#include "model/data.h"

fb_block fb_default_block(void) {
  return (fb_block){.name = NULL};
}

int fb_view_moved(const fb_view* view, int k, double* acceleration) {
  const fb_data* d = view->data;
  if (!d || !d->moved || !d->moved[k]) return 0;
  if (acceleration) *acceleration = d->moved_vdot[k];
  return 1;
}

fb_wrench* fb_drive_wrench(fb_drive* drive) {
  if (drive->nwrench >= drive->room) return NULL;
  fb_wrench* wrench = &drive->wrenches[drive->nwrench++];
  *wrench = (fb_wrench){.frame = FB_WORLD};
  return wrench;
}
