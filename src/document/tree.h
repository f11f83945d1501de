/* tree.h -- internals of fb_doc, shared by its builder and its readers. */
#ifndef FB_DOCUMENT_TREE_H
#define FB_DOCUMENT_TREE_H

#include <stdint.h>

#include "document/document.h"

struct fb_node {
  const fb_doc* doc;
  const char* file; /* what it was set by, as messages name it; NULL: the document's own file */
  fb_node_kind kind;
  int quoted;
  fb_place place, key_place;
  int parent, index; /* parent -1: the root */
  int count;
  size_t first; /* of a list or map: index of its first child in doc->children */
  size_t text;  /* of a scalar: where its text begins in doc->text */
  size_t key;   /* of a map's value: where its key begins */
};

struct fb_doc {
  char* name;
  fb_node* nodes;
  size_t node_count, node_room;
  int* children; /* large maps: count ids in file order, then the same sorted by key */
  size_t child_count, child_room;
  char* text;
  size_t text_size, text_room;
  int root;
};

/* Building blocks of document/parse.c. -1, SIZE_MAX, 0: out of memory. */
size_t fb_doc_add_text(fb_doc* doc, const char* text, size_t size);
int fb_doc_add_node(fb_doc* doc, const fb_node* node);
int fb_doc_add_children(fb_doc* doc, int id, const int* children, int count);
/* Once the children are there: sorts the keys; *repeated is a node whose key repeats that of *first, or -1. */
fb_status fb_doc_close_map(fb_doc* doc, int map, int* repeated, int* first);
/* Gives a map other children, whose parents and indices are right already and whose keys differ. */
int fb_doc_replace_children(fb_doc* doc, int map, const int* children, int count);

#endif
