/* slips.h -- what is wrong in many a URDF and read nevertheless: each kind is counted, and makes one note. */
#ifndef FB_FORMAT_URDF_SLIPS_H
#define FB_FORMAT_URDF_SLIPS_H

#include <freebody/status.h>

typedef enum fb_urdf_slip {
  FB_SLIP_TREES,            /* several links without a parent joint */
  FB_SLIP_NO_WORLD,         /* a joint on `world`, which is no link */
  FB_SLIP_WORLD_RENAMED,    /* a link `world` that is not the root */
  FB_SLIP_JOINT_NAMED,      /* a joint without a name, or with that of another */
  FB_SLIP_BASE_NAMED,       /* a joint has the name of the root link */
  FB_SLIP_NO_TYPE,          /* a joint without a type */
  FB_SLIP_TYPE,             /* a type that URDF does not have, but its meaning is plain */
  FB_SLIP_SECOND,           /* a joint whose child has another parent joint */
  FB_SLIP_SECOND_RIGID,     /* the same where both links are rigidly connected */
  FB_SLIP_SECOND_TYPE,      /* the same of a type that loops do not have */
  FB_SLIP_MIMIC_FREE,       /* <mimic> that is not followed, on the caller's wish */
  FB_SLIP_MIMIC_FIXED,      /* the same of one that is fixed */
  FB_SLIP_MIMIC_ODD,        /* <mimic> that cannot be followed */
  FB_SLIP_MIMIC_MASSLESS,   /* a joint that <mimic> couples has nothing to move */
  FB_SLIP_MIMIC_ZERO,       /* <mimic> with multiplier 0 */
  FB_SLIP_MIMIC_PLAIN,      /* <mimic> of a joint that has no or several coordinates */
  FB_SLIP_NO_AXIS,          /* <axis> without xyz */
  FB_SLIP_ZERO_AXIS,        /* an axis without a direction */
  FB_SLIP_NO_LIMIT,         /* no <limit> where URDF demands one */
  FB_SLIP_EMPTY_LIMIT,      /* <limit> with neither lower nor upper */
  FB_SLIP_REVERSED_LIMIT,   /* lower above upper */
  FB_SLIP_ZERO_LIMIT,       /* velocity 0, as exporters write when nothing was entered */
  FB_SLIP_ODD_LIMIT,        /* negative effort or velocity, or not a number */
  FB_SLIP_CONTINUOUS_LIMIT, /* position limits of a continuous joint */
  FB_SLIP_DAMPING,          /* negative damping or friction */
  FB_SLIP_INERTIAL,         /* parts of <inertial> that are not there */
  FB_SLIP_EMPTY_SHAPE,      /* a shape without extent */
  FB_SLIP_BAD_SHAPE,        /* a shape that cannot be read */
  FB_SLIP_MATERIAL,         /* a material that is not defined */
  FB_SLIP_MESH_FORMAT,      /* a mesh file of a format that is not read */
  FB_SLIP_PACKAGE,          /* a package that is not found */
  FB_SLIP_COUNT
} fb_urdf_slip;

/* One kind while the file is read. */
typedef struct fb_urdf_tally {
  int count, line;     /* how many, and the line of the first */
  char names[512];     /* of those that it befell */
  int listed, is_full; /* how many of them are in names; whether no more are added */
} fb_urdf_tally;

struct fb_urdf_reader;

/* Counts a slip of the element. The text is the name of what it befell, and what else there is to say of it. */
fb_status fb_urdf_add_slip(struct fb_urdf_reader* r, fb_urdf_slip slip, int element, const char* format, ...)
    FB_PRINTF(4, 5);
/* A note for each kind that was counted. */
void fb_urdf_report_slips(struct fb_urdf_reader* r);

#endif
