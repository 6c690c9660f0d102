// The options that RG-SAGA and RG-SVRG share.
#pragma once

#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/sampled/composite_step.hpp"

#include <array>

namespace driftless {

enum class RgRule { practice, theorem };
template <>
struct EnumNames<RgRule> {
  static constexpr std::array<std::string_view, 2> value{"practice", "theorem"};
};

struct RgOptions {
  CompositeStepOptions composite = {};
  double beta = required;
  SamplingOptions sampling = {};
  RgRule rule = RgRule::practice;

  static Fields fields() {
    using S = RgOptions;
    return {
        nested(&S::composite),
        field("beta", &S::beta, Range{.low = 0.0, .high = 1.0},
              "β, weight of the estimate that does not depend on g_t; 0 = SARAH"),
        nested(&S::sampling),
        field("rule", &S::rule, anything, "whose values \"theory\" stands for: the authors' practice, the theorem's")};
  }
  void check() const { composite.check(); }
};

}  // namespace driftless
