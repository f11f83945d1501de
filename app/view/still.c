/* still.c -- one picture of a run: its page is opened in a browser without a window, told what to show, and asked for
 * a PNG, of the 3-D view or of the whole page. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "view/browser.h"

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while a picture was made");
}

int cmd_shot_fail(const cmd_app* app, const fb_error* error) {
  cmd_print_error(app, error);
  return error->status == FB_ERR_IO || error->status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
}

/* --- what to show --- */

/* "name": value for each name of a list with commas. */
static void add_overlays(fb_json* json, const char* names, int value) {
  while (names && *names) {
    size_t length = strcspn(names, ",");
    char name[64];
    if (length > 0 && length < sizeof name) {
      memcpy(name, names, length);
      name[length] = '\0';
      fb_json_put_bool(json, name, value);
    }
    names += length + (names[length] == ',');
  }
}

static void add_text(fb_json* json, const char* key, const char* text) {
  if (!text) return;
  fb_json_put_string(json, key, text);
}

/* The page ignores unknown names; the user is told about them. */
static fb_status check_overlays(const char* option, const char* names, fb_error* error) {
  static const char* const known[] = {"frames", "names",   "com",       "momentum", "ellipsoids",
                                      "forces", "torques", "reactions", "contacts", "surfaces",
                                      "trails", "sun",     "grid",      "stars",    "ghost"};
  while (names && *names) {
    size_t length = strcspn(names, ","), count = sizeof known / sizeof known[0], i = 0;
    while (i < count && (strlen(known[i]) != length || memcmp(known[i], names, length) != 0)) i++;
    if (i == count)
      return fb_fail(error, FB_ERR_NAME,
                     "%s does not know '%.*s'; there are frames, names, com, momentum, ellipsoids, forces, "
                     "torques, reactions, contacts, surfaces, trails, sun, grid, stars and ghost",
                     option, length < 60 ? (int)length : 60, names);
    names += length + (names[length] == ',');
  }
  return FB_OK;
}

/* What freebody.set takes; free() it, or NULL. */
static char* settings(const cmd_shot* shot) {
  fb_json* json = fb_json_new(0);
  if (!json) return NULL;
  fb_json_begin_map(json);
  fb_json_key(json, "still"); /* the 3-D view alone */
  fb_json_bool(json, !shot->whole_page);
  add_text(json, "camera", shot->camera);
  add_text(json, "follow", shot->follow);
  if (shot->zoom > 0) fb_json_put_number(json, "zoom", shot->zoom);
  if (shot->dark >= 0) add_text(json, "theme", shot->dark ? "dark" : "light");
  fb_json_put_map(json, "overlays");
  add_overlays(json, shot->hide, 0);
  add_overlays(json, shot->show, 1);
  fb_json_end_map(json);
  fb_json_end_map(json);
  return fb_json_finish(json, NULL);
}

/* Whom to follow must be there. */
static fb_status check_follow(cmd_browser* browser, const char* name, fb_error* error) {
  fb_json* json = fb_json_new(0);
  if (!json) return no_memory(error);
  fb_json_string(json, name);
  char* quoted = fb_json_finish(json, NULL);
  fb_text script = {0};
  fb_text_printf(&script, "freebody.pose(%s) ? 'there' : ''", quoted ? quoted : "''");
  char *text = fb_text_take(&script, NULL), *answer = NULL;
  fb_status status =
      quoted && text ? cmd_browser_evaluate(browser, text, &answer, NULL, error) : no_memory(error);
  if (!status && (!answer || !answer[0]))
    status = fb_fail(error, FB_ERR_NAME,
                     "there is no body or frame '%.200s' to follow; 'freebody info MODEL' lists them", name);
  free(quoted);
  free(text);
  free(answer);
  return status;
}

static fb_status set_up(const cmd_shot* shot, cmd_browser* browser, fb_error* error) {
  fb_status status = shot->follow ? check_follow(browser, shot->follow, error) : FB_OK;
  if (status) return status;
  char* options = settings(shot);
  if (!options) return no_memory(error);
  fb_text script = {0};
  fb_text_printf(&script, "freebody.play(false); freebody.set(%s)", options);
  free(options);
  char* text = fb_text_take(&script, NULL);
  if (!text) return no_memory(error);
  status = cmd_browser_evaluate(browser, text, NULL, NULL, error);
  free(text);
  return status;
}

/* What the page cannot be told is refused before the browser starts. */
static fb_status check_name(const char* option, const char* name, fb_error* error) {
  for (size_t left = name ? strlen(name) : 0, n; left > 0; left -= n, name += n) {
    n = fb_utf8_length(name, left);
    if (n == 0 || (unsigned char)*name < 0x20 || *name == 0x7f)
      return fb_fail(error, FB_ERR_NAME, "%s takes the name of a body or frame in UTF-8, not the byte 0x%02x",
                     option, (unsigned)(unsigned char)*name);
  }
  return FB_OK;
}

