// peer_dart.cpp -- DART. Its free joint moves by a twist in body axes, angular part first; setting positions
// and velocities marks everything computed before as out of date.
#include <memory>
#include <string>

#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "peer_states.hpp"

namespace {

namespace dd = dart::dynamics;

struct Runner {
  dd::SkeletonPtr skeleton;
  dd::BodyNode* end_point = nullptr;
  std::unique_ptr<peer::States> states;
  std::vector<Eigen::VectorXd> q, v, vdot, tau; // one a state
  const Eigen::MatrixXd* H = nullptr;
  const dart::math::Jacobian* J = nullptr;
};

template <class Joint>
dd::BodyNode* add_body(Runner* r, dd::BodyNode* parent, const typename Joint::Properties& joint,
                       const bench_body& b) {
  auto pair = r->skeleton->createJointAndBodyNodePair<Joint>(
      parent, joint, dd::BodyNode::AspectProperties(std::string(b.name)));
  Eigen::Matrix3d inertia;
  inertia << b.inertia[0], b.inertia[3], b.inertia[4], //
      b.inertia[3], b.inertia[1], b.inertia[5],        //
      b.inertia[4], b.inertia[5], b.inertia[2];
  pair.second->setInertia(dd::Inertia(b.mass, Eigen::Vector3d(b.com[0], b.com[1], b.com[2]), inertia));
  return pair.second;
}

dd::BodyNode* add_body(Runner* r, dd::BodyNode* parent, const bench_body& b) {
  if (b.is_free) {
    dd::FreeJoint::Properties joint;
    joint.mName = std::string(b.name) + " joint";
    return add_body<dd::FreeJoint>(r, parent, joint, b);
  }
  dd::RevoluteJoint::Properties joint;
  joint.mName = std::string(b.name) + " joint";
  joint.mAxis = Eigen::Vector3d(b.axis[0], b.axis[1], b.axis[2]);
  joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(b.at[0], b.at[1], b.at[2]);
  return add_body<dd::RevoluteJoint>(r, parent, joint, b);
}

// Positions: of the base the logarithm of its rotation, then its place.
Eigen::VectorXd positions(const Runner* r, int state) {
  const peer::States& s = *r->states;
  Eigen::VectorXd out(s.nv);
  const double* q = s.our_q(state);
  for (int i = 0; i < s.model.nbody; i++) {
    int at = s.layout.v_at[size_t(i)];
    if (!s.model.body[i].is_free) {
      out[at] = *q++;
      continue;
    }
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Eigen::Vector3d(q[0], q[1], q[2]);
    pose.linear() = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
    out.segment<6>(at) = dd::FreeJoint::convertToPositions(pose);
    q += 7;
  }
  return out;
}

void* open(const bench_model* model, const bench_states* states, char*, size_t) {
  auto r = std::make_unique<Runner>();
  std::vector<dd::BodyNode*> bodies;
  peer::Layout layout;
  layout.linear_at = 3;
  layout.angular_at = 0;
  layout.linear_in_body = true;
  r->skeleton = dd::Skeleton::create(model->name);
  r->skeleton->setGravity(Eigen::Vector3d::Zero());
  for (int i = 0; i < model->nbody; i++) {
    const bench_body& b = model->body[i];
    bodies.push_back(add_body(r.get(), b.parent < 0 ? nullptr : bodies[size_t(b.parent)], b));
    layout.v_at.push_back(int(bodies.back()->getParentJoint()->getIndexInSkeleton(0)));
  }
  r->end_point = bodies[size_t(model->end_point)];
  r->states = std::make_unique<peer::States>(*model, *states, layout);
  for (int k = 0; k < states->count; k++) {
    auto row = [&](const std::vector<double>& rows) {
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(&rows[size_t(k * states->nv)], states->nv));
    };
    r->q.push_back(positions(r.get(), k));
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
  r->skeleton->setPositions(r->q[size_t(k)]);
  r->skeleton->setVelocities(r->v[size_t(k)]);
  r->skeleton->setForces(r->tau[size_t(k)]);
  r->skeleton->computeForwardDynamics();
}

void inverse(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->skeleton->setPositions(r->q[size_t(k)]);
  r->skeleton->setVelocities(r->v[size_t(k)]);
  r->skeleton->setAccelerations(r->vdot[size_t(k)]);
  r->skeleton->computeInverseDynamics();
}

void inertia(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->skeleton->setPositions(r->q[size_t(k)]);
  r->H = &r->skeleton->getMassMatrix();
}

void jacobian(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->skeleton->setPositions(r->q[size_t(k)]);
  r->J = &r->end_point->getWorldJacobian();
}

// Poses are computed when asked for.
void poses(void* self, int k) {
  auto* r = static_cast<Runner*>(self);
  r->skeleton->setPositions(r->q[size_t(k)]);
  for (size_t i = 0; i < r->skeleton->getNumBodyNodes(); i++)
    r->skeleton->getBodyNode(i)->getWorldTransform();
}

// Angular rows come first, and only the columns of joints that move the end-point are there.
void read_jacobian(Runner* r, int k, double* out) {
  int nv = r->states->nv;
  std::vector<double> J(6 * size_t(nv), 0.0);
  const std::vector<std::size_t>& columns = r->end_point->getDependentGenCoordIndices();
  for (size_t j = 0; j < columns.size(); j++)
    for (int i = 0; i < 6; i++) J[size_t(((i + 3) % 6) * nv) + columns[j]] = (*r->J)(i, Eigen::Index(j));
  r->states->columns_from_peer(J.data(), 6, k, out);
}

void read(void* self, bench_quantity quantity, int k, double* out) {
  auto* r = static_cast<Runner*>(self);
  if (quantity == BENCH_FORWARD)
    r->states->acceleration_from_peer(r->skeleton->getAccelerations().data(), k, out);
  if (quantity == BENCH_INVERSE) r->states->from_peer(r->skeleton->getForces().data(), k, out);
  if (quantity == BENCH_INERTIA) r->states->matrix_from_peer(r->H->data(), k, out);
  if (quantity == BENCH_JACOBIAN) read_jacobian(r, k, out);
  if (quantity == BENCH_POSES)
    Eigen::Map<Eigen::Vector3d>(out, 3) = r->end_point->getWorldTransform().translation();
}

} // namespace

extern "C" const bench_runner* bench_peer(void) {
  static const bench_runner runner = {
      "DART",
      DART_VERSION,
      {forward, inverse, inertia, jacobian, poses, nullptr},
      {"set positions, velocities, forces; computeForwardDynamics",
       "set positions, velocities, accelerations; computeInverseDynamics", "set positions; getMassMatrix",
       "set positions; getWorldJacobian", "set positions; getWorldTransform of all", nullptr},
      open,
      read,
      close,
  };
  return &runner;
}
