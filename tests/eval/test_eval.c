/* test_eval.c -- `freebody eval` against the reference files, against identities between its outputs, on
 * a very long chain, and on inputs that are wrong. */
#include "run_command.h"

#include <math.h>

#include "document/document.h"
#include "keep_nan.h"

/* Relative to max(1, largest reference number), per array. */
static const double TOLERANCE = 1e-11;

static const char* const SPACEDYN_FILES[] = {
    "m1_single_body",     "m2_planar_2link", "m3_ets7_6dof",
    "m4_dual_arm_paddle", "m5_chain_rp",     "m6_random_tree_12",
    "m7_gravity_tree_7",  "m8_gravity_ets7", "m9_gravity_single_body",
    "m10_one_prismatic"};
static const char* const JOINT_FILES[] = {
    "j01_spherical",    "j02_universal",  "j03_cylindrical", "j04_helical", "j05_planar",
    "j06_free_inside",  "j07_fixed_arm7", "j08_sled",        "j09_forest3", "j10_mixed15",
    "j11_fixed_inside", "j12_passive",    "j13_child_first"};

static fb_doc* parse(const char* text, const char* name) {
  fb_doc* doc = NULL;
  fb_error error;
  if (fb_doc_parse(text, strlen(text), name, &doc, &error) != FB_OK) {
    char line[1500];
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  }
  return doc;
}

/* Runs the line, which must succeed, and parses what it prints. */
static fb_doc* reply_of(const char* line) {
  outcome o = run(line);
  if (o.code != 0) fail_msg("%s: exit %d: %.800s", line, o.code, o.err);
  fb_doc* doc = parse(o.out, line);
  outcome_free(&o);
  return doc;
}

/* ---- comparing with a reference: every member it has, of the same shape ---- */

static int is_object_list(const fb_node* node) {
  return fb_node_count(node) > 0 && fb_node_get_kind(fb_node_item(node, 0)) == FB_NODE_MAP;
}

/* Largest magnitude in want, largest difference, over nested lists of the same shape; NaN counts as off. */
typedef struct difference {
  double scale, off;
} difference;

static void compare_nested(const fb_node* got, const fb_node* want, const char* where, difference* d) {
  if (!got || fb_node_get_kind(got) != fb_node_get_kind(want) || fb_node_count(got) != fb_node_count(want))
    fail_msg("%s has another shape", where);
  for (int i = 0; i < fb_node_count(want); i++)
    compare_nested(fb_node_item(got, i), fb_node_item(want, i), where, d);
  if (fb_node_get_kind(want) == FB_NODE_LIST) return;
  fb_error error;
  double a = NAN, b = NAN;
  assert_int_equal(fb_node_number(got, FB_Q_NONE, &a, &error), FB_OK);
  assert_int_equal(fb_node_number(want, FB_Q_NONE, &b, &error), FB_OK);
  d->scale = worse_of(d->scale, fabs(b));
  d->off = worse_of(d->off, fabs(a - b));
}

static int count_compared;

/* Objects member by member, lists of objects item by item, anything else as one array of numbers. */
static void compare(const fb_node* got, const fb_node* want, const char* where) {
  char place[400];
  if (!got) fail_msg("%s is missing", where);
  if (fb_node_get_kind(want) == FB_NODE_MAP) {
    for (int i = 0; i < fb_node_count(want); i++) {
      snprintf(place, sizeof place, "%s.%s", where, fb_map_key(want, i));
      compare(fb_map_get(got, fb_map_key(want, i)), fb_map_value(want, i), place);
    }
  } else if (is_object_list(want)) {
    assert_int_equal(fb_node_count(got), fb_node_count(want));
    for (int i = 0; i < fb_node_count(want); i++) {
      snprintf(place, sizeof place, "%s[%d]", where, i);
      compare(fb_node_item(got, i), fb_node_item(want, i), place);
    }
  } else if (fb_node_is_quoted(want)) {
    assert_string_equal(fb_node_text(got), fb_node_text(want));
  } else {
    difference d = {1, 0};
    compare_nested(got, want, where, &d);
    if (!(d.off <= TOLERANCE * d.scale)) fail_msg("%s: off by %g relative", where, d.off / d.scale);
    count_compared++;
  }
}

