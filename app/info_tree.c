/* info_tree.c -- the tree of bodies, drawn without recursion and with bounded indentation, so that a
 * chain of ten thousand bodies prints as well as a robot of ten. */
#include <stdlib.h>
#include <string.h>

#include "info.h"

/* Levels that are drawn; deeper bodies stand in the last one, with their depth in numbers. */
enum { DRAWN_LEVELS = 24, PREFIX_SIZE = DRAWN_LEVELS * 8 + 64 };

typedef struct tree_lines {
  const char *down, *gap, *fork, *last;
} tree_lines;

static const tree_lines BOX = {"\u2502  ", "   ", "\u251c\u2500 ", "\u2514\u2500 "};
static const tree_lines ASCII = {"|  ", "   ", "|- ", "`- "};

/* First child and next sibling of every body, in file order; the world's children are the roots. */
typedef struct tree_links {
  int *child, *sibling;
} tree_links;

static tree_links link_bodies(const fb_model* m) {
  int n = fb_model_nbody(m);
  tree_links links = {(int*)fb_take((size_t)n, sizeof(int)), (int*)fb_take((size_t)n, sizeof(int))};
  /* From the last to the first, each put in front of its siblings. Body 0 is nobody's child: 0 is "none". */
  for (int b = n - 1; b >= 1; b--) {
    int parent = fb_body_parent(m, b);
    links.sibling[b] = links.child[parent];
    links.child[parent] = b;
  }
  return links;
}

static void axis_text(const fb_joint_def* joint, char* text, size_t size) {
  char first[96], second[96];
  double axis[3], axis2[3];
  int count = fb_info_axes(joint, axis, axis2);
  text[0] = 0;
  if (count > 0) snprintf(text, size, "%s", fb_info_vector(axis, 3, first, sizeof first));
  if (count > 1) snprintf(text, size, "%s, %s", first, fb_info_vector(axis2, 3, second, sizeof second));
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

static void add_row(const fb_info* info, fb_table* table, int body, const char* prefix, int depth) {
  const fb_model* m = info->model;
  const fb_body_def* def = fb_model_def_body(info->def, body);
  char axis[256], frames[256];
  axis_text(&def->joint, axis, sizeof axis);
  frames_text(info->def, body, frames, sizeof frames);
  if (depth > DRAWN_LEVELS)
    fb_table_cell(table, "%s%s (depth %d)", prefix, fb_body_name(m, body), depth);
  else
    fb_table_cell(table, "%s%s", prefix, fb_body_name(m, body));
  fb_table_cell(table, "%s", fb_joint_type_name(fb_joint_get_type(m, body)));
  fb_table_cell(table, "%s", axis);
  fb_table_cell(table, "%d", fb_joint_nv(m, body));
  fb_table_cell(table, "%.6g", fb_body_mass(m, body));
  fb_table_cell(table, "%s", frames);
}

/* The lines left of a body: one piece a level above it, then its own fork. */
static void draw_prefix(const tree_lines* lines, const char* has_next, int depth, char* prefix) {
  int levels = depth < DRAWN_LEVELS ? depth : DRAWN_LEVELS;
  prefix[0] = 0;
  for (int level = 1; level < levels; level++) strcat(prefix, has_next[level] ? lines->down : lines->gap);
  strcat(prefix, depth > DRAWN_LEVELS || has_next[levels] ? lines->fork : lines->last);
}

void fb_info_print_tree(const fb_info* info) {
  static const char* const headers[] = {"body", "joint", "axis", "dof", "mass [kg]", "frames"};
  const tree_lines* lines = info->ascii ? &ASCII : &BOX;
  tree_links links = link_bodies(info->model);
  fb_table* table = fb_table_new(6, headers);
  fb_table_cell(table, "world");
  for (int c = 1; c < 6; c++) fb_table_cell(table, "%s", "");
  char has_next[DRAWN_LEVELS + 1] = {0};
  char prefix[PREFIX_SIZE];
  int depth = 1, body = links.child[FB_WORLD];
  while (body) {
    if (depth <= DRAWN_LEVELS) has_next[depth] = links.sibling[body] != 0;
    draw_prefix(lines, has_next, depth, prefix);
    add_row(info, table, body, prefix, depth);
    if (links.child[body]) {
      body = links.child[body];
      depth++;
      continue;
    }
    /* Up until there is a sibling; above the roots there is none. */
    while (body && !links.sibling[body]) {
      body = fb_body_parent(info->model, body);
      depth--;
    }
    if (body) body = links.sibling[body];
  }
  fb_table_print(table, stdout, info->app->color_out);
  fb_table_free(table);
  free(links.child);
  free(links.sibling);
}
