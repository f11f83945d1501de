/* moreau_beside.h -- what the motion beside a run of moreau leaves of its last step (moreau_beside.c). */
#ifndef FB_SIM_MOREAU_BESIDE_H
#define FB_SIM_MOREAU_BESIDE_H

typedef enum fb_beside_kind {
  FB_BESIDE_NONE,
  FB_BESIDE_WHOLE,
  FB_BESIDE_PARTS,
  FB_BESIDE_FAILED
} fb_beside_kind;

typedef struct fb_beside {
  fb_beside_kind made;
  int hit;    /* 1 + the first contact with an impact in it; -1: only limits; 0: none */
  int npoint; /* its points, in fb_hard_contacts.beside */
  double n; /* the steps that the sample of smooth ones in s->error.off_other represents; 0: there is none */
  /* > 0: impacts that the present step may miss are sought, this long before and after its middle [s] */
  double reach_time;
  double pace; /* the fastest rate of a gap in it [m/s] */
  int reaches; /* 1: there may be some */
} fb_beside;

#endif
