// The step of the server with the mean update Δ of its clients, which treats −Δ as a gradient. Reddi, Charles, Zaheer,
// Garrett, Rush, Konečný, Kumar, McMahan, "Adaptive federated optimization", ICLR 2021, and plain steps. Entry by
// entry:
//
//   m = 0, v = v_0
//   m ← β_1 m + (1 − β_1) Δ
//   adagrad   v ← v + Δ²
//   adam      v ← β_2 v + (1 − β_2) Δ²
//   yogi      v ← v − (1 − β_2) Δ² sign(v − Δ²)
//   x ← x + η m/(√v + τ)                               sgd: x ← x + η m, no v
//
// No bias correction. v ≥ 0 always: yogi subtracts (1 − β_2) Δ² only where v > Δ². adam and yogi leave v = Δ²
// unchanged. v_start = v_0/τ²; the article requires v_0 ≥ τ², some implementations start at 0. Momentum written as m ←
// β m + Δ with step η' is sgd here with η = η'/(1 − β). All but sgd depend on the coordinates: a rotation of x changes
// the method.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/vector.hpp"

namespace driftless {

enum class ServerRule { sgd, adagrad, adam, yogi };
template <>
struct EnumNames<ServerRule> {
  static constexpr std::array<std::string_view, 4> value{"sgd", "adagrad", "adam", "yogi"};
};

struct ServerOptimizerOptions {
  ServerRule server_optimizer = ServerRule::adam;
  double server_step = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double tau = 1e-3;
  double v_start = 1.0;

  static Fields fields() {
    using S = ServerOptimizerOptions;
    constexpr Range below_one{.low = 0.0, .high = 1.0, .high_open = true};
    return {field("server_optimizer", &S::server_optimizer, anything, "how the server follows the mean update"),
            field("server_step", &S::server_step, positive, "η, step of the server; 1 for sgd"),
            field("beta1", &S::beta1, below_one, "β_1, weight of the old momentum"),
            field("beta2", &S::beta2, below_one, "β_2, weight of the old v in adam and yogi"),
            field("tau", &S::tau, positive, "τ, entries of the update below it are hardly enlarged"),
            field("v_start", &S::v_start, nonnegative, "first v in units of τ²; at least 1 in theory")};
  }
};

class ServerOptimizer {
 public:
  explicit ServerOptimizer(const ServerOptimizerOptions& options) : o_(options) {}

  void start(Index dim) {
    m_ = Vector::Zero(dim);
    v_ = Vector::Constant(dim, o_.v_start * o_.tau * o_.tau);
  }

  void advance(Vector& x, const Vector& delta) {
    m_ = o_.beta1 * m_ + (1.0 - o_.beta1) * delta;
    if (o_.server_optimizer == ServerRule::sgd) {
      x += o_.server_step * m_;
      return;
    }
    renew_v(delta.array().square());
    x.array() += o_.server_step * m_.array() / (v_.array().sqrt() + o_.tau);
  }

  Vector& m() { return m_; }
  Vector& v() { return v_; }

 private:
  void renew_v(const Eigen::ArrayXd& square) {  // Δ²
    const double fresh = 1.0 - o_.beta2;
    switch (o_.server_optimizer) {
      case ServerRule::sgd: break;
      case ServerRule::adagrad: v_.array() += square; break;
      case ServerRule::adam: v_.array() = o_.beta2 * v_.array() + fresh * square; break;
      case ServerRule::yogi: v_.array() -= fresh * square * (v_.array() - square).sign(); break;
    }
  }

  ServerOptimizerOptions o_;
  Vector m_, v_;
};

}  // namespace driftless
