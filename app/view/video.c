/* video.c -- a video of a run: pictures of its page, one after another, each handed to ffmpeg through a pipe. The
 * file appears when it is whole. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>

#include "run/run.h"
#include "view/browser.h"

enum { MOST_FRAMES = 1000000, MOST_ARGUMENTS = 40, THEIR_FILE = 3 /* its number in ffmpeg */ };

/* --- ffmpeg --- */

typedef struct format {
  const char* ending;
  int even;                /* needs an even number of pixels each way */
  const char* options[18]; /* NULL-ended */
} format;

/* The sRGB of the pictures is declared as BT.709, which players of large videos assume. */
#define YUV                                                                                  \
  "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709", \
      "-color_primaries", "bt709", "-color_trc", "bt709"

static const format FORMATS[] = {
    {".mp4", 1, {YUV, "-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4", NULL}},
    {".webm", 1, {YUV, "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "30", "-f", "webm", NULL}},
    {".gif", 0, {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse", "-f", "gif", NULL}},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

typedef struct encoder {
  pid_t pid; /* 0: none */
  int to;    /* -1: none */
  FILE* log;
} encoder;

static fb_status fail_encoder(encoder* e, fb_error* error) {
  char words[360];
  fflush(e->log);
  cmd_child_words(fileno(e->log), words, sizeof words);
  return fb_fail(error, FB_ERR_IO, "ffmpeg could not make the video: %s",
                 words[0] ? words : "it ended without a reason");
}

/* "file:NAME", so that a colon in the name makes no protocol of it; free() it. */
static char* file_url(const fb_output* output, fb_error* error) {
  char* name;
  if (fb_output_child_name(output, THEIR_FILE, &name, error) != FB_OK) return NULL;
  char* url = malloc(strlen(name) + sizeof "file:");
  if (url)
    sprintf(url, "file:%s", name);
  else
    fb_fail(error, FB_ERR_MEMORY, "out of memory while a video was made");
  free(name);
  return url;
}

static fb_status fail_start(int reason, fb_error* error) {
  if (reason == ENOENT)
    return fb_fail(error, FB_ERR_IO,
                   "videos are made by ffmpeg, and it is not in PATH; install it (Debian: apt-get install "
                   "ffmpeg), or take stills with --still");
  return fb_fail(error, FB_ERR_IO, "cannot start ffmpeg: %s", strerror(reason));
}

static fb_status start_encoder(encoder* e, const format* how, double fps, const fb_output* output,
                               fb_error* error) {
  static const char* const before[] = {"ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error",     "-y",
                                       "-f",     "image2pipe",   "-c:v",     "png",       "-framerate"};
  const char* argv[MOST_ARGUMENTS];
  char rate[32];
  int n = 0, ends[2] = {-1, -1};
  e->log = tmpfile();
  if (!e->log)
    return fb_fail(error, FB_ERR_IO, "cannot make a temporary file for ffmpeg: %s", strerror(errno));
  char* url = file_url(output, error);
  if (!url) return error->status;
  for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) argv[n++] = before[i];
  argv[n++] = fb_number_format(fps, rate);
  argv[n++] = "-i";
  argv[n++] = "pipe:0";
  for (int i = 0; how->options[i]; i++) argv[n++] = how->options[i];
  argv[n++] = url;
  argv[n] = NULL;
  int reason = cmd_child_pipe(ends);
  /* The file last: each number is taken only after what may have it in us was copied. */
  const cmd_child_end theirs[] = {
      {ends[0], 0}, {fileno(e->log), 1}, {fileno(e->log), 2}, {output->descriptor, THEIR_FILE}};
  if (!reason) reason = cmd_child_start((char* const*)argv, theirs, 4, NULL, &e->pid);
  if (reason) e->pid = 0;
  free(url);
  if (ends[0] >= 0) close(ends[0]);
  e->to = ends[1];
  return reason ? fail_start(reason, error) : FB_OK;
}

/* Waits until the file is written. */
static fb_status finish_encoder(encoder* e, fb_error* error) {
  int code = 0;
  close(e->to);
  e->to = -1;
  while (!cmd_child_wait(e->pid, 0.25, &code))
    if (cmd_interrupt_requested()) return fb_fail(error, FB_ERR_IO, "interrupted");
  e->pid = 0;
  return WIFEXITED(code) && WEXITSTATUS(code) == 0 ? FB_OK : fail_encoder(e, error);
}

/* --- frames --- */

/* How many; -1 for too many. */
static long count_frames(const cmd_shot* shot) {
  double n = (shot->to - shot->from) * shot->fps / shot->speed;
  if (!(n >= 0)) return 1;
  return n < MOST_FRAMES ? (long)floor(n + 1e-9 * (1 + n)) + 1 : -1;
}

static fb_status take_frames(const cmd_shot* shot, long count, int even, cmd_browser* browser, encoder* e,
                             fb_error* error) {
  int width = shot->width + (even && shot->width % 2), height = shot->height + (even && shot->height % 2);
  int show = cmd_progress_start(shot->quiet).on;
  fb_status status = FB_OK;
  for (long i = 0; i < count && !status; i++) {
    if (show) fprintf(stderr, "\rframe %ld of %ld", i + 1, count);
    char* png;
    size_t size;
    double t = fmin(shot->from + (double)i * shot->speed / shot->fps, fmax(shot->from, shot->to));
    status = cmd_shot_take(browser, t, width, height, &png, &size, error);
    if (status) break;
    int reason = cmd_child_write(e->to, png, size);
    free(png);
    if (reason && cmd_interrupt_requested())
      status = fb_fail(error, FB_ERR_IO, "interrupted");
    else if (reason)
      status = finish_encoder(e, error);
    /* It may end well before the last frame and leave the rest unread: that is no video of all of them. */
    if (reason && !status)
      status = fb_fail(error, FB_ERR_IO, "ffmpeg ended at frame %ld of %ld", i + 1, count);
  }
  if (show) fprintf(stderr, "\r\033[K");
  return status;
}

static fb_status make_video(const cmd_shot* shot, const format* how, const fb_output* output,
                            fb_error* error) {
  long count = count_frames(shot);
  if (count < 0)
    return fb_fail(error, FB_ERR_IO,
                   "from %.6g to %.6g s at %.6g times real time and %.6g frames a second would be more than "
                   "%d frames; choose a higher --speed, or fewer frames",
                   shot->from, shot->to, shot->speed, shot->fps, MOST_FRAMES);
  encoder e = {0, -1, NULL};
  cmd_browser* browser = NULL;
  /* First, for it is soon told when it is missing. */
  fb_status status = start_encoder(&e, how, shot->fps, output, error);
  if (!status) status = cmd_shot_open(shot, &browser, error);
  if (!status) status = take_frames(shot, count, how->even, browser, &e, error);
  cmd_browser_close(browser);
  if (!status) status = finish_encoder(&e, error);
  if (e.to >= 0) close(e.to);
  if (e.pid) cmd_child_kill(e.pid, 0);
  if (e.log) fclose(e.log);
  return status;
}

int cmd_view_video(const cmd_app* app, const cmd_shot* shot) {
  fb_error error = {0};
  const format* how = NULL;
  for (int i = 0; i < FORMAT_COUNT; i++)
    if (cmd_ends_in(shot->file, FORMATS[i].ending)) how = &FORMATS[i];
  if (!how)
    return cmd_usage_error(app, "a video's file ends in .mp4, .webm or .gif, not as '%s' does", shot->file);
  fb_output output;
  fb_status status = cmd_shot_check(shot, &error);
  if (!status) status = fb_output_open(shot->file, &output, &error);
  if (!status) {
    status = make_video(shot, how, &output, &error);
    status = fb_output_close(&output, status, &error);
  }
  return status ? cmd_shot_fail(app, &error) : FB_EXIT_OK;
}
