/* attitude_wheels.h -- how reaction wheels share a torque on the body that carries them. */
#ifndef FB_CONTROL_ATTITUDE_WHEELS_H
#define FB_CONTROL_ATTITUDE_WHEELS_H

#include <freebody/model.h>

typedef struct fb_wheels {
  int count;
  int* v_at;          /* [count] their coordinates, */
  int* first_at;      /* [count] and those in the model that they were made for */
  double (*axis)[3];  /* [count] base axes */
  double (*share)[3]; /* [count] torque at the joint for a torque on the base, base axes */
} fb_wheels;

/* Checks that the bodies are wheels of the base and finds their shares. Errors name the block; on failure there is
 * nothing to free. */
fb_status fb_wheels_init(const fb_model* m, const char* block, int base, const int* bodies, int count,
                         fb_wheels* wheels, fb_error* error);
/* tau [count]: the torques of the wheels for the torque T on the base, base axes. */
void fb_wheels_share(const fb_wheels* wheels, const double T_b[3], double* tau);
/* How much of a torque that speeds wheel i up is given: 1 where it is free, falling to 0 over the last hundredth below its
 * speed limit. */
double fb_wheels_room(const fb_wheels* wheels, int i, const double* speed, const double* v);
/* Takes off what would drive wheels beyond the speed limits [nv] of their joints, at the rates v of the model, and hands
 * it to the others. */
void fb_wheels_keep_speeds(const fb_wheels* wheels, const double* speed, const double* v, double* tau);
/* Finds their coordinates in another model; the one of `first` of a wheel that has gone, or -1. */
int fb_wheels_rebind(fb_wheels* wheels, const fb_model* first, const fb_model* m);
/* FB_ERR_JOINT where a limit lets a wheel not turn at all. */
fb_status fb_wheels_check_speeds(const fb_model* m, const char* block, const fb_wheels* wheels,
                                 const double* speed, fb_error* error);
void fb_wheels_free(fb_wheels* wheels);

#endif
