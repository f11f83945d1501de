/* table.c -- rows of cells printed in aligned columns; columns without any text are left out. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "command.h"

struct fb_table {
  int columns;
  const char* const* headers; /* or NULL */
  char** cells;               /* row after row */
  size_t count, room;
};

fb_table* fb_table_new(int columns, const char* const* headers) {
  fb_table* table = (fb_table*)fb_take(1, sizeof *table);
  table->columns = columns;
  table->headers = headers;
  return table;
}

void fb_table_free(fb_table* table) {
  if (!table) return;
  for (size_t i = 0; i < table->count; i++) free(table->cells[i]);
  free(table->cells);
  free(table);
}

void fb_table_cell(fb_table* table, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char* text = (char*)fb_take((size_t)(length > 0 ? length : 0) + 1, 1);
  if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  if (!fb_grow(&table->cells, table->count, 1, &table->room, sizeof *table->cells)) fb_out_of_memory();
  table->cells[table->count++] = fb_text_clean(text);
}

/* Prints one row; the spaces before a cell are written only when it has text, so no line ends in one. */
static void print_row(const fb_table* table, const char* const* row, const int* width, FILE* stream) {
  int spaces = 2;
  for (int c = 0; c < table->columns; c++) {
    if (width[c] == 0) continue;
    if (row[c][0]) {
      fprintf(stream, "%*s%s", spaces, "", row[c]);
      spaces = 0;
    }
    spaces += width[c] - fb_text_width(row[c]) + 2;
  }
}

void fb_table_print(const fb_table* table, FILE* stream, int color) {
  int* width = (int*)fb_take((size_t)table->columns, sizeof *width);
  for (size_t i = 0; i < table->count; i++) {
    int* w = &width[i % (size_t)table->columns];
    int wide = fb_text_width(table->cells[i]);
    if (wide > *w) *w = wide;
  }
  if (table->headers) {
    for (int c = 0; c < table->columns; c++) {
      int wide = fb_text_width(table->headers[c]);
      if (width[c] && wide > width[c]) width[c] = wide;
    }
    fputs(fb_style_on(color, FB_STYLE_DIM), stream);
    print_row(table, table->headers, width, stream);
    fprintf(stream, "%s\n", fb_style_off(color));
  }
  for (size_t i = 0; i + (size_t)table->columns <= table->count; i += (size_t)table->columns) {
    print_row(table, (const char* const*)&table->cells[i], width, stream);
    fputc('\n', stream);
  }
  free(width);
}
