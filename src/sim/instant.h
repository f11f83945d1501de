/* instant.h -- when two times are the same. */
#ifndef FB_SIM_INSTANT_H
#define FB_SIM_INSTANT_H

/* Of a run, or of its longest step: times of the same run are distinguished to a thousandth of it [s]. */
#define FB_SHORTEST_TIME 1e-12

/* Times closer than this are the same instant. */
static inline double fb_time_slack(double t) {
  double size = t < 0 ? -t : t;
  return 8 * 2.220446049250313e-16 * (size > 1e-3 ? size : 1e-3);
}

#endif
