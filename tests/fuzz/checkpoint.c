/* checkpoint.c -- harness: snapshots of a simulation that somebody changed.
 *
 * An input is a byte that picks the integrator, then records of 10 bytes: which 8 bytes of the snapshot (2 bytes, the
 * lowest first), and what they become. The checksum is made to fit, and then the snapshot is refused, or the simulation
 * goes on from it. Where the first byte is 128 or more the change is an accident: the checksum stays, and must find it. */
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "fuzz.h"
#include "sim/sim.h"

enum { STEPS_BEFORE = 20, STEPS_AFTER = 6, RECORD = 10 };

static const char* const METHODS[] = {"integrator.method=rk4", "integrator={method: dopri5}",
                                      "integrator.method=semi_implicit", "integrator.method=momentum"};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

typedef struct start {
  fb_scenario* scenario;
  fb_sim* sim; /* as it started; NULL: it was used */
  char* snapshot;
  size_t size;
} start;

static void prepare(start* from, const char* method) {
  fb_sim* sim = NULL;
  fb_error error;
  size_t size;
  const char* const set[] = {method, NULL};
  char* text = (char*)fuzz_read(FB_FUZZ_DATA "/everything.yaml", &size);
  text[size] = '\0';
  from->scenario = fuzz_scenario(text, size, set);
  fuzz_check(from->scenario, "everything.yaml is refused with %s", method);
  fuzz_check(fb_sim_build(from->scenario, &sim, &error) == FB_OK, "%s", error.text);
  fuzz_check(fuzz_steps(sim, 0.29, STEPS_BEFORE) == FB_OK, "everything.yaml does not run with %s", method);
  from->size = fb_sim_snapshot_size(sim);
  from->snapshot = (char*)malloc(from->size);
  if (!from->snapshot) fuzz_fail("out of memory");
  fb_sim_save(sim, from->snapshot);
  fb_sim_free(sim);
  free(text);
}

static void alter(char* snapshot, size_t size, const uint8_t* records, size_t left) {
  for (; left >= RECORD; left -= RECORD, records += RECORD) {
    size_t word = (size_t)records[0] | (size_t)records[1] << 8;
    memcpy(snapshot + 8 * (word % (size / 8)), records + 2, 8);
  }
}

/* As fb_sim_save makes it. */
static void forge_checksum(char* snapshot, size_t size) {
  fb_sim_head head;
  memcpy(&head, snapshot, sizeof head);
  head.checksum = 0;
  head.checksum = fb_checksum(fb_checksum(0, &head, sizeof head), snapshot + sizeof head, size - sizeof head);
  memcpy(snapshot, &head, sizeof head);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static start starts[METHOD_COUNT];
  fb_error error;
  if (size < 1) return 0;
  int method = data[0] % METHOD_COUNT, accident = data[0] >= 128;
  start* from = &starts[method];
  if (!from->scenario) prepare(from, METHODS[method]);
  if (!from->sim) fuzz_check(fb_sim_build(from->scenario, &from->sim, &error) == FB_OK, "%s", error.text);
  char* snapshot = (char*)malloc(from->size);
  if (!snapshot) fuzz_fail("out of memory");
  memcpy(snapshot, from->snapshot, from->size);
  alter(snapshot, from->size, data + 1, size - 1);
  if (!accident) forge_checksum(snapshot, from->size);
  if (fuzz_ok(fb_sim_restore(from->sim, snapshot, from->size, &error), &error)) {
    fuzz_check(!accident || memcmp(snapshot, from->snapshot, from->size) == 0, "an accident went unseen");
    fuzz_accept();
    fuzz_steps(from->sim, fb_sim_time(from->sim) + 1, STEPS_AFTER);
    fb_sim_free(from->sim);
    from->sim = NULL;
  }
  free(snapshot);
  return 0;
}
