/* scenario.h -- scenario files: a model, how it starts, what acts on it, for how long (libfreebody_io).
 *
 * The format is in docs/scenario.md, printed from the same table that checks the files. */
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
  const char* const* set; /* "a.b=value" overrides, NULL-ended; or NULL */
  double duration;        /* instead of the file's; < 0: the file's [s] */
  const char* inputs;     /* a folder with copies of the files read, made by fb_scenario_copy; or NULL */
  fb_io_options io;       /* how models are read */
  int cookie_;            /* set by fb_default_scenario_options */
} fb_scenario_options;

FB_BEGIN_DECLS

FB_API fb_scenario_options fb_default_scenario_options(void);

/* Reads and checks a scenario with its models, or a bare model, which runs with defaults. options may be NULL. */
FB_API fb_status fb_scenario_read(const char* file, const fb_scenario_options* options,
                                  fb_scenario** scenario, fb_error* error);
/* The same from text that was read already; file: its name, which models and scripts are beside. */
FB_API fb_status fb_scenario_parse(const char* text, size_t size, const char* file,
                                   const fb_scenario_options* options, fb_scenario** scenario,
                                   fb_error* error);
FB_API void fb_scenario_free(fb_scenario* scenario);

FB_API const char* fb_scenario_name(
    const fb_scenario* s); /* its name, or the file's without folder and ending */
FB_API const fb_model* fb_scenario_model(const fb_scenario* s);    /* all its models as one scene */
FB_API double fb_scenario_duration(const fb_scenario* s);          /* [s] */
FB_API double fb_scenario_log_period(const fb_scenario* s);        /* [s] */
FB_API double fb_scenario_checkpoint_period(const fb_scenario* s); /* [s] */
FB_API int fb_scenario_nsignal(const fb_scenario* s);
FB_API const fb_signal* fb_scenario_signals(const fb_scenario* s);
/* What fb_sim_signal_info would say, before there is a simulation. */
FB_API void fb_scenario_signal_info(const fb_scenario* s, fb_signal signal, fb_signal_info* info);
FB_API const char* fb_scenario_integrator(const fb_scenario* s); /* "rk4, 10 ms" */
/* Start state, after every option: [nq], [nv]. */
FB_API const double* fb_scenario_q(const fb_scenario* s);
FB_API const double* fb_scenario_v(const fb_scenario* s);

/* Gets what Lua scripts print in simulations made from now on; NULL, as at first: nobody does. */
FB_API void fb_scenario_set_note(fb_scenario* s, fb_note_fn note, void* user);

/* A simulation ready to step: blocks, motions, events, started. The scenario must outlive it. */
FB_API fb_status fb_scenario_sim(const fb_scenario* s, fb_sim** sim, fb_error* error);

/* Says in plain sentences what will happen: model, start, what acts, events, integrator, log. fb_free the text. */
FB_API fb_status fb_scenario_explain(const fb_scenario* s, char** text, size_t* size, fb_error* error);

/* *found: the text is a scenario, not a model. Fails with FB_ERR_MEMORY only. */
FB_API fb_status fb_scenario_is(const char* text, size_t size, int* found, fb_error* error);
/* Advice on what looks as if it was meant otherwise, as an event after the end of the run; that on its model is
 * fb_model_advise's. Returns how many pieces of advice there were. */
FB_API int fb_scenario_advise(const fb_scenario* s, fb_advice_fn advise, void* user);

/* The description of a file format, "model" or "scenario", from the table that checks the files: every key with its
 * type, unit, default and meaning, as Markdown, or with json as a JSON Schema. fb_free *text. FB_ERR_NAME for other
 * names. */
FB_API fb_status fb_schema_print(const char* name, int json, char** text, size_t* size, fb_error* error);

/* Copies the scenario and its model files, byte for byte, into a folder that exists, so that
 * fb_scenario_options.inputs can read them back whatever became of the originals. A link there of the name of a copy
 * is refused. */
FB_API fb_status fb_scenario_copy(const fb_scenario* s, const char* folder, fb_error* error);

FB_END_DECLS

#endif
