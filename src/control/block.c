/* block.c -- the parts that every block uses. */
#include <freebody/block.h>

#include <stddef.h>

fb_block fb_default_block(void) {
  return (fb_block){.name = NULL};
}

fb_wrench* fb_drive_wrench(fb_drive* drive) {
  if (drive->nwrench >= drive->room) return NULL;
  fb_wrench* wrench = &drive->wrenches[drive->nwrench++];
  *wrench = (fb_wrench){.frame = FB_WORLD};
  return wrench;
}
