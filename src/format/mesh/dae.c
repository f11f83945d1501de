/* dae.c -- COLLADA (.dae), versions 1.4 and 1.5: the triangles of all geometries that its scene places.
 *
 * A vertex is that of the geometry, moved by the matrices of the nodes above it and by the unit of the file, in metres. The
 * axis that points upward (<up_axis>) is not applied: URDFs place the coordinates as the file has them, and so does RViz. Of
 * 20 files of public robots that say Y_UP and have an STL of the same part, all 20 agree with it unturned.
 *
 * Polygons are cut into fans. Lines, splines, the
 * bones of skins, colours and textures are not read. Work is bounded, whatever a file
 * says: elements, nodes visited (an <instance_node> may name a node above itself), and triangles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "base/grow.h"
#include "format/mesh/build.h"
#include "format/xml/xml.h"
#include "model/definition/name_index.h"

enum { MOST_ELEMENTS = 4000000, MOST_NODES = 100000, MOST_WORK = 40000000, DEEPEST = 64, STRIDE_MOST = 64 };

typedef struct affine {
  double m[12]; /* rows of a 3 x 4 matrix */
} affine;

typedef struct place {
  int node, depth;
  affine at;
} place;

typedef struct dae {
  fb_mesh_build* build;
  fb_xml* xml;
  fb_name* ids; /* elements by their id, sorted */
  int nid;
  place* places; /* nodes that are still to be visited */
  size_t nplace, place_room;
  int visited;
  long work;       /* vertices, corners, faces and elements read so far, as often as the scene places them */
  unsigned* index; /* of the geometry at hand: the mesh's number of each vertex, plus 1; 0: not yet there */
  float* position;
  size_t nposition, position_room;
} dae;

static int is(const dae* d, int element, const char* name) {
  return strcmp(fb_xml_name(d->xml, element), name) == 0;
}

/* The element that an attribute names by "#id"; FB_XML_NONE when there is none. */
static int find(const dae* d, int element, const char* attribute) {
  const char* address = fb_xml_attribute(d->xml, element, attribute);
  return address && address[0] == '#' ? fb_names_find(d->ids, d->nid, address + 1) : FB_XML_NONE;
}

/* Up to `count` numbers of a text; how many there are. */
static int read_numbers(const char* text, double* out, int count) {
  int i = 0;
  for (; i < count; i++) {
    text += strspn(text, " \t\r\n");
    const char* end = fb_number_parse(text, &out[i]);
    if (!end) break;
    text = end;
  }
  return i;
}

/* --- matrices --- */

static affine affine_identity(void) {
  return (affine){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
}

static affine affine_multiply(const affine* a, const affine* b) {
  affine c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      c.m[4 * i + j] = j == 3 ? a->m[4 * i + 3] : 0;
      for (int k = 0; k < 3; k++) c.m[4 * i + j] += a->m[4 * i + k] * b->m[4 * k + j];
    }
  return c;
}

static double affine_determinant(const affine* a) {
  const double* m = a->m;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
         m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* About an axis by an angle in degrees [Rodrigues]. */
static affine affine_rotation(const double x[4]) {
  affine r = affine_identity();
  double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  if (!(length > 0)) return r;
  double angle = x[3] * 0.017453292519943295, c = cos(angle), s = sin(angle);
  double u[3] = {x[0] / length, x[1] / length, x[2] / length};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int k = 3 - i - j;
      double cross = i == j ? 0 : (j - i + 3) % 3 == 1 ? -u[k] : u[k];
      r.m[4 * i + j] = (i == j ? c : 0) + (1 - c) * u[i] * u[j] + s * cross;
    }
  return r;
}

/* What one child of a node adds to its matrix; 0 when it is no transformation. */
static int read_transformation(const dae* d, int element, affine* out) {
  double x[16];
  const char* text = fb_xml_text(d->xml, element);
  *out = affine_identity();
  if (is(d, element, "matrix") && read_numbers(text, x, 16) == 16) {
    memcpy(out->m, x, sizeof out->m);
  } else if (is(d, element, "translate") && read_numbers(text, x, 3) == 3) {
    for (int i = 0; i < 3; i++) out->m[4 * i + 3] = x[i];
  } else if (is(d, element, "scale") && read_numbers(text, x, 3) == 3) {
    for (int i = 0; i < 3; i++) out->m[5 * i] = x[i];
  } else if (is(d, element, "rotate") && read_numbers(text, x, 4) == 4) {
    *out = affine_rotation(x);
  } else {
    return 0;
  }
  return 1;
}

/* --- geometry --- */

