/* whole.c -- an MJCF file that needs no other: what it includes is put in its place, and masses that come from meshes are
 * written down, so that the copy in a run's folder gives the same model to the last digit wherever it is read.
 *
 * Elements are copied as they are written, but for geoms that are fitted to a mesh, which get the sizes and the pose that
 * follow. Each body whose mass comes from geoms gets an <inertial> behind all else in it,
 * which is the one that is read, and a last <compiler> switches off what would change it again. */
#include <stdlib.h>

#include "base/grow.h"
#include "format/mjcf/reader.h"
#include "format/xml/xml.h"

typedef struct place {
  int doc, element;
} place;

typedef struct walk {
  fb_mjcf_reader* r;
  fb_text out;
  place* open; /* elements, and files that are included, whose end is not written yet */
  size_t nopen, open_room;
  /* Of each element of the main file and the others, one after the other: */
  int* body_of;   /* a body of the definition, or 0 */
  int* fitted_of; /* the node of a geom that is fitted to a mesh, or 0 */
  size_t* first;  /* of each document: its first element there */
} walk;

/* The document that an <include> has brought; -1 for other elements. */
static int included(const walk* w, place at) {
  const fb_mjcf_tree* t = &w->r->tree;
  for (size_t i = 0; i < t->ninclude; i++)
    if (t->includes[i].doc == at.doc && t->includes[i].element == at.element) return t->includes[i].opened;
  return -1;
}

/* What a fitted geom has instead of a mesh. */
static const char REPLACED[] = " mesh fitscale type size pos quat axisangle euler xyaxes zaxis ";

static void add_fitted(walk* w, int node) {
  static const char* const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const char* bad = NULL;
  fb_mjcf_geom geom;
  if (fb_mjcf_read_geom(w->r, node, &geom)) return; /* it was read before */
  fb_xml_add_attribute(&w->out, "type", types[geom.type - FB_MJCF_SPHERE], &bad);
  fb_xml_add_numbers(&w->out, "size", geom.size, 3);
  fb_xml_add_numbers(&w->out, "pos", geom.mesh_p, 3);
  fb_xml_add_numbers(&w->out, "quat", geom.mesh_q, 4);
}

static void open_tag(walk* w, place at) {
  const char* bad = NULL;
  fb_xml* xml = w->r->tree.docs[at.doc].xml;
  int fitted = w->fitted_of[w->first[at.doc] + (size_t)at.element];
  fb_text_printf(&w->out, "<%s", fb_xml_name(xml, at.element));
  for (int i = 0; i < fb_xml_attribute_count(xml, at.element); i++) {
    const char* name = fb_xml_attribute_name(xml, at.element, i);
    if (fitted && fb_is_listed(name, REPLACED)) continue;
    fb_xml_add_attribute(&w->out, name, fb_xml_attribute(xml, at.element, name), &bad);
  }
  if (fitted) add_fitted(w, fitted);
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
    fb_text_add(&w->out,
                "<compiler inertiafromgeom=\"auto\" balanceinertia=\"false\" boundmass=\"0\" "
                "boundinertia=\"0\" settotalmass=\"-1\"/>\n");
  fb_text_printf(&w->out, "</%s>\n", fb_xml_name(w->r->tree.docs[at.doc].xml, at.element));
}

/* Goes down as far as it can, then on to the next sibling of the nearest element that has one. */
static int print_all(walk* w) {
  place at = {0, 0};
  for (;;) {
    if (included(w, at) < 0) open_tag(w, at);
    if (!fb_grow(&w->open, w->nopen, 1, &w->open_room, sizeof *w->open)) return 0;
    w->open[w->nopen++] = at;
    int doc = included(w, at); /* of an <include>, what comes first inside is in the other file */
    place next = {doc >= 0 ? doc : at.doc, 0};
    next.element = fb_xml_first(w->r->tree.docs[next.doc].xml, doc >= 0 ? 0 : at.element);
    while (next.element == FB_XML_NONE) {
      at = w->open[--w->nopen];
      close_tag(w, at);
      if (w->nopen == 0) return 1;
      next = (place){at.doc, fb_xml_next(w->r->tree.docs[at.doc].xml, at.element)};
    }
    at = next;
  }
}

/* Whether a geom of a body is a primitive with a mesh that could be read. */
static int is_fitted(fb_mjcf_reader* r, int node) {
  fb_mjcf_geom geom;
  return fb_mjcf_read_geom(r, node, &geom) == FB_OK && geom.fitted && geom.size[0] > 0;
}

/* Bodies whose mass was computed, and geoms whose size was; copies of one by <replicate> have the same. */
static int find_computed(walk* w) {
  fb_mjcf_reader* r = w->r;
  size_t total = 0;
  w->first = calloc(r->tree.ndoc + 1, sizeof *w->first);
  if (!w->first) return 0;
  for (size_t i = 0; i < r->tree.ndoc; i++) {
    w->first[i] = total;
    total += (size_t)fb_xml_count(r->tree.docs[i].xml);
  }
  w->body_of = calloc(2 * total + 1, sizeof *w->body_of);
  if (!w->body_of) return 0;
  w->fitted_of = w->body_of + total;
  for (size_t b = 0; b < r->nbody; b++) {
    const fb_mjcf_node* node = &r->tree.nodes[r->bodies[b].node];
    int has_geom = 0;
    for (int e = r->bodies[b].first; e != FB_MJCF_NONE; e = r->next_item[e]) {
      if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
      const fb_mjcf_node* geom = &r->tree.nodes[e];
      has_geom = 1;
      if (is_fitted(r, e)) w->fitted_of[w->first[geom->doc] + (size_t)geom->element] = e;
    }
    if (b > 0 && has_geom && fb_model_def_body(r->def, r->bodies[b].id)->mass > 0)
      w->body_of[w->first[node->doc] + (size_t)node->element] = r->bodies[b].id;
  }
  return 1;
}

fb_status fb_mjcf_print_whole(fb_mjcf_reader* r, char** text, size_t* size) {
  walk w = {.r = r};
  *text = NULL;
  if (r->tree.ndoc <= 1 && !r->read_mesh) return FB_OK; /* the file alone gives the model */
  int done = find_computed(&w) && print_all(&w);
  free(w.open);
  free(w.first);
  free(w.body_of);
  if (done) *text = fb_text_take(&w.out, size);
  free(w.out.data);
  return *text ? FB_OK : fb_mjcf_no_memory(r);
}
