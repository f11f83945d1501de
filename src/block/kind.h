/* kind.h -- blocks for which a simulation has code of its own (contacts, elements), known by the address in
 * fb_block.kind_. */
#ifndef FB_BLOCK_KIND_H
#define FB_BLOCK_KIND_H

#include <freebody/block.h>

struct fb_block_kind {
  const char* name;
};

FB_API extern const fb_block_kind
    FB_BLOCK_HARD_CONTACT; /* its impulses are solved for; user: fb_contact_block */
FB_API extern const fb_block_kind
    FB_BLOCK_CONTACT_SOLVER; /* what the solver did; one for all hard contacts */
FB_API extern const fb_block_kind FB_BLOCK_COMPLIANT_CONTACT; /* soil too; user: fb_contact_block */
FB_API extern const fb_block_kind FB_BLOCK_ELEMENT;           /* between two frames; user: fb_pair */

static inline int fb_block_is(const fb_block* block, const fb_block_kind* kind) {
  return block->kind_ == kind;
}

/* Contacts of any law. */
static inline int fb_block_is_contact(const fb_block* block) {
  return fb_block_is(block, &FB_BLOCK_HARD_CONTACT) || fb_block_is(block, &FB_BLOCK_COMPLIANT_CONTACT);
}

#endif
