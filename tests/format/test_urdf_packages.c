/* test_urdf_packages.c -- where meshes are found, in every command alike; how their names survive `convert`; and --mimic. */
#include "run_command.h"

#define INERTIAL \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define MESH(address) "<visual><geometry><mesh filename='" address "'/></geometry></visual>"
#define ROBOT(address) "<robot name='r'><link name='base'>" INERTIAL MESH(address) "</link></robot>\n"
#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define FILES "| sed -n 's/.*file: \\([^,]*\\).*/\\1/p' | tr -d '\"'"

/* ws/src/stack/arm: the package my_arm with a robot and a mesh; beside it the package tool. */
static int open_workspace(void** state) {
  unsetenv("ROS_PACKAGE_PATH"), unsetenv("AMENT_PREFIX_PATH"), unsetenv("GAZEBO_MODEL_PATH");
  if (scratch_open(state)) return -1;
  if (system("mkdir -p ws/src/stack/arm/urdf ws/src/stack/arm/meshes ws/src/stack/tool/meshes "
             "ws/src/stack/plain out "
             "models/dish ros/share/ament_arm other"))
    return -1;
  spill("ws/src/stack/arm/package.xml",
        "<package>\n<!-- <name>not_this</name> -->\n<name> my_arm </name></package>\n");
  spill("ws/src/stack/tool/package.xml", "<package><name>tool</name></package>");
  spill("ws/src/stack/arm/meshes/a.obj", TRIANGLE);
  spill("ws/src/stack/tool/meshes/t.obj", TRIANGLE);
  spill("ws/src/stack/arm/urdf/arm.urdf", ROBOT("package://my_arm/meshes/a.obj"));
  spill("ws/src/stack/arm/urdf/folder.urdf", ROBOT("package://arm/meshes/a.obj"));
  spill("ws/src/stack/arm/urdf/tool.urdf", ROBOT("package://tool/meshes/t.obj"));
  spill("ws/src/stack/arm/urdf/relative.urdf", ROBOT("../meshes/a.obj"));
  spill("ws/src/stack/arm/urdf/windows.urdf", ROBOT("..\\meshes\\a.obj"));
  spill("ws/src/stack/arm/meshes/a b\xc3\xbc.obj", TRIANGLE);
  spill("ws/src/stack/arm/meshes/50%25.obj", TRIANGLE);
  spill("ws/src/stack/arm/urdf/escapes.urdf", ROBOT("package://my_arm/meshes/a%20b%C3%bc.obj"));
  spill("ws/src/stack/arm/urdf/percent.urdf", ROBOT("../meshes/50%25.obj"));
  spill("ws/src/stack/arm/urdf/no_escapes.urdf", ROBOT("../meshes/%20%zz%.obj"));
  spill("outside.urdf", ROBOT("package://my_arm/meshes/a.obj"));
  spill("dish.urdf", ROBOT("model://dish/d.dae"));
  spill("ament.urdf", ROBOT("package://ament_arm/a.stl"));
  spill("eval.json", "{\"format\": \"freebody-eval\", \"model\": \"outside.urdf\", \"cases\": []}");
  spill("scene.yaml",
        "scenario: 1\nduration: 0.1\npackages: {my_arm: ws/src/stack/arm}\nmodel: outside.urdf\n");
  spill("parts.yaml",
        "scenario: 1\nduration: 0.1\npackages: {my_arm: other}\nmodels:\n"
        "  - {name: a, model: outside.urdf, packages: {my_arm: ws/src/stack/arm}}\n  - {name: b, model: "
        "outside.urdf}\n");
  return 0;
}

