/* formats.h -- the formats that a run is exported to. Each writes a part of a run to a file that is open;
 * run.db is read piece by piece, so memory does not grow with the length of the run. */
#ifndef FB_RUN_EXPORT_FORMATS_H
#define FB_RUN_EXPORT_FORMATS_H

#include <stdio.h>

#include <freebody/store.h>

/* `shown` is the file's name in messages. */
fb_status fb_store_write_csv(fb_store* run, const fb_store_part* part, FILE* stream, const char* shown,
                             fb_error* error);
/* `descriptor`, of an ordinary file, to read and write, stays open. */
fb_status fb_store_write_hdf5(fb_store* run, const fb_store_part* part, int descriptor, const char* shown,
                              fb_error* error);

#endif