fb_status cmd_shot_check(const cmd_shot* shot, fb_error* error) {
  fb_status status = check_overlays("--show", shot->show, error);
  if (!status) status = check_overlays("--hide", shot->hide, error);
  if (!status) status = check_name("--follow", shot->follow, error);
  return status;
}

fb_status cmd_shot_open(const cmd_shot* shot, cmd_browser** browser, fb_error* error) {
  enum { ENOUGH = 320 };
  fb_status status = cmd_browser_open(browser, error);
  if (status) return status;
  /* The 3-D view is drawn apart at the size of the picture, so its window, of the same shape, may be small: that is
   * quicker, for it is drawn too. */
  int part = shot->whole_page || shot->width < ENOUGH ? 1 : shot->width / ENOUGH;
  int height = shot->height / part > 0 ? shot->height / part : 1;
  status = cmd_browser_load(*browser, shot->page, shot->width / part, height, error);
  if (!status) status = set_up(shot, *browser, error);
  if (!status) return FB_OK;
  cmd_browser_close(*browser);
  *browser = NULL;
  return status;
}

/* --- taking it --- */

static long long read_size(const char* at) {
  const unsigned char* b = (const unsigned char*)at;
  return (long long)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* Base64 in place into a PNG of the size that was requested. */
static fb_status decode(char* text, size_t* size, int width, int height, fb_error* error) {
  static const char magic[] = "\x89PNG\r\n\x1a\n";
  long long n = cmd_base64_decode(text, *size);
  if (n < 45 || memcmp(text, magic, 8) != 0)
    return fb_fail(error, FB_ERR_IO, "the browser gave something else than a PNG picture");
  long long got[2] = {read_size(text + 16), read_size(text + 20)};
  if (got[0] != width || got[1] != height)
    return fb_fail(error, FB_ERR_IO,
                   "the browser drew %lld x %lld pixels instead of %d x %d, which is more than it can; ask "
                   "for a smaller picture",
                   got[0], got[1], width, height);
  *size = (size_t)n;
  return FB_OK;
}

fb_status cmd_shot_take(cmd_browser* browser, double t, int width, int height, char** png, size_t* size,
                        fb_error* error) {
  static const char prefix[] = "data:image/png;base64,";
  size_t skip = sizeof prefix - 1;
  char script[160], number[32];
  *png = NULL;
  snprintf(script, sizeof script, "freebody.picture(%s, %d, %d)", fb_number_format(t, number), width, height);
  char* text = NULL;
  fb_status status = cmd_browser_evaluate(browser, script, &text, size, error);
  if (status) return status;
  if (*size <= skip || memcmp(text, prefix, skip) != 0) {
    status = fb_fail(error, FB_ERR_IO, "the page gave no picture of %d x %d pixels; ask for a smaller one",
                     width, height);
  } else {
    *size -= skip;
    memmove(text, text + skip, *size);
    status = decode(text, size, width, height, error);
  }
  if (status) {
    free(text);
    text = NULL;
  }
  *png = text;
  return status;
}

/* The whole page, after what changed has been drawn. */
static fb_status take_page(cmd_browser* browser, const cmd_shot* shot, char** png, size_t* size,
                           fb_error* error) {
  char script[240], number[32];
  snprintf(script, sizeof script,
           "freebody.seek(%s); new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
           "setTimeout(done, 50))))",
           fb_number_format(shot->from, number));
  fb_status status = cmd_browser_evaluate(browser, script, NULL, NULL, error);
  if (!status) status = cmd_browser_capture(browser, png, size, error);
  if (!status) status = decode(*png, size, shot->width, shot->height, error);
  return status;
}

static fb_status take_still(const cmd_shot* shot, fb_error* error) {
  cmd_browser* browser = NULL;
  char* png = NULL;
  size_t size = 0;
  fb_status status = cmd_shot_check(shot, error);
  if (!status) status = cmd_shot_open(shot, &browser, error);
  if (!status && shot->whole_page) status = take_page(browser, shot, &png, &size, error);
  if (!status && !shot->whole_page)
    status = cmd_shot_take(browser, shot->from, shot->width, shot->height, &png, &size, error);
  cmd_browser_close(browser);
  if (!status) status = fb_file_write(shot->file, png, size, error);
  free(png);
  return status;
}

int cmd_view_still(const cmd_app* app, const cmd_shot* shot) {
  fb_error error = {0};
  fb_status status = take_still(shot, &error);
  return status ? cmd_shot_fail(app, &error) : FB_EXIT_OK;
}
