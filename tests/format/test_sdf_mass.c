/* test_sdf_mass.c -- SDF: masses that are computed from collisions, joints that follow others, and what is told of what is not
 * read. */
#include "run_command.h"

#include <math.h>

#include "sdf_text.h"

#define AUTO(inertial, collisions)                                                     \
  "<sdf version='1.11'><model name='m'><link name='a'><inertial auto='true'>" inertial \
  "</inertial>" collisions "</link></model></sdf>"
#define SOLID(density, pose, geometry) \
  "<collision name='c'>" density "<pose>" pose "</pose><geometry>" geometry "</geometry></collision>"
#define BOX "<box><size>1 2 3</size></box>"

static const double PI = 3.14159265358979323846;

static void assert_mass(const char* text, double mass, const double com[3], const double I[6]) {
  fb_model* m = built(text);
  const fb_body_def* body = fb_model_def_body(fb_model_definition(m), 1);
  assert_near_of(mass, text, &body->mass, &mass, 1, 1e-14);
  assert_near_of(1, text, body->com, com, 3, 1e-14);
  assert_near_of(I[0] + I[1] + I[2], text, body->inertia, I, 6, 1e-14);
  fb_model_free(m);
}

static void a_mass_is_computed_from_the_collisions(void** state) {
  (void)state;
  static const double none[3] = {0, 0, 0};
  const double box[6] = {13.0 / 12, 10.0 / 12, 5.0 / 12, 0, 0, 0};
  double I[6];
  for (int i = 0; i < 6; i++) I[i] = 6 * 500 * box[i];
  assert_mass(AUTO("", SOLID("<density>500</density>", "0 0 0 0 0 0", BOX)), 3000, none, I);
  assert_mass(AUTO("<density>500</density>", SOLID("", "0 0 0 0 0 0", BOX)), 3000, none, I);
  assert_null(strstr(notes, "1000 kg"));
  for (int i = 0; i < 6; i++) I[i] = 6 * 1000 * box[i];
  assert_mass(AUTO("", SOLID("", "0 0 0 0 0 0", BOX)), 6000, none, I);
  assert_non_null(strstr(notes, "without <density> has 1000 kg/m^3"));
  /* A mass that is given scales the sum; two halves of a box, one of them turned, are the box. */
  for (int i = 0; i < 6; i++) I[i] = 12 * box[i];
  assert_mass(AUTO("<mass>12</mass>",
                   SOLID("", "0.25 1 0 0 0 0", "<box><size>0.5 2 3</size></box>")
                       SOLID("", "-0.25 1 0 0 0 1.5707963267948966", "<box><size>2 0.5 3</size></box>")),
              12, (const double[]){0, 1, 0}, I);
}

static void every_solid_has_its_moments(void** state) {
  (void)state;
  static const double none[3] = {0, 0, 0};
  double m = 4.0 / 3 * PI * 8, cylinder = PI * 4 * 3, cone = cylinder / 3;
  assert_mass(AUTO("<density>1</density>", SOLID("", "0 0 0 0 0 0", "<sphere><radius>2</radius></sphere>")),
              m, none, (const double[]){1.6 * m, 1.6 * m, 1.6 * m, 0, 0, 0});
  assert_mass(
      AUTO("<density>1</density>", SOLID("", "0 0 0 0 0 0", "<ellipsoid><radii>1 2 4</radii></ellipsoid>")),
      m, none, (const double[]){4 * m, 3.4 * m, m, 0, 0, 0});
  assert_mass(AUTO("<density>1</density>",
                   SOLID("", "0 0 0 0 0 0", "<cylinder><radius>2</radius><length>3</length></cylinder>")),
              cylinder, none,
              (const double[]){cylinder * 21 / 12, cylinder * 21 / 12, cylinder * 2, 0, 0, 0});
  double capsule = cylinder + m, across = cylinder * 21 / 12 + m * (0.4 * 4 + 1.5 * 1.5 + 0.75 * 2 * 1.5);
  assert_mass(AUTO("<density>1</density>",
                   SOLID("", "0 0 0 0 0 0", "<capsule><radius>2</radius><length>3</length></capsule>")),
              capsule, none, (const double[]){across, across, 2 * cylinder + 1.6 * m, 0, 0, 0});
  assert_mass(AUTO("<density>1</density>",
                   SOLID("", "0 0 0 0 0 0", "<cone><radius>2</radius><length>3</length></cone>")),
              cone, (const double[]){0, 0, -0.75},
              (const double[]){cone * 3 / 80 * 25, cone * 3 / 80 * 25, cone * 1.2, 0, 0, 0});
}

