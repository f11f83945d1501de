/* info_tree.c -- the tree of bodies, drawn without recursion and with bounded indentation, so that a
 * chain of ten thousand bodies prints as well as a robot of ten. */
#include <stdlib.h>
#include <string.h>

#include "model/info.h"

/* Levels that are drawn; deeper bodies stand in the last one, with their depth in numbers. */
enum { DRAWN_LEVELS = 24, PREFIX_SIZE = DRAWN_LEVELS * 8 + 64 };

typedef struct tree_lines {
  const char *down, *gap, *fork, *last;
} tree_lines;

static const tree_lines BOX = {"\u2502  ", "   ", "\u251c\u2500 ", "\u2514\u2500 "};
static const tree_lines ASCII = {"|  ", "   ", "|- ", "`- "};

static void axis_text(const fb_model* m, int body, char* text, size_t size) {
  char first[96], second[96];
  double axis[3], axis2[3];
  int count = fb_joint_axes(m, body, axis, axis2);
  text[0] = 0;
  if (count > 0) snprintf(text, size, "%s", cmd_info_vector(axis, 3, first, sizeof first));
  if (count > 1) snprintf(text, size, "%s, %s", first, cmd_info_vector(axis2, 3, second, sizeof second));
}

/* The names of a body's frames; a long list ends in a count. */
static void frames_text(const fb_model_def* def, int body, char* text, size_t size) {
  int count = fb_model_def_nframe(def, body);
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    const char* name = fb_model_def_frame(def, body, i)->name;
    if (used + strlen(name) + 24 > size) {
      snprintf(text + used, size - used, " and %d more", count - i);
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name);
  }
}

static void add_row(const cmd_info* info, cmd_table* table, int body, const char* prefix, int depth) {
  const fb_model* m = info->model;
  char axis[256], frames[256];
  axis_text(m, body, axis, sizeof axis);
  frames_text(info->def, body, frames, sizeof frames);
  cmd_table_cells(table, depth > DRAWN_LEVELS ? "%s%s (depth %d)" : "%s%s", prefix, fb_body_name(m, body),
                  depth);
  cmd_table_cells(table, "%s\t%s\t%d\t%.6g\t%s", fb_joint_type_name(fb_joint_type_of(m, body)), axis,
                  fb_joint_nv(m, body), fb_body_mass(m, body), frames);
}

/* The lines left of a body: one piece a level above it, then its own fork. */
static void draw_prefix(const tree_lines* lines, const char* has_next, int depth, char* prefix) {
  int levels = depth < DRAWN_LEVELS ? depth : DRAWN_LEVELS;
  prefix[0] = 0;
  for (int level = 1; level < levels; level++) strcat(prefix, has_next[level] ? lines->down : lines->gap);
  strcat(prefix, depth > DRAWN_LEVELS || has_next[levels] ? lines->fork : lines->last);
}

/* For each body whether a later one has the same parent: 1, or 0. */
static char* find_siblings(const fb_model* m) {
  int nbody = fb_model_nbody(m);
  char* has_next = cmd_take((size_t)nbody, 1);
  char* has_child = cmd_take((size_t)nbody, 1); /* among those seen */
  for (int i = nbody - 1; i >= 1; i--) {
    int body = fb_model_traversal(m, i), parent = fb_body_parent(m, body);
    has_next[body] = has_child[parent];
    has_child[parent] = 1;
  }
  free(has_child);
  return has_next;
}

void cmd_info_print_tree(const cmd_info* info) {
  static const char* const headers[] = {"body", "joint", "axis", "dof", "mass [kg]", "frames"};
  const tree_lines* lines = info->ascii ? &ASCII : &BOX;
  const fb_model* m = info->model;
  char* siblings = find_siblings(m);
  int* depth = cmd_take((size_t)fb_model_nbody(m), sizeof *depth);
  cmd_table* table = cmd_table_new(6, headers);
  cmd_table_cells(table, "world\t\t\t\t\t");
  char has_next[DRAWN_LEVELS + 1] = {0};
  char prefix[PREFIX_SIZE];
  for (int i = 1; i < fb_model_nbody(m); i++) {
    int body = fb_model_traversal(m, i), level = depth[body] = depth[fb_body_parent(m, body)] + 1;
    if (level <= DRAWN_LEVELS) has_next[level] = siblings[body];
    draw_prefix(lines, has_next, level, prefix);
    add_row(info, table, body, prefix, level);
  }
  cmd_table_end(table, stdout, info->app->color_out);
  free(siblings);
  free(depth);
}
