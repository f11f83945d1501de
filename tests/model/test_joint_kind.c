/* test_joint_kind.c -- the tables of joint kinds and link kinds agree with themselves and with the kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/joint_kind.h"
#include "model/model.h"
#include "random_tree.h"

/* What each number of q and v is: a an angle, l a length, q of a quaternion. */
static void kinds_have_the_coordinates_that_the_format_promises(void** unused) {
  static const struct {
    const char *name, *q, *v;
    int naxis, pitch;
  } WANT[] = {
      {"fixed", "", "", 0, 0},
      {"revolute", "a", "a", 1, 0},
      {"prismatic", "l", "l", 1, 0},
      {"helical", "a", "a", 1, 1},
      {"cylindrical", "al", "al", 1, 0},
      {"universal", "aa", "aa", 2, 0},
      {"spherical", "qqqq", "aaa", 0, 0},
      {"planar", "lla", "lla", 0, 0},
      {"free", "lllqqqq", "lllaaa", 0, 0},
  };
  (void)unused;
  assert_int_equal(sizeof WANT / sizeof WANT[0], FB_JOINT_TYPE_COUNT);
  for (int t = 0; t < FB_JOINT_TYPE_COUNT; t++) {
    int type = fb_joint_type_find(WANT[t].name), nv = (int)strlen(WANT[t].v), nq = (int)strlen(WANT[t].q);
    const char* quat = strchr(WANT[t].q, 'q');
    assert_int_equal(type, t);
    fb_joint_type code = (fb_joint_type)type;
    assert_int_equal(fb_joint_type_nq(code), nq);
    assert_int_equal(fb_joint_type_nv(code), nv);
    assert_int_equal(fb_joint_type_naxis(code), WANT[t].naxis);
    assert_int_equal(fb_joint_type_has_pitch(code), WANT[t].pitch);
    assert_int_equal(fb_joint_type_quat_index(code), quat ? quat - WANT[t].q : -1);
    for (int i = 0; i < nv; i++) assert_int_equal(fb_joint_type_is_length(code, i), WANT[t].v[i] == 'l');
    for (int i = 0; i < nq; i++) {
      int v = fb_joint_type_v_of(code, i);
      assert_int_equal(v < 0, WANT[t].q[i] == 'q');
      if (v >= 0) assert_int_equal(fb_joint_type_q_of(code, v), i);
    }
  }
}

static void a_type_out_of_range_has_nothing(void** unused) {
  (void)unused;
  static const int OUT[] = {-1, FB_JOINT_TYPE_COUNT};
  for (int i = 0; i < 2; i++) {
    fb_joint_type type = (fb_joint_type)OUT[i];
    assert_string_equal(fb_joint_type_name(type), "?");
    assert_int_equal(fb_joint_type_nq(type) + fb_joint_type_nv(type) + fb_joint_type_naxis(type), 0);
    assert_int_equal(fb_joint_type_has_pitch(type) + fb_joint_type_is_length(type, 0), 0);
    assert_int_equal(fb_joint_type_quat_index(type), -1);
  }
  assert_int_equal(fb_joint_type_is_length(FB_JOINT_PRISMATIC, -1), 0);
  assert_int_equal(fb_joint_type_is_length(FB_JOINT_PRISMATIC, 1), 0);
}

static void a_kind_has_what_its_links_have(void** unused) {
  (void)unused;
  for (int t = 0; t < FB_JOINT_TYPE_COUNT; t++) {
    const fb_joint_kind* kind = &fb_joint_kinds[t];
    int nq = 0, nv = 0, lengths = 0, quats = 0;
    for (int i = 0; i < kind->nlink; i++) {
      const fb_link_row* link = &fb_link_rows[kind->chain[i].kind];
      nq += link->nq;
      nv += link->nv;
      lengths += link->lengths;
      quats += link->quats;
      if (kind->chain[i].kind == FB_LINK_FREE) assert_true(kind->is_free && kind->nlink == 1);
    }
    assert_true(nq == kind->nq && nv == kind->nv && lengths == kind->lengths && quats == kind->quats);
  }
}

/* Every link of a random forest has a block of its own of each kind, and every coordinate a link. */
static void blocks_of_links_lie_side_by_side(void** unused) {
  (void)unused;
  for (uint64_t i = 0; i < 50; i++) {
    fb_model* m = random_model(i, 1 + (int)i);
    const fb_topology* t = &m->top;
    int nv = 0, room = fb_links_in_blocks(t->nlink);
    for (int link = 0; link < t->nlink; link++) {
      assert_int_equal(t->link_nv[link], fb_link_rows[t->link_kind[link]].nv);
      assert_true(t->link_nv[link] == 0 || t->slot_v[t->link_slot[link]] == t->link_v[link]);
      assert_int_equal(t->link_ext[link + 1] - t->link_ext[link], FB_EXT_SIZE);
      nv += t->link_nv[link];
    }
    for (int link = 0; link < room; link++)
      assert_int_equal(t->link_block[link + 1] - t->link_block[link], FB_BODY_SIZE);
    for (int site = 0; site < t->nsite; site++) assert_int_equal(t->site_rigid[site], 1);
    assert_int_equal(nv, t->nv);
    fb_model_free(m);
  }
}

static void a_link_on_one_axis_has_one_coordinate(void** unused) {
  (void)unused;
  for (int kind = 0; kind < FB_LINK_KIND_COUNT; kind++)
    assert_int_equal(fb_link_is_axial(kind), fb_link_rows[kind].nv == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_the_coordinates_that_the_format_promises),
      cmocka_unit_test(a_type_out_of_range_has_nothing),
      cmocka_unit_test(a_kind_has_what_its_links_have),
      cmocka_unit_test(blocks_of_links_lie_side_by_side),
      cmocka_unit_test(a_link_on_one_axis_has_one_coordinate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