static void packages_are_found_given_in_the_environment_and_above_the_file(void** state) {
  (void)state;
  static const shell_case cases[] = {
      /* above the file: package.xml has the name, the folder has it, a folder beside has it */
      {"$FB convert --to yaml ws/src/stack/arm/urdf/arm.urdf - " FILES, 0, "../meshes/a.obj\n",
       "nothing lost"},
      {"$FB convert --to yaml ws/src/stack/arm/urdf/folder.urdf - " FILES, 0, "../meshes/a.obj\n", NULL},
      {"$FB convert --to yaml ws/src/stack/arm/urdf/tool.urdf - " FILES, 0, "../../tool/meshes/t.obj\n",
       NULL},
      {"cd ws/src/stack/arm/urdf && $FB convert --to yaml arm.urdf - " FILES, 0, "../meshes/a.obj\n", NULL},
      /* nowhere: kept as it is, and said with the places */
      {"$FB convert --to yaml outside.urdf - " FILES, 0, "package://my_arm/meshes/a.obj\n",
       "note: line 1: package 'my_arm' is not found; its meshes keep their addresses. Searched: --package "
       "NAME=DIR, "
       "ROS_PACKAGE_PATH"},
      /* the environment, at depth, and the caller before it */
      {"ROS_PACKAGE_PATH=/nowhere:ws $FB convert --to yaml outside.urdf - " FILES, 0,
       "ws/src/stack/arm/meshes/a.obj\n", NULL},
      {"ROS_PACKAGE_PATH=ws $FB convert --package my_arm=other --to yaml outside.urdf - " FILES, 0,
       "other/meshes/a.obj\n", NULL},
      {"cd ws && $FB convert --package my_arm=src/stack/arm --to yaml ../outside.urdf - " FILES, 0,
       "ws/src/stack/arm/meshes/a.obj\n", NULL},
      {"$FB convert --package my_arm=/nowhere --to yaml outside.urdf - " FILES, 0, "/nowhere/meshes/a.obj\n",
       NULL},
      {"touch ws/src/CATKIN_IGNORE; ROS_PACKAGE_PATH=ws $FB convert --to yaml outside.urdf - " FILES
       "; rm ws/src/CATKIN_IGNORE",
       0, "package://my_arm/meshes/a.obj\n", NULL},
      {"AMENT_PREFIX_PATH=/nowhere:ros $FB convert --to yaml ament.urdf - " FILES, 0,
       "ros/share/ament_arm/a.stl\n", NULL},
      {"GAZEBO_MODEL_PATH=models $FB convert --to yaml dish.urdf - " FILES, 0, "models/dish/d.dae\n", NULL},
      {"$FB convert --to yaml ws/src/stack/arm/urdf/windows.urdf - " FILES, 0, "../meshes/a.obj\n", NULL},
      /* escapes of addresses, unless a file has the name as it is, or none has it without them */
      {"$FB convert --to yaml ws/src/stack/arm/urdf/escapes.urdf - " FILES, 0, "../meshes/a b\xc3\xbc.obj\n",
       NULL},
      {"$FB convert --to yaml ws/src/stack/arm/urdf/percent.urdf - " FILES, 0, "../meshes/50%25.obj\n", NULL},
      {"$FB convert --to yaml ws/src/stack/arm/urdf/no_escapes.urdf - " FILES, 0, "../meshes/%20%zz%.obj\n",
       NULL},
  };
  CHECK_CASES(cases);
}

static void every_command_takes_the_options_of_reading(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check outside.urdf", 0, "1 piece of advice", "advice: package 'my_arm' is not found"},
      {"$FB check --package my_arm=ws/src/stack/arm outside.urdf", 0, "degrees of freedom)", ""},
      {"$FB info outside.urdf | grep -c notes", 0, "1\n", ""},
      {"$FB info --package my_arm=ws/src/stack/arm outside.urdf | grep -c notes", 1, "0\n", ""},
      {"$FB eval --package my_arm=ws/src/stack/arm --base fixed --mimic fixed eval.json", 0, "cases", ""},
      {"$FB bench --seconds 0 --package my_arm=ws/src/stack/arm --mimic free outside.urdf", 0, "r ", NULL},
      {"$FB run --force --duration 0.1 --package my_arm=ws/src/stack/arm -o a.run outside.urdf", 0,
       "finished", ""},
      {"$FB run --force --duration 0.1 -o b.run outside.urdf", 0, "finished", "1 note on the model"},
      {"$FB info --package my_arm outside.urdf", 2, "", "--package takes NAME=DIR, not 'my_arm'"},
      {"$FB info --package =x outside.urdf", 2, "", "--package takes NAME=DIR, not '=x'"},
      {"$FB info --mimic frozen outside.urdf", 2, "", "--mimic takes free, fixed or coupled, not 'frozen'"},
      {"$FB run --base floating outside.urdf", 2, "", "--base takes free or fixed, not 'floating'"},
      {"$FB eval --inertia good eval.json", 2, "", "--inertia takes strict, repair or keep, not 'good'"},
  };
  CHECK_CASES(cases);
}

