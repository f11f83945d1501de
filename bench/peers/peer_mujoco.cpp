// peer_mujoco.cpp -- MuJoCo, by the pieces of mj_forward that compute unconstrained motion, and by mj_step.
//
// MuJoCo's free joint takes the angular velocity in body axes. Its inertia matrix is sparse and stays so.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <mujoco/mujoco.h>
#include <unistd.h>

#include "peer_states.hpp"

namespace {

struct Runner {
  mjModel* m = nullptr;
  mjData* d = nullptr;
  int end_point = 0;
  std::unique_ptr<peer::States> states;
  std::vector<double> force, J;
  ~Runner() {
    if (d) mj_deleteData(d);
    if (m) mj_deleteModel(m);
  }
};

// Principal moments and axes, by Jacobi's rotations. MuJoCo's own reader of full inertias keeps six digits only
// (2.2), which is less than the comparison asks for.
struct Principal {
  double moment[3];
  double quat[4];
};

Principal principal(const double* inertia) {
  double a[3][3] = {{inertia[0], inertia[3], inertia[4]},
                    {inertia[3], inertia[1], inertia[5]},
                    {inertia[4], inertia[5], inertia[2]}};
  Principal out = {{0, 0, 0}, {1, 0, 0, 0}};
  for (int sweep = 0; sweep < 60; sweep++) {
    int i = sweep % 3, j = (i + 1) % 3, k = (i + 2) % 3; // a turn about k takes i towards j
    double gap = a[i][i] - a[j][j], twice = 2 * a[i][j];
    double angle =
        twice == 0 ? 0 : 0.5 * std::atan2(gap < 0 ? -twice : twice, std::fabs(gap)); // the small one
    double c = std::cos(angle), s = std::sin(angle);
    double ii = a[i][i], jj = a[j][j], ij = a[i][j], ik = a[i][k], jk = a[j][k];
    a[i][i] = c * c * ii + 2 * c * s * ij + s * s * jj;
    a[j][j] = s * s * ii - 2 * c * s * ij + c * c * jj;
    a[i][j] = a[j][i] = 0;
    a[i][k] = a[k][i] = c * ik + s * jk;
    a[j][k] = a[k][j] = c * jk - s * ik;
    double half[4] = {std::cos(0.5 * angle), 0, 0, 0}, product[4];
    half[1 + k] = std::sin(0.5 * angle);
    mju_mulQuat(product, out.quat, half);
    std::copy(product, product + 4, out.quat);
  }
  for (int i = 0; i < 3; i++) out.moment[i] = a[i][i];
  return out;
}

#if mjVERSION_HEADER >= 320 // models can be built by calls
mjModel* make_model(const bench_model& model, char* why, size_t size) {
  mjSpec* spec = mj_makeSpec();
  std::vector<mjsBody*> bodies;
  for (int i = 0; i < 3; i++) spec->option.gravity[i] = 0;
  for (int i = 0; i < model.nbody; i++) {
    const bench_body& b = model.body[i];
    mjsBody* parent = b.parent < 0 ? mjs_findBody(spec, "world") : bodies[size_t(b.parent)];
    mjsBody* body = mjs_addBody(parent, nullptr);
    std::copy(b.at, b.at + 3, body->pos);
    std::copy(b.com, b.com + 3, body->ipos);
    Principal p = principal(b.inertia);
    std::copy(p.moment, p.moment + 3, body->inertia);
    std::copy(p.quat, p.quat + 4, body->iquat);
    body->mass = b.mass;
    body->explicitinertial = 1;
    mjsJoint* joint = mjs_addJoint(body, nullptr);
    joint->type = b.is_free ? mjJNT_FREE : mjJNT_HINGE;
    if (!b.is_free) std::copy(b.axis, b.axis + 3, joint->axis);
    bodies.push_back(body);
  }
  mjModel* m = mj_compile(spec, nullptr);
  if (!m) std::snprintf(why, size, "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}
#else // models are read from files
std::string body_start(const bench_body& b) {
  char text[1000];
  Principal p = principal(b.inertia);
  std::snprintf(text, sizeof text,
                "<body pos=\"%.17g %.17g %.17g\">"
                "<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" "
                "diaginertia=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"/>\n",
                b.at[0], b.at[1], b.at[2], b.com[0], b.com[1], b.com[2], b.mass, p.moment[0], p.moment[1],
                p.moment[2], p.quat[0], p.quat[1], p.quat[2], p.quat[3]);
  std::string out = text;
  if (b.is_free) return out + "<freejoint/>\n";
  std::snprintf(text, sizeof text, "<joint type=\"hinge\" axis=\"%.17g %.17g %.17g\"/>\n", b.axis[0],
                b.axis[1], b.axis[2]);
  return out + text;
}

// A body stays open while its children are written.
std::string to_mjcf(const bench_model& model) {
  std::string out =
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"0 0 "
      "0\"/><worldbody>\n";
  std::vector<int> open;
  for (int i = 0; i < model.nbody; i++) {
    for (; !open.empty() && open.back() != model.body[i].parent; open.pop_back()) out += "</body>\n";
    out += body_start(model.body[i]);
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_back()) out += "</body>\n";
  return out + "</worldbody></mujoco>\n";
}

// Elements nested deeper than this end the reading, with a message that does not tell so.
enum { DEEPEST_XML = 100, ELEMENTS_AROUND = 3 };

int depth(const bench_model& model) {
  int deepest = 0;
  std::vector<int> of(size_t(model.nbody));
  for (int i = 0; i < model.nbody; i++) {
    int parent = model.body[i].parent;
    of[size_t(i)] = parent < 0 ? 1 : of[size_t(parent)] + 1;
    deepest = std::max(deepest, of[size_t(i)]);
  }
  return deepest;
}

mjModel* make_model(const bench_model& model, char* why, size_t size) {
  if (depth(model) + ELEMENTS_AROUND > DEEPEST_XML) {
    std::snprintf(why, size, "%d bodies in a row, but its XML reader nests at most %d elements", depth(model),
                  int(DEEPEST_XML));
    return nullptr;
  }
  char file[] = "/tmp/freebody-bench-XXXXXX";
  int handle = mkstemp(file);
  FILE* out = handle < 0 ? nullptr : fdopen(handle, "w");
  if (!out) return std::snprintf(why, size, "no temporary file can be made"), nullptr;
  std::string text = to_mjcf(model);
  std::fwrite(text.data(), 1, text.size(), out);
  std::fclose(out);
  mjModel* m = mj_loadXML(file, nullptr, why, int(size));
  unlink(file);
  return m;
}
#endif

void* open(const bench_model* model, const bench_states* states, char* why, size_t size) {
  auto r = std::make_unique<Runner>();
  r->m = make_model(*model, why, size);
  if (!r->m) return nullptr;
  r->m->opt.timestep = BENCH_STEP;
  r->m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  r->d = mj_makeData(r->m);
  r->end_point = model->end_point + 1; // after the world; bodies stand in the order of the tables
  peer::Layout layout;
  for (int i = 0; i < model->nbody; i++) layout.v_at.push_back(r->m->body_dofadr[i + 1]);
  r->states = std::make_unique<peer::States>(*model, *states, layout);
  r->force.resize(size_t(states->nv));
  r->J.resize(6 * size_t(states->nv));
  return r.release();
}

void close(void* self) {
  delete static_cast<Runner*>(self);
}

void set_q(Runner* r, int k) {
  std::memcpy(r->d->qpos, r->states->our_q(k), size_t(r->m->nq) * sizeof(double)); // the same as ours
}

void set_v(Runner* r, int k) {
  std::memcpy(r->d->qvel, &r->states->v[size_t(k * r->m->nv)], size_t(r->m->nv) * sizeof(double));
}

void make_inertia(Runner* r) {
#if mjVERSION_HEADER >= 333 // mj_crb and the layout in which it is factorised
  mj_makeM(r->m, r->d);
#else
  mj_crb(r->m, r->d);
#endif
}

void forward(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  set_q(r, k);
  set_v(r, k);
  mj_kinematics(r->m, r->d);
  mj_comPos(r->m, r->d);
  make_inertia(r);
  mj_factorM(r->m, r->d);
  mj_comVel(r->m, r->d);
  mj_rne(r->m, r->d, 0, r->d->qfrc_bias);
  const double* tau = &r->states->tau[size_t(k * r->m->nv)];
  for (int i = 0; i < r->m->nv; i++) r->force[size_t(i)] = tau[i] - r->d->qfrc_bias[i];
  mj_solveM(r->m, r->d, r->d->qacc, r->force.data(), 1);
}

void inverse(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  set_q(r, k);
  set_v(r, k);
  std::memcpy(r->d->qacc, &r->states->vdot[size_t(k * r->m->nv)], size_t(r->m->nv) * sizeof(double));
  mj_kinematics(r->m, r->d);
  mj_comPos(r->m, r->d);
  mj_comVel(r->m, r->d);
  mj_rne(r->m, r->d, 1, r->force.data());
}

void inertia(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  set_q(r, k);
  mj_kinematics(r->m, r->d);
  mj_comPos(r->m, r->d);
  make_inertia(r);
}

void jacobian(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  set_q(r, k);
  mj_kinematics(r->m, r->d);
  mj_comPos(r->m, r->d);
  mj_jac(r->m, r->d, r->J.data(), r->J.data() + 3 * r->m->nv, r->d->xpos + 3 * r->end_point, r->end_point);
}

void poses(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  set_q(r, k);
  mj_kinematics(r->m, r->d);
}

void make_step(void* self, int k, int integrator) {
  auto* r = static_cast<Runner*>(self);
  if (k == 0) {
    r->m->opt.integrator = integrator;
    mj_resetData(r->m, r->d);
    set_q(r, 0);
    set_v(r, 0);
  }
  mj_step(r->m, r->d);
}

// The semi-implicit Euler rule is the default integrator.
void step(void* self, int k) {
  make_step(self, k, mjINT_EULER);
}

#if mjVERSION_HEADER >= 234
void implicit_step(void* self, int k) {
  make_step(self, k, mjINT_IMPLICITFAST);
}
#else
constexpr bench_call* implicit_step = nullptr;
#endif

void read_step(const Runner* r, double* out) {
  std::vector<double> rate(r->d->qvel, r->d->qvel + r->m->nv);
  for (size_t i = 0; i < rate.size(); i++) rate[i] = (rate[i] - r->states->v[i]) / BENCH_STEP;
  r->states->acceleration_from_peer(rate.data(), 0, out);
}

void read(void* self, bench_quantity quantity, int k, double* out) {
  auto* r = static_cast<Runner*>(self);
  const peer::States& states = *r->states;
  if (quantity == BENCH_FORWARD) states.acceleration_from_peer(r->d->qacc, k, out);
  if (quantity == BENCH_INVERSE) states.from_peer(r->force.data(), k, out);
  if (quantity == BENCH_JACOBIAN) states.columns_from_peer(r->J.data(), 6, k, out);
  if (quantity == BENCH_POSES) std::memcpy(out, r->d->xpos + 3 * r->end_point, 3 * sizeof(double));
  if (quantity == BENCH_EULER_STEP) read_step(r, out);
  if (quantity == BENCH_INERTIA) {
    int nv = r->m->nv;
    std::vector<double> full(size_t(nv * nv)), unit(size_t(nv), 0.0);
    for (int i = 0; i < nv; i++) {
      unit[size_t(i)] = 1;
      mj_mulM(r->m, r->d, &full[size_t(i * nv)], unit.data());
      unit[size_t(i)] = 0;
    }
    states.matrix_from_peer(full.data(), k, out);
  }
}

} // namespace

extern "C" const bench_runner* bench_peer(void) {
  static bench_runner runner = {
      "MuJoCo",
      mj_versionString(),
      {forward, inverse, inertia, jacobian, poses, nullptr, nullptr, step, implicit_step},
      {"mj_kinematics + comPos + crb + factorM + comVel + rne + solveM",
       "mj_kinematics + comPos + comVel + rne", "mj_kinematics + comPos + crb (sparse)",
       "mj_kinematics + comPos + jac", "mj_kinematics", nullptr, nullptr,
       "mj_step, Euler; no constraints, contacts, actuators, sensors",
       "mj_step, implicitfast (first order); likewise"},
      open,
      read,
      close,
  };
  return &runner;
}
