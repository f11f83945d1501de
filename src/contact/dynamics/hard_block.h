/* hard_block.h -- the blocks of hard contacts. */
#ifndef FB_CONTACT_DYNAMICS_HARD_BLOCK_H
#define FB_CONTACT_DYNAMICS_HARD_BLOCK_H

#include <freebody/contact.h>

/* The block of a hard contact, and the block "solver", which fb_sim_add_contact adds before the first of them. */
FB_API fb_status fb_hard_block(const fb_model* m, const fb_contact* contact, fb_block* block,
                               fb_error* error);
FB_API fb_block fb_hard_solver_block(void);
/* The same where all contacts are compliant: its outputs are zero, since no problem is solved. */
FB_API fb_block fb_hard_idle_solver_block(void);

#endif
