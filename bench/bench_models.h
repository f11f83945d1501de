/* bench_models.h -- the models that are timed, as plain numbers: Freebody and every peer build theirs from
 * the same table, so that all compute the same motion. Free of Freebody's headers: the peers are C++. */
#ifndef FB_BENCH_MODELS_H
#define FB_BENCH_MODELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A body and the joint that carries it. Joint frames have their parent's axes; SI. */
typedef struct bench_body {
  char name[16];
  int parent;  /* index of a body before this one; -1: the world */
  int is_free; /* 1: floats freely; 0: turns about `axis` */
  double axis[3];
  double at[3]; /* the joint, and this body's origin, in the parent */
  double mass;
  double com[3];
  double inertia[6]; /* xx yy zz xy xz yz about the centre of mass */
  double armature;   /* of a rotor at the joint; peers of bench_race leave it out, and its models have none */
} bench_body;

/* Coordinates follow the bodies. Of a free one: q = position, quaternion (scalar first); v = velocity of its
 * origin, angular velocity, both in world axes. */
typedef struct bench_model {
  const char* name;
  const char* about; /* in words */
  int nbody;
  int nq, nv;
  int njoint;    /* revolute ones */
  int end_point; /* the body whose Jacobian is taken: the tip of the arm */
  bench_body* body;
} bench_model;

int bench_model_count(void);
const char* bench_model_name(int index); /* "arm6"; NULL past the end */
int bench_model_find(const char* name);  /* or -1 */

/* Fills a model; 0 when out of memory. Gravity is zero. */
int bench_model_open(int index, bench_model* model);
void bench_model_close(bench_model* model);

#ifdef __cplusplus
}
#endif

#endif