static fb_status bad(const dae* d, int element, const char* what) {
  return fb_mesh_fail(d->build, fb_xml_place(d->xml, element).line, "<%s> %s", fb_xml_name(d->xml, element),
                      what);
}

/* Counts what a file can make long; a status once it is too much. */
static fb_status count_work(dae* d, int element) {
  return ++d->work > MOST_WORK ? bad(d, element, "makes the mesh too large to be read") : FB_OK;
}

/* The <source> with the positions that a primitive's VERTEX input leads to; FB_XML_NONE when it leads nowhere. */
static int find_positions(const dae* d, int input) {
  int vertices = find(d, input, "source");
  if (vertices == FB_XML_NONE || is(d, vertices, "source")) return vertices;
  for (int e = fb_xml_first(d->xml, vertices); e != FB_XML_NONE; e = fb_xml_next(d->xml, e)) {
    const char* semantic = fb_xml_attribute(d->xml, e, "semantic");
    if (semantic && strcmp(semantic, "POSITION") == 0) return find(d, e, "source");
  }
  return FB_XML_NONE;
}

/* How many numbers a vertex has, of which the first three are its place. */
static int stride_of(const dae* d, int source) {
  int common = fb_xml_child(d->xml, source, "technique_common");
  int accessor = common == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(d->xml, common, "accessor");
  const char* text = accessor == FB_XML_NONE ? NULL : fb_xml_attribute(d->xml, accessor, "stride");
  long stride = text ? strtol(text, NULL, 10) : 3;
  return stride >= 3 && stride <= STRIDE_MOST ? (int)stride : 3;
}

static fb_status add_position(dae* d, int source, const affine* at, const double x[3]) {
  float p[3];
  for (int i = 0; i < 3; i++) {
    const double* row = at->m + 4 * i;
    p[i] = (float)(row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3]);
    if (!isfinite(p[i])) return bad(d, source, "has a vertex that is not finite");
  }
  fb_status status = count_work(d, source);
  if (status != FB_OK) return status;
  if (!fb_grow(&d->position, 3 * d->nposition, 3, &d->position_room, sizeof *d->position))
    return fb_mesh_no_memory(d->build);
  memcpy(d->position + 3 * d->nposition++, p, sizeof p);
  return FB_OK;
}

/* The positions of a source, placed. */
static fb_status read_positions(dae* d, int source, const affine* at) {
  int array = fb_xml_child(d->xml, source, "float_array"), stride = stride_of(d, source);
  double x[STRIDE_MOST];
  fb_status status = FB_OK;
  d->nposition = 0;
  if (array == FB_XML_NONE) return bad(d, source, "has no <float_array>");
  const char* text = fb_xml_text(d->xml, array);
  while (status == FB_OK && read_numbers(text, x, stride) == stride) {
    status = add_position(d, source, at, x);
    for (int i = 0; i < stride; i++) {
      text += strspn(text, " \t\r\n");
      text += strcspn(text, " \t\r\n");
    }
  }
  free(d->index);
  d->index = calloc(d->nposition + 1, sizeof *d->index);
  return status == FB_OK && !d->index ? fb_mesh_no_memory(d->build) : status;
}

/* A <p> while it is read: every stride-th number is a vertex. */
typedef struct corners {
  const char* text;
  int stride, offset;
} corners;

static fb_status next_corner(dae* d, int element, corners* c, unsigned* vertex, int* there) {
  long number = -1;
  *there = 0;
  for (int i = 0; i < c->stride; i++) {
    char* end;
    long x = strtol(c->text, &end, 10);
    if (end == c->text) return FB_OK;
    if (i == c->offset) number = x;
    c->text = end;
  }
  fb_status status = count_work(d, element);
  if (status != FB_OK) return status;
  if (number < 0 || (size_t)number >= d->nposition)
    return bad(d, element, "names a vertex that is not there");
  if (!d->index[number]) {
    status = fb_mesh_vertex(d->build, d->position + 3 * number, vertex);
    if (status != FB_OK) return status;
    d->index[number] = *vertex + 1;
  }
  *vertex = d->index[number] - 1;
  *there = 1;
  return FB_OK;
}

/* How the corners of a <p> make triangles. */
typedef enum pattern { FAN, STRIP } pattern;

