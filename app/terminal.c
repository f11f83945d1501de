/* terminal.c -- colour only where it is wanted, text that cannot harm a terminal, and output that is
 * known to have arrived.
 *
 * Names of bodies and files, errors and prints of scripts, texts of a run: all of it may come from a stranger, and a
 * terminal acts on control characters (it can be made to hide lines, to answer as if somebody typed, to write a file).
 * So such text is printed through cmd_text_clean, cmd_message or cmd_message_lines. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/text.h>

#include "command.h"

enum { MOST_LINE = 4096 };

int cmd_terminal_color(FILE* stream) {
  const char* no_color = getenv("NO_COLOR"); /* no-color.org: set and not empty */
  if (no_color && no_color[0]) return 0;
  const char* term = getenv("TERM");
  if (term && strcmp(term, "dumb") == 0) return 0;
  return isatty(fileno(stream)) == 1;
}

const char* cmd_style_on(int color, cmd_style style) {
  static const char* const escape[] = {"", "\033[1m", "\033[2m", "\033[31m", "\033[33m"};
  return color ? escape[style] : "";
}

const char* cmd_style_off(int color) {
  return color ? "\033[0m" : "";
}

/* What is not UTF-8 goes too: a terminal of one byte a character takes 0x80 to 0x9F for controls. */
static char* clean(char* text, const char* kept) {
  size_t left = strlen(text);
  for (char* c = text; left > 0;) {
    const unsigned char* u = (const unsigned char*)c;
    size_t n = fb_utf8_length(c, left);
    /* The C1 controls, U+0080 to U+009F, are C2 80 to C2 9F in UTF-8. */
    int c1 = n == 2 && u[0] == 0xc2 && u[1] <= 0x9f, c0 = u[0] < 0x20 && !strchr(kept, *c);
    if (n == 0) n = 1, *c = '?';
    if (c0 || c1 || *c == 0x7f) memset(c, '?', n);
    c += n;
    left -= n;
  }
  return text;
}

char* cmd_text_clean(char* text) {
  return clean(text, "");
}

char* cmd_text_clean_lines(char* text) {
  return clean(text, "\t\n");
}

void cmd_message(const char* format, ...) {
  char line[MOST_LINE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  fprintf(stderr, "%s\n", cmd_text_clean(line));
}

void cmd_message_lines(const char* text) {
  char lines[MOST_LINE];
  snprintf(lines, sizeof lines, "%s", text);
  fprintf(stderr, "%s\n", cmd_text_clean_lines(lines));
}

void cmd_message_written(const char* run, const char* file, const char* more) {
  struct stat info;
  char words[32] = "written";
  double bytes = stat(file, &info) == 0 && S_ISREG(info.st_mode) ? (double)info.st_size : -1;
  if (bytes >= 0)
    snprintf(words, sizeof words, bytes < 1e6 ? "%.0f kB" : "%.1f MB",
             bytes < 1e6 ? ceil(bytes / 1e3) : bytes / 1e6);
  cmd_message("%s -> %s: %s%s", run, file, words, more);
}

int cmd_text_width(const char* text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

int cmd_ends_in(const char* file, const char* ending) {
  size_t n = strlen(file), m = strlen(ending);
  return n > m && strcasecmp(file + n - m, ending) == 0;
}

void cmd_print_title(const cmd_app* app, const char* title) {
  printf("\n%s%s%s\n", cmd_style_on(app->color_out, FB_STYLE_BOLD), title, cmd_style_off(app->color_out));
}

void cmd_print_text(const char* text, size_t size) {
  fwrite(text, 1, size, stdout);
  if (size && text[size - 1] != '\n') putchar('\n');
}

void cmd_print_error(const cmd_app* app, const fb_error* error) {
  char text[sizeof(fb_error) + 64];
  cmd_text_clean(fb_error_format(error, text, sizeof text));
  fflush(stdout); /* what was said before should stand before */
  if (!error->file[0]) fprintf(stderr, "freebody %s: ", app->command ? app->command->name : "");
  fprintf(stderr, "%s%s%s\n", cmd_style_on(app->color_err, FB_STYLE_RED), text,
          cmd_style_off(app->color_err));
}

int cmd_input_code(const cmd_app* app, fb_status status, const fb_error* error) {
  if (status == FB_OK) return FB_EXIT_OK;
  cmd_print_error(app, error);
  return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
}

int cmd_finish_output(const cmd_app* app, int code) {
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
