/* cookie.h -- tells a struct that was begun with fb_default_X() from one that was not.
 *
 * Every struct that users fill has a cookie_, which its default sets. It is checked where the struct enters the library, and
 * those that it points to or contains likewise. */
#ifndef FB_BASE_COOKIE_H
#define FB_BASE_COOKIE_H

#include <freebody/status.h>

enum { FB_COOKIE = 0x0fb0c0de };

/* FB_ERR_ARG unless the cookie is that of a struct made by fb_default_TYPE; type without fb_: "sim_options". */
static inline fb_status fb_cookie_check(int cookie, const char* type, fb_error* error) {
  if (cookie == FB_COOKIE) return FB_OK;
  fb_fail(error, FB_ERR_ARG,
          "this fb_%s was not made by fb_default_%s(): begin with that, then set what differs", type, type);
  return FB_ERR_ARG;
}

/* The same for what a block of that name, which may be NULL, is made from. */
static inline fb_status fb_cookie_check_of_block(const char* block, int cookie, const char* type,
                                                 fb_error* error) {
  if (cookie == FB_COOKIE) return FB_OK;
  fb_fail(error, FB_ERR_ARG,
          "block \"%s\": its fb_%s was not made by fb_default_%s(): begin with that, then set what differs",
          block ? block : "", type, type);
  return FB_ERR_ARG;
}

#endif
