/* name_index.c -- names sorted for look-up. */
#include "model/definition/name_index.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void* a, const void* b) {
  const fb_name *x = (const fb_name*)a, *y = (const fb_name*)b;
  int order = strcmp(x->text, y->text);
  return order ? order : (x->id > y->id) - (x->id < y->id);
}

void fb_names_sort(fb_name* names, int count) {
  if (count > 1) qsort(names, (size_t)count, sizeof *names, compare_names);
}

int fb_names_find(const fb_name* names, int count, const char* text) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(names[middle].text, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && strcmp(names[low].text, text) == 0 ? names[low].id : -1;
}

int fb_names_repeated(const fb_name* names, int count) {
  for (int i = 1; i < count; i++)
    if (strcmp(names[i - 1].text, names[i].text) == 0) return i;
  return 0;
}

char* fb_names_suggestion(const fb_name* names, int count, const char* word, const char* otherwise,
                          char near[FB_SUGGESTION_SIZE]) {
  const char** list = malloc(((size_t)count + 1) * sizeof *list);
  near[0] = '\0';
  if (!list) return near;
  for (int i = 0; i < count; i++) list[i] = names[i].text;
  list[count] = NULL;
  if (otherwise)
    fb_suggestion_or_list(word, list, otherwise, near);
  else
    fb_suggestion(word, list, near);
  free((void*)list);
  return near;
}
