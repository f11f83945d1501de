/* unannounced.h -- the bound on steps (fb_block.longest_step) of scripts and plugins, whose pulses are not announced by
 * fb_block.next_edge. The Python package has the same number in additions.py. */
#ifndef FB_BLOCK_UNANNOUNCED_H
#define FB_BLOCK_UNANNOUNCED_H

#define FB_UNANNOUNCED 0.01 /* s */

#endif
