/* table.c -- rows of cells printed in aligned columns; columns without any text are left out. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

struct cmd_table {
  int columns;
  const char* const* headers; /* or NULL */
  char** cells;               /* row after row */
  size_t count, room;
};

cmd_table* cmd_table_new(int columns, const char* const* headers) {
  cmd_table* table = cmd_take(1, sizeof *table);
  table->columns = columns;
  table->headers = headers;
  return table;
}

/* The text of each cell ends at a tab; a tab in a name is one more, and stays in the last cell. */
void cmd_table_cells(cmd_table* table, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args), tabs = 0;
  va_end(args);
  char* text = cmd_take((size_t)(length > 0 ? length : 0) + 1, 1);
  if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  for (const char* p = format; *p; p++) tabs += *p == '\t';
  for (char* cell = text; cell;) {
    char* tab = tabs-- > 0 ? strchr(cell, '\t') : NULL;
    if (tab) *tab = '\0';
    cmd_grow(&table->cells, table->count, &table->room, sizeof *table->cells);
    table->cells[table->count++] = cmd_text_clean(cmd_copy(cell));
    cell = tab ? tab + 1 : NULL;
  }
  free(text);
}

/* Prints one row; the spaces before a cell are written only when it has text, so no line ends in one. */
static void print_row(const cmd_table* table, const char* const* row, const int* width, FILE* stream) {
  int spaces = 2;
  for (int c = 0; c < table->columns; c++) {
    if (width[c] == 0) continue;
    if (row[c][0]) {
      fprintf(stream, "%*s%s", spaces, "", row[c]);
      spaces = 0;
    }
    spaces += width[c] - cmd_text_width(row[c]) + 2;
  }
}

void cmd_table_end(cmd_table* table, FILE* stream, int color) {
  int* width = cmd_take((size_t)table->columns, sizeof *width);
  for (size_t i = 0; i < table->count; i++) {
    int* w = &width[i % (size_t)table->columns];
    int wide = cmd_text_width(table->cells[i]);
    if (wide > *w) *w = wide;
  }
  if (table->headers) {
    for (int c = 0; c < table->columns; c++) {
      int wide = cmd_text_width(table->headers[c]);
      if (width[c] && wide > width[c]) width[c] = wide;
    }
    fputs(cmd_style_on(color, FB_STYLE_DIM), stream);
    print_row(table, table->headers, width, stream);
    fprintf(stream, "%s\n", cmd_style_off(color));
  }
  for (size_t i = 0; i + (size_t)table->columns <= table->count; i += (size_t)table->columns) {
    print_row(table, (const char* const*)&table->cells[i], width, stream);
    fputc('\n', stream);
  }
  free(width);
  for (size_t i = 0; i < table->count; i++) free(table->cells[i]);
  free(table->cells);
  free(table);
}
