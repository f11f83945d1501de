/* fmi3_refuse.h -- statuses of FMI 3, and the refusal of calls for what the unit does not have. */
#ifndef FREEBODY_FMI3_REFUSE_H
#define FREEBODY_FMI3_REFUSE_H

#include "fmi3.h"
#include "unit.h"

static inline fmi3Status fmi3_status(unit_status status) {
  return (fmi3Status)status; /* the same numbers */
}

static inline fmi3Status fmi3_refuse(fmi3Instance i, const char* why) {
  return i ? fmi3_status(unit_refuse((unit*)i, "%s", why)) : fmi3Error;
}

#endif
