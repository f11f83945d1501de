/* method.c -- the table of integration methods: names, traits, steppers. What differs between methods is a trait; the code of a
 * method is compared nowhere else (scripts/lint). */
#include <string.h>

#include "base/cookie.h"
#include "sim/sim.h"

#define AS_NAME(code, name, ...) #name,
static const char* const NAMES[] = {FB_METHOD_LIST(AS_NAME) "custom"};
#undef AS_NAME
#define AS_TRAITS(code, name, order, adaptive, dense, takes_moved, time_stepping, takes_slopes, doubles, \
                  steps_momenta, velocity_first, stability_limit, what)                                  \
  {order,        adaptive, dense,         takes_moved,    time_stepping,                                 \
   takes_slopes, doubles,  steps_momenta, velocity_first, stability_limit},
static const fb_stepper_traits TRAITS[] = {FB_METHOD_LIST(AS_TRAITS){0}};
#undef AS_TRAITS

const char* fb_method_name(fb_method method) {
  return (int)method >= 0 && method < FB_METHOD_COUNT ? NAMES[method] : "?";
}

int fb_method_find(const char* name) {
  for (int i = 0; i < FB_METHOD_COUNT; i++)
    if (strcmp(NAMES[i], name) == 0) return i;
  return -1;
}

fb_stepper_traits fb_method_traits(fb_method method) {
  return TRAITS[(int)method >= 0 && method < FB_METHOD_COUNT ? method : FB_METHOD_CUSTOM];
}

int fb_sim_options_are_custom(const fb_sim_options* options) {
  return options->method == FB_METHOD_CUSTOM;
}

fb_stepper_traits fb_sim_options_traits(const fb_sim_options* options) {
  if (options->cookie_ != FB_COOKIE) return (fb_stepper_traits){0};
  if (fb_sim_options_are_custom(options) && options->stepper) return options->stepper->traits;
  fb_stepper_traits traits = fb_method_traits(options->method);
  int doubled = traits.doubles && options->step == 0; /* stepper/extrapolation.c */
  traits.adaptive = (traits.adaptive || doubled) && options->adaptive;
  if (doubled) traits.order += 2;
  return traits;
}

fb_stepper fb_sim_stepper_of(const fb_sim_options* o) {
#define AS_MAKER(code, name, ...) fb_stepper_##name,
  static fb_stepper (*const makers[])(void) = {FB_METHOD_LIST(AS_MAKER)};
#undef AS_MAKER
  fb_stepper stepper = fb_sim_options_are_custom(o) ? *o->stepper : makers[o->method]();
  if (!fb_sim_options_are_custom(o) || !stepper.name) stepper.name = fb_method_name(o->method);
  stepper.traits = fb_sim_options_traits(o);
  return stepper;
}

fb_stepper fb_stepper_for_steps(const fb_sim_options* o) {
  fb_sim_options options = *o;
  options.method = FB_METHOD_MOREAU;
  return fb_sim_stepper_of(&options);
}