static void scenarios_name_packages_from_their_own_folder(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check scene.yaml && cd other && $FB check ../scene.yaml", 0, "scene.yaml: ok", ""},
      {"$FB run --force -o s.run scene.yaml && $FB view s.run -o s.glb", 0, "finished", NULL},
      /* what a model says goes before what the scenario says */
      {"$FB run --force -o p.run parts.yaml", 0, "finished",
       "mesh 'other/meshes/a.obj' of body 'b_base' is not there"},
      {"$FB run --force --package my_arm=ws/src/stack/arm -o p.run parts.yaml", 0, "finished", ""},
      {"$FB check --set packages=3 scene.yaml", 2, "", "unknown option"},
      {"$FB run --set packages=3 scene.yaml", 2, "", "expected a map of packages and their folders"},
      {"$FB run --set 'packages={my_arm: 3}' --force -o s.run scene.yaml", 2, "", "packages.my_arm"},
      {"$FB run --set 'packages={a/b: c}' --force -o s.run scene.yaml", 2, "",
       "expected the name of a package"},
  };
  CHECK_CASES(cases);
}

/* The names of meshes are where packages are today; the run has the meshes themselves. */
static void a_run_is_resumed_after_its_packages_moved(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"ROS_PACKAGE_PATH=ws $FB run --force -o m.run --duration 0.1 outside.urdf", 0, "finished", ""},
      {"$FB run --resume m.run", 0, NULL, NULL},
      {"$FB run --resume --package my_arm=ws m.run", 2, "",
       "leave out --set, --from, --base, --inertia, --mimic"},
  };
  CHECK_CASES(cases);
}

static void names_of_meshes_lead_to_the_same_files_from_elsewhere(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB convert ws/src/stack/arm/urdf/relative.urdf out/a.yaml; cat out/a.yaml " FILES, 0,
       "../ws/src/stack/arm/meshes/a.obj\n", "nothing lost"},
      {"$FB convert out/a.yaml ws/b.urdf && grep -c src/stack/arm/meshes/a.obj ws/b.urdf", 0, "1\n",
       "nothing lost"},
      {"$FB convert ws/b.urdf ws/src/stack/arm/urdf/c.json && grep -o '[.]*/meshes/a.obj' "
       "ws/src/stack/arm/urdf/c.json",
       0, "../meshes/a.obj\n", "nothing lost"},
      {"$FB convert ws/src/stack/arm/urdf/arm.urdf out/d.yaml; cat out/d.yaml " FILES, 0,
       "../ws/src/stack/arm/meshes/a.obj\n", NULL},
      /* in the same folder, and on standard output, names stay */
      {"$FB convert --to yaml ws/src/stack/arm/urdf/relative.urdf - " FILES, 0, "../meshes/a.obj\n", NULL},
      {"$FB convert ws/src/stack/arm/urdf/relative.urdf ws/src/stack/arm/urdf/e.yaml; cat "
       "ws/src/stack/arm/urdf/e.yaml " FILES,
       0, "../meshes/a.obj\n", NULL},
      {"cd out && $FB convert --from urdf --to yaml - f.yaml < ../ws/b.urdf; cat f.yaml " FILES, 0,
       "src/stack/arm/meshes/a.obj\n", NULL},
      {"$FB convert outside.urdf out/g.yaml; cat out/g.yaml " FILES, 0, "package://my_arm/meshes/a.obj\n",
       NULL},
      {"$FB convert ws/b.urdf nowhere/h.yaml", 1, "", "nowhere"},
  };
  CHECK_CASES(cases);
}

