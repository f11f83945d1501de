/* build.h -- simulations made from a scenario, and what is determined before they start: the method, steps, mesh files,
 * joints without inertia. */
#ifndef FB_SCENARIO_BUILD_BUILD_H
#define FB_SCENARIO_BUILD_BUILD_H

#include "scenario/scenario.h"

/* ---- sim.c ---- */

/* A simulation that is started as a check: remote controllers are not called. */
fb_status fb_scenario_try_sim(const fb_scenario* s, fb_sim** sim, fb_error* error);

/* Whether an action of an event is the bounce of a limit, which the simulation makes. */
int fb_scenario_is_of_stop(const fb_scenario_event* event, const fb_scenario_action* action);
/* The event of the scenario that an event of its simulation is; -1: it is a contact's. */
int fb_scenario_event_of(const fb_scenario* s, const fb_sim* sim, int event);

/* ---- slopes.c ---- */

typedef struct fb_start_slopes {
  unsigned char* prescribed;   /* [nv] */
  double *stiffness, *damping; /* [nv] what laws and soft stops add to the joints' own */
  double law_rate;             /* of laws whose loops do not depend on what the joints carry [1/s] */
  const char* law;
} fb_start_slopes;

enum { FB_EVERY_MODE = -1 };

/* With the laws that act in this mode; FB_EVERY_MODE: with all of them. fb_start_slopes_free it, also after an error. */
fb_status fb_scenario_start_slopes(const fb_scenario* s, int mode, fb_start_slopes* x, fb_error* error);
void fb_start_slopes_free(fb_start_slopes* x);

/* ---- law_rates.c ---- */

/* What laws answer at the start. */
typedef struct fb_law_rates {
  double rate;                /* of the fastest law that declares no gains [1/s]; 0: there is none */
  const char* law;            /* its name, or NULL */
  double passive, whole;      /* of joints with their laws, and with all laws; NAN: not known */
  unsigned char* compensated; /* [nv] computed torque compensates what is passive there, always */
} fb_law_rates;

/* fb_law_rates_free it, also after an error. */
fb_status fb_scenario_find_law_rates(const fb_scenario* s, fb_law_rates* laws, fb_error* error);
void fb_law_rates_free(fb_law_rates* laws);

/* ---- rates.c ---- */

/* Fills s->rates and what belongs to them. */
fb_status fb_scenario_find_rates(fb_scenario* s, fb_error* error);
/* Dampers of free joints are outside the diagonal that the implicit method has (sim/slopes.c). */
int fb_scenario_is_on_free_joint(const fb_model* m, int coordinate);

/* ---- idle.c ---- */

/* Holds those whose dampers or gains turned out to be too weak to move them, too; 0 when there are none. */
int fb_scenario_lock_slow(fb_scenario* s, fb_error* error);

/* ---- loops.c ---- */

/* How far the loop that is open widest at s->q is open, and its name; -1 when there is no memory. [m or rad] */
double fb_scenario_widest_loop(const fb_scenario* s, const char** name, fb_error* error);

/* ---- integrator.c ---- */

/* 1 when the method is not made for something as stiff as the fastest joint; text says so, and what to do. */
int fb_scenario_stiffness(const fb_scenario* s, char* text, size_t size);

/* 1 when a sampled law of joints is too slow for its gains; text says which, and what to do (explain/sampled.c). */
int fb_scenario_sampled_advice(const fb_scenario* s, char* text, size_t size);

/* ---- plan.c: what a run will come to ---- */

/* All that a run logs: the scenario's own signals, the ledger always, and the motion unless it is not wanted.
 * malloc'd, free() it after an error too. */
fb_status fb_scenario_logged(const fb_scenario* s, fb_signal** signals, int* count, fb_error* error);
int fb_scenario_is_fixed(const fb_scenario* s); /* steps are fixed, not found by error control */
int fb_scenario_is_multiple(double x, double of);
double fb_scenario_steps(const fb_scenario* s);   /* of fixed steps, cut at checkpoints; else -1 */
int fb_scenario_more_steps(const fb_scenario* s); /* events and edges may cut more of them */
double fb_scenario_samples(const fb_scenario* s);

/* ---- mesh.c: files that shapes name ---- */

/* The name of the next mesh of the scene, each once; NULL after the last. Begin with *body 1, *index -1; *body is
 * the first body that has it. */
const char* fb_scenario_next_mesh(const fb_scenario* s, int* body, int* index);
/* Where it lies; malloc'd, NULL without memory. */
char* fb_scenario_mesh_path(const fb_scenario* s, const char* name);
/* The reason why the file cannot be read, as "is not there"; NULL: none is known before reading. */
const char* fb_scenario_mesh_trouble(const char* path);
/* Reads the file and checks that it is a mesh, whole: its bytes (free() them), or error->text, what is the matter:
 * "is not there". FB_ERR_CONTENT: there is no mesh; FB_ERR_IO, FB_ERR_MEMORY: there may be, but reading failed. */
fb_status fb_scenario_read_mesh(const char* path, char** data, size_t* size, fb_error* error);

/* ---- from_run.c ---- */

/* Begins with the state of another run, as src/run/job/state.c prints it; note may be NULL. */
fb_status fb_scenario_use_state(fb_scenario* s, const char* text, fb_note_fn note, void* user,
                                fb_error* error);
/* Gives a simulation that starts the states of blocks and the mode; user is the scenario. */
fb_status fb_scenario_begin_from_run(const void* user, fb_sim* sim, fb_error* error);

#endif
