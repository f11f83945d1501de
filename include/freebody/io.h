/* io.h -- reading and writing models (libfreebody_io).
 *
 * Formats: the native YAML/JSON (docs/model-format.md), URDF, SpaceDyn JSON. Numbers are read and
 * written the same in every locale. */
#ifndef FREEBODY_IO_H
#define FREEBODY_IO_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef enum fb_format {
  FB_FORMAT_AUTO,    /* by content when reading, by file name when writing */
  FB_FORMAT_YAML,    /* native, block style: .yaml, .yml */
  FB_FORMAT_JSON,    /* native as JSON: .json */
  FB_FORMAT_URDF,    /* .urdf, .xml */
  FB_FORMAT_SPACEDYN /* SpaceDyn JSON: .spacedyn.json; jsonencode(LP) is read too */
} fb_format;

/* How the base of a URDF stands, which the format itself does not say. */
typedef enum fb_base {
  FB_BASE_AS_FILE, /* floating, unless the root link is named `world` and has no inertial */
  FB_BASE_FREE,    /* floating, also where a link `world` carries it by a fixed joint */
  FB_BASE_FIXED    /* bolted to the world, also where it would float */
} fb_base;

/* Called once for each thing that a reader passed over or a writer could not express. A text begins with
 * "lost: " when something of the model is not carried over, with "minor: " when neither the motion nor the
 * picture changes, and with neither when it is carried over in another way. "line N: " may follow. */
typedef void (*fb_note_fn)(void* user, const char* text);

typedef struct fb_io_options {
  fb_format format;
  fb_note_fn note; /* or NULL */
  void* note_user;
  int base;                    /* an fb_base; other formats than URDF say it themselves, and a note says so */
  const char* const* packages; /* "name=folder" pairs for package:// addresses, NULL-ended; or NULL */
  int cookie_;                 /* set by fb_default_io_options */
} fb_io_options;

/* What a reader found a text to be. */
typedef struct fb_model_origin {
  fb_format format; /* of the model that was read */
  int eval;         /* 1: it stands in an evaluation file, one with states */
  int named;        /* 1: the evaluation file names the model's own file */
} fb_model_origin;

FB_BEGIN_DECLS

FB_API fb_io_options fb_default_io_options(void);
FB_API const char* fb_format_name(fb_format format); /* "native YAML" ... */

/* Reads a definition. file "-" is standard input. options may be NULL. */
FB_API fb_status fb_model_def_read(const char* file, const fb_io_options* options, fb_model_def** def,
                                   fb_error* error);
/* The same from memory; `name` stands for the file in messages. */
FB_API fb_status fb_model_def_parse(const char* text, size_t size, const char* name,
                                    const fb_io_options* options, fb_model_def** def, fb_error* error);
/* The same, which also says what it found; origin may be NULL. */
FB_API fb_status fb_model_def_parse_origin(const char* text, size_t size, const char* name,
                                           const fb_io_options* options, fb_model_def** def,
                                           fb_model_origin* origin, fb_error* error);
FB_API const char* fb_model_origin_words(
    const fb_model_origin* origin); /* "URDF", "evaluation file, native model" */

/* Reads and builds in one call. */
FB_API fb_status fb_model_load(const char* file, fb_model** model, fb_error* error);

/* Writes a definition. file "-" is standard output (options must say the format). */
FB_API fb_status fb_model_def_write(const fb_model_def* def, const char* file, const fb_io_options* options,
                                    fb_error* error);
/* The same into memory: *text ends with a zero; fb_free it. */
FB_API fb_status fb_model_def_print(const fb_model_def* def, const fb_io_options* options, char** text,
                                    size_t* size, fb_error* error);

FB_END_DECLS

#endif
