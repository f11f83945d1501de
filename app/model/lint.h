/* lint.h -- advice on models that are legal but look wrong. */
#ifndef FB_APP_MODEL_LINT_H
#define FB_APP_MODEL_LINT_H

#include <freebody/model.h>

/* Called once for each piece of advice. */
typedef void (*cmd_advice_fn)(void* user, fb_place place, const char* text);

/* Looks the whole model over; returns how much advice was given. */
int cmd_lint_model(const fb_model* model, cmd_advice_fn advise, void* user);

#endif
