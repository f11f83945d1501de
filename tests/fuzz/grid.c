/* grid.c -- harness: files of heights. They are refused, or every row has the same number of finite heights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "scenario/kinds/surface/surface.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int rows, columns;
  double* numbers;
  fb_error error;
  /* Without a zero behind it: the reader is told where it ends. */
  char* bytes = malloc(size ? size : 1);
  if (!bytes) fuzz_fail("out of memory");
  if (size > 0) memcpy(bytes, data, size);
  fb_status status = fb_scenario_parse_grid(bytes, size, "input", &rows, &columns, &numbers, &error);
  free(bytes);
  if (!fuzz_ok(status, &error)) return 0;
  fuzz_accept();
  fuzz_check((rows > 0) == (columns > 0), "%d rows of %d heights", rows, columns);
  for (int i = 0; i < rows * columns; i++) fuzz_check(isfinite(numbers[i]), "a height is nowhere");
  free(numbers);
  return 0;
}
