// Catalyst around another method of the catalogue. Lin, Mairal, Harchaoui, "A universal Catalyst for first-order
// optimization", NeurIPS 2015; around SVRP it is Catalyzed SVRP of Khaled, Jin, ICLR 2023.
//
//   y = z = x⁰
//   repeat:  T rounds of the inner method on f + (κ/2)‖· − y‖², started again at the last x;  z⁺ = the x reached
//            y ← z⁺ + β (z⁺ − z)                       (components/acceleration/catalyst.hpp)
//
// κ = kappa, μ = mu, T = inner_rounds; x is that of the inner method. Every client adds (κ/2)‖· − y‖² to its f_i,
// through the federation: gradients, values, Hessians and local problems of the inner method are those of the
// regularised functions, and so are the constants in its options; its μ is set to μ + κ. A round is one of the inner
// method, with its messages. A method that exchanges when it starts does so for every y. κ = 0 is the inner method
// itself, which then is not started again.
//
// Departure: the two centres of a local problem are one for the local solver, so relative stop rules measure the
// distance to the common centre. Theory: κ = max(δ_A − μ, 0) around DANE, max(δ_A/√n − μ, 0) around SVRP and SVRS,
// max(L_f − 2μ, 0) around gradient descent: √((μ + κ)/μ) log(1/ε) values of y, up to logarithms.
#pragma once

#include "driftless/components/acceleration/catalyst.hpp"
#include "driftless/methods/method.hpp"

#include <memory>
#include <string>

namespace driftless {

struct CatalystOptions {
  std::string inner = "dane+";
  double kappa = required;
  double mu = 0.0;
  CatalystMomentum momentum = CatalystMomentum::variable;
  std::size_t inner_rounds = 3;

  static Fields fields() {
    using S = CatalystOptions;
    return {field("inner", &S::inner, anything, "the method inside, whose options stand beside these"),
            field("kappa", &S::kappa, nonnegative, "κ, weight of the pull towards y; 0 = the inner method"),
            field("mu", &S::mu, nonnegative, "μ, strong convexity of f and f_i; the inner method is given μ + κ"),
            field("momentum", &S::momentum, anything, "β of y: constant, or by the recursion of ζ"),
            field("inner_rounds", &S::inner_rounds, at_least_one, "T, rounds of the inner method for one y")};
  }
};

class CatalystMethod final : public Method {
 public:
  CatalystMethod(const CatalystOptions& o, std::unique_ptr<Method> inner)
      : o_(checked(o)), inner_(std::move(inner)), catalyst_(o.kappa, o.mu, o.momentum) {}

  void prepare(const Federation& fed) override { inner_->prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    catalyst_.start(x);
    start_inner(fed, x);
  }

  void round(Federation& fed, Vector& x) override {
    if (o_.kappa == 0.0) return inner_->round(fed, x);
    const std::size_t r = fed.round();
    const std::size_t k = r % o_.inner_rounds;  // of this y
    if (k == 0 && r > 0) start_inner(fed, x);
    const Federation::PullScope pulled(fed, catalyst_.pull(), r - k);
    inner_->round(fed, x);
    if (k + 1 == o_.inner_rounds) catalyst_.advance(x);
  }

  Traffic start_traffic(std::size_t n) const override { return inner_->start_traffic(n); }
  Traffic round_traffic(std::size_t n) const override {
    Traffic traffic = inner_->round_traffic(n);
    traffic.at_least = traffic.at_least || (o_.kappa > 0.0 && start_traffic(n).exchanges > 0);
    return traffic;
  }
  Traffic coin_traffic(std::size_t n) const override { return inner_->coin_traffic(n); }

  void visit_state(StateVisitor& visit) override {
    inner_->visit_state(visit);
    catalyst_.visit_state(visit, "catalyst_y", "catalyst_z");
  }
  std::string options_text() const override {
    std::string text;
    for (const auto& [name, value] : echo_options(o_)) text += name + " = " + value + "\n";
    return text + inner_->options_text();
  }

 private:
  void start_inner(Federation& fed, Vector& x) {
    if (o_.kappa == 0.0) return inner_->start(fed, x);
    const Federation::PullScope pulled(fed, catalyst_.pull(), fed.round());
    inner_->start(fed, x);
  }

  CatalystOptions o_;
  std::unique_ptr<Method> inner_;
  Catalyst catalyst_;
};

}  // namespace driftless
