/* fields.h -- fields of a simulation for contacts. */
#ifndef FB_CONTACT_DYNAMICS_FIELDS_H
#define FB_CONTACT_DYNAMICS_FIELDS_H

#include <freebody/sim.h>

#include "base/fields.h"

enum { FB_CRAWL_SHORT = 1, FB_CRAWL_WINDOWS = 3 }; /* the second: a hundredth of a step */

typedef struct fb_contacts_head {
  int nremembered;           /* points of hard contacts that are remembered */
  int nclosed;               /* of these, those that do not part: event-driven methods hold them */
  int pushes;                /* of compliant contacts at the end of the step last made */
  int rescues, rescue_steps; /* how often steps of moreau were made (rescue.c); steps still to be made */
  double rescued_t;          /* when it first did */
  double
      cut_from; /* the multiple of the step of moreau in which steps were cut, and how many (moreau_points.c) */
  long long cuts;
  double crawl_from[FB_CRAWL_WINDOWS];     /* where windows of time begin, */
  long long crawl_steps[FB_CRAWL_WINDOWS]; /* and the steps made in them with hard contacts (hard_locate.c) */
  long long hard_step;                     /* the steps made when hard contacts were last settled */
  double impacts; /* energy gained at their impacts, part of that of the ledger [J] */
  double met_t;   /* when bodies last met with compliant contacts, and a step ended (meeting.c) */
  int nbeside; /* points of the motion beside that are remembered; -1: those of the run (moreau_beside.c); */
  int calm;    /* steps since the last impact of either, */
  int room;    /* and steps that its refined ones may take */
  int passed; /* 1 + the block of the first compliant contact whose sides passed each other in a fixed step; */
  int passed_inside; /* 1: they touched at both its ends, and the force changed sides; */
  double passed_t;   /* when (meeting.c) */
} fb_contacts_head;

#define FB_CONTACTS_STATE(FIELD)                                                       \
  FIELD(fb_contacts_head, head, 1, "")                                                 \
  FIELD(struct fb_hard_memory, remembered, fb_hard_room(s), "points of hard contacts") \
  FIELD(struct fb_hard_memory, beside, fb_hard_room(s), "those of the motion beside")

/* What is known of a compliant contact at the end of a step (meeting.c), in an epoch of fb_step. */
typedef struct fb_meeting {
  int block;
  unsigned epoch;
  double pace_t, pace;                 /* the bound on the rates of its gaps, and when [m/s] */
  double gap_t, gap;                   /* the least of pairs that are apart, or less, and when [m] */
  double reach;                        /* of the present search: farther pairs do not matter [m] */
  unsigned char *closed, *closed_next; /* which pairs touch at the start of a step, at its end */
} fb_meeting;

#define FB_CONTACTS_SCRATCH(FIELD)                       \
  FIELD(fb_meeting, meetings, s->contact.ncompliant, "") \
  FIELD(unsigned char, closed_pairs, 2 * s->contact.npair, "of all meetings: closed, then closed_next")

typedef struct fb_contacts {
  int count;                     /* of the blocks, contacts of any law */
  struct fb_hard_contacts* hard; /* of hard contacts; NULL without (hard_contact.h) */
  fb_stepper event_stepper;      /* while moreau makes a step for it (rescue.c) */
  int by_rescue;                 /* moreau made the step last made, in an event-driven run (rescue.c) */
  int pushes;                    /* of compliant contacts at its end */
  int ncompliant;                /* contacts with compliant laws; */
  size_t npair;                  /* all pairs of their colliders */
  FB_CONTACTS_STATE(FB_FIELD_DECLARE)
  FB_CONTACTS_SCRATCH(FB_FIELD_DECLARE)
} fb_contacts;

#endif
