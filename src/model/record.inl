/* record.inl -- reading and writing the records of links and their parameters (record.h) in fb_real. */
#ifndef FB_MODEL_RECORD_INL
#define FB_MODEL_RECORD_INL

#include "kernel/sym3.inl"
#include "kernel/whole3.inl"
#include "model/data.h"

enum {
  FB_STEP = FB_WIDTH == 1 ? FB_VECTOR : FB_VECTOR_WIDE, /* from one vector of a record to the next */
  FB_RECORD = FB_REC_COUNT * FB_STEP,                   /* from one record to the next */
};

/* The record of link i. */
FB_K double* fb_link(const fb_data* d, int i) {
  return fb_from(d->rec, FB_RECORD * i);
}
FB_K fb_v3 fb_get3(const double* link, int vector) {
  return fb_ld3_at(link, FB_STEP * vector);
}
FB_K void fb_put3(double* link, int vector, fb_v3 x) {
  fb_st3_at(link, FB_STEP * vector, x);
}
FB_K fb_m3 fb_get_axes(const double* link) {
  fb_m3 R;
  R.x = fb_get3(link, FB_REC_X);
  R.y = fb_get3(link, FB_REC_Y);
  R.z = fb_get3(link, FB_REC_Z);
  return R;
}

#if FB_PACKED
FB_K fb_w3 fb_get_whole(const double* link, int vector) {
  return fb_four_load(link + FB_STEP * vector);
}
FB_K void fb_put_whole(double* link, int vector, fb_w3 x) {
  fb_four_store(link + FB_STEP * vector, x);
}
#else
FB_K fb_w3 fb_get_whole(const double* link, int vector) {
  return fb_get3(link, vector);
}
FB_K void fb_put_whole(double* link, int vector, fb_w3 x) {
  fb_put3(link, vector, x);
}
#endif

/* A vector of `count` links, four at most: i and those that follow. */
FB_K fb_fours fb_get_fours(const fb_data* d, int i, int count, int vector) {
  return fb_fours_gather(fb_from(fb_link(d, i), FB_STEP * vector), FB_RECORD, count);
}

FB_K const double* fb_link_par(const fb_parameters* par, int i) {
  return fb_par_from(par->link, fb_link_parameters_at((unsigned)i));
}
FB_K fb_par fb_par1(const double* link, int at) {
  return fb_ld_par(link, at * FB_BLOCK);
}
FB_K fb_par3 fb_par3_of(const double* link, int at) {
  return fb_par3_make(fb_par1(link, at), fb_par1(link, at + 1), fb_par1(link, at + 2));
}
FB_K fb_par9 fb_par9_of(const double* link, int at) {
  fb_par9 r;
  r.x = fb_par3_of(link, at);
  r.y = fb_par3_of(link, at + 3);
  r.z = fb_par3_of(link, at + 6);
  return r;
}
FB_K fb_par6 fb_par6_of(const double* link, int at) {
  fb_par6 r;
  r.xx = fb_par1(link, at);
  r.yy = fb_par1(link, at + 1);
  r.zz = fb_par1(link, at + 2);
  r.xy = fb_par1(link, at + 3);
  r.xz = fb_par1(link, at + 4);
  r.yz = fb_par1(link, at + 5);
  return r;
}

/* --- blocks of links, for what concerns each link alone ---
 *
 *   double block[FB_BLOCK_SIZE];
 *   fb_block_in(block, d, first, FB_REC_W);                     each vector that is read
 *   for (int i = 0; i < FB_LINKS; i++) ... fb_block_get3(block + i, FB_REC_W) ... fb_block_put3 ...
 *   fb_block_out(block, d, first, FB_REC_N);                    each vector that was written and is to stay
 *
 * A block is a copy with the links interleaved, so that the loop turns into vectors where FB_PACKED is 1; elsewhere it
 * has one link and stays in registers. */

enum { FB_LINKS = FB_PACKED ? FB_BLOCK : 1, FB_BLOCK_SIZE = 3 * FB_REC_COUNT * FB_LINKS * FB_WIDTH };

FB_K fb_v3 fb_block_get3(const double* link, int vector) {
  int at = 3 * FB_LINKS * vector;
  return fb_v3_make(fb_ld(link, at), fb_ld(link, at + FB_LINKS), fb_ld(link, at + 2 * FB_LINKS));
}
FB_K void fb_block_put3(double* link, int vector, fb_v3 x) {
  int at = 3 * FB_LINKS * vector;
  fb_st(link, at, x.x);
  fb_st(link, at + FB_LINKS, x.y);
  fb_st(link, at + 2 * FB_LINKS, x.z);
}

#if FB_PACKED

/* A vector of the four links from this one on. */
FB_K fb_fours fb_block_fours(const double* link, int vector) {
  const double* at = link + 3 * FB_LINKS * vector;
  fb_fours r;
  r.x = fb_four_load(at);
  r.y = fb_four_load(at + FB_LINKS);
  r.z = fb_four_load(at + 2 * FB_LINKS);
  return r;
}
FB_K void fb_block_in(double* block, const fb_data* d, int first, int vector) {
  for (int four = 0; four < FB_LINKS; four += 4) {
    double* to = block + 3 * FB_LINKS * vector + four;
    fb_fours x = fb_get_fours(d, first + four, 4, vector);
    fb_four_store(to, x.x);
    fb_four_store(to + FB_LINKS, x.y);
    fb_four_store(to + 2 * FB_LINKS, x.z);
  }
}
FB_K void fb_block_out(const double* block, fb_data* d, int first, int vector) {
  for (int four = 0; four < FB_LINKS; four += 4) {
    fb_fours x = fb_block_fours(block + four, vector);
    fb_four_store_across(fb_link(d, first + four) + FB_STEP * vector, FB_RECORD, x.x, x.y, x.z, x.z);
  }
}

#else

FB_K void fb_block_in(double* block, const fb_data* d, int link, int vector) {
  fb_block_put3(block, vector, fb_get3(fb_link(d, link), vector));
}
FB_K void fb_block_out(const double* block, fb_data* d, int link, int vector) {
  fb_put3(fb_link(d, link), vector, fb_block_get3(block, vector));
}

#endif

FB_K fb_m3 fb_block_axes(const double* link) {
  fb_m3 R;
  R.x = fb_block_get3(link, FB_REC_X);
  R.y = fb_block_get3(link, FB_REC_Y);
  R.z = fb_block_get3(link, FB_REC_Z);
  return R;
}
FB_K void fb_block_in_axes(double* block, const fb_data* d, int first) {
  fb_block_in(block, d, first, FB_REC_X);
  fb_block_in(block, d, first, FB_REC_Y);
  fb_block_in(block, d, first, FB_REC_Z);
}

#endif
