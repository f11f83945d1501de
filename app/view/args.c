/* args.c -- the command line of `freebody view`: --still, --video, or the extension of -o selects the output. */
#include "view/view.h"

#include <string.h>
#include <strings.h>

#include <freebody/support/text.h>

/* --- values --- */

static int read_size(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  cmd_shot* shot = (cmd_shot*)member;
  (void)option;
  char end;
  int w, h;
  if (sscanf(text, "%dx%d%c", &w, &h, &end) != 2 || w < 64 || h < 64 || w > 8192 || h > 8192)
    return cmd_refuse(app, "--size takes WIDTHxHEIGHT in pixels, from 64x64 to 8192x8192, not '%s'", text);
  shot->width = w;
  shot->height = h;
  return 1;
}

static int read_number(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  static const struct {
    const char* name;
    double least, most;
  } ranges[] = {{"fps", 0.1, 240}, {"speed", 1e-6, 1e6}, {"zoom", 0.001, 1000}};
  double* out = (double*)member;
  const char* rest = fb_number_parse(text, out);
  int i = 0;
  while (strcmp(option->name, ranges[i].name) != 0) i++;
  if (rest && !*rest && *out >= ranges[i].least && *out <= ranges[i].most) return 1;
  return cmd_refuse(app, "--%s takes a number from %g to %g, not '%s'", option->name, ranges[i].least,
                    ranges[i].most, text);
}

static int read_light(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  (void)app, (void)option, (void)text;
  *(int*)member = 0;
  return 1;
}

static int read_camera(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  static const char* const places[] = {"iso", "x", "y", "z", "fit", NULL};
  int place = cmd_option_word(app, option, text, places);
  if (place >= 0) *(const char**)member = places[place];
  return place >= 0;
}

static int read_still(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  cmd_view_args* args = (cmd_view_args*)member;
  if (strncmp(text, "t=", 2) == 0) text += 2;
  if (!cmd_option_time(app, option->name, text, &args->shot.from)) return 0;
  args->shot.to = args->shot.from;
  if (args->kind == FB_VIEW_VIDEO) return cmd_refuse(app, "--still or --video, one at a time");
  args->kind = FB_VIEW_STILL;
  return 1;
}

static int read_video(const cmd_app* app, const cmd_option* option, const char* file, void* member) {
  cmd_view_args* args = (cmd_view_args*)member;
  (void)option;
  if (args->kind == FB_VIEW_STILL) return cmd_refuse(app, "--still or --video, one at a time");
  if (!cmd_ends_in(file, ".mp4") && !cmd_ends_in(file, ".gif") && !cmd_ends_in(file, ".webm"))
    return cmd_refuse(app, "--video writes .mp4, .gif or .webm; '%s' has none of these extensions", file);
  args->kind = FB_VIEW_VIDEO;
  args->shot.file = file;
  return 1;
}

#define AT(member) offsetof(cmd_view_args, member)
const cmd_option cmd_view_options[] = {
    {"output", "FILE", "F.html, F.glb, or F.png for a still (also -o); default: report.html in RUN", NULL,
     AT(out)},
    {"with", "RUN2",
     "another run to compare: its robot as a ghost, its signals in every plot; may be repeated",
     cmd_read_text, AT(with)},
    {"still", "TIME", "a picture (-o F.png) at this time: 12.5, t=12.5, 2min", read_still, 0},
    {"video", "FILE", "F.mp4, F.gif or F.webm: the run, or the part between --from and --to", read_video, 0},
    {"size", "WxH", "size of pictures in pixels (1280x720)", read_size, AT(shot)},
    {"fps", "N",
     "pictures per second of a video (30; GIF 15); keys per second of glTF (all samples, at most 60)",
     read_number, AT(shot.fps)},
    {"speed", "X", "simulated seconds per second of a video (1)", read_number, AT(shot.speed)},
    {"from", "TIME", "start time of a video", cmd_read_time, AT(span.from)},
    {"to", "TIME", "end time of a video", cmd_read_time, AT(span.to)},
    {"camera", "NAME", "view of pictures: iso, x, y, z, fit", read_camera, AT(shot.camera)},
    {"zoom", "X", "pictures X times closer than the view that shows everything", read_number, AT(shot.zoom)},
    {"follow", "NAME", "body or frame that the camera of pictures follows", NULL, AT(shot.follow)},
    {"show", "A,B",
     "draw in pictures: frames, names, com, momentum, ellipsoids, forces, torques, reactions, contacts, "
     "surfaces, trails, sun",
     NULL, AT(shot.show)},
    {"hide", "A,B", "do not draw in pictures: these, or grid, stars, ghost", NULL, AT(shot.hide)},
    {"page", NULL, "a still of the whole page, with its plots", NULL, AT(shot.whole_page)},
    {"dark", NULL, "dark colours in pictures", NULL, AT(shot.dark)},
    {"light", NULL, "light colours in pictures", read_light, AT(shot.dark)},
    {"open", NULL, "open the page in the browser after it is written", NULL, AT(open)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

/* The first option given that is for pictures alone; NULL: none was. */
static const char* find_picture_option(const cmd_app* app) {
  static const char* const names[] = {"size",   "speed", "from", "to",   "camera", "zoom",
                                      "follow", "show",  "hide", "page", "dark",   "light"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (cmd_option_is_given(app, names[i])) return names[i];
  return NULL;
}

/* --- what belongs together --- */

static int check_page_file(const cmd_app* app, const cmd_view_args* args) {
  const char* out = args->out;
  if (!out || strcmp(out, "-") == 0 || cmd_ends_in(out, ".html") || cmd_ends_in(out, ".htm"))
    return FB_EXIT_OK;
  if (cmd_ends_in(out, ".png")) return cmd_usage_error(app, "a picture of which time? Add --still 12.5");
  if (cmd_ends_in(out, ".mp4") || cmd_ends_in(out, ".gif") || cmd_ends_in(out, ".webm"))
    return cmd_usage_error(app, "write a video with --video %s", out);
  return cmd_usage_error(
      app, "'%s' has no known extension; there are .html, .glb, .png with --still, and --video", out);
}

static int check_still(const cmd_app* app, cmd_view_args* args) {
  if (!args->out) return cmd_usage_error(app, "where to? --still writes a picture: give -o FRAME.png");
  if (!cmd_ends_in(args->out, ".png"))
    return cmd_usage_error(app, "a still is a PNG: give -o FRAME.png, not '%s'", args->out);
  args->shot.file = args->out;
  args->out = NULL;
  return FB_EXIT_OK;
}

static int check(const cmd_app* app, cmd_view_args* args) {
  int code = FB_EXIT_OK, fps_given = cmd_option_is_given(app, "fps");
  if (!cmd_span_check(app, &args->span)) return FB_EXIT_USAGE;
  if (args->kind == FB_VIEW_PAGE && args->out && cmd_ends_in(args->out, ".glb")) args->kind = FB_VIEW_GLTF;
  int picture = args->kind == FB_VIEW_STILL || args->kind == FB_VIEW_VIDEO;
  const char* only = find_picture_option(app);
  if (only && !picture) return cmd_usage_error(app, "--%s is for --still and --video", only);
  if (fps_given && args->kind == FB_VIEW_PAGE)
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
  if (args->kind == FB_VIEW_VIDEO && cmd_ends_in(args->shot.file, ".gif") && !fps_given) args->shot.fps = 15;
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
  static const cmd_operands OPERANDS = {AT(run), 1, "one RUN at a time (--with compares several)",
                                        "which RUN? Name the folder that 'freebody run' made"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  while (args->with[args->nwith]) args->nwith++;
  return check(app, args);
}
