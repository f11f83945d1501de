/* part.c -- the trees of a simulation and its ledger as a part. */
#include "ledger/ledger.h"
#include "sim/part.h"

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_ledger_fields* to = &s->ledger;
  FB_LEDGER_STATE(FB_FIELD_IN_STATE)
  FB_LEDGER_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static fb_status begin(fb_sim* s, fb_error* error) {
  (void)error;
  fb_ledger_begin(s);
  return FB_OK;
}

static void carry(fb_sim* s, const fb_sim* old) {
  *s->ledger.head = *old->ledger.head;
}

/* Error control needs the masses of the trees. */
static void restore(fb_sim* s) {
  fb_trees_measure(s, fb_sim_kinematics_at(s, s->y), s->y);
}

static void forget(fb_sim* s) {
  s->tree = (fb_trees){.count = 0};
  s->ledger.nz_trees = 0;
}

const fb_part fb_part_ledger = {.place = place,
                                .begin = begin,
                                .follow = fb_ledger_step,
                                .carry = carry,
                                .restore = restore,
                                .forget = forget,
                                .free = fb_trees_free};
