/* run_events.c -- what an event of a scenario does, in words, for the log. */
#include <stdio.h>
#include <string.h>

#include "io/scenario_inside.h"
#include "run.h"

static void describe(const fb_scenario* s, const fb_scenario_action* action, char* text, size_t size) {
  const fb_model* m = fb_scenario_model(s);
  switch (action->kind) {
    case FB_ACT_LOCK:
      snprintf(text, size, "joint '%s' is locked", fb_joint_name(m, action->body));
      break;
    case FB_ACT_RELEASE:
      snprintf(text, size, "joint '%s' is released", fb_joint_name(m, action->body));
      break;
    case FB_ACT_MOVE:
      snprintf(text, size, "motion '%s' begins", s->motions[action->index].name);
      break;
    case FB_ACT_BOUNCE:
      snprintf(text, size, "joint '%s' bounces", fb_joint_name(m, action->body));
      break;
    case FB_ACT_MODE:
      snprintf(text, size, "mode '%s'", s->modes && s->modes[action->index] ? s->modes[action->index] : "");
      break;
    case FB_ACT_SET:
      snprintf(text, size, "%s of '%s' is set to %g", action->parameter, action->block, action->number);
      break;
    case FB_ACT_STOP:
      snprintf(text, size, "the run ends");
  }
}

void fb_job_event_text(const fb_job* job, int event, char* text, size_t size) {
  const fb_scenario* s = job->scenario;
  size_t used = 0;
  text[0] = '\0';
  if (event < 0 || event >= s->nevent) return;
  for (int i = 0; i < s->events[event].count && used + 3 < size; i++) {
    if (i > 0) used += (size_t)snprintf(text + used, size - used, "; ");
    describe(s, &s->events[event].actions[i], text + used, size - used);
    used += strlen(text + used);
  }
}
