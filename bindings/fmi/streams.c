/* streams.c -- stdin, stdout and stderr for static libraries inside a shared one
 *
 * A static liblua is compiled for programs and refers to these variables of the C library in a way that a shared library
 * cannot resolve. The linker turns the names into __wrap_NAME (--wrap), which are filled in here when the library is
 * loaded. Scripts of Freebody reach none of them (docs/lua.md). */
#include <stdio.h>

extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

__attribute__((constructor)) static void fill_streams(void) {
  __wrap_stdin = __real_stdin;
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
