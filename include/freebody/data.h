/* data.h -- results and scratch of one thread. One const fb_model serves many fb_data. */
#ifndef FREEBODY_DATA_H
#define FREEBODY_DATA_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_data fb_data;

FB_BEGIN_DECLS

/* No allocation after set-up: ask the size, hand over memory aligned to 64 bytes. */
FB_API size_t fb_data_size(const fb_model* m);
FB_API fb_status fb_data_place(const fb_model* m, void* memory, size_t size, fb_data** data);

/* Or let the library call malloc once. NULL when out of memory. */
FB_API fb_data* fb_data_new(const fb_model* m);
FB_API void fb_data_free(fb_data* d); /* only for fb_data_new */

FB_END_DECLS

#endif
