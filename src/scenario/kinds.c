/* kinds.c -- the table of the kinds of blocks: one row for each `type` of an item of `control`. What is behind a name is
 * fb_kind_NAME, in a file of scenario/kinds/. */
#include "scenario/kinds.h"

#define KINDS(X)     \
  X(joint_pd)        \
  X(joint_pid)       \
  X(computed_torque) \
  X(frame_tracking)  \
  X(resolved_rate)   \
  X(reaction_null)   \
  X(attitude)        \
  X(impedance)       \
  X(force_position)  \
  X(task_qp)         \
  X(input)           \
  X(lua)             \
  X(plugin)          \
  X(remote)

#define DECLARATION(name) extern const fb_kind fb_kind_##name;
KINDS(DECLARATION)

#define KIND(name) &fb_kind_##name,
const fb_kind* const fb_kinds[] = {KINDS(KIND) NULL};

#define NAME(name) #name,
const char* const fb_kind_names[] = {KINDS(NAME) NULL};

#define SCHEMA(name) &fb_kind_##name.schema,
const fb_schema_kind* const fb_kind_schemas[] = {KINDS(SCHEMA) NULL};