static void compare_file(const char* folder, const char* name) {
  char path[600], line[700], where[200];
  snprintf(path, sizeof path, "%s/reference/%s/%s.json", FB_TEST_DATA, folder, name);
  snprintf(line, sizeof line, "$FB eval '%s'", path);
  char* text = slurp(path);
  fb_doc *reference = parse(text, path), *reply = reply_of(line);
  free(text);
  const fb_node* want = fb_map_get(fb_doc_root(reference), "cases");
  const fb_node* got = fb_map_get(fb_doc_root(reply), "cases");
  assert_true(fb_node_count(want) > 0);
  assert_int_equal(fb_node_count(got), fb_node_count(want));
  assert_non_null(fb_map_get(fb_doc_root(reply), "model"));
  for (int c = 0; c < fb_node_count(want); c++) {
    snprintf(where, sizeof where, "%s case %d", name, c);
    compare(fb_map_get(fb_node_item(got, c), "outputs"), fb_map_get(fb_node_item(want, c), "outputs"), where);
  }
  fb_doc_free(reference);
  fb_doc_free(reply);
}

static void spacedyn_references_are_met(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof SPACEDYN_FILES / sizeof *SPACEDYN_FILES; i++)
    compare_file("spacedyn", SPACEDYN_FILES[i]);
  assert_true(count_compared > 1000);
}

static void joint_references_are_met(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof JOINT_FILES / sizeof *JOINT_FILES; i++)
    compare_file("joints", JOINT_FILES[i]);
  assert_true(count_compared > 1000);
}

/* ---- identities between outputs ---- */

typedef struct flat {
  double* x;
  size_t count, capacity;
} flat;

/* The numbers of a nested list in order. */
static void flatten(const fb_node* node, flat* out) {
  if (fb_node_get_kind(node) == FB_NODE_LIST) {
    for (int i = 0; i < fb_node_count(node); i++) flatten(fb_node_item(node, i), out);
    return;
  }
  if (out->count == out->capacity) {
    out->capacity = out->capacity ? 2 * out->capacity : 256;
    out->x = (double*)realloc(out->x, out->capacity * sizeof(double));
    assert_non_null(out->x);
  }
  fb_error error;
  assert_int_equal(fb_node_number(node, FB_Q_NONE, &out->x[out->count++], &error), FB_OK);
}

static flat numbers_of(const fb_node* node) {
  flat out = {NULL, 0, 0};
  assert_non_null(node);
  flatten(node, &out);
  return out;
}

/* y += s M x, M of the node with `rows` rows. */
static void add_product(double* y, int rows, const fb_node* M, const flat* x) {
  flat m = numbers_of(M);
  assert_int_equal(m.count, (size_t)rows * x->count);
  for (int r = 0; r < rows; r++)
    for (size_t c = 0; c < x->count; c++) y[r] += m.x[(size_t)r * x->count + c] * x->x[c];
  free(m.x);
}

static flat joined(const fb_node* map, const char* a, const char* b) {
  flat out = numbers_of(fb_map_get(map, a));
  flatten(fb_map_get(map, b), &out);
  return out;
}

static void assert_close(const double* a, const double* b, int count, const char* where) {
  for (int i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= 1e-10 * fabs(b[i])))
      fail_msg("%s: [%d] %.17g is not %.17g", where, i, a[i], b[i]);
}

/* Jdot v = Jdot_v, Jm_dot and Jb_dot on request: (Jb [v0; w0] + Jm v) = J v. */
static void native_jacobian_rates_agree_with_the_accelerations(void** state) {
  (void)state;
  fb_doc* doc = reply_of(
      "$FB eval --only frames.Jdot,frames.Jdot_v,frames.J,frames.Jm,frames.Jb,bodies.v,bodies.w "
      "'" FB_TEST_DATA "/reference/joints/j10_mixed15.json'");
  assert_null(fb_map_get(fb_doc_root(doc), "model"));
  const fb_node* cases = fb_map_get(fb_doc_root(doc), "cases");
  for (int c = 0; c < fb_node_count(cases); c++) {
    const fb_node* one = fb_node_item(cases, c);
    flat v = numbers_of(fb_map_get(fb_map_get(one, "inputs"), "v"));
    const fb_node* frames = fb_map_get(fb_map_get(one, "outputs"), "frames");
    const fb_node* base = fb_node_item(fb_map_get(fb_map_get(one, "outputs"), "bodies"), 0);
    flat twist = joined(base, "v", "w");
    assert_true(fb_node_count(frames) > 0);
    for (int f = 0; f < fb_node_count(frames); f++) {
      const fb_node* frame = fb_node_item(frames, f);
      double a[6] = {0}, velocity[6] = {0}, parts[6] = {0};
      flat want = numbers_of(fb_map_get(frame, "Jdot_v"));
      add_product(a, 6, fb_map_get(frame, "Jdot"), &v);
      add_product(velocity, 6, fb_map_get(frame, "J"), &v);
      add_product(parts, 6, fb_map_get(frame, "Jm"), &v);
      add_product(parts, 6, fb_map_get(frame, "Jb"), &twist);
      assert_close(a, want.x, 6, "Jdot v");
      assert_close(parts, velocity, 6, "Jb V0 + Jm v");
      free(want.x);
    }
    free(v.x);
    free(twist.x);
  }
  fb_doc_free(doc);
}

