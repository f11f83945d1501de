/* plant_state.c -- harness: the saved state of a plant that somebody changed.
 *
 * An input is a byte, then records of 10 bytes: which 8 bytes of the state (2 bytes, the lowest first), and what they become.
 * Where the byte is 128 or more the change is an accident: checksums stay, and must find it. Otherwise both checksums, of the
 * state and of the snapshot in it, are made to fit; then the state is refused, or the plant goes on from it. An input of
 * which a byte is 64 or more is cut to half of its length as well. */
#include <stdlib.h>
#include <string.h>

#include <freebody/plant.h>

#include "base/checksum.h"
#include "fuzz.h"
#include "sim/sim.h"

enum { RECORD = 10, SUM_AT = 8 + FB_PLANT_TOKEN_SIZE + 7 + 8, HEAD = SUM_AT + 8 };

static fb_plant* plant;
static char* original;
static size_t original_size, before; /* before: where the snapshot begins */

static void prepare(void) {
  fb_error error;
  void* bytes;
  fuzz_check(fb_plant_read(FB_SCENARIOS "/pendulum/pendulum.yaml", NULL, &plant, &error) == FB_OK, "%s",
             error.text);
  fuzz_check(fb_plant_step(plant, 0.1, &error) == FB_OK, "%s", error.text);
  fuzz_check(fb_plant_save(plant, &bytes, &original_size, &error) == FB_OK, "%s", error.text);
  original = (char*)bytes;
  before = HEAD + (size_t)fb_plant_nvariable(plant) * (1 + sizeof(double));
}

static void forge(char* state, size_t size) {
  uint64_t sum;
  if (size < HEAD) return;
  if (size >= before + sizeof(fb_sim_head)) {
    fb_sim_head head;
    char* snapshot = state + before;
    memcpy(&head, snapshot, sizeof head);
    head.checksum = 0;
    head.checksum =
        fb_checksum(fb_checksum(0, &head, sizeof head), snapshot + sizeof head, size - before - sizeof head);
    memcpy(snapshot, &head, sizeof head);
  }
  memset(state + SUM_AT, 0, sizeof sum);
  sum = fb_checksum(fb_checksum(0, state, HEAD), state + HEAD, size - HEAD);
  memcpy(state + SUM_AT, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_error error;
  if (size < 1) return 0;
  if (!plant) prepare();
  int accident = data[0] >= 128;
  size_t length = data[0] & 64 ? original_size / 2 : original_size;
  char* state = (char*)malloc(original_size);
  if (!state) fuzz_fail("out of memory");
  memcpy(state, original, original_size);
  for (size_t at = 1; at + RECORD <= size; at += RECORD) {
    size_t word = (size_t)data[at] | (size_t)data[at + 1] << 8;
    memcpy(state + 8 * (word % (original_size / 8)), data + at + 2, 8);
  }
  if (!accident) forge(state, length);
  if (fuzz_ok(fb_plant_restore(plant, state, length, &error), &error)) {
    fuzz_check(!accident || (length == original_size && memcmp(state, original, length) == 0),
               "an accident went unseen");
    fuzz_accept();
    fuzz_ok(fb_plant_step(plant, fb_plant_time(plant) + 0.02, &error), &error);
  }
  free(state);
  if (fb_plant_restore(plant, original, original_size, &error) == FB_OK) return 0;
  fb_plant_free(plant); /* a state that cannot be left again */
  free(original);
  prepare();
  return 0;
}
