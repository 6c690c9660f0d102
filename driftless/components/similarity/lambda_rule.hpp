// How methods with a proximal weight λ find it. λ ≥ δ up to a factor makes their steps sound, a test after each step
// says whether this λ was, and the smaller λ the faster they are.
//
//   fixed    λ is given
//   search   a step that fails is discarded and λ doubled; after one that passes λ is halved
//   hybrid   λ = κ δ̂, δ̂ the dissimilarity along the last step (secants.hpp), at most 8 times the last λ or 1/8 of it.
//            κ = ½ at first; it doubles where the test fails with λ ≥ κ δ̂/8, up to 16, and falls by 3 %, down to ½,
//            where it passes
//
// Halving only learns from failures that λ is too small, so it wastes every other step; an estimate is right from the
// start, and along the path δ̂ is often far below the constant of the theory.
#pragma once

#include "driftless/components/similarity/secants.hpp"
#include "driftless/core/options.hpp"

#include <algorithm>

namespace driftless {

enum class LambdaRule { hybrid, search, fixed };
template <>
struct EnumNames<LambdaRule> {
  static constexpr std::array<std::string_view, 3> value{"hybrid", "search", "fixed"};
};

struct LambdaOptions {
  LambdaRule lambda_rule = LambdaRule::hybrid;
  double lambda = 0.0;

  static Fields fields() {
    using S = LambdaOptions;
    return {field("lambda_rule", &S::lambda_rule, anything,
                  "λ from an estimate and guarded by a test, by doubling and halving, or as given"),
            field("lambda", &S::lambda, nonnegative,
                  "λ, pull towards the centre; with hybrid and search the first one, 0 = from the first gradients")};
  }
  void check() const {
    if (lambda_rule == LambdaRule::fixed && lambda == 0.0)
      throw ConfigError({.what = "lambda_rule 'fixed' needs 'lambda'",
                         .seen = "lambda is not given",
                         .advice = "give lambda > 0, or use lambda_rule = \"hybrid\", which finds it"});
  }
  bool adaptive() const { return lambda_rule != LambdaRule::fixed; }
};

class RunningLambda {
 public:
  explicit RunningLambda(const LambdaOptions& options) : rule_(options.lambda_rule) { start(options.lambda); }

  void start(double lambda) {
    lambda_ = lambda;
    kappa_ = least;
  }
  double operator()() const { return lambda_; }

  // The λ to continue with, if the last step passes: from the estimate δ̂, 0 where there is none.
  void propose(double delta) {
    if (rule_ == LambdaRule::hybrid && delta > 0.0) lambda_ = clipped(kappa_ * delta, lambda_);
  }
  void expect_success() {
    if (rule_ == LambdaRule::search) lambda_ = std::max(0.5 * lambda_, 1e-100);  // a is about 1/λ
  }
  void succeeded() { kappa_ = std::max(least, 0.97 * kappa_); }
  // After a step with the weight `used`; `needed` is the λ that would have passed, infinite where none is known.
  void failed(double used, double needed, double delta) {
    if (used >= kappa_ * delta / 8.0) kappa_ = std::min(16.0, 2.0 * kappa_);
    lambda_ = used;
    propose(delta);
    lambda_ = rule_ == LambdaRule::search ? 2.0 * used : std::max(lambda_, std::min(needed, 2.0 * used));
  }

  void visit_state(StateVisitor& visit) {
    visit.number("lambda", lambda_);
    visit.number("kappa", kappa_);
  }

 private:
  static constexpr double least = 0.5;  // κ

  LambdaRule rule_;
  double lambda_ = 0.0;
  double kappa_ = least;
};

}  // namespace driftless
