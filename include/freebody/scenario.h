/* scenario.h -- scenario files: a model, its initial state, what acts on it, and for how long (libfreebody_io).
 *
 * docs/scenario.md describes the format; it is generated from the table that checks the files. */
#ifndef FREEBODY_SCENARIO_H
#define FREEBODY_SCENARIO_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/signal.h>
#include <freebody/sim.h>
#include <freebody/status.h>

typedef struct fb_scenario fb_scenario;

typedef struct fb_scenario_options {
  const char* const* set; /* "a.b=value" overrides, NULL-terminated; or NULL */
  double duration;        /* overrides the file's; < 0: the file's [s] */
  const char* inputs;     /* a folder with copies of the input files, made by fb_scenario_write; or NULL */
  fb_io_options io;       /* how models are read */
  int plant;   /* 1: leaves out all control laws but inputs, and their signals in the log; see plant.h */
  int cookie_; /* set by fb_default_scenario_options */
} fb_scenario_options;

FB_BEGIN_DECLS

FB_API fb_scenario_options fb_default_scenario_options(void);

/* Reads and checks a scenario with its models, or a bare model, which runs with defaults. options may be NULL. */
FB_API fb_status fb_scenario_read(const char* file, const fb_scenario_options* options,
                                  fb_scenario** scenario, fb_error* error);
/* The same from memory; file: its name, whose folder models and scripts are searched in. */
FB_API fb_status fb_scenario_parse(const char* text, size_t size, const char* file,
                                   const fb_scenario_options* options, fb_scenario** scenario,
                                   fb_error* error);
FB_API void fb_scenario_free(fb_scenario* scenario);

FB_API const char* fb_scenario_name(
    const fb_scenario* s); /* its name, or the file's name without folder and extension */
FB_API const fb_model* fb_scenario_model(const fb_scenario* s);    /* all its models as one scene */
FB_API double fb_scenario_duration(const fb_scenario* s);          /* [s] */
FB_API double fb_scenario_log_period(const fb_scenario* s);        /* [s] */
FB_API double fb_scenario_checkpoint_period(const fb_scenario* s); /* [s] */
FB_API int fb_scenario_nsignal(const fb_scenario* s);
FB_API const fb_signal* fb_scenario_signals(const fb_scenario* s);
/* As fb_sim_signal_info, before there is a simulation. */
FB_API void fb_scenario_signal_info(const fb_scenario* s, fb_signal signal, fb_signal_info* info);
FB_API const char* fb_scenario_integrator(const fb_scenario* s); /* "rk4, 10 ms" */
/* "auto, for joint 'elbow', whose rate is 35 1/s": why it was chosen; "" when the scenario names it, or nothing in
 * the model requires one. */
FB_API const char* fb_scenario_integrator_reason(const fb_scenario* s);
/* "of 2 joints (elbow, wrist) are not enforced: ...": the joint limits that nothing in the scenario enforces; "" when there
 * are none, or the scenario says limits: ignore. */
FB_API const char* fb_scenario_unenforced_limits(const fb_scenario* s);
/* Initial state with all options applied: [nq], [nv]. */
FB_API const double* fb_scenario_q(const fb_scenario* s);
FB_API const double* fb_scenario_v(const fb_scenario* s);

/* Sets the function that receives what Lua scripts print in simulations created from now on; NULL (default):
 * discarded. */
FB_API void fb_scenario_set_note(fb_scenario* s, fb_note_fn note, void* user);

/* Sets the function that receives remarks on simulations created from now on: at their creation, joints that are held
 * because they have nothing to move, a joint too stiff for the method, missing meshes; later, a remote controller
 * that does not answer. NULL (default): discarded. Runs have fb_run_options.note. */
FB_API void fb_scenario_set_remark(fb_scenario* s, fb_note_fn remark, void* user);

/* What a program adds to the simulations of a scenario: blocks, contacts, limits, motions and events of its own. */
typedef fb_status (*fb_setup_fn)(void* user, fb_sim* sim, fb_error* error);
/* Sets the function that is called with every simulation created from now on, after all that the file describes except its
 * events, and before the start; NULL (default): none. Runs call it too. A run with such additions is resumed with a scenario
 * that has them (`given` of fb_run_resume): its checkpoints do not fit a simulation without them. */
FB_API void fb_scenario_set_setup(fb_scenario* s, fb_setup_fn setup, void* user);

/* Creates a simulation with blocks, motions and events, started and ready to step. The scenario must outlive it. */
FB_API fb_status fb_sim_build(const fb_scenario* s, fb_sim** sim, fb_error* error);

/* Describes the scenario in plain sentences: model, initial state, what acts, events, integrator, log. Free *text with
 * fb_free. */
FB_API fb_status fb_scenario_explain(const fb_scenario* s, char** text, size_t* size, fb_error* error);

/* *found: the text is a scenario, not a model. Fails with FB_ERR_MEMORY only. */
FB_API fb_status fb_scenario_detect(const char* text, size_t size, int* found, fb_error* error);
/* Reports what is legal but looks unintended, such as an event after the end of the run; for the model see
 * fb_model_advise. Returns the number of warnings. */
FB_API int fb_scenario_advise(const fb_scenario* s, fb_advice_fn advise, void* user);

/* Describes a file format, "model" or "scenario", from the table that checks the files: every key with its type, unit,
 * default and meaning, as Markdown, or as a JSON Schema if json is 1. Free *text with fb_free. FB_ERR_NAME for other
 * names. */
FB_API fb_status fb_schema_print(const char* name, int json, char** text, size_t* size, fb_error* error);

/* Copies the scenario and its model files, byte for byte, into an existing folder, from which
 * fb_scenario_options.inputs can read them even if the originals change. Fails if a copy would overwrite a link. */
FB_API fb_status fb_scenario_write(const fb_scenario* s, const char* folder, fb_error* error);

FB_END_DECLS

#endif
