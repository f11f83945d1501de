/* whole.c -- an MJCF file that needs no other: what it includes is put in its place, and masses that come from meshes are
 * written down, so that the copy in a run's folder gives the same model to the last digit wherever it is read.
 *
 * Elements are copied as they are written. Each body whose mass comes from geoms gets an <inertial> behind all else in it,
 * which is the one that is read, and a last <compiler> switches off what would change it again. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/reader.h"
#include "format/xml/print.h"

typedef struct place {
  int doc, element;
} place;

typedef struct walk {
  const fb_mjcf_reader* r;
  fb_text out;
  place* open; /* elements, and files that are included, whose end is not written yet */
  size_t nopen, open_room;
  int*
      body_of; /* of each element of the main file and the others, one after the other: a body of the definition, or 0 */
  size_t* first; /* of each document: its first element there */
} walk;

/* The document that an <include> has brought; -1 for other elements. */
static int included(const walk* w, place at) {
  const fb_mjcf_tree* t = &w->r->tree;
  for (size_t i = 0; i < t->ninclude; i++)
    if (t->includes[i].doc == at.doc && t->includes[i].element == at.element) return t->includes[i].opened;
  return -1;
}

static void open_tag(walk* w, place at) {
  const char* bad = NULL;
  fb_xml* xml = w->r->tree.docs[at.doc].xml;
  fb_text_printf(&w->out, "<%s", fb_xml_name(xml, at.element));
  for (int i = 0; i < fb_xml_attribute_count(xml, at.element); i++) {
    const char* name = fb_xml_attribute_name(xml, at.element, i);
    fb_xml_add_attribute(&w->out, name, fb_xml_attribute(xml, at.element, name), &bad);
  }
  fb_text_add(&w->out, ">\n");
}

static void add_inertial(walk* w, int id) {
  const fb_body_def* body = fb_model_def_body(w->r->def, id);
  fb_text_add(&w->out, "<inertial");
  fb_xml_add_numbers(&w->out, "pos", body->com, 3);
  fb_xml_add_numbers(&w->out, "mass", &body->mass, 1);
  fb_xml_add_numbers(&w->out, "fullinertia", body->inertia, 6);
  fb_text_add(&w->out, "/>\n");
}

static void close_tag(walk* w, place at) {
  if (included(w, at) >= 0) return;
  int id = w->body_of[w->first[at.doc] + (size_t)at.element];
  if (id > 0) add_inertial(w, id);
  if (at.doc == 0 && at.element == 0)
    fb_text_add(
        &w->out,
        "<compiler inertiafromgeom=\"auto\" balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\" "
        "settotalmass=\"-1\"/>\n");
  fb_text_printf(&w->out, "</%s>\n", fb_xml_name(w->r->tree.docs[at.doc].xml, at.element));
}

/* What comes first inside an element: of an <include>, in the other file. */
static place inside(const walk* w, place at) {
  int doc = included(w, at);
  if (doc >= 0) return (place){doc, fb_xml_first(w->r->tree.docs[doc].xml, 0)};
  return (place){at.doc, fb_xml_first(w->r->tree.docs[at.doc].xml, at.element)};
}

/* Goes down as far as it can, then on to the next sibling of the nearest element that has one. */
static int print_all(walk* w) {
  place at = {0, 0};
  for (;;) {
    if (included(w, at) < 0) open_tag(w, at);
    if (!fb_grow(&w->open, w->nopen, 1, &w->open_room, sizeof *w->open)) return 0;
    w->open[w->nopen++] = at;
    place next = inside(w, at);
    while (next.element == FB_XML_NONE) {
      at = w->open[--w->nopen];
      close_tag(w, at);
      if (w->nopen == 0) return 1;
      next = (place){at.doc, fb_xml_next(w->r->tree.docs[at.doc].xml, at.element)};
    }
    at = next;
  }
}

/* Bodies whose mass was computed; copies of one by <replicate> have the same. */
static int find_bodies(walk* w) {
  const fb_mjcf_reader* r = w->r;
  size_t total = 0;
  w->first = calloc(r->tree.ndoc + 1, sizeof *w->first);
  if (!w->first) return 0;
  for (size_t i = 0; i < r->tree.ndoc; i++) {
    w->first[i] = total;
    total += (size_t)fb_xml_count(r->tree.docs[i].xml);
  }
  w->body_of = calloc(total + 1, sizeof *w->body_of);
  if (!w->body_of) return 0;
  for (size_t b = 1; b < r->nbody; b++) {
    const fb_mjcf_node* node = &r->tree.nodes[r->bodies[b].node];
    int has_geom = 0;
    for (int e = r->bodies[b].first; e != FB_MJCF_NONE; e = r->next_item[e])
      has_geom |= fb_mjcf_is(&r->tree, e, "geom");
    if (has_geom && fb_model_def_body(r->def, r->bodies[b].id)->mass > 0)
      w->body_of[w->first[node->doc] + (size_t)node->element] = r->bodies[b].id;
  }
  return 1;
}

/* Whether the file alone does not give the model. */
static int needs_others(const fb_mjcf_reader* r) {
  return r->tree.ndoc > 1 || r->read_mesh;
}

fb_status fb_mjcf_print_whole(const fb_mjcf_reader* r, char** text, size_t* size) {
  walk w = {.r = r};
  *text = NULL;
  if (!needs_others(r)) return FB_OK;
  int done = find_bodies(&w) && print_all(&w);
  free(w.open);
  free(w.first);
  free(w.body_of);
  if (done) *text = fb_text_take(&w.out, size);
  free(w.out.data);
  return *text ? FB_OK : fb_mjcf_no_memory(r);
}
