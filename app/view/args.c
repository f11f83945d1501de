/* args.c -- the command line of `freebody view`: --still, --video, or the extension of -o selects the output. */
#include "view/args.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include <freebody/text.h>

enum {
  OPT_OUTPUT,
  OPT_WITH,
  OPT_STILL,
  OPT_VIDEO,
  OPT_SIZE,
  OPT_FPS,
  OPT_SPEED,
  OPT_FROM,
  OPT_TO,
  OPT_CAMERA,
  OPT_ZOOM,
  OPT_FOLLOW,
  OPT_SHOW,
  OPT_HIDE,
  OPT_PAGE,
  OPT_DARK,
  OPT_LIGHT,
  OPT_OPEN
};

const cmd_option cmd_view_options[] = {
    {"output", "FILE", "F.html, F.glb, or F.png for a still (also -o); default: report.html in RUN"},
    {"with", "RUN2",
     "another run to compare: its robot as a ghost, its signals in every plot; may be repeated"},
    {"still", "TIME", "a picture (-o F.png) at this time: 12.5, t=12.5, 2min"},
    {"video", "FILE", "F.mp4, F.gif or F.webm: the run, or the part between --from and --to"},
    {"size", "WxH", "size of pictures in pixels (1280x720)"},
    {"fps", "N",
     "pictures per second of a video (30; GIF 15); keys per second of glTF (all samples, at most 60)"},
    {"speed", "X", "simulated seconds per second of a video (1)"},
    {"from", "TIME", "start time of a video"},
    {"to", "TIME", "end time of a video"},
    {"camera", "NAME", "view of pictures: iso, x, y, z, fit"},
    {"zoom", "X", "pictures X times closer than the view that shows everything"},
    {"follow", "NAME", "body or frame that the camera of pictures follows"},
    {"show", "A,B",
     "draw in pictures: frames, names, com, momentum, ellipsoids, forces, torques, reactions, contacts, "
     "surfaces, trails, sun"},
    {"hide", "A,B", "do not draw in pictures: these, or grid, stars, ghost"},
    {"page", NULL, "a still of the whole page, with its plots"},
    {"dark", NULL, "dark colours in pictures"},
    {"light", NULL, "light colours in pictures"},
    {"open", NULL, "open the page in the browser after it is written"},
    CMD_READING_OPTIONS,
    {NULL, NULL, NULL},
};

static int ends_in(const char* file, const char* ending) {
  size_t n = strlen(file), m = strlen(ending);
  return n > m && strcasecmp(file + n - m, ending) == 0;
}

/* --- values --- */

static int read_size(const cmd_app* app, const char* text, cmd_shot* shot) {
  char end;
  int w, h;
  if (sscanf(text, "%dx%d%c", &w, &h, &end) != 2 || w < 64 || h < 64 || w > 8192 || h > 8192) {
    cmd_usage_error(app, "--size takes WIDTHxHEIGHT in pixels, from 64x64 to 8192x8192, not '%s'", text);
    return 0;
  }
  shot->width = w;
  shot->height = h;
  return 1;
}

static int read_number(const cmd_app* app, const char* option, const char* text, double lo, double hi,
                       double* out) {
  const char* rest = fb_number_parse(text, out);
  if (rest && !*rest && *out >= lo && *out <= hi) return 1;
  cmd_usage_error(app, "--%s takes a number from %g to %g, not '%s'", option, lo, hi, text);
  return 0;
}

static int read_camera(const cmd_app* app, const char* text, cmd_shot* shot) {
  static const char* const places[] = {"fit", "iso", "x", "y", "z"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(text, places[i]) == 0) {
      shot->camera = places[i];
      return 1;
    }
  cmd_usage_error(app, "--camera takes iso, x, y, z or fit, not '%s'", text);
  return 0;
}

static int read_still(const cmd_app* app, const char* text, cmd_view_args* args) {
  if (strncmp(text, "t=", 2) == 0) text += 2;
  if (!cmd_option_time(app, "still", text, &args->shot.from)) return 0;
  args->shot.to = args->shot.from;
  if (args->kind == FB_VIEW_VIDEO) {
    cmd_usage_error(app, "--still or --video, one at a time");
    return 0;
  }
  args->kind = FB_VIEW_STILL;
  return 1;
}

static int read_video(const cmd_app* app, const char* file, cmd_view_args* args) {
  if (args->kind == FB_VIEW_STILL) {
    cmd_usage_error(app, "--still or --video, one at a time");
    return 0;
  }
  if (!ends_in(file, ".mp4") && !ends_in(file, ".gif") && !ends_in(file, ".webm")) {
    cmd_usage_error(app, "--video writes .mp4, .gif or .webm; '%s' has none of these extensions", file);
    return 0;
  }
  args->kind = FB_VIEW_VIDEO;
  args->shot.file = file;
  return 1;
}