/* acc_e = Jb [vd0; wd0] + Je qdd + Jb_dot [v0; w0] + Je_dot qd. */
static void spacedyn_jacobian_rates_agree_with_the_accelerations(void** state) {
  (void)state;
  fb_doc* doc = reply_of("$FB eval --only end_points,end_points.Je_dot,end_points.Jb_dot '" FB_TEST_DATA
                         "/reference/spacedyn/m6_random_tree_12.json'");
  const fb_node* cases = fb_map_get(fb_doc_root(doc), "cases");
  for (int c = 0; c < fb_node_count(cases); c++) {
    const fb_node* inputs = fb_map_get(fb_node_item(cases, c), "inputs");
    const fb_node* ends = fb_map_get(fb_map_get(fb_node_item(cases, c), "outputs"), "end_points");
    flat twist = joined(inputs, "v0", "w0"), rate = joined(inputs, "vd0", "wd0");
    flat qd = numbers_of(fb_map_get(inputs, "qd")), qdd = numbers_of(fb_map_get(inputs, "qdd"));
    assert_int_equal(fb_node_count(ends), 7);
    for (int k = 0; k < fb_node_count(ends); k++) {
      const fb_node* end = fb_node_item(ends, k);
      double a[6] = {0};
      flat want = joined(end, "acc_e", "omegad_e");
      add_product(a, 6, fb_map_get(end, "Jb"), &rate);
      add_product(a, 6, fb_map_get(end, "Je"), &qdd);
      add_product(a, 6, fb_map_get(end, "Jb_dot"), &twist);
      add_product(a, 6, fb_map_get(end, "Je_dot"), &qd);
      assert_close(a, want.x, 6, "acc_e");
      free(want.x);
    }
    free(twist.x);
    free(rate.x);
    free(qd.x);
    free(qdd.x);
  }
  fb_doc_free(doc);
}

/* ---- a chain of ten thousand bodies ---- */

enum { CHAIN = 10000 };

static double chain_angle(int i) {
  return 0.001 * ((i * 7) % 11 - 5);
}

/* Links of one metre on revolute joints about z, as an evaluation file. */
static void write_chain(const char* file) {
  FILE* f = fopen(file, "wb");
  assert_non_null(f);
  fprintf(f,
          "{\"format\": \"freebody-eval\", \"version\": 1,\n \"model\": {\"freebody\": 1, \"name\": "
          "\"chain\", \"bodies\": [\n");
  for (int i = 0; i < CHAIN; i++) {
    fprintf(f, "  {\"name\": \"b%d\", \"parent\": ", i);
    if (i == 0)
      fprintf(f, "\"world\"");
    else
      fprintf(f, "\"b%d\"", i - 1);
    fprintf(f,
            ", \"joint\": {\"type\": \"revolute\", \"axis\": [0, 0, 1], \"at\": [%d, 0, 0]}, \"mass\": 1, "
            "\"com\": [0.5, 0, 0], \"inertia\": [0.01, 0.1, 0.1, 0, 0, 0]}%s\n",
            i > 0, i + 1 < CHAIN ? "," : "");
  }
  fprintf(f, " ]},\n \"cases\": [{\"label\": \"bent\", \"inputs\": {\"q\": [");
  for (int i = 0; i < CHAIN; i++) fprintf(f, "%s%.3f", i ? ", " : "", chain_angle(i));
  fprintf(f, "], \"v\": [");
  for (int i = 0; i < CHAIN; i++) fprintf(f, "%s0", i ? ", " : "");
  fprintf(f, "]}}]}\n");
  assert_int_equal(fclose(f), 0);
}

