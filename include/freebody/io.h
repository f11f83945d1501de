/* io.h -- reading and writing models (libfreebody_io).
 *
 * Formats: the native YAML/JSON (docs/model-format.md), URDF, MJCF, SDF, SpaceDyn JSON and .def. Numbers are read and
 * written the same in every locale. */
#ifndef FREEBODY_IO_H
#define FREEBODY_IO_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef enum fb_format {
  FB_FORMAT_AUTO,        /* by content when reading, by file name when writing */
  FB_FORMAT_YAML,        /* native, block style: .yaml, .yml */
  FB_FORMAT_JSON,        /* native as JSON: .json */
  FB_FORMAT_URDF,        /* .urdf */
  FB_FORMAT_SPACEDYN,    /* SpaceDyn JSON: .spacedyn.json; jsonencode(LP) is read too */
  FB_FORMAT_MJCF,        /* MuJoCo's: .xml */
  FB_FORMAT_SDF,         /* Gazebo's: .sdf; read-only */
  FB_FORMAT_SPACEDYN_DEF /* SpaceDyn's C++ library: .def; read-only */
} fb_format;

/* How the base of a URDF is attached to the world, which the format does not specify. */
typedef enum fb_base {
  FB_BASE_AS_FILE, /* floating, unless the root link is named `world` and has no inertial */
  FB_BASE_FREE,    /* floating, even if a fixed joint attaches it to a link `world` */
  FB_BASE_FIXED    /* fixed to the world, even if it would float by default */
} fb_base;

/* How a joint of a URDF or SDF with <mimic> is read, which follows another joint: q = multiplier q_other + offset. */
typedef enum fb_mimic {
  FB_MIMIC_DEFAULT, /* what the scenario says, otherwise coupled */
  FB_MIMIC_FREE,    /* it moves independently */
  FB_MIMIC_FIXED,  /* it is fixed at its <mimic offset>, its place when the joint that it mimics is at zero */
  FB_MIMIC_COUPLED /* a loop of type gear couples the two */
} fb_mimic;

/* Called once for each item that a reader ignored or a writer could not express. The text begins with "lost: " when
 * part of the model is not carried over, with "minor: " when neither the motion nor the picture changes, and with
 * neither when it is carried over in another form. "line N: " may follow. */
typedef void (*fb_note_fn)(void* user, const char* text);

/* Called for each error that a reader finds; one may be reported more than once. Returns nonzero to receive further
 * errors. */
typedef int (*fb_complaint_fn)(void* user, const fb_error* error);

typedef struct fb_io_options {
  fb_format format;
  fb_note_fn note; /* or NULL */
  void* note_user;
  /* NULL: a reader stops at the first error. Otherwise it continues where it can, reports all that it finds,
   * and fails in the end; for interactive tools */
  fb_complaint_fn complain;
  void* complain_user;
  fb_base base; /* formats other than URDF specify it themselves, and a note says so */
  /* "name=folder" pairs for package:// and model:// addresses, relative to the working directory, NULL-terminated; or
   * NULL. Packages that are not among them are searched in ROS_PACKAGE_PATH and around the file: docs/urdf.md. */
  const char* const* packages;
  fb_inertia_policy inertia; /* by format: what the file says, or the format's default */
  fb_mimic mimic;            /* a note names the joints that are not coupled */
  /* 1: the program xacro is not run, and a .xacro file that needs it is refused, unless the folder `expanded`, such
   * as inputs/ of a run, contains its earlier output; a note says when that is used. NULL: no folder. */
  int no_programs;
  const char* expanded;
  int cookie_; /* set by fb_default_io_options */
} fb_io_options;

/* The kind of text that a reader found. */
typedef struct fb_model_origin {
  fb_format format; /* of the model that was read */
  int eval;         /* 1: it is part of an evaluation file, one with states */
  int named;        /* 1: the evaluation file names the model's own file */
} fb_model_origin;

FB_BEGIN_DECLS

FB_API fb_io_options fb_default_io_options(void);
FB_API const char* fb_format_name(fb_format format); /* "native YAML" ... */

/* The text of a model file, as fb_file_read gives it; of one that ends in .xacro and has xacro in it, what the program xacro
 * makes of it, which must be installed. options may be NULL. Free *text with fb_free. */
FB_API fb_status fb_model_file_read(const char* file, const fb_io_options* options, char** text, size_t* size,
                                    fb_error* error);
/* Reads a definition. file "-" is standard input. options may be NULL. */
FB_API fb_status fb_model_def_read(const char* file, const fb_io_options* options, fb_model_def** def,
                                   fb_error* error);
/* The same from memory; `name` is the file name used in messages. */
FB_API fb_status fb_model_def_parse(const char* text, size_t size, const char* name,
                                    const fb_io_options* options, fb_model_def** def, fb_error* error);
/* The same, and stores the kind of text in *origin, which may be NULL. */
FB_API fb_status fb_model_def_parse_origin(const char* text, size_t size, const char* name,
                                           const fb_io_options* options, fb_model_def** def,
                                           fb_model_origin* origin, fb_error* error);
FB_API const char* fb_model_origin_name(
    const fb_model_origin* origin); /* "URDF", "evaluation file, native model" */

/* Reads and builds in one call. */
FB_API fb_status fb_model_load(const char* file, fb_model** model, fb_error* error);

/* A scenario (YAML) that names a model file and has what the file says beyond the model: where it starts, laws for
 * its actuators, springs of tendons, forces that carry weight and, if `contacts` is nonzero, what touches what. For
 * MJCF; other formats do not contain these: FB_ERR_UNSUPPORTED. The model is named as seen from the folder of the
 * file `out`; "-": as it is. What is lost is noted (docs/mjcf.md). Free *text with fb_free. */
FB_API fb_status fb_model_file_print_scenario(const char* file, const char* out, int contacts,
                                              const fb_io_options* options, char** text, size_t* size,
                                              fb_error* error);

/* Writes a definition. file "-" is standard output (options must specify the format). Relative names of mesh files are
 * changed so that they lead to the same files from the new file's folder, unless it is standard output. */
FB_API fb_status fb_model_def_write(const fb_model_def* def, const char* file, const fb_io_options* options,
                                    fb_error* error);
/* The same into memory: *text is zero-terminated; free it with fb_free. */
FB_API fb_status fb_model_def_print(const fb_model_def* def, const fb_io_options* options, char** text,
                                    size_t* size, fb_error* error);

FB_END_DECLS

#endif
