/* anchors.h -- the anchors of a YAML document (&name) and the copies that their aliases (*name) stand for. */
#ifndef FB_DOCUMENT_ANCHORS_H
#define FB_DOCUMENT_ANCHORS_H

#include "document/tree.h"

enum {
  FB_DOC_MAX_ANCHORS = 10000,
  FB_DOC_MAX_REPEATED = 200000 /* values that all aliases of a document stand for, together */
};

/* A value that has ended. Its nodes have ids that follow one another, and so have its children: see parse.c. */
typedef struct fb_anchor {
  size_t name;    /* where it begins in doc->text */
  int first, end; /* nodes; the first is the value itself */
  size_t first_child, end_child;
  int height; /* lists and maps in one another: 0 for a scalar */
} fb_anchor;

/* Sorted by name. */
typedef struct fb_anchors {
  fb_anchor* items;
  size_t count, room;
  size_t repeated; /* nodes */
} fb_anchors;

/* Takes an anchor in; one of the same name is forgotten, as YAML has it. */
fb_status fb_anchors_add(fb_anchors* anchors, const fb_doc* doc, const fb_anchor* anchor, fb_error* error);
/* The anchor of an alias; an error that names the nearest when there is none. */
fb_status fb_anchors_find(const fb_anchors* anchors, const fb_doc* doc, const char* name, fb_place place,
                          const fb_anchor** anchor, fb_error* error);
/* Appends a copy of its nodes, which keep their places and share their texts. *id is the copy of the value. */
fb_status fb_anchors_repeat(fb_anchors* anchors, fb_doc* doc, const fb_anchor* anchor, fb_place place,
                            int* id, fb_error* error);

/* Puts the pairs of the maps that stand under a map's '<<' (the node `merged`: a map or a list of maps) in place of
 * it. The map's own keys win, then the earlier map. The children of the map are closed already. */
fb_status fb_doc_merge(fb_doc* doc, int map, int merged, fb_error* error);

#endif
