/* package.h -- where the mesh files of a URDF are: package://NAME/..., model://NAME/..., file://... and relative names.
 *
 * A package is searched
 *   1. among the "name=folder" pairs of fb_io_options.packages,
 *   2. in the folders of ROS_PACKAGE_PATH, at any depth down to DEEPEST, as rospack does, and in PREFIX/share/NAME for
 *      the prefixes of AMENT_PREFIX_PATH; models of Gazebo in the folders of GAZEBO_MODEL_PATH and GZ_SIM_RESOURCE_PATH,
 *   3. in the folders above the URDF: one whose package.xml has the name, or that is named so, and packages beside them. */
#ifndef FB_FORMAT_URDF_PACKAGE_H
#define FB_FORMAT_URDF_PACKAGE_H

#include <stddef.h>

#include <freebody/io.h>
#include <freebody/status.h>

typedef struct fb_package {
  char *name, *folder; /* folder: absolute; NULL when it was searched and not found */
} fb_package;

typedef struct fb_package_list {
  fb_package* rows;
  size_t count, room;
} fb_package_list;

typedef struct fb_packages {
  const fb_io_options* options; /* or NULL */
  const char* file;             /* the URDF */
  char* folder;                 /* its folder, absolute, when first needed; "" when there is none */
  fb_package_list known;        /* those requested */
  fb_package_list crawled;      /* those of ROS_PACKAGE_PATH, when first needed */
  int is_crawled;
} fb_packages;

void fb_packages_open(fb_packages* p, const fb_io_options* options, const char* file);
void fb_packages_close(fb_packages* p);
/* The file that an address means, for the model: relative to the URDF's folder where both have a folder in common, otherwise
 * absolute. *found is 1, or when the package is not found 0 the first time and -1 later, and *out the address as it is.
 * Free *out. */
fb_status fb_packages_resolve(fb_packages* p, const char* address, char** out, int* found, fb_error* error);

#endif
