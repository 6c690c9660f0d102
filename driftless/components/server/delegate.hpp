// The delegate: one client, called f_1 in the papers, whose loss serves as a model of f and which is hosted by the
// server.
//
//   ∇f(c) = (1/n) Σ ∇f_i(c)                                                 one exchange; the server alone gets it
//   PROX_1(c, λ) ≈ argmin_y f_1(y) + ⟨∇f(c) − ∇f_1(c), y⟩ + (λ/2)‖y − c‖²     no message; broadcast with the next
//                                                                           exchange
//
// So a method that alternates the two costs one exchange, one vector up and one down for each client and round. Methods
// that contact a few clients per round put an estimate g in place of ∇f(c); then the new point goes to those clients.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct DelegateOptions {
  std::size_t delegate = 0;

  static Fields fields() {
    return {field("delegate", &DelegateOptions::delegate, nonnegative,
                  "number, from 0, of the client that the server hosts and uses as a model")};
  }
};

class Delegate {
 public:
  explicit Delegate(const DelegateOptions& options) : id_(options.delegate) {}

  void prepare(const Federation& fed) {
    if (id_ >= fed.clients())
      throw ConfigError({.what = "there is no client for 'delegate'",
                         .seen = "delegate = " + std::to_string(id_),
                         .advice = "clients are numbered 0 … " + std::to_string(fed.clients() - 1)});
    self_ = Cohort::of({id_}, fed.clients());
    g_1_ = h_1_ = fed.per_client<Vector>(Vector());
  }

  // ∇f(c). The delegate keeps ∇f_1(c).
  Vector gradient(Federation& fed, const Vector& c) {
    return fed.mean({fed.everyone(), fed.nobody()}, [&](Client& i, VecOut row) {
      i.gradient(c, row);
      keep(i, row);
    });
  }
  // For methods that form ∇f(c) in an exchange of their own, inside its body.
  void keep(const Client& i, VecIn gradient) {
    if (i.id() == id_) g_1_[i] = gradient;
  }
  const Vector& own_gradient(const Client& i) const { return g_1_[i]; }  // ∇f_1(c), inside a body of the delegate

  // PROX_1(c, λ) from ∇f(c), right after the gradient at c was taken. ∇F(c) = ∇f(c), so the first local gradient is
  // known.
  Vector prox(Federation& fed, const Vector& c, const Vector& gradient, double lambda, const LocalSolver& solver) {
    return publish(fed, [&](Client& i, VecOut y) {
      h_1_[i] = g_1_[i] - gradient;
      y = c;
      i.minimize({.shift = &h_1_[i], .center = &c, .lambda = lambda, .start_gradient = &gradient}, y, solver);
    });
  }

  // The same from an estimate g of ∇f(c). The point stays at the server until an exchange sends it.
  Vector prox_of_estimate(Federation& fed, const Vector& c, const Vector& g, double lambda, const LocalSolver& solver) {
    return at_server(fed, [&](Client& i, VecOut y) {
      h_1_[i].resize(c.size());
      i.gradient(c, h_1_[i]);
      h_1_[i] -= g;
      y = c;
      i.minimize({.shift = &h_1_[i], .center = &c, .lambda = lambda, .start_gradient = &g}, y, solver);
    });
  }

  // A vector that body(Client&, VecOut) computes at the delegate and that no client receives now.
  template <class Body>
  Vector at_server(Federation& fed, Body&& body) {
    return fed.tell_server(self_, static_cast<std::size_t>(fed.dim()), body);
  }
  // A vector, or numbers, that body(Client&, VecOut) computes at the delegate.
  template <class Body>
  Vector publish(Federation& fed, Body&& body) {
    return fed.publish(self_, body);
  }
  template <class Body>
  Vector tell_server(Federation& fed, std::size_t count, Body&& body) {
    return fed.tell_server(self_, count, body);
  }

 private:
  ClientId id_;
  Cohort self_ = Cohort::of({}, 0);  // the delegate, once prepared
  PerClient<Vector> g_1_, h_1_;      // empty but for the delegate
};

}  // namespace driftless
