/* data.h -- results and scratch memory of one thread. Any number of fb_data share one const fb_model. */
#ifndef FREEBODY_DATA_H
#define FREEBODY_DATA_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_data fb_data;

FB_BEGIN_DECLS

/* For programs that do not allocate after set-up: query the size and provide memory aligned to 64 bytes. */
FB_API size_t fb_data_size(const fb_model* m);
FB_API fb_status fb_data_place(const fb_model* m, void* memory, size_t size, fb_data** data);

/* Or let the library allocate it, in one call of malloc. NULL when out of memory. */
FB_API fb_data* fb_data_new(const fb_model* m);
FB_API void fb_data_free(fb_data* d); /* only for data from fb_data_new */

FB_END_DECLS

#endif
