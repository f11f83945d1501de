/* test_mesh_dae.c -- meshes from COLLADA: the scene is followed, nodes and units are applied, and bad files are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mesh/mesh.h"
#include "near.h"

/* A square of side 1 in the plane z = 0, its corners counter-clockwise seen from above. */
#define SOURCE                                                                 \
  "<source id='s'><float_array>0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>" \
  "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"
#define GEOMETRY(faces) \
  "<library_geometries><geometry id='g'><mesh>" SOURCE faces "</mesh></geometry></library_geometries>"
#define SQUARE GEOMETRY("<triangles>" VERTEX "<p>0 1 2 0 2 3</p></triangles>")
#define SCENE(nodes) \
  "<library_visual_scenes><visual_scene id='w'>" nodes "</visual_scene></library_visual_scenes>"
#define PLACED "<instance_geometry url='#g'/>"

typedef struct dae_case {
  const char *name, *text; /* inside <COLLADA> */
  int ntriangle;
  double low[3], high[3]; /* the box around it */
  double up;              /* twice the area seen from above, less that seen from below */
  const char* error;      /* part of the message, when it is refused */
} dae_case;

static const dae_case CASES[] = {
    {"nothing places it", SQUARE, 2, {0, 0, 0}, {1, 1, 0}, 2, NULL},
    {"placed by a node", SQUARE SCENE("<node>" PLACED "</node>"), 2, {0, 0, 0}, {1, 1, 0}, 2, NULL},
    {"in centimetres",
     "<asset><unit meter='0.01'/></asset>" SQUARE,
     2,
     {0, 0, 0},
     {0.01, 0.01, 0},
     2e-4,
     NULL},
    {"a unit of nothing is a metre",
     "<asset><unit meter='0'/></asset>" SQUARE,
     2,
     {0, 0, 0},
     {1, 1, 0},
     2,
     NULL},
    {"the upward axis is not applied, as in RViz",
     "<asset><up_axis>Y_UP</up_axis></asset>" SQUARE,
     2,
     {0, 0, 0},
     {1, 1, 0},
     2,
     NULL},
    {"nodes in nodes, from the outside in",
     SQUARE SCENE("<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><node><scale>2 1 1</scale>"
                  "<translate>1 0 0</translate>" PLACED "</node></node>"),
     2,
     {9, 2, 0},
     {10, 4, 0},
     4,
     NULL},
    {"a matrix by rows",
     SQUARE SCENE("<node><matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>" PLACED "</node>"),
     2,
     {4, 6, 7},
     {5, 7, 7},
     2,
     NULL},
    {"a mirror keeps the outside",
     SQUARE SCENE("<node><scale>-1 1 1</scale>" PLACED "</node>"),
     2,
     {-1, 0, 0},
     {0, 1, 0},
     2,
     NULL},
    {"placed twice",
     SQUARE SCENE("<node>" PLACED "</node><node><translate>0 0 3</translate>" PLACED "</node>"),
     4,
     {0, 0, 0},
     {1, 1, 3},
     4,
     NULL},
    {"a node of a library",
     SQUARE "<library_nodes><node id='n'>" PLACED "</node></library_nodes>" SCENE(
         "<node><translate>0 0 3</translate><instance_node url='#n'/></node>"),
     2,
     {0, 0, 3},
     {1, 1, 3},
     2,
     NULL},
    {"the scene that is named",
     SQUARE "<library_visual_scenes><visual_scene id='x'/><visual_scene id='w'><node>" PLACED
            "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url='#w'/></scene>",
     2,
     {0, 0, 0},
     {1, 1, 0},
     2,
     NULL},
    {"a skin",
     SQUARE
     "<library_controllers><controller id='c'><skin source='#g'/></controller></library_controllers>" SCENE(
         "<node><instance_controller url='#c'/></node>"),
     2,
     {0, 0, 0},
     {1, 1, 0},
     2,
     NULL},
    {"normals between the vertices",
     GEOMETRY("<triangles>" VERTEX
              "<input semantic='NORMAL' source='#n' offset='1'/><p>0 7 1 7 2 7</p></triangles>"),
     1,
     {0, 0, 0},
     {1, 1, 0},
     1,
     NULL},
    {"a polylist",
     GEOMETRY("<polylist>" VERTEX "<vcount>4 3</vcount><p>0 1 2 3 0 1 2</p></polylist>"),
     3,
     {0, 0, 0},
     {1, 1, 0},
     3,
     NULL},
    {"polygons",
     GEOMETRY("<polygons>" VERTEX "<p>0 1 2 3</p><ph><p>0 1 2</p><h>1 2 3</h></ph></polygons>"),
     3,
     {0, 0, 0},
     {1, 1, 0},
     3,
     NULL},
    {"a fan", GEOMETRY("<trifans>" VERTEX "<p>0 1 2 3</p></trifans>"), 2, {0, 0, 0}, {1, 1, 0}, 2, NULL},
    {"a strip",
     GEOMETRY("<tristrips>" VERTEX "<p>0 1 3 2</p></tristrips>"),
     2,
     {0, 0, 0},
     {1, 1, 0},
     2,
     NULL},
    {"lines beside",
     GEOMETRY("<lines>" VERTEX "<p>0 1</p></lines><triangles>" VERTEX "<p>0 1 2</p></triangles>"),
     1,
     {0, 0, 0},
     {1, 1, 0},
     1,
     NULL},
    {"a vertex too far", GEOMETRY("<triangles>" VERTEX "<p>0 1 4</p></triangles>"),
     .error = "a vertex that is not there"},
    {"a vertex below zero", GEOMETRY("<triangles>" VERTEX "<p>0 1 -1</p></triangles>"), .error = "not there"},
    {"no positions", GEOMETRY("<triangles><input semantic='VERTEX' source='#u'/><p>0 1 2</p></triangles>"),
     .error = "has no positions"},
    {"an offset of a billion",
     GEOMETRY("<triangles><input semantic='VERTEX' source='#v' offset='1000000000'/><p>0</p></triangles>"),
     .error = "an offset that cannot be one"},
    {"vertices at infinity", SQUARE SCENE("<node><scale>1e300 1 1</scale>" PLACED "</node>"),
     .error = "not finite"},
    {"a node in itself", SQUARE SCENE("<node id='n'><instance_node url='#n'/></node>"),
     .error = "nested too deeply"},
    {"nothing in it", "", .error = "no triangles"},
};

