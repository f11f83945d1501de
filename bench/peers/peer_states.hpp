// peer_states.hpp -- states and results of a peer whose coordinates differ from ours on the base only.
//
// Ours (bench_models.h), for the free base: velocity of its origin and angular velocity, both in world axes.
// A peer may order the two parts the other way round and take either in body axes:
//
//   v_linear = A u[linear_at ..],  v_angular = B u[angular_at ..],   A, B = 1 or R (body to world)
//
// All other coordinates are the same up to their order. Forces map by the transposes, and where the linear
// part is in body axes its rate is du = R^T a - w x u.
#ifndef FB_BENCH_PEER_STATES_HPP
#define FB_BENCH_PEER_STATES_HPP

#include <cmath>
#include <cstring>
#include <vector>

#include "bench_runner.h"

namespace peer {

struct Layout {
  int linear_at = 0, angular_at = 3; // of the base, in the peer's velocities
  bool linear_in_body = false, angular_in_body = true;
  std::vector<int> v_at; // of each body in the peer's velocities
};

struct Rotation {
  double e[9];
  void apply(const double* x, double* y) const {
    for (int i = 0; i < 3; i++) y[i] = e[3 * i] * x[0] + e[3 * i + 1] * x[1] + e[3 * i + 2] * x[2];
  }
  void apply_back(const double* x, double* y) const {
    for (int i = 0; i < 3; i++) y[i] = e[i] * x[0] + e[3 + i] * x[1] + e[6 + i] * x[2];
  }
};

inline Rotation from_quaternion(const double* q) { // scalar first
  double w = q[0], x = q[1], y = q[2], z = q[3];
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), //
           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), //
           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

class States {
 public:
  States(const bench_model& model, const bench_states& ours, const Layout& layout)
      : model(model), ours(ours), layout(layout), nv(ours.nv) {
    int at = 0;
    for (int i = 0; i < model.nbody; i++) {
      our_v_at.push_back(at);
      at += model.body[i].is_free ? 6 : 1;
    }
    for (std::vector<double>* rows : {&v, &vdot, &tau}) rows->assign(size_t(ours.count) * size_t(nv), 0);
    for (int k = 0; k < ours.count; k++) {
      to_peer(ours.v + k * nv, k, &v[size_t(k * nv)]);
      to_peer(ours.tau + k * nv, k, &tau[size_t(k * nv)]);
      to_peer(ours.vdot + k * nv, k, &vdot[size_t(k * nv)]);
      add_transport(k, -1, &vdot[size_t(k * nv)]);
    }
  }

  const double* our_q(int state) const {
    return ours.q + state * ours.nq;
  }

  // A velocity-like or force-like vector of ours, in the peer's coordinates, and back.
  void to_peer(const double* x, int state, double* y) const {
    Rotation R = base_rotation(state);
    for (int i = 0; i < model.nbody; i++) {
      int from = our_v_at[size_t(i)], to = layout.v_at[size_t(i)];
      if (!model.body[i].is_free) {
        y[to] = x[from];
        continue;
      }
      place(R, layout.linear_in_body, x + from, y + to + layout.linear_at);
      place(R, layout.angular_in_body, x + from + 3, y + to + layout.angular_at);
    }
  }
  void from_peer(const double* y, int state, double* x) const {
    Rotation R = base_rotation(state);
    for (int i = 0; i < model.nbody; i++) {
      int to = our_v_at[size_t(i)], from = layout.v_at[size_t(i)];
      if (!model.body[i].is_free) {
        x[to] = y[from];
        continue;
      }
      place_back(R, layout.linear_in_body, y + from + layout.linear_at, x + to);
      place_back(R, layout.angular_in_body, y + from + layout.angular_at, x + to + 3);
    }
  }
  void acceleration_from_peer(const double* y, int state, double* x) const {
    std::vector<double> rate(y, y + nv);
    add_transport(state, 1, rate.data());
    from_peer(rate.data(), state, x);
  }

  // A matrix whose rows (rows x nv) are force-like, in place of the peer's columns ours.
  void columns_from_peer(const double* peer, int rows, int state, double* out) const {
    for (int i = 0; i < rows; i++) from_peer(peer + i * nv, state, out + i * nv);
  }
  // The inertia matrix: both sides change.
  void matrix_from_peer(const double* H, int state, double* out) const {
    std::vector<double> half(size_t(nv) * size_t(nv)), turned(half.size());
    columns_from_peer(H, nv, state, half.data());
    for (int i = 0; i < nv; i++)
      for (int j = 0; j < nv; j++) turned[size_t(j * nv + i)] = half[size_t(i * nv + j)];
    columns_from_peer(turned.data(), nv, state, out); // H is symmetric: its transpose is as good
  }

  const bench_model& model;
  const bench_states& ours;
  Layout layout;
  int nv;
  std::vector<double> v, vdot, tau; // in the peer's coordinates, a row a state

 private:
  std::vector<int> our_v_at;

  bool floats() const {
    return model.body[0].is_free;
  }
  Rotation base_rotation(int state) const {
    static const double identity[4] = {1, 0, 0, 0};
    return from_quaternion(floats() ? our_q(state) + 3 : identity);
  }
  static void place(const Rotation& R, bool in_body, const double* x, double* y) {
    if (in_body)
      R.apply_back(x, y);
    else
      std::memcpy(y, x, 3 * sizeof(double));
  }
  static void place_back(const Rotation& R, bool in_body, const double* y, double* x) {
    if (in_body)
      R.apply(y, x);
    else
      std::memcpy(x, y, 3 * sizeof(double));
  }
  // Adds sign * (w x u) to the linear rate of a base whose linear velocity is in body axes.
  void add_transport(int state, double sign, double* rate) const {
    if (!floats() || !layout.linear_in_body) return;
    double w[3], u[3];
    Rotation R = base_rotation(state);
    R.apply_back(ours.v + state * nv + 3, w);
    R.apply_back(ours.v + state * nv, u);
    double* a = rate + layout.v_at[0] + layout.linear_at;
    a[0] += sign * (w[1] * u[2] - w[2] * u[1]);
    a[1] += sign * (w[2] * u[0] - w[0] * u[2]);
    a[2] += sign * (w[0] * u[1] - w[1] * u[0]);
  }
};

} // namespace peer

#endif
