/* kind.c -- the kinds of blocks for which a simulation has code of its own. */
#include "block/kind.h"

const fb_block_kind FB_BLOCK_HARD_CONTACT = {"hard contact"};
const fb_block_kind FB_BLOCK_CONTACT_SOLVER = {"solver of contacts"};
const fb_block_kind FB_BLOCK_COMPLIANT_CONTACT = {"compliant contact"};
const fb_block_kind FB_BLOCK_ELEMENT = {"element"};
