/* remote.c -- harness: a message of a remote controller, as it was received. */
#include <stdlib.h>
#include <string.h>

#include "adapters/remote/message.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_message m;
  char why[FB_MESSAGE_WHY] = "", text[40];
  uint8_t* copy = malloc(size ? size : 1); /* no byte longer, so that what lies beyond is noticed */
  if (!copy) return 0;
  memcpy(copy, data, size);
  if (fb_message_read(copy, size, &m, why)) {
    fuzz_check(
        m.header.size == size && m.body == copy + FB_MESSAGE_HEADER && m.nbody == size - FB_MESSAGE_HEADER,
        "a message that is not within its bytes");
    fb_message_text(&m, text, sizeof text);
    for (const char* c = text; *c; c++) fuzz_check(*c >= 0x20 && *c < 0x7f, "a text with the byte %d", *c);
    for (size_t i = 0; i + 8 <= m.nbody; i += 8) {
      double x;
      unsigned char back[8];
      fb_message_doubles(m.body + i, &x, 1);
      fb_message_put_doubles(back, &x, 1);
      fuzz_check(memcmp(back, m.body + i, 8) == 0, "a double that changes its bits");
    }
    fuzz_accept();
  } else {
    fuzz_check(why[0] != 0, "refused without a reason");
  }
  free(copy);
  return 0;
}
