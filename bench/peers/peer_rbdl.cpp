// peer_rbdl.cpp -- RBDL. Its floating base is a translation followed by a ball joint: linear velocity in world
// axes, angular velocity in body axes; the scalar of its quaternion stands at the end of q.
#include <memory>
#include <string>

#include <rbdl/rbdl.h>
#include <rbdl/rbdl_config.h>

#include "peer_states.hpp"

namespace {

namespace rb = RigidBodyDynamics;
using rb::Math::MatrixNd;
using rb::Math::Vector3d;
using rb::Math::VectorNd;

struct Runner {
  rb::Model model;
  std::unique_ptr<peer::States> states;
  unsigned int end_point = 0;
  std::vector<VectorNd> q, v, vdot, tau; // one a state
  VectorNd result;
  MatrixNd H, J;
};

unsigned int add_body(Runner* r, unsigned int parent, const bench_body& b) {
  rb::Math::Matrix3d inertia;
  inertia << b.inertia[0], b.inertia[3], b.inertia[4], //
      b.inertia[3], b.inertia[1], b.inertia[5],        //
      b.inertia[4], b.inertia[5], b.inertia[2];
  rb::Body body(b.mass, Vector3d(b.com[0], b.com[1], b.com[2]), inertia);
  // A spatial axis along x, y or z becomes the joint type made for it.
  rb::Joint joint = b.is_free ? rb::Joint(rb::JointTypeFloatingBase)
                              : rb::Joint(rb::Math::SpatialVector(b.axis[0], b.axis[1], b.axis[2], 0, 0, 0));
  return r->model.AddBody(parent, rb::Math::Xtrans(Vector3d(b.at[0], b.at[1], b.at[2])), joint, body, b.name);
}

// First coordinate of a body; a floating base begins with the translation before its ball joint.
int first_coordinate(const Runner* r, unsigned int id, const bench_body& b) {
  return int(r->model.mJoints[id].q_index) - (b.is_free ? 3 : 0);
}

VectorNd positions(const Runner* r, const std::vector<unsigned int>& ids, int state) {
  VectorNd out = VectorNd::Zero(r->model.q_size);
  const double* q = r->states->our_q(state);
  for (size_t i = 0; i < ids.size(); i++) {
    const bench_body& b = r->states->model.body[i];
    int at = first_coordinate(r, ids[i], b);
    if (!b.is_free) {
      out[at] = *q++;
      continue;
    }
    for (int j = 0; j < 3; j++) out[at + j] = q[j];
    r->model.SetQuaternion(ids[i], rb::Math::Quaternion(q[4], q[5], q[6], q[3]), out);
    q += 7;
  }
  return out;
}

void* open(const bench_model* model, const bench_states* states, char*, size_t) {
  auto r = std::make_unique<Runner>();
  std::vector<unsigned int> ids;
  peer::Layout layout;
  r->model.gravity = Vector3d(0, 0, 0);
  for (int i = 0; i < model->nbody; i++) {
    const bench_body& b = model->body[i];
    ids.push_back(add_body(r.get(), b.parent < 0 ? 0 : ids[size_t(b.parent)], b));
    layout.v_at.push_back(first_coordinate(r.get(), ids.back(), b));
  }
  r->end_point = ids[size_t(model->end_point)];
  r->states = std::make_unique<peer::States>(*model, *states, layout);
  for (int k = 0; k < states->count; k++) {
    auto row = [&](const std::vector<double>& rows) {
      VectorNd out(states->nv);
      for (int i = 0; i < states->nv; i++) out[i] = rows[size_t(k * states->nv + i)];
      return out;
    };
    r->q.push_back(positions(r.get(), ids, k));
    r->v.push_back(row(r->states->v));
    r->vdot.push_back(row(r->states->vdot));
    r->tau.push_back(row(r->states->tau));
  }
  r->result = VectorNd::Zero(states->nv);
  r->H = MatrixNd::Zero(states->nv, states->nv);
  r->J = MatrixNd::Zero(6, states->nv);
  return r.release();
}

void close(void* self) {
  delete static_cast<Runner*>(self);
}

void forward(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  rb::ForwardDynamics(r->model, r->q[size_t(k)], r->v[size_t(k)], r->tau[size_t(k)], r->result);
}

void inverse(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  rb::InverseDynamics(r->model, r->q[size_t(k)], r->v[size_t(k)], r->vdot[size_t(k)], r->result);
}

// Entries between branches are never written: H stays zero there from the start.
void inertia(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  rb::CompositeRigidBodyAlgorithm(r->model, r->q[size_t(k)], r->H);
}

void jacobian(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  rb::CalcPointJacobian6D(r->model, r->q[size_t(k)], r->end_point, Vector3d(0, 0, 0), r->J);
}

void poses(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  rb::UpdateKinematicsCustom(r->model, &r->q[size_t(k)], nullptr, nullptr);
}

void read(void* self, bench_quantity quantity, int k, double* out) {
  auto* r = static_cast<Runner*>(self);
  const int nv = r->states->nv;
  std::vector<double> rows;
  if (quantity == BENCH_FORWARD) r->states->acceleration_from_peer(r->result.data(), k, out);
  if (quantity == BENCH_INVERSE) r->states->from_peer(r->result.data(), k, out);
  if (quantity == BENCH_INERTIA) r->states->matrix_from_peer(r->H.data(), k, out); // symmetric
  if (quantity == BENCH_JACOBIAN) {
    for (int i = 0; i < 6; i++) // angular rows come first
      for (int j = 0; j < nv; j++) rows.push_back(r->J((i + 3) % 6, j));
    r->states->columns_from_peer(rows.data(), 6, k, out);
  }
  if (quantity != BENCH_POSES) return;
  Vector3d p =
      rb::CalcBodyToBaseCoordinates(r->model, r->q[size_t(k)], r->end_point, Vector3d(0, 0, 0), false);
  for (int i = 0; i < 3; i++) out[i] = p[i];
}

std::string version() {
  const int v = RBDL_API_VERSION; // 0xMMmmpp
  return std::to_string(v >> 16) + "." + std::to_string((v >> 8) & 255) + "." + std::to_string(v & 255);
}

} // namespace

extern "C" const bench_runner* bench_peer(void) {
  static const std::string text = version();
  static const bench_runner runner = {
      "RBDL",
      text.c_str(),
      {forward, inverse, inertia, jacobian, poses, nullptr},
      {"ForwardDynamics", "InverseDynamics", "CompositeRigidBodyAlgorithm", "CalcPointJacobian6D",
       "UpdateKinematicsCustom(q)", nullptr},
      open,
      read,
      close,
  };
  return &runner;
}
