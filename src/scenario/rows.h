/* rows.h -- macros for the rows of the tables of keys of scenarios (document/schema/rows.h). */
#ifndef FB_SCENARIO_ROWS_H
#define FB_SCENARIO_ROWS_H

#define FB_ROW_OBJECT(object) FB_SCENARIO_##object

#include "document/schema/rows.h"
#include "scenario/schema.h"

#endif