static void check_case(const dae_case* c) {
  char text[2000];
  fb_mesh mesh;
  fb_error error;
  double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, up = 0;
  int size = snprintf(text, sizeof text, "<?xml version='1.0'?>\n<COLLADA>%s</COLLADA>", c->text);
  fb_status status = fb_mesh_parse(text, (size_t)size, "part.dae", &mesh, &error);
  if (c->error) {
    if (status != FB_ERR_CONTENT || !strstr(error.text, c->error)) fail_msg("%s: %s", c->name, error.text);
    return;
  }
  if (status != FB_OK) fail_msg("%s: %s", c->name, error.text);
  assert_int_equal(mesh.ntriangle, c->ntriangle);
  for (int i = 0; i < 3 * mesh.nvertex; i++) {
    low[i % 3] = fmin(low[i % 3], (double)mesh.position[i]);
    high[i % 3] = fmax(high[i % 3], (double)mesh.position[i]);
  }
  for (int t = 0; t < mesh.ntriangle; t++) {
    const float *a = mesh.position + 3 * mesh.triangle[3 * t],
                *b = mesh.position + 3 * mesh.triangle[3 * t + 1],
                *d = mesh.position + 3 * mesh.triangle[3 * t + 2];
    up += (double)((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]));
  }
  /* Vertices are single precision. */
  assert_near(c->name, low, c->low, 3, 1e-6);
  assert_near(c->name, high, c->high, 3, 1e-6);
  assert_near(c->name, &up, &c->up, 1, 1e-6);
  fb_mesh_free(&mesh);
}

static void scenes_are_followed_or_refused_with_the_reason(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) check_case(&CASES[i]);
}

/* A thousand nodes that each place the next twice would be 2^1000 squares. */
static void scenes_that_multiply_are_cut_off(void** state) {
  (void)state;
  enum { COUNT = 40, ROOM = 1 << 14 };
  char* text = (char*)malloc(ROOM);
  fb_mesh mesh;
  fb_error error;
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, ROOM, "<COLLADA>" SQUARE "<library_nodes>");
  for (int i = 0; i < COUNT; i++)
    used += (size_t)snprintf(text + used, ROOM - used,
                             "<node id='n%d'>" PLACED
                             "<instance_node url='#n%d'/><instance_node url='#n%d'/></node>",
                             i, i + 1, i + 1);
  used += (size_t)snprintf(text + used, ROOM - used,
                           "</library_nodes>" SCENE("<node><instance_node url='#n0'/></node>") "</COLLADA>");
  assert_int_equal(fb_mesh_parse(text, used, "bomb.dae", &mesh, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "beyond the most nodes"));
  free(text);
}

static void other_xml_is_no_mesh(void** state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } rows[] = {
      {"<robot name='r'/>", "<robot> is no mesh"},
      {"<COLLADA>", "no element found"},
      {"<!DOCTYPE x [<!ENTITY a 'b'>]><COLLADA>&a;</COLLADA>", "document type"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    fb_mesh mesh;
    fb_error error;
    assert_int_equal(fb_mesh_parse(rows[i].text, strlen(rows[i].text), "x.dae", &mesh, &error),
                     FB_ERR_CONTENT);
    if (!strstr(error.text, rows[i].error)) fail_msg("%s", error.text);
    assert_int_equal(error.status, FB_ERR_CONTENT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_are_followed_or_refused_with_the_reason),
      cmocka_unit_test(scenes_that_multiply_are_cut_off),
      cmocka_unit_test(other_xml_is_no_mesh),
  };
  return cmocka_run_group_tests_name("mesh_dae", tests, NULL, NULL);
}
