/* names.h -- the functions that are called by their own names, for the .oct file */
#ifndef FREEBODY_MATLAB_NAMES_H
#define FREEBODY_MATLAB_NAMES_H

/* clang-format off */
#define FREEBODY_FUNCTIONS(X)                                                                                \
  X(freebody_mex)                                                                                            \
  X(aw)                                                                                                      \
  X(calc_aa)                                                                                                 \
  X(calc_acc)                                                                                                \
  X(calc_gj)                                                                                                 \
  X(calc_gj11)                                                                                               \
  X(calc_hh) X(calc_je) X(calc_jr) X(calc_jre) X(calc_jt) X(calc_jte) X(calc_pos) X(calc_vel) X(cross) X(cx) \
      X(cy) X(cz) X(dc2eul) X(dc2qtn) X(dc2rpy) X(eul2dc) X(f_dyn) X(f_dyn_f0) X(f_dyn_nb) X(f_dyn_nb2)      \
          X(f_dyn_rk) X(f_dyn_rk2) X(f_kin_e) X(f_kin_j) X(freebody_cache) X(freebody_compat) X(int_eu)      \
              X(int_eu2) X(int_sr) X(int_sr2) X(j_num) X(qtn2dc) X(r_ne) X(rpy2dc) X(tilde) X(tr2diff)       \
                  X(w2dQtn)
/* clang-format on */

#endif
