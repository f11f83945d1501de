// peer_pinocchio.cpp -- Pinocchio 3, from its headers alone, so that it is compiled by the compiler and with the
// flags of this build. Its free-flyer moves by a twist in body axes, linear part first; quaternions end with
// their scalar.
#include <memory>
#include <string>

// Data holds tensors of nv^3 numbers for second derivatives, which nobody computes here: 33 GB with 1000 joints. This
// stands in for them, and for the header that defines them.
#define __pinocchio_math_tensor_hpp__
namespace pinocchio {
template <typename Scalar, int Indices, int Options = 0, typename Index = long>
struct Tensor {
  template <typename... Sizes>
  explicit Tensor(Sizes...) {
  }
  Tensor() = default;
  void setZero() {
  }
  Scalar operator()(int) const {
    return Scalar();
  }
};
} // namespace pinocchio

#include <pinocchio/fwd.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "peer_states.hpp"

namespace {

namespace pin = pinocchio;

struct Runner {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::unique_ptr<peer::States> states;
  pin::JointIndex end_point = 0;
  std::vector<Eigen::VectorXd> q, v, vdot, tau; // one a state
  pin::Data::Matrix6x J;
  pin::Convention convention = pin::Convention::LOCAL; // of crba
};

// Joints about x, y and z have types of their own, which are faster.
pin::JointModel joint_of(const bench_body& b) {
  if (b.is_free) return pin::JointModelFreeFlyer();
  if (b.axis[0] == 1) return pin::JointModelRX();
  if (b.axis[1] == 1) return pin::JointModelRY();
  if (b.axis[2] == 1) return pin::JointModelRZ();
  return pin::JointModelRevoluteUnaligned(Eigen::Vector3d(b.axis[0], b.axis[1], b.axis[2]));
}

pin::JointIndex add_body(Runner* r, pin::JointIndex parent, const bench_body& b) {
  pin::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(b.at[0], b.at[1], b.at[2]));
  Eigen::Matrix3d inertia;
  inertia << b.inertia[0], b.inertia[3], b.inertia[4], //
      b.inertia[3], b.inertia[1], b.inertia[5],        //
      b.inertia[4], b.inertia[5], b.inertia[2];
  pin::JointIndex id = r->model.addJoint(parent, joint_of(b), place, b.name);
  r->model.appendBodyToJoint(id, pin::Inertia(b.mass, Eigen::Vector3d(b.com[0], b.com[1], b.com[2]), inertia),
                             pin::SE3::Identity());
  return id;
}

Eigen::VectorXd positions(const Runner* r, const std::vector<pin::JointIndex>& joints, int state) {
  Eigen::VectorXd out(r->model.nq);
  const double* q = r->states->our_q(state);
  for (size_t i = 0; i < joints.size(); i++) {
    int at = r->model.joints[joints[i]].idx_q();
    if (!r->states->model.body[i].is_free) {
      out[at] = *q++;
      continue;
    }
    for (int j = 0; j < 3; j++) out[at + j] = q[j];
    for (int j = 0; j < 3; j++) out[at + 3 + j] = q[4 + j];
    out[at + 6] = q[3];
    q += 7;
  }
  return out;
}

enum { MANY_JOINTS = 30 }; // from here on crba is faster in the world's frame

void* open(const bench_model* model, const bench_states* states, char*, size_t) {
  auto r = std::make_unique<Runner>();
  std::vector<pin::JointIndex> joints;
  peer::Layout layout;
  layout.linear_in_body = true;
  r->model.gravity.setZero();
  for (int i = 0; i < model->nbody; i++) {
    const bench_body& b = model->body[i];
    joints.push_back(add_body(r.get(), b.parent < 0 ? 0 : joints[size_t(b.parent)], b));
    layout.v_at.push_back(r->model.joints[joints.back()].idx_v());
  }
  r->data = std::make_unique<pin::Data>(r->model);
  if (model->njoint >= MANY_JOINTS) r->convention = pin::Convention::WORLD;
  r->end_point = joints[size_t(model->end_point)];
  r->states = std::make_unique<peer::States>(*model, *states, layout);
  r->J = pin::Data::Matrix6x::Zero(6, states->nv);
  for (int k = 0; k < states->count; k++) {
    auto row = [&](const std::vector<double>& rows) {
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(&rows[size_t(k * states->nv)], states->nv));
    };
    r->q.push_back(positions(r.get(), joints, k));
    r->v.push_back(row(r->states->v));
    r->vdot.push_back(row(r->states->vdot));
    r->tau.push_back(row(r->states->tau));
  }
  return r.release();
}

void close(void* self) {
  delete static_cast<Runner*>(self);
}

void forward(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  pin::aba(r->model, *r->data, r->q[size_t(k)], r->v[size_t(k)], r->tau[size_t(k)]);
}

void inverse(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  pin::rnea(r->model, *r->data, r->q[size_t(k)], r->v[size_t(k)], r->vdot[size_t(k)]);
}

void inertia(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  pin::crba(r->model, *r->data, r->q[size_t(k)], r->convention);
}

void jacobian(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  pin::computeJointJacobian(r->model, *r->data, r->q[size_t(k)], r->end_point, r->J);
}

void poses(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  pin::forwardKinematics(r->model, *r->data, r->q[size_t(k)]);
}

// The Jacobian comes in the axes of the end-point.
void read_jacobian(Runner* r, int k, double* out) {
  poses(r, k);
  const Eigen::Matrix3d R = r->data->oMi[r->end_point].rotation();
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor> J(6, r->states->nv);
  J.topRows<3>() = R * r->J.topRows<3>();
  J.bottomRows<3>() = R * r->J.bottomRows<3>();
  r->states->columns_from_peer(J.data(), 6, k, out);
}

void read(void* self, bench_quantity quantity, int k, double* out) {
  auto* r = static_cast<Runner*>(self);
  if (quantity == BENCH_FORWARD) r->states->acceleration_from_peer(r->data->ddq.data(), k, out);
  if (quantity == BENCH_INVERSE) r->states->from_peer(r->data->tau.data(), k, out);
  if (quantity == BENCH_JACOBIAN) read_jacobian(r, k, out);
  if (quantity == BENCH_POSES) Eigen::Map<Eigen::Vector3d>(out, 3) = r->data->oMi[r->end_point].translation();
  if (quantity != BENCH_INERTIA) return;
  Eigen::MatrixXd H = r->data->M.selfadjointView<Eigen::Upper>(); // only this half is filled
  r->states->matrix_from_peer(H.data(), k, out);
}

} // namespace

extern "C" const bench_runner* bench_peer(void) {
  static const bench_runner runner = {
      "Pinocchio",
      PINOCCHIO_VERSION,
      {forward, inverse, inertia, jacobian, poses, nullptr},
      {"aba", "rnea", "crba, from 30 joints on with Convention::WORLD", "computeJointJacobian",
       "forwardKinematics", nullptr},
      open,
      read,
      close,
  };
  return &runner;
}