/* A tetrahedron with edges along the axes, 1 by 1 by 1, stretched to 1 by 2 by 3 and mirrored. */
static const char TETRAHEDRON[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static int open_files(void** state) {
  if (scratch_open(state)) return -1;
  spill("t.obj", TETRAHEDRON);
  spill("mesh.sdf", AUTO("<density>2</density>",
                         SOLID("", "0 0 1 0 0 0", "<mesh><uri>t.obj</uri><scale>1 2 -3</scale></mesh>")
                             SOLID("", "0 0 9 0 0 0", "<mesh><uri>t.obj</uri><scale>1 2 -3</scale></mesh>")));
  spill("world.sdf",
        "<sdf version='1.9'><world name='w'><include><uri>model://sun</uri></include><include><uri>"
        "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Ground%20Plane</uri></include><model "
        "name='m'>" LINK("a", "") "</model></world></sdf>");
  return 0;
}

static void a_mesh_has_the_mass_of_what_it_encloses(void** state) {
  (void)state;
  fb_model_def* def;
  fb_error error;
  if (fb_model_def_read("mesh.sdf", NULL, &def, &error)) fail_msg("%s", error.text);
  const fb_body_def* body = fb_model_def_body(def, 1);
  double mass = 4, com[3] = {0.25, 0.5, 5 - 0.75}; /* two of volume 1, at z 1 and 9 */
  /* About its centre a tetrahedron of edges a b c has 3/80 m (b^2 + c^2), and the products m/80 a b. */
  double x = 3.0 / 80 * 4,
         I[6] = {x * 13 + 4 * 16, x * 10 + 4 * 16, x * 5, 4.0 / 80 * 2, -4.0 / 80 * 3, -4.0 / 80 * 6};
  assert_near_of(mass, "mass", &body->mass, &mass, 1, 1e-14);
  assert_near_of(1, "com", body->com, com, 3, 1e-14);
  assert_near_of(100, "inertia", body->inertia, I, 6, 1e-14);
  fb_model_def_free(def);
}

static void a_run_goes_on_without_the_meshes_of_its_masses(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"printf 'scenario: 1\\nmodel: mesh.sdf\\nduration: 0.2\\nintegrator: {step: 5 ms}\\nforces: "
       "[{frame: a, force: [1, 2, 3]}]\\n' > s.yaml; $FB run s.yaml -o whole --export csv "
       "--quiet "
       "--set checkpoint=0.05",
       0, "", NULL},
      {"$FB run s.yaml -o half --duration 0.1 --quiet --set checkpoint=0.05", 0, "", NULL},
      {"mv t.obj gone.obj; $FB run --resume half --duration 0.2 --export csv --quiet", 0, "", NULL},
      {"$FB check mesh.sdf", 2, "", "the mass of this collision needs its mesh"},
      {"mv gone.obj t.obj; cmp whole/log.csv half/log.csv", 0, "", ""},
  };
  CHECK_CASES(cases);
}

static void a_world_is_read_without_its_sun_and_ground(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check world.sdf", 0, "1 body",
       "'model://sun' is not found; it is taken for a light, and left out"},
      {"$FB check world.sdf", 0, "1 body", "it is taken for a plane that does not move, and left out"},
  };
  CHECK_CASES(cases);
}

static void masses_that_cannot_be_computed_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {AUTO("", ""), "needs a <collision>"},
      {AUTO("", SOLID("", "0 0 0 0 0 0", "<plane/>")), "that of a <plane> is not computed"},
      {AUTO("", SOLID("", "0 0 0 0 0 0", "<box><size>1 0 1</size></box>")),
       "that of a <box> is not computed"},
      {AUTO("", SOLID("", "0 0 0 0 0 0", "<mesh><uri>none.stl</uri></mesh>")), "needs its mesh"},
      {AUTO("",
            SOLID("", "0 0 0 0 0 0", "<mesh><uri>none.stl</uri><submesh><name>s</name></submesh></mesh>")),
       "<mesh> with <submesh> is not computed"},
      {AUTO("<density>0</density>", SOLID("", "0 0 0 0 0 0", BOX)), "density of a collision is not positive"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model_def* def = NULL;
    fb_error error = {0};
    if (!parse(cases[i].text, &def, &error)) fail_msg("not refused: %s", cases[i].text);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
  }
}

/* --- joints that follow others --- */