static int read_picture_option(const cmd_app* app, int option, const char* value, cmd_view_args* args) {
  cmd_shot* shot = &args->shot;
  if (option != OPT_FPS) args->only = cmd_view_options[option].name;
  switch (option) {
    case OPT_SIZE:
      return read_size(app, value, shot);
    case OPT_FPS:
      args->fps_given = 1;
      return read_number(app, "fps", value, 0.1, 240, &shot->fps);
    case OPT_SPEED:
      return read_number(app, "speed", value, 1e-6, 1e6, &shot->speed);
    case OPT_FROM:
      return cmd_option_time(app, "from", value, &args->span.from);
    case OPT_TO:
      return cmd_option_time(app, "to", value, &args->span.to);
    case OPT_CAMERA:
      return read_camera(app, value, shot);
    case OPT_ZOOM:
      return read_number(app, "zoom", value, 0.001, 1000, &shot->zoom);
    case OPT_FOLLOW:
      shot->follow = value;
      return 1;
    case OPT_SHOW:
      shot->show = value;
      return 1;
    case OPT_HIDE:
      shot->hide = value;
      return 1;
    case OPT_PAGE:
      shot->whole_page = 1;
      return 1;
    default:
      shot->dark = option == OPT_DARK;
      return 1;
  }
}

static int read_option(const cmd_app* app, int option, const char* value, cmd_view_args* args) {
  switch (option) {
    case OPT_OUTPUT:
      args->out = value;
      return 1;
    case OPT_WITH:
      args->with[args->nwith++] = value;
      return 1;
    case OPT_STILL:
      return read_still(app, value, args);
    case OPT_VIDEO:
      return read_video(app, value, args);
    case OPT_OPEN:
      args->open = 1;
      return 1;
    default:
      return read_picture_option(app, option, value, args);
  }
}

/* --- what belongs together --- */

static int check_page_file(const cmd_app* app, const cmd_view_args* args) {
  const char* out = args->out;
  if (!out || strcmp(out, "-") == 0 || ends_in(out, ".html") || ends_in(out, ".htm")) return FB_EXIT_OK;
  if (ends_in(out, ".png")) return cmd_usage_error(app, "a picture of which time? Add --still 12.5");
  if (ends_in(out, ".mp4") || ends_in(out, ".gif") || ends_in(out, ".webm"))
    return cmd_usage_error(app, "write a video with --video %s", out);
  return cmd_usage_error(app,
                         "'%s' has no known extension; there are .html, .glb, .png with --still, and "
                         "--video",
                         out);
}

static int check_still(const cmd_app* app, cmd_view_args* args) {
  if (!args->out) return cmd_usage_error(app, "where to? --still writes a picture: give -o FRAME.png");
  if (!ends_in(args->out, ".png"))
    return cmd_usage_error(app, "a still is a PNG: give -o FRAME.png, not '%s'", args->out);
  args->shot.file = args->out;
  args->out = NULL;
  return FB_EXIT_OK;
}

static int check(const cmd_app* app, cmd_view_args* args) {
  int code = FB_EXIT_OK;
  if (!args->run) return cmd_usage_error(app, "which RUN? Name the folder that 'freebody run' made");
  if (!cmd_span_check(app, &args->span)) return FB_EXIT_USAGE;
  if (args->kind == FB_VIEW_PAGE && args->out && ends_in(args->out, ".glb")) args->kind = FB_VIEW_GLTF;
  int picture = args->kind == FB_VIEW_STILL || args->kind == FB_VIEW_VIDEO;
  if (args->only && !picture) return cmd_usage_error(app, "--%s is for --still and --video", args->only);
  if (args->fps_given && args->kind == FB_VIEW_PAGE)
    return cmd_usage_error(app, "--fps is for --video and .glb; a page contains all samples");
  if (args->kind == FB_VIEW_STILL) code = check_still(app, args);
  if (args->kind == FB_VIEW_GLTF && args->nwith)
    return cmd_usage_error(app, "--with is for pages and pictures; a .glb contains one run");
  if (code == FB_EXIT_OK && args->kind != FB_VIEW_GLTF) code = check_page_file(app, args);
  if (code == FB_EXIT_OK && args->open &&
      (args->kind != FB_VIEW_PAGE || (args->out && strcmp(args->out, "-") == 0)))
    return cmd_usage_error(app, "--open is for pages that are written to a file");
  if (code == FB_EXIT_OK && args->kind == FB_VIEW_VIDEO && args->out && strcmp(args->out, "-") == 0)
    return cmd_usage_error(app, "-o with --video keeps the page in a file; '-' is none");
  if (args->kind == FB_VIEW_VIDEO && ends_in(args->shot.file, ".gif") && !args->fps_given)
    args->shot.fps = 15;
  return code;
}

int cmd_view_read_args(cmd_app* app, int argc, char** argv, cmd_view_args* args) {
  memset(args, 0, sizeof *args);
  args->with = cmd_take((size_t)argc + 1, sizeof *args->with);
  args->span = cmd_span_all();
  args->shot.width = 1280;
  args->shot.height = 720;
  args->shot.fps = 30;
  args->shot.speed = 1;
  args->shot.dark = -1;
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    int taken = cmd_reading_take(&walk, o, &args->reading);
    if (o == FB_OPTION_BAD || taken < 0) return FB_EXIT_USAGE;
    if (taken > 0) continue;
    if (o != FB_OPTION_OPERAND) {
      if (!read_option(app, o, walk.value, args)) return FB_EXIT_USAGE;
    } else if (!args->run) {
      args->run = walk.value;
    } else {
      return cmd_usage_error(app, "unexpected argument '%s'; one RUN at a time (--with compares several)",
                             walk.value);
    }
  }
  return check(app, args);
}
