/* fuzz.h -- what the harnesses share.
 *
 * A harness defines LLVMFuzzerTestOneInput for one reader. Linked with libFuzzer (`make fuzz`) it is fed with inputs
 * made up on the way, linked with fuzz_main.c (`make test`) with files. It fails by ending the process: by a crash, a
 * sanitizer's report, or fuzz_fail. docs/fuzzing.md says how to add one. */
#ifndef FB_TESTS_FUZZ_H
#define FB_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/scenario.h>
#include <freebody/sim.h>
#include <freebody/status.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* Says what is wrong and aborts. */
_Noreturn void fuzz_fail(const char* format, ...) FB_PRINTF(1, 2);
#define fuzz_check(condition, ...)            \
  do {                                        \
    if (!(condition)) fuzz_fail(__VA_ARGS__); \
  } while (0)

/* An input was accepted by its reader. fuzz_main.c counts them: seeds that are all refused test nothing. */
void fuzz_accept(void);
extern long fuzz_accepted;

/* A copy of the input, ended with a zero and no byte longer, so that sanitizers see what reads past it. free() it. */
char* fuzz_text(const uint8_t* data, size_t size);
/* The status is FB_OK, or the error says something and has the same status. Returns whether it is FB_OK. */
int fuzz_ok(fb_status status, const fb_error* error);

/* A folder of this process in memory (/dev/shm, else TMPDIR, else /tmp), removed at exit; the same at each call. */
const char* fuzz_folder(void);
/* "folder/name" in it; the same buffer at each call. */
const char* fuzz_path(const char* name);
void fuzz_write(const char* path, const void* data, size_t size);
/* malloc'd. */
void* fuzz_read(const char* path, size_t* size);

/* ---- fuzz_model.c ---- */

/* Builds the model; one that is refused is freed and left. Otherwise it must be written and read back the same in every
 * format that can hold it, and be computed with. */
void fuzz_model(const fb_model_def* def);
/* Parses a text of a format, and does that with what is accepted. */
void fuzz_model_text(const uint8_t* data, size_t size, fb_format format);

/* ---- fuzz_sim.c ---- */

/* A scenario of this text, or NULL when it is refused. `set`: as in fb_scenario_options. */
fb_scenario* fuzz_scenario(const char* text, size_t size, const char* const* set);
/* Explains it and simulates some steps, by fuzz_step_twice. */
void fuzz_simulate(const fb_scenario* s);
/* Steps until one fails, at most `most`; the last status. */
fb_status fuzz_steps(fb_sim* sim, double t_limit, int most);
/* Some steps, then some more, and the same again from a snapshot between them: they must end in the same bytes. */
void fuzz_step_twice(fb_sim* sim, double duration);

/* ---- fuzz_run.c ---- */

/* A small run of every kind of thing that a store holds, in a folder that is made. */
void fuzz_make_run(const char* folder);

#endif