/* `count` corners, or all that there are when it is negative; *read is how many they were. */
static fb_status read_face(dae* d, int element, corners* c, long count, pattern how, int mirrored,
                           long* read) {
  unsigned first = 0, last = 0, corner = 0;
  for (*read = 0; count < 0 || *read < count; ++*read) {
    int there;
    fb_status status = next_corner(d, element, c, &corner, &there);
    if (status != FB_OK || !there) return status;
    int flip = mirrored ^ (how == STRIP && *read % 2 == 1);
    if (*read >= 2) status = fb_mesh_triangle(d->build, first, flip ? corner : last, flip ? last : corner);
    if (status != FB_OK) return status;
    if (*read == 0 || (how == STRIP && *read >= 2)) first = *read == 0 ? corner : last;
    last = corner;
  }
  return FB_OK;
}

/* One <p>: of triangles, of the polygons of a <polylist>, or of one polygon, fan or strip. */
static fb_status read_p(dae* d, int primitive, int p, corners c, int mirrored) {
  fb_status status = FB_OK;
  long read = 1, count = is(d, primitive, "triangles") ? 3 : -1;
  int vcount = is(d, primitive, "polylist") ? fb_xml_child(d->xml, primitive, "vcount") : FB_XML_NONE;
  const char* counts = vcount == FB_XML_NONE ? NULL : fb_xml_text(d->xml, vcount);
  pattern how = is(d, primitive, "tristrips") ? STRIP : FAN;
  c.text = fb_xml_text(d->xml, p);
  do {
    char* end;
    if (counts) {
      count = strtol(counts, &end, 10);
      if (end == counts || count < 0) break;
      counts = end;
    }
    status = count_work(d, p);
    if (status == FB_OK) status = read_face(d, p, &c, count, how, mirrored, &read);
  } while (status == FB_OK && (counts ? read == count : count > 0 && read > 0));
  return status;
}

/* <triangles>, <polylist> and the like. */
static fb_status read_primitive(dae* d, int primitive, const affine* at, int* source) {
  corners c = {NULL, 1, -1};
  int positions = FB_XML_NONE;
  for (int e = fb_xml_first(d->xml, primitive); e != FB_XML_NONE; e = fb_xml_next(d->xml, e)) {
    fb_status status = count_work(d, e);
    if (status != FB_OK) return status;
    if (!is(d, e, "input")) continue;
    const char *offset = fb_xml_attribute(d->xml, e, "offset"),
               *semantic = fb_xml_attribute(d->xml, e, "semantic");
    long at_number = offset ? strtol(offset, NULL, 10) : 0;
    if (at_number < 0 || at_number >= STRIDE_MOST) return bad(d, e, "has an offset that cannot be one");
    if (at_number >= c.stride) c.stride = (int)at_number + 1;
    if (!semantic || strcmp(semantic, "VERTEX") != 0) continue;
    c.offset = (int)at_number;
    positions = find_positions(d, e);
  }
  if (c.offset < 0) return FB_OK; /* nothing to draw */
  if (positions == FB_XML_NONE) return bad(d, primitive, "has no positions");
  fb_status status = positions == *source ? FB_OK : read_positions(d, positions, at);
  *source = positions;
  int mirrored = affine_determinant(at) < 0;
  for (int e = fb_xml_first(d->xml, primitive); e != FB_XML_NONE && status == FB_OK;
       e = fb_xml_next(d->xml, e)) {
    int p = is(d, e, "ph") ? fb_xml_child(d->xml, e, "p") : is(d, e, "p") ? e : FB_XML_NONE;
    if (p != FB_XML_NONE) status = read_p(d, primitive, p, c, mirrored);
  }
  return status;
}

static fb_status read_geometry(dae* d, int geometry, const affine* at) {
  static const char* const names[] = {"triangles", "polylist", "polygons", "trifans", "tristrips"};
  int mesh = fb_xml_child(d->xml, geometry, "mesh"), source = FB_XML_NONE;
  fb_status status = FB_OK;
  if (mesh == FB_XML_NONE) return FB_OK;
  for (int e = fb_xml_first(d->xml, mesh); e != FB_XML_NONE && status == FB_OK; e = fb_xml_next(d->xml, e)) {
    status = count_work(d, e);
    for (size_t i = 0; i < sizeof names / sizeof *names && status == FB_OK; i++)
      if (is(d, e, names[i])) status = read_primitive(d, e, at, &source);
  }
  return status;
}

/* --- the scene --- */

/* What an <instance_geometry> places, or an <instance_controller>: the geometry that its skin is made of. */
static int find_geometry(const dae* d, int instance) {
  int named = find(d, instance, "url");
  int skin = named == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(d->xml, named, "skin");
  return skin == FB_XML_NONE ? named : find(d, skin, "source");
}

