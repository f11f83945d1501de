/* tree.h -- the elements of an MJCF file as one tree: <include> is replaced by what the other file holds, <replicate>
 * by its copies, each in a <frame> of its own. Nodes are numbered so that parents come before their children and
 * siblings follow one another in the order of the file. Nothing recurses. */
#ifndef FB_FORMAT_MJCF_TREE_H
#define FB_FORMAT_MJCF_TREE_H

#include <stddef.h>

#include <freebody/status.h>

#include "format/xml/xml.h"

enum {
  FB_MJCF_NONE = -1,
  FB_MJCF_MOST_COPIED = 100000,
  FB_MJCF_MOST_FILES = 200,
  FB_MJCF_MOST_COPIES = 10000
};

typedef struct fb_mjcf_node {
  int doc, element; /* where it is written */
  int parent, first, last, next;
  int replica;   /* of a <replicate>: which copy this frame holds, from 0; otherwise -1 */
  size_t suffix; /* behind the names inside, an offset in the suffixes; 0: none */
} fb_mjcf_node;

typedef struct fb_mjcf_doc {
  fb_xml* xml;
  char* file; /* as it is named in messages */
} fb_mjcf_doc;

/* An <include>, and the document that it brought. */
typedef struct fb_mjcf_include {
  int doc, element, opened;
} fb_mjcf_include;

typedef struct fb_mjcf_tree {
  fb_mjcf_node* nodes;
  size_t count, room;
  fb_mjcf_doc* docs;
  size_t ndoc, doc_room;
  char* suffixes;
  size_t nsuffix, suffix_room;
  fb_mjcf_include* includes;
  size_t ninclude, include_room;
  size_t ncopied; /* nodes that <replicate> has made */
} fb_mjcf_tree;

/* `file` is the main file; others are looked for in its folder, then in that of the file that includes them. */
fb_status fb_mjcf_tree_make(const char* text, size_t size, const char* file, fb_mjcf_tree* tree,
                            fb_error* error);
void fb_mjcf_tree_free(fb_mjcf_tree* tree);

const char* fb_mjcf_tag(const fb_mjcf_tree* tree, int node); /* "frame" of a copy of <replicate> */
int fb_mjcf_is(const fb_mjcf_tree* tree, int node, const char* tag);
/* An attribute as it is written in the element itself; NULL when absent. */
const char* fb_mjcf_written(const fb_mjcf_tree* tree, int node, const char* attribute);
int fb_mjcf_child(const fb_mjcf_tree* tree, int node, const char* tag); /* the first; FB_MJCF_NONE */
/* The next element in a section of <mujoco> behind a node, -1 to begin; FB_MJCF_NONE. */
int fb_mjcf_next_in(const fb_mjcf_tree* tree, const char* section, int node);
int fb_mjcf_line(const fb_mjcf_tree* tree, int node);
fb_xml* fb_mjcf_xml(const fb_mjcf_tree* tree, int node);

#endif
