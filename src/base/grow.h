/* grow.h -- arrays that grow by doubling. */
#ifndef FB_BASE_GROW_H
#define FB_BASE_GROW_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` elements of `size` bytes after `count`. `array` is the address of the array's pointer, which is
 * of any type and NULL at first, *room how many it holds. Returns 0, and changes nothing, when out of memory. */
static inline int fb_grow(void* array, size_t count, size_t more, size_t* room, size_t size) {
  if (count + more <= *room) return 1;
  size_t wanted = *room ? 2 * *room : 4;
  while (wanted < count + more && wanted <= SIZE_MAX / 2) wanted *= 2;
  if (wanted < count + more || wanted > SIZE_MAX / size) return 0;
  void* data;
  memcpy(&data, array, sizeof data); /* the caller's pointer may be of another type than void* */
  data = realloc(data, wanted * size);
  if (!data) return 0;
  memcpy(array, &data, sizeof data);
  *room = wanted;
  return 1;
}

#endif