static void a_chain_of_ten_thousand_bodies_is_evaluated(void** state) {
  (void)state;
  write_chain("chain.json");
  fb_doc* doc = reply_of("$FB eval --only bodies.p --indent 0 chain.json");
  const fb_node* one = fb_node_item(fb_map_get(fb_doc_root(doc), "cases"), 0);
  const fb_node* bodies = fb_map_get(fb_map_get(one, "outputs"), "bodies");
  assert_int_equal(fb_node_count(bodies), CHAIN);
  double x = 0, y = 0, angle = 0;
  for (int i = 0; i < CHAIN; i++) {
    fb_error error;
    double p[3];
    assert_int_equal(fb_node_numbers(fb_map_get(fb_node_item(bodies, i), "p"), FB_Q_NONE, 3, p, &error),
                     FB_OK);
    assert_true(fabs(p[0] - x) < 1e-8 && fabs(p[1] - y) < 1e-8 && p[2] == 0);
    assert_null(fb_map_get(fb_node_item(bodies, i), "R"));
    angle += chain_angle(i);
    x += cos(angle);
    y += sin(angle);
  }
  fb_doc_free(doc);
  outcome o = run("$FB check --quiet chain.json && $FB info chain.json | grep -c depth");
  assert_int_equal(o.code, 0);
  assert_string_equal(o.out, "9976\n"); /* 24 levels are drawn */
  outcome_free(&o);
}

/* ---- choosing outputs, and wrong inputs ---- */

/* A sled with a ball joint: q = d, quaternion; v = 1 + 3. The line numbers below count these lines. */
static const char HEAD[] =
    "{\"format\": \"freebody-eval\", \"version\": 1, \"gravity\": [0, 0, -9.81],\n"
    " \"model\": {\"freebody\": 1, \"name\": \"sled\", \"bodies\": [\n"
    "  {\"name\": \"sled\", \"joint\": {\"name\": \"rail\", \"type\": \"prismatic\", \"axis\": [1, 0, 0]}, "
    "\"mass\": 1, "
    "\"inertia\": [1, 1, 1, 0, 0, 0]},\n"
    "  {\"name\": \"bob\", \"parent\": \"sled\", \"joint\": {\"name\": \"ball\", \"type\": \"spherical\"}, "
    "\"mass\": 1, "
    "\"inertia\": [1, 1, 1, 0, 0, 0], \"frames\": [{\"name\": \"tip\", \"at\": [0, 0, -1]}]},\n"
    "  {\"name\": \"plate\", \"parent\": \"bob\", \"joint\": {\"name\": \"weld\", \"type\": \"fixed\"}, "
    "\"mass\": 1, "
    "\"inertia\": [1, 1, 1, 0, 0, 0]}]},\n"
    " \"cases\": [{\"label\": \"one\", \"inputs\":\n";

typedef struct input_case {
  const char* inputs;
  const char* options;
  int code;
  const char* want; /* in standard output, or in standard error when the code is 2 */
  const char* absent;
} input_case;

static void check_input(const input_case* row) {
  char text[4000], line[300];
  snprintf(text, sizeof text, "%s%s}]}\n", HEAD, row->inputs);
  spill("case.json", text);
  snprintf(line, sizeof line, "$FB eval %s case.json", row->options);
  outcome o = run(line);
  const char* where = row->code == 0 ? o.out : o.err;
  if (o.code != row->code) fail_msg("%s: exit %d, expected %d: %s", row->inputs, o.code, row->code, o.err);
  if (!strstr(where, row->want)) fail_msg("%s: expected '%s' in '%s'", row->inputs, row->want, where);
  if (row->absent && strstr(where, row->absent))
    fail_msg("%s: '%s' in '%s'", row->inputs, row->absent, where);
  if (row->code == 2) assert_string_equal(o.out, "");
  if (row->code == 2 && !strstr(row->want, "--only") && !strstr(o.err, "case.json:7:"))
    fail_msg("%s: no line in '%s'", row->inputs, o.err);
  outcome_free(&o);
}

#define Q "\"q\": [0.5, 1, 0, 0, 0]"
#define V "\"v\": [1, 0, 0, 1]"

