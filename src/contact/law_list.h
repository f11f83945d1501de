/* law_list.h -- the laws of contacts, in the order of fb_contact_law. */
#ifndef FB_CONTACT_LAW_LIST_H
#define FB_CONTACT_LAW_LIST_H

/* X(with, name): `with` is handed on. */
#define FB_CONTACT_LAW_LIST(X, with) \
  X(with, hard) X(with, spring) X(with, hunt_crossley) X(with, hertz) X(with, soil)

#endif