#define MIMIC(joint, inner) "<axis><xyz>0 1 0</xyz><mimic joint='" joint "'>" inner "</mimic></axis>"
#define FOLLOWER(type, mimic)                                                     \
  SDF(LINK("a", "") LINK("b", "") LINK("c", "") JOINT("k", type, "a", "c", mimic) \
          JOINT("j", "revolute", "a", "b", AXIS("0 1 0")))

static void a_mimic_is_a_gear(void** state) {
  (void)state;
  fb_model* m = built(FOLLOWER("revolute", MIMIC("j",
                                                 "<multiplier>-2</multiplier><offset>0.1</offset><reference>"
                                                 "0.2</reference>")));
  const fb_model_def* def = fb_model_definition(m);
  assert_int_equal(fb_model_def_nloop(def), 1);
  const fb_loop_def* gear = fb_model_def_loop(def, 0);
  assert_int_equal(gear->type, FB_LOOP_GEAR);
  assert_string_equal(gear->a, "k");
  assert_string_equal(gear->joints[0], "j");
  assert_near_of(1, "ratio", gear->ratios, ((const double[]){-2}), 1, 0);
  assert_near_of(1, "offset", &gear->offset, ((const double[]){0.5}), 1, 1e-15);
  fb_model_free(m);
}

static void a_mimic_is_let_go_or_fixed_as_asked_for(void** state) {
  (void)state;
  static const char text[] =
      FOLLOWER("prismatic", "<pose>0 0 1 0 0 0</pose>" MIMIC("j", "<offset>0.25</offset>"));
  static const struct {
    fb_mimic mimic;
    int nv;
    const char* note;
  } cases[] = {{FB_MIMIC_FREE, 8, "moves independently, as asked for"},
               {FB_MIMIC_FIXED, 7, "fixed at its offset, as asked for"}};
  for (int i = 0; i < 2; i++) {
    fb_io_options options = fb_default_io_options();
    fb_model_def* def;
    fb_model* m;
    fb_error error;
    double p[3];
    options.note = keep_note;
    options.mimic = cases[i].mimic;
    notes[0] = '\0';
    if (fb_model_def_parse(text, sizeof text - 1, "robot.sdf", &options, &def, &error))
      fail_msg("%s", error.text);
    assert_int_equal(fb_model_build(def, NULL, &m, &error), FB_OK);
    assert_int_equal(fb_model_nv(m), cases[i].nv);
    assert_int_equal(fb_model_def_nloop(def), 0);
    assert_non_null(strstr(notes, cases[i].note));
    frame_at(m, "c", NULL, p);
    assert_near_of(1, "c", p, ((const double[]){0, i ? 0.25 : 0, 0}), 3, 1e-15);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

static void what_cannot_be_followed_moves_by_itself_with_a_note(void** state) {
  (void)state;
  static const struct {
    const char *text, *note;
    int nloop;
  } cases[] = {
      {FOLLOWER("revolute", MIMIC("z", "")), "of one that is not there", 0},
      {FOLLOWER("revolute", MIMIC("b", "")), "of one that is not there", 0},
      {FOLLOWER("revolute", MIMIC("k", "")), "of one that is itself", 0},
      {FOLLOWER("revolute", MIMIC("j", "<multiplier>0</multiplier>")), "with multiplier 0; it is fixed", 0},
      {FOLLOWER("revolute", "<axis><xyz>0 1 0</xyz><mimic joint='j' axis='axis2'/></axis>"),
       "there is no second", 0},
      {FOLLOWER("universal", MIMIC("j", "") "<axis2><xyz>1 0 0</xyz></axis2>"),
       "does not have one coordinate", 0},
      {SDF(LINK("a", "") LINK("b", "") LINK("c", "") JOINT("j", "revolute", "a", "b", MIMIC("k", ""))
               JOINT("k", "revolute", "a", "c", MIMIC("j", ""))),
       "of one that follows it in turn", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model* m = built(cases[i].text);
    if (!strstr(notes, cases[i].note)) fail_msg("'%s' is not in '%s'", cases[i].note, notes);
    assert_int_equal(fb_model_def_nloop(fb_model_definition(m)), cases[i].nloop);
    fb_model_free(m);
  }
}

/* --- what is not read --- */

static void what_is_not_read_is_told_once_with_its_line(void** state) {
  (void)state;
  static const char text[] =
      "<sdf version='1.11'><world name='w'>\n<wind><linear_velocity>1 0 0</linear_velocity></wind><model "
      "name='m' "
      "placment_frame='b'>\n<link "
      "name='a'><gravity>false</gravity><kinematic>true</kinematic><velocity_decay>"
      "<linear>0.5</linear></velocity_decay><inertial><mas>5</mas><fluid_added_mass><xx>5</xx>"
      "</fluid_added_mass></inertial></link>\n<link name='b'><gravity>0</gravity><enable_wind>1</enable_wind>"
      "<drake:hydro/></link>\n<joint name='j' "
      "type='revolute'><parent>a</parent><child>b</child><axis><limit><lowr>"
      "-1</lowr><stiffness>50</stiffness></limit><initial_position>0.3</initial_position><dynamic/></axis>"
      "<physics/></joint><plugin/></model>\n<state/></world></sdf>";
  static const char* const wanted[] = {
      "lost: line 2: <linear_velocity> of <wind> is not read\n",
      "lost: line 2: <model> has no attribute 'placment_frame'; did you mean 'placement_frame'?\n",
      "lost: line 3: <gravity> false of <link>: gravity acts on every body;",
      "at the centre of mass (2 times)\n",
      "lost: line 3: <kinematic> of <link> is not read\n",
      "lost: line 3: <linear> of <velocity_decay> is not read\n",
      "lost: line 3: <mas> of <inertial> is not known; did you mean 'mass'?\n",
      "lost: line 3: <xx> of <fluid_added_mass> is not read\n",
      "lost: line 4: <enable_wind> of <link> is not read\n",
      "lost: line 4: <drake:hydro> of <link> is not known\n",
      "lost: line 5: <lowr> of <limit> is not known; did you mean 'lower'?\n",
      "lost: line 5: <stiffness> of <limit> is not read\n",
      "lost: line 5: <initial_position> of <axis> is not read\n",
      "lost: line 5: <dynamic> of <axis> is not known; did you mean 'dynamics'?\n",
      "minor: line 5: <physics> of <joint> is not read\n",
      "lost: line 5: <plugin> of <model> is not read\n",
      "lost: line 6: <state> of <world> is not read\n",
      "line 4: <link> without <inertial> has 1 kg",
  };
  fb_model_free(built(text));
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strstr(notes, wanted[i])) fail_msg("'%s' is not in\n%s", wanted[i], notes);
}

static void what_holds_anyway_is_not_told(void** state) {
  (void)state;
  fb_model_free(built(
      "<?xml version='1.0'?><sdf version='1.11' xmlns:x='y'><world name='w'><gravity>0 0 0</gravity><wind>"
      "<linear_velocity>0 0 0</linear_velocity></wind><model name='s'><static>true</static><link "
      "name='g'><gravity>"
      "false</gravity>" MASS "</link></model><model name='m'>" LINK(
          "a",
          "<gravity>true</gravity><enable_wind>false</enable_wind><kinematic>0</kinematic><velocity_decay>"
          "<linear>0</linear><angular> 0.0 </angular></velocity_decay>")
          LINK("b",
               "<visual name='v'><geometry><box><size>1 1 1</size></box></geometry><material><ambient>1 1 1 "
               "1</ambient><diffuse>1 0 0 1</diffuse></material></visual>")
              JOINT(
                  "j", "revolute", "a", "b",
                  "<axis><xyz>0 0 1</xyz><initial_position>0</initial_position><limit><lower>-1</lower>"
                  "<stiffness>1e8</stiffness><dissipation>1</dissipation></limit><dynamics/></axis>") "</"
                                                                                                      "model>"
                                                                                                      "</"
                                                                                                      "world>"
                                                                                                      "</"
                                                                                                      "sdf"
                                                                                                      ">"));
  if (notes[0]) fail_msg("%s", notes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_is_computed_from_the_collisions),
      cmocka_unit_test(every_solid_has_its_moments),
      cmocka_unit_test(a_mesh_has_the_mass_of_what_it_encloses),
      cmocka_unit_test(a_run_goes_on_without_the_meshes_of_its_masses),
      cmocka_unit_test(a_world_is_read_without_its_sun_and_ground),
      cmocka_unit_test(masses_that_cannot_be_computed_are_refused),
      cmocka_unit_test(a_mimic_is_a_gear),
      cmocka_unit_test(a_mimic_is_let_go_or_fixed_as_asked_for),
      cmocka_unit_test(what_cannot_be_followed_moves_by_itself_with_a_note),
      cmocka_unit_test(what_is_not_read_is_told_once_with_its_line),
      cmocka_unit_test(what_holds_anyway_is_not_told),
  };
  return cmocka_run_group_tests(tests, open_files, scratch_close);
}
