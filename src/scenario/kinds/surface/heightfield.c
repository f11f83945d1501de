/* heightfield.c -- the surface of a grid of heights: rows in the scenario itself, or a text file with a row on each line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "base/grow.h"
#include "scenario/kinds/kinds.h"
#include "scenario/kinds/surface/surface.h"
#include "scenario/read/read.h"
#include "text/number.h"

enum { MOST_HEIGHTS = 16 << 20 };

typedef struct grid_reader {
  const char *at, *end, *file;
  int line, rows, columns;
  double* numbers;
  size_t count, room;
} grid_reader;

static int is_between(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

static fb_status read_number(grid_reader* r, fb_error* error) {
  char word[64];
  size_t size = 0;
  while (r->at < r->end && !is_between(*r->at) && *r->at != '\n' && *r->at != '#' && size < sizeof word - 1)
    word[size++] = *r->at++;
  word[size] = '\0';
  double x;
  const char* rest = fb_number_is_not_finite(word) ? NULL : fb_number_parse(word, &x);
  if (!rest || *rest || !isfinite(x))
    return fb_fail(error, FB_ERR_CONTENT, "'%.40s' is not a finite number", word);
  if (r->count >= MOST_HEIGHTS) return fb_fail(error, FB_ERR_CONTENT, "there are more than 2^24 heights");
  if (!fb_grow(&r->numbers, r->count, 1, &r->room, sizeof *r->numbers)) return fb_scenario_no_memory(error);
  r->numbers[r->count++] = x;
  return FB_OK;
}

/* One line; *found: how many numbers it has. */
static fb_status read_line(grid_reader* r, int* found, fb_error* error) {
  fb_status status = FB_OK;
  *found = 0;
  while (r->at < r->end && *r->at != '\n' && !status) {
    if (*r->at == '#') {
      while (r->at < r->end && *r->at != '\n') r->at++;
    } else if (is_between(*r->at)) {
      r->at++;
    } else {
      status = read_number(r, error);
      ++*found;
    }
  }
  if (r->at < r->end) r->at++;
  return status;
}

static fb_status read_lines(grid_reader* r, fb_error* error) {
  fb_status status = FB_OK;
  for (int found; r->at < r->end && !status;) {
    r->line++;
    status = read_line(r, &found, error);
    if (status || found == 0) continue;
    if (r->columns > 0 && found != r->columns)
      status = fb_fail(error, FB_ERR_CONTENT, "this row has %d heights, but those before it have %d", found,
                       r->columns);
    r->columns = found;
    r->rows++;
  }
  if (status == FB_ERR_CONTENT) fb_error_set_place(error, r->file, NULL, (fb_place){r->line, 0});
  return status;
}

fb_status fb_scenario_parse_grid(const char* text, size_t size, const char* file, int* rows, int* columns,
                                 double** numbers, fb_error* error) {
  grid_reader r = {.at = text, .end = text + size, .file = file};
  fb_error unused;
  fb_status status = read_lines(&r, error ? error : &unused);
  *rows = r.rows;
  *columns = r.columns;
  *numbers = status ? NULL : r.numbers;
  if (status) free(r.numbers);
  return status;
}

static fb_status read_rows(fb_scenario* s, const fb_node* list, fb_scenario_surface* surface,
                           fb_error* error) {
  fb_status status = fb_node_need_list(list, "rows of heights, as [[0, 0], [0, 0.1]]", error);
  if (status) return status;
  const fb_node* first = fb_node_count(list) > 0 ? fb_node_item(list, 0) : list;
  if (fb_node_count(list) > 0) status = fb_node_need_list(first, "heights, which is a row", error);
  if (status) return status;
  surface->ny = fb_node_count(list);
  surface->nx = surface->ny > 0 ? fb_node_count(first) : 0;
  double* heights = fb_scenario_alloc(s, (size_t)surface->nx * (size_t)surface->ny, sizeof *heights);
  if (!heights) return fb_scenario_no_memory(error);
  for (int j = 0; j < surface->ny && !status; j++)
    status = fb_node_numbers(fb_node_item(list, j), FB_Q_LENGTH, surface->nx,
                             heights + (size_t)j * (size_t)surface->nx, error);
  surface->heights = heights;
  return status;
}

static fb_status read_grid_file(fb_scenario* s, const fb_node* node, fb_scenario_surface* surface,
                                fb_error* error) {
  int input;
  double* heights;
  fb_status status = fb_scenario_read_input(s, node, "file of heights", &input, error);
  if (!status)
    status = fb_scenario_parse_grid(s->inputs[input].text, s->inputs[input].size, s->inputs[input].file,
                                    &surface->ny, &surface->nx, &heights, error);
  if (status) return status;
  surface->heights = heights;
  if (heights && !fb_scenario_own(s, heights, free)) return fb_scenario_no_memory(error);
  return FB_OK;
}

static fb_status read_spacing(const fb_fields* values, double spacing[2], fb_error* error) {
  const fb_node* node = fb_fields_value(values, "spacing");
  const fb_field* row = fb_fields_row(values, "spacing");
  fb_status status;
  if (fb_node_get_kind(node) == FB_NODE_LIST) {
    status = fb_node_numbers(node, FB_Q_LENGTH, 2, spacing, error);
  } else {
    status = fb_node_number(node, FB_Q_LENGTH, spacing, error);
    spacing[1] = spacing[0];
  }
  for (int i = 0; i < 2 && !status; i++) status = fb_field_check_range(node, row, spacing[i], error);
  return status;
}

static fb_status shape(fb_scenario* s, const fb_fields* values, fb_scenario_surface* surface,
                       fb_error* error) {
  const fb_node *rows = fb_fields_value(values, "heights"), *file = fb_fields_value(values, "file");
  fb_geometry* geometry;
  if (!rows == !file)
    return fb_node_fail(rows ? file : values->map, error, FB_ERR_CONTENT,
                        rows ? "'heights' and 'file' both give the heights; leave one of them out"
                             : "a heightfield needs 'heights', rows of numbers, or 'file', a file with them");
  fb_status status = read_spacing(values, surface->spacing, error);
  if (!status) status = rows ? read_rows(s, rows, surface, error) : read_grid_file(s, file, surface, error);
  if (status) return status;
  const fb_node* blame = rows ? rows : file;
  if (surface->nx < 2 || surface->ny < 2)
    return fb_node_fail(blame, error, FB_ERR_CONTENT,
                        "a heightfield has at least 2 rows of 2 heights, but this one has %d of %d",
                        surface->ny, surface->nx);
  status = fb_geometry_new_heights(surface->nx, surface->ny, surface->spacing[0], surface->spacing[1],
                                   surface->heights, &geometry, error);
  if (status) fb_node_place_error(blame, error);
  if (status) return status;
  surface->collider.geometry = geometry;
  for (int i = 0; i < 3; i++) surface->collider.size[i] = 1; /* heights as they are */
  return fb_scenario_own_geometry(s, geometry) ? FB_OK : fb_scenario_no_memory(error);
}

static void put_shape(fb_json* json, const fb_scenario* s, const fb_scenario_surface* surface) {
  (void)s;
  fb_json_put_numbers(json, "spacing", surface->spacing, 2);
  fb_json_put_matrix(json, "heights", surface->heights, surface->ny, surface->nx);
}

const fb_kind fb_kind_surface_heightfield = {
    .schema = {.help = "a grid of heights", .keys = "file heights spacing!"},
    .collider = FB_COLLIDER_HEIGHTFIELD,
    .shape = shape,
    .put_shape = put_shape};
