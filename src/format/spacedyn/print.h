/* print.h -- SpaceDyn's parameters as JSON, outer list = link. */
#ifndef FB_FORMAT_SPACEDYN_PRINT_H
#define FB_FORMAT_SPACEDYN_PRINT_H

#include <freebody/json.h>

#include "format/spacedyn/params.h"

/* {format, version, name, model, cases}, cases empty. */
void fb_spacedyn_print(const fb_spacedyn_params* p, const char* name, fb_json* json);

#endif