static void mimic_is_chosen_on_the_command_line_and_in_scenarios(void** state) {
  (void)state;
  spill("hand.urdf", "<robot name='hand'><link name='palm'>" INERTIAL "</link><link name='l'>" INERTIAL
                     "</link><link name='r'>" INERTIAL
                     "</link>\n<joint name='jl' type='prismatic'><parent link='palm'/><child "
                     "link='l'/><limit lower='0' upper='1' "
                     "effort='1' velocity='1'/></joint>\n<joint name='jr' type='prismatic'><parent "
                     "link='palm'/><child link='r'/><limit "
                     "lower='0' upper='1' effort='1' velocity='1'/><mimic joint='jl'/></joint></robot>\n");
  spill("grip.yaml", "scenario: 1\nduration: 0.1\nmimic: fixed\nmodel: hand.urdf\n");
  spill("two.yaml",
        "scenario: 1\nduration: 0.1\nmodels:\n  - {name: a, model: hand.urdf, mimic: fixed}\n  - {name: b, "
        "model: "
        "hand.urdf}\n");
  spill("move.yaml",
        "scenario: 1\nduration: 0.1\nmodel: hand.urdf\nstart: {joints: {jl: 0.3}, rates: {jl: 0.5}}\n"
        "log: {signals: [q.jl, q.jr]}\n");
  static const shell_case cases[] = {
      {"$FB run --force -o m.run move.yaml && $FB export m.run --signals q.jl,q.jr -o m.csv", 0, NULL, NULL},
      {"awk -F, 'NR > 1 && ($2 - $3)^2 > 1e-24 { bad++ } END { print (NR > 2), bad + 0 }' m.csv", 0, "1 0",
       NULL},
      {"$FB info hand.urdf", 0, "8 (nq 9, nv 8)", NULL},
      {"$FB info --mimic fixed hand.urdf", 0, "7 (nq 8, nv 7)", NULL},
      {"$FB info hand.urdf | tr -s ' '", 0, " jr gear 1 jr 1 jl", NULL},
      {"$FB info --mimic coupled hand.urdf", 0, "jr    gear", NULL},
      {"$FB info --mimic free hand.urdf | grep -c gear", 1, "0", NULL},
      {"$FB check --strict hand.urdf", 0, "ok", NULL},
      {"$FB check --mimic free hand.urdf", 0, "1 piece of advice",
       "hand.urdf:3: advice: joint 'jr' (of 'jl') has <mimic>; it moves independently, as asked for"},
      {"$FB check grip.yaml", 0, "7 degrees of freedom", NULL},
      {"$FB check --mimic free grip.yaml", 0, "8 degrees of freedom", NULL},
      {"$FB check two.yaml", 0, "15 degrees of freedom", NULL},
      {"$FB run --force --mimic fixed --duration 0.1 -o h.run hand.urdf && $FB run --resume h.run", 0,
       "7 degrees of freedom", NULL},
      {"$FB run --resume --mimic free -o h.run hand.urdf", 2, "", "--mimic"},
      {"$FB run --resume --mimic fixed -o h.run hand.urdf", 0, NULL, NULL},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packages_are_found_given_in_the_environment_and_above_the_file),
      cmocka_unit_test(every_command_takes_the_options_of_reading),
      cmocka_unit_test(scenarios_name_packages_from_their_own_folder),
      cmocka_unit_test(a_run_is_resumed_after_its_packages_moved),
      cmocka_unit_test(names_of_meshes_lead_to_the_same_files_from_elsewhere),
      cmocka_unit_test(mimic_is_chosen_on_the_command_line_and_in_scenarios),
  };
  return cmocka_run_group_tests(tests, open_workspace, scratch_close);
}
