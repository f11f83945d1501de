/* unannounced.h -- fb_block.longest_step of what acts without saying when: scripts and plugins; in Python additions.py. */
#ifndef FB_BLOCK_UNANNOUNCED_H
#define FB_BLOCK_UNANNOUNCED_H

#define FB_UNANNOUNCED 0.01 /* s */

#endif
