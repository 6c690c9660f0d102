// When a run ends, and why.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/stop_token.hpp"
#include "driftless/optimize/trace.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace driftless {

enum class StopReason { none, rounds, grad_norm, gap, exchanges, bytes, seconds, grad_evals, diverged, interrupted };
template <>
struct EnumNames<StopReason> {
  static constexpr std::array<std::string_view, 10> value{"none",  "rounds",  "grad_norm",  "gap",      "exchanges",
                                                          "bytes", "seconds", "grad_evals", "diverged", "interrupted"};
};

StopReason reason_of(StopSignal signal);

// The first one that is met ends the run; those that are not given never do.
struct StopConditions {
  std::optional<std::size_t> rounds = {};
  std::optional<double> grad_norm = {};
  std::optional<double> gap = {};
  std::optional<std::size_t> exchanges = {};
  std::optional<std::size_t> bytes = {};
  std::optional<double> seconds = {};
  std::optional<std::size_t> grad_evals = {};

  static Fields fields() {
    using S = StopConditions;
    return {field("rounds", &S::rounds, nonnegative, "most rounds"),
            field("grad_norm", &S::grad_norm, nonnegative, "‖∇f(x)‖ small enough"),
            field("gap", &S::gap, nonnegative, "f(x) − f* small enough"),
            field("exchanges", &S::exchanges, nonnegative, "most exchanges"),
            field("bytes", &S::bytes, nonnegative, "most bytes, both directions together"),
            field("seconds", &S::seconds, nonnegative, "most seconds of work, measuring not counted"),
            field("grad_evals", &S::grad_evals, nonnegative, "most gradient evaluations of the busiest client")};
  }

  bool any() const { return rounds || grad_norm || gap || exchanges || bytes || seconds || grad_evals; }
  StopReason by_count(const TraceRow& row) const;    // from what is known after every round
  StopReason by_quality(const TraceRow& row) const;  // from what is known after measuring
};

// Whether a run has diverged: f or ‖∇f‖ is not finite, or ‖∇f‖ is 1e10 times the first.
bool diverged(const TraceRow& first, const TraceRow& now);

}  // namespace driftless