static fb_status push(dae* d, int node, int depth, const affine* at) {
  if (depth > DEEPEST) return bad(d, node, "is nested too deeply");
  if (!fb_grow(&d->places, d->nplace, 1, &d->place_room, sizeof *d->places))
    return fb_mesh_no_memory(d->build);
  d->places[d->nplace++] = (place){node, depth, *at};
  return FB_OK;
}

static fb_status visit(dae* d, place here) {
  fb_status status =
      ++d->visited > MOST_NODES ? bad(d, here.node, "is beyond the most nodes that are read") : FB_OK;
  for (int e = fb_xml_first(d->xml, here.node); e != FB_XML_NONE && status == FB_OK;
       e = fb_xml_next(d->xml, e)) {
    affine step;
    int named;
    if (read_transformation(d, e, &step))
      here.at = affine_multiply(&here.at, &step);
    else if (is(d, e, "node"))
      status = push(d, e, here.depth + 1, &here.at);
    else if (is(d, e, "instance_node") && (named = find(d, e, "url")) != FB_XML_NONE)
      status = push(d, named, here.depth + 1, &here.at);
    else if ((is(d, e, "instance_geometry") || is(d, e, "instance_controller")) &&
             (named = find_geometry(d, e)) != FB_XML_NONE)
      status = read_geometry(d, named, &here.at);
  }
  return status;
}

/* The scene that is named by <scene>, or the first; FB_XML_NONE when there is none. */
static int find_scene(const dae* d) {
  int scene = fb_xml_child(d->xml, 0, "scene");
  int instance = scene == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(d->xml, scene, "instance_visual_scene");
  int named = instance == FB_XML_NONE ? FB_XML_NONE : find(d, instance, "url");
  if (named != FB_XML_NONE) return named;
  int library = fb_xml_child(d->xml, 0, "library_visual_scenes");
  return library == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(d->xml, library, "visual_scene");
}

/* Metres in a unit of the file. */
static affine read_unit(const dae* d) {
  affine at = affine_identity();
  int asset = fb_xml_child(d->xml, 0, "asset");
  int unit = asset == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(d->xml, asset, "unit");
  const char* text = unit == FB_XML_NONE ? NULL : fb_xml_attribute(d->xml, unit, "meter");
  double meter = 1;
  if (!text || !fb_number_parse(text, &meter) || !(meter > 0 && isfinite(meter))) return at;
  for (int i = 0; i < 3; i++) at.m[5 * i] = meter;
  return at;
}

static fb_status read_scene(dae* d) {
  affine at = read_unit(d);
  int scene = find_scene(d);
  fb_status status = FB_OK;
  if (scene == FB_XML_NONE) { /* parts that nothing places */
    int library = fb_xml_child(d->xml, 0, "library_geometries");
    int e = library == FB_XML_NONE ? FB_XML_NONE : fb_xml_first(d->xml, library);
    for (; e != FB_XML_NONE && status == FB_OK; e = fb_xml_next(d->xml, e)) status = read_geometry(d, e, &at);
    return status;
  }
  status = push(d, scene, 0, &at);
  while (d->nplace > 0 && status == FB_OK) status = visit(d, d->places[--d->nplace]);
  return status;
}

static int list_ids(dae* d) {
  int count = fb_xml_count(d->xml);
  d->ids = calloc((size_t)count + 1, sizeof *d->ids);
  if (!d->ids) return 0;
  for (int e = 0; e < count; e++) {
    const char* id = fb_xml_attribute(d->xml, e, "id");
    if (id) d->ids[d->nid++] = (fb_name){id, e};
  }
  fb_names_sort(d->ids, d->nid);
  return 1;
}

int fb_dae_is(const fb_mesh_build* b) {
  return fb_xml_starts((const char*)b->data, b->size);
}

fb_status fb_dae_read(fb_mesh_build* b) {
  dae d = {.build = b};
  fb_status status =
      fb_xml_parse_texts((const char*)b->data, b->size, b->name, MOST_ELEMENTS, &d.xml, b->error);
  if (status && status != FB_ERR_MEMORY) status = FB_ERR_CONTENT; /* no mesh, whatever is wrong with it */
  if (status && b->error) b->error->status = status;
  if (status) return status;
  if (!is(&d, 0, "COLLADA"))
    status = fb_mesh_fail(b, 1, "XML, but <%s> is no mesh; <COLLADA> is", fb_xml_name(d.xml, 0));
  else
    status = list_ids(&d) ? read_scene(&d) : fb_mesh_no_memory(b);
  free(d.ids);
  free(d.places);
  free(d.index);
  free(d.position);
  fb_xml_free(d.xml);
  return status;
}
