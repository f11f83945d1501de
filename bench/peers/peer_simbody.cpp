// peer_simbody.cpp -- Simbody. Its free mobilizer moves by angular and linear velocity in world axes, in this
// order; a Pin turns about z of its frames, so they are turned to bring z onto the joint's axis.
#include <memory>
#include <string>

#include <Simbody.h>

#include "peer_states.hpp"

namespace {

using namespace SimTK;

struct Runner {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  std::vector<MobilizedBody> bodies;
  std::unique_ptr<peer::States> states;
  State state;
  MobilizedBodyIndex end_point;
  std::vector<Vector> q, v, vdot, tau; // one a state
  Vector no_forces, result;
  Vector_<SpatialVec> no_body_forces, body_accelerations;
  Matrix H;
  RowVector_<SpatialVec> J;
};

MobilizedBody add_body(Runner* r, const bench_body& b) {
  MobilizedBody parent = b.parent < 0 ? MobilizedBody(r->matter.updGround()) : r->bodies[size_t(b.parent)];
  Vec3 com(b.com[0], b.com[1], b.com[2]), at(b.at[0], b.at[1], b.at[2]);
  Inertia central(b.inertia[0], b.inertia[1], b.inertia[2], b.inertia[3], b.inertia[4], b.inertia[5]);
  Body::Rigid body(MassProperties(b.mass, com, central.shiftFromMassCenter(com, b.mass)));
  if (b.is_free) return MobilizedBody::Free(parent, Transform(at), body, Transform());
  Rotation z_to_axis(UnitVec3(b.axis[0], b.axis[1], b.axis[2]), ZAxis);
  return MobilizedBody::Pin(parent, Transform(z_to_axis, at), body, Transform(z_to_axis));
}

Vector positions(const Runner* r, int state) {
  const peer::States& s = *r->states;
  Vector out(r->state.getNQ());
  const double* q = s.our_q(state);
  for (int i = 0; i < s.model.nbody; i++) {
    int at = int(r->bodies[size_t(i)].getFirstQIndex(r->state));
    if (!s.model.body[i].is_free) {
      out[at] = *q++;
      continue;
    }
    for (int j = 0; j < 4; j++) out[at + j] = q[3 + j];
    for (int j = 0; j < 3; j++) out[at + 4 + j] = q[j];
    q += 7;
  }
  return out;
}

void* open_model(const bench_model* model, const bench_states* states) {
  auto r = std::make_unique<Runner>();
  for (int i = 0; i < model->nbody; i++) r->bodies.push_back(add_body(r.get(), model->body[i]));
  r->state = r->system.realizeTopology();
  r->system.realizeModel(r->state);
  r->end_point = r->bodies[size_t(model->end_point)].getMobilizedBodyIndex();
  peer::Layout layout;
  layout.linear_at = 3;
  layout.angular_at = 0;
  layout.angular_in_body = false;
  for (const MobilizedBody& body : r->bodies) layout.v_at.push_back(int(body.getFirstUIndex(r->state)));
  r->states = std::make_unique<peer::States>(*model, *states, layout);
  for (int k = 0; k < states->count; k++) {
    auto row = [&](const std::vector<double>& rows) {
      return Vector(states->nv, &rows[size_t(k * states->nv)]);
    };
    r->q.push_back(positions(r.get(), k));
    r->v.push_back(row(r->states->v));
    r->vdot.push_back(row(r->states->vdot));
    r->tau.push_back(row(r->states->tau));
  }
  r->no_forces = Vector(states->nv, 0.0);
  r->no_body_forces = Vector_<SpatialVec>(r->matter.getNumBodies(), SpatialVec(Vec3(0), Vec3(0)));
  return r.release();
}

void* open(const bench_model* model, const bench_states* states, char* why, size_t size) {
  try {
    return open_model(model, states);
  } catch (const std::exception& e) {
    std::snprintf(why, size, "%.200s", e.what());
    return nullptr;
  }
}

void close(void* self) {
  delete static_cast<Runner*>(self);
}

void forward(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->state.updQ() = r->q[size_t(k)];
  r->state.updU() = r->v[size_t(k)];
  r->system.realize(r->state, Stage::Dynamics);
  r->matter.calcAccelerationIgnoringConstraints(r->state, r->tau[size_t(k)], r->no_body_forces, r->result,
                                                r->body_accelerations);
}

void inverse(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->state.updQ() = r->q[size_t(k)];
  r->state.updU() = r->v[size_t(k)];
  r->system.realize(r->state, Stage::Velocity);
  r->matter.calcResidualForceIgnoringConstraints(r->state, r->no_forces, r->no_body_forces,
                                                 r->vdot[size_t(k)], r->result);
}

void inertia(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->state.updQ() = r->q[size_t(k)];
  r->system.realize(r->state, Stage::Position);
  r->matter.calcM(r->state, r->H);
}

void jacobian(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->state.updQ() = r->q[size_t(k)];
  r->system.realize(r->state, Stage::Position);
  r->matter.calcFrameJacobian(r->state, r->end_point, Vec3(0), r->J);
}

void poses(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->state.updQ() = r->q[size_t(k)];
  r->system.realize(r->state, Stage::Position);
}

void read_matrix(Runner* r, int k, double* out) {
  int nv = r->states->nv;
  std::vector<double> H(size_t(nv) * size_t(nv));
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) H[size_t(i * nv + j)] = r->H(i, j);
  r->states->matrix_from_peer(H.data(), k, out);
}

void read_jacobian(Runner* r, int k, double* out) {
  int nv = r->states->nv;
  std::vector<double> J(6 * size_t(nv));
  for (int j = 0; j < nv; j++)
    for (int i = 0; i < 3; i++) {
      J[size_t(i * nv + j)] = r->J[j][1][i]; // a SpatialVec is angular first
      J[size_t((i + 3) * nv + j)] = r->J[j][0][i];
    }
  r->states->columns_from_peer(J.data(), 6, k, out);
}

void read(void* self, bench_quantity quantity, int k, double* out) {
  auto* r = static_cast<Runner*>(self);
  const int nv = r->states->nv;
  std::vector<double> result;
  if (quantity == BENCH_FORWARD || quantity == BENCH_INVERSE)
    for (int i = 0; i < nv; i++) result.push_back(r->result[i]);
  if (quantity == BENCH_FORWARD) r->states->acceleration_from_peer(result.data(), k, out);
  if (quantity == BENCH_INVERSE) r->states->from_peer(result.data(), k, out);
  if (quantity == BENCH_INERTIA) read_matrix(r, k, out);
  if (quantity == BENCH_JACOBIAN) read_jacobian(r, k, out);
  if (quantity != BENCH_POSES) return;
  Vec3 p = r->matter.getMobilizedBody(r->end_point).getBodyOriginLocation(r->state);
  for (int i = 0; i < 3; i++) out[i] = p[i];
}

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

} // namespace

extern "C" const bench_runner* bench_peer(void) {
  static const std::string text = version();
  static const bench_runner runner = {
      "Simbody",
      text.c_str(),
      {forward, inverse, inertia, jacobian, poses, nullptr},
      {"realize(Dynamics) + calcAccelerationIgnoringConstraints",
       "realize(Velocity) + calcResidualForceIgnoringConstraints", "realize(Position) + calcM",
       "realize(Position) + calcFrameJacobian", "realize(Position)", nullptr},
      open,
      read,
      close,
  };
  return &runner;
}