static void outputs_follow_the_inputs_and_the_choice(void** state) {
  (void)state;
  static const input_case rows[] = {
      {"{" Q ", " V ", \"vdot\": [1, 0, 0, 1]}", "", 0, "\"wdot\"", NULL},
      {"{" Q ", " V "}", "", 0, "\"Jdot_v\"", "\"wdot\""},
      {"{" Q ", " V "}", "", 0, "\"model\"", "\"Jdot\""},
      {"{" Q ", " V "}", "--only mass,com", 0, "\"mass\": 3", "\"model\""},
      {"{" Q ", " V "}", "--only frames.p --indent 0", 0, "{\"name\": \"tip\", \"p\": [0.5, 0, -1]}",
       "\"bodies\""},
      {"{" Q ", " V "}", "--only ' bodies.p , frames.Jdot '", 0, "\"Jdot\"", "\"com\""},
      {"{" Q "}", "--only bodies.p", 0, "\"bob\"", NULL},
      {"{" Q ", " V ", \"vdot\": [1, 0, 0, 1]}", "", 0, "\"com\"", "\"reactions\""},
      {"{" Q ", " V ", \"vdot\": [1, 0, 0, 1]}", "", 0, "\"com\"", "\"joints\""},
      {"{" Q ", " V ", \"vdot\": [1, 0, 0, 1]}", "--only reactions --indent 0", 0,
       "{\"name\": \"rail\", \"force\": [3, 0, 29.43], \"torque\": [0, -14.715, 2]}", "\"joints\""},
      {"{" Q ", " V ", \"vdot\": [1, 0, 0, 1]}", "--only reactions.force --indent 0", 0,
       "{\"name\": \"weld\", \"force\": [1, 0, 9.81]}", "\"torque\""},
      {"{" Q ", " V "}", "--only reactions --indent 0", 0, "\"reactions\": [{\"name\": \"rail\"}",
       "\"force\""},
      {"{" Q "}", "--only joints.p --indent 0", 0, "{\"name\": \"weld\", \"p\": [0.5, 0, 0]}", "\"R\""},
      {"{" Q "}", "--only joints --indent 0", 0,
       "{\"name\": \"rail\", \"p\": [0, 0, 0], \"R\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}", "\"bodies\""},
      {"{" Q ", " V ", \"tau\": [0, 0, 0, 0], \"prescribed\": [\"rail\", \"ball\"]}", "", 0, "\"prescribed\"",
       NULL},
      {"{" Q ", " V
       ", \"wrenches\": [{\"frame\": \"tip\", \"force\": [0, 0, 1]}, {\"frame\": \"bob\", \"torque\": "
       "[1, 0, 0]}]}",
       "", 0, "\"wrenches\"", NULL},
      {"{" Q ", " V "}", "--only bodies.pp", 2,
       "--only: there is no output 'bodies.pp'; did you mean 'bodies.p'", NULL},
      {"{" Q ", " V "}", "--only zzzzzz", 2, "--only: there is no output 'zzzzzz'; freebody-eval files have",
       NULL},
      {"{" Q ", " V "}", "--only mass,,com", 2, "--only: there is no output ''", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_input(&rows[i]);
}

static void wrong_inputs_are_refused_with_their_place(void** state) {
  (void)state;
  static const input_case rows[] = {
      {"{" V "}", "", 2, "q", NULL},
      {"{" Q "}", "", 2, "v", NULL},
      {"{\"q\": [0.5, 1, 0, 0], " V "}", "", 2, "`q` has 4 numbers; it needs 5", NULL},
      {"{\"q\": 3, " V "}", "", 2, "list of 5 numbers", NULL},
      {"{\"q\": [0.5, 1.1, 0, 0, 0], " V "}", "", 2, "ball", NULL},
      {"{\"q\": [0.5, 0, 0, 0, 0], " V "}", "", 2, "ball", NULL},
      {"{\"q\": [0.5, 1, 0, 0, \"x\"], " V "}", "", 2, "q[4]", NULL},
      {"{\"q\": [.nan, 1, 0, 0, 0], " V "}", "", 2, "q[0]", NULL},
      {"{" Q ", \"v\": [1e999, 0, 0, 0]}", "", 2, "v[0]", NULL},
      {"{" Q ", \"v\": [1, 2]}", "", 2, "`v` has 2 numbers; it needs 4", NULL},
      {"{" Q ", \"v\": [1, 0, 0, -1e31]}", "", 2, "v[3]: -1e+31 is beyond 1e+30", NULL},
      {"{" Q ", " V ", \"vdot\": [1e40, 0, 0, 0]}", "", 2, "vdot[0]: 1e+40 is beyond 1e+30", NULL},
      {"{" Q ", " V ", \"tau\": [0, 1e40, 0, 0]}", "", 2, "tau[1]: 1e+40 is beyond 1e+30", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"tip\", \"force\": [0, 0, 1e31]}]}", "", 2,
       "wrenches[0].force[2]: 1e+31 is beyond 1e+30", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"tip\", \"torque\": [1e31, 0, 0]}]}", "", 2,
       "wrenches[0].torque[0]: 1e+31 is beyond 1e+30", NULL},
      {"{" Q ", " V ", \"tau\": [1]}", "", 2, "`tau` has 1 numbers; it needs 4", NULL},
      {"{" Q ", " V ", \"vdot\": []}", "", 2, "`vdot` has 0 numbers; it needs 4", NULL},
      {"{" Q ", " V ", \"vdto\": [0, 0, 0, 0]}", "", 2, "vdot", NULL},
      {"{" Q ", " V ", \"wrenches\": {}}", "", 2, "must be a list", NULL},
      {"{" Q ", " V ", \"wrenches\": [3]}", "", 2, "a wrench is an object", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"toe\", \"force\": [0, 0, 1]}]}", "", 2, "'toe'", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"tip\"}]}", "", 2, "neither `force` nor `torque`", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"force\": [0, 0, 1]}]}", "", 2, "frame", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"tip\", \"force\": [0, 0]}]}", "", 2, "force", NULL},
      {"{" Q ", " V ", \"wrenches\": [{\"frame\": \"tip\", \"frce\": [0, 0, 0]}]}", "", 2, "force", NULL},
      {"{" Q ", " V ", \"prescribed\": [\"rial\"]}", "", 2, "'rial'", NULL},
      {"{" Q ", " V ", \"prescribed\": [\"weld\"]}", "", 2, "is fixed", NULL},
      {"{" Q ", " V ", \"prescribed\": \"rail\"}", "", 2, "must be a list", NULL},
      {"[]", "", 2, "`inputs` must be an object", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_input(&rows[i]);
}

static void wrong_files_are_refused_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *text, *want;
  } rows[] = {
      {"[]", "an evaluation file is an object"},
      {"{}", "`format` is missing"},
      {"{\"format\": \"freebody-evil\", \"cases\": []}", "did you mean 'freebody-eval'?"},
      {"{\"format\": \"csv\", \"cases\": []}", "the format 'csv' is unknown"},
      {"{\"format\": \"freebody-eval\", \"version\": 2, \"cases\": []}", "version 2"},
      {"{\"format\": \"freebody-eval\", \"version\": 1}", "cases"},
      {"{\"format\": \"freebody-eval\", \"cases\": {}}", "must be a list"},
      {"{\"format\": \"freebody-eval\", \"cases\": []}", "model"},
      {"{\"format\": \"freebody-eval\", \"case\": []}", "cases"},
      {"{\"format\": \"freebody-eval\", \"gravity\": [1], \"cases\": [], \"model\": {}}", "gravity"},
      {"{\"format\": \"spacedyn-reference\", \"cases\": [], \"model\": {}}", "bad.json:1"},
      {"{\"format\": \"freebody-eval\", \"cases\": [", "bad.json:"},
      {"", "bad.json"},
      {"{\"format\": \"freebody-eval\", \"cases\": [3], \"model\": {\"freebody\": 1, \"bodies\": [{\"name\": "
       "\"a\", "
       "\"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0]}]}}",
       "a case is an object"},
      {"{\"format\": \"freebody-eval\", \"cases\": [{\"lable\": 1}], \"model\": {\"freebody\": 1, "
       "\"bodies\": "
       "[{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0]}]}}",
       "label"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    spill("bad.json", rows[i].text);
    outcome o = run("$FB eval bad.json");
    if (o.code != 2 || !strstr(o.err, rows[i].want) || !strstr(o.err, "bad.json") || o.out[0])
      fail_msg("'%s': exit %d, expected '%s' in '%s'", rows[i].text, o.code, rows[i].want, o.err);
    outcome_free(&o);
  }
}

/* m10 has one prismatic joint; each row replaces its inputs. */
static void wrong_spacedyn_inputs_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *inputs, *want;
  } rows[] = {
#define R0 "\"R0\": [0, 0, 0], "
#define A0 "\"A0\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "
#define V0 "\"v0\": [0, 0, 0], \"w0\": [0, 0, 0], "
      {A0 V0 "\"q\": [0], \"qd\": [0]", "R0"},
      {R0 V0 "\"q\": [0], \"qd\": [0]", "A0"},
      {R0 A0 "\"q\": [0], \"qd\": [0]", "v0"},
      {R0 A0 V0 "\"qd\": [0]", "q"},
      {R0 A0 V0 "\"q\": [0, 1], \"qd\": [0]", "`q` has 2 numbers; it needs 1"},
      {R0 A0 V0 "\"q\": [0], \"qd\": []", "`qd` has 0 numbers; it needs 1"},
      {R0 "\"A0\": [[1, 0, 0], [0, 1, 0], [0, 0, -1]], " V0 "\"q\": [0], \"qd\": [0]", "determinant"},
      {R0 "\"A0\": [[1, 0, 0], [0, 1, 0.01], [0, 0, 1]], " V0 "\"q\": [0], \"qd\": [0]", "not a rotation"},
      {R0 "\"A0\": [[1, 0], [0, 1]], " V0 "\"q\": [0], \"qd\": [0]", "A0"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"vd0\": [0, 0, 0]", "wd0"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"Fe\": [[0, 0, 0], [0, 0, 0]]", "one a link"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"Te\": [[0, 0]]", "Te[0]"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"Fe\": [[0, 1e31, 0]]", "Fe[0][1]: 1e+31 is beyond 1e+30"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"F0\": [0, 1e31, 0]", "F0[1]: 1e+31 is beyond 1e+30"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"F0\": [0]", "`F0` has 1 numbers"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"tau\": [0, 0]", "`tau` has 2 numbers"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"prescribed_joints\": [2]", "no joint 2"},
      {R0 A0 V0 "\"q\": [0], \"qd\": [0], \"prescribed_joints\": 1", "must be a list"},
      {R0 A0 V0 "\"q\": [0], \"dq\": [0]", "dq"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"format\": \"spacedyn-reference\", \"version\": 1, \"model\": {\"num_q\": 1, \"BB\": [0], "
             "\"SS\": [[-1]], "
             "\"S0\": [1], \"SE\": [1], \"J_type\": [\"P\"], \"c0\": [[0, 0, 1]], \"cc\": [[[0, 0, 0]]], "
             "\"ce\": [[0, 0, "
             "1]], \"m0\": 10, \"inertia0\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"m\": [1], \"inertia\": "
             "[[[1, 0, 0], [0, "
             "1, 0], [0, 0, 1]]], \"Qi\": [[0, 0, 0]], \"Qe\": [[0, 0, 0]], \"Gravity\": [0, 0, 0]},\n"
             "\"cases\": [{\"inputs\": {%s}}]}",
             rows[i].inputs);
    spill("bad.json", text);
    outcome o = run("$FB eval bad.json");
    if (o.code != 2 || !strstr(o.err, rows[i].want) || !strstr(o.err, "bad.json:2:") || o.out[0])
      fail_msg("'%s': exit %d, expected '%s' in '%s'", rows[i].inputs, o.code, rows[i].want, o.err);
    outcome_free(&o);
  }
}

static void standard_input_gives_the_same_as_a_file(void** state) {
  (void)state;
  outcome o = run(
      "F='" FB_TEST_DATA
      "/reference/joints/j03_cylindrical.json'\n"
      "$FB eval \"$F\" >a.txt && $FB eval - <\"$F\" >b.txt && cmp a.txt b.txt && $FB eval a.txt >c.txt && "
      "cmp a.txt c.txt");
  if (o.code != 0) fail_msg("%s%s", o.out, o.err);
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spacedyn_references_are_met),
      cmocka_unit_test(joint_references_are_met),
      cmocka_unit_test(native_jacobian_rates_agree_with_the_accelerations),
      cmocka_unit_test(spacedyn_jacobian_rates_agree_with_the_accelerations),
      cmocka_unit_test(a_chain_of_ten_thousand_bodies_is_evaluated),
      cmocka_unit_test(outputs_follow_the_inputs_and_the_choice),
      cmocka_unit_test(wrong_inputs_are_refused_with_their_place),
      cmocka_unit_test(wrong_files_are_refused_with_their_place),
      cmocka_unit_test(wrong_spacedyn_inputs_are_refused),
      cmocka_unit_test(standard_input_gives_the_same_as_a_file),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
