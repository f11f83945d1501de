/* terminal.c -- colour only where it is wanted, text that cannot harm a terminal, and output that is
 * known to have arrived. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int fb_terminal_color(FILE* stream) {
  const char* no_color = getenv("NO_COLOR"); /* no-color.org: set and not empty */
  if (no_color && no_color[0]) return 0;
  const char* term = getenv("TERM");
  if (term && strcmp(term, "dumb") == 0) return 0;
  return isatty(fileno(stream)) == 1;
}

const char* fb_style_on(int color, fb_style style) {
  static const char* const escape[] = {"", "\033[1m", "\033[2m", "\033[31m", "\033[33m"};
  return color ? escape[style] : "";
}

const char* fb_style_off(int color) {
  return color ? "\033[0m" : "";
}

char* fb_text_clean(char* text) {
  for (unsigned char* c = (unsigned char*)text; *c; c++) {
    /* The C1 controls, U+0080 to U+009F, are C2 80 to C2 9F in UTF-8. */
    int c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f;
    if (c1) c[1] = '?';
    if (c1 || *c < 0x20 || *c == 0x7f) *c = '?';
  }
  return text;
}

int fb_text_width(const char* text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

void fb_print_text(const char* text, size_t size) {
  fwrite(text, 1, size, stdout);
  if (size && text[size - 1] != '\n') putchar('\n');
}

void fb_print_error(const fb_app* app, const fb_error* error) {
  char text[sizeof(fb_error) + 64];
  fb_text_clean(fb_error_format(error, text, sizeof text));
  fflush(stdout); /* what was said before should stand before */
  if (!error->file[0]) fprintf(stderr, "freebody %s: ", app->command ? app->command->name : "");
  fprintf(stderr, "%s%s%s\n", fb_style_on(app->color_err, FB_STYLE_RED), text, fb_style_off(app->color_err));
}

int fb_finish_output(const fb_app* app, int code) {
  errno = 0;
  int failed_before = ferror(stdout);
  if (fflush(stdout) == 0 && !failed_before && !ferror(stdout)) return code;
  /* An earlier write that failed has left no reason; a further one fails for the same. */
  if (failed_before && errno == 0 && putchar('\n') != EOF) fflush(stdout);
  if (errno == EPIPE) return FB_EXIT_FAILED; /* the reader has seen enough; nobody is left to tell */
  fprintf(stderr, "freebody%s%s: cannot write all of the output to standard output%s%s\n",
          app->command ? " " : "", app->command ? app->command->name : "", errno ? ": " : "",
          errno ? strerror(errno) : "");
  return FB_EXIT_FAILED;
}
