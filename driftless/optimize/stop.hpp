// When a run ends, and why.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/stop_token.hpp"
#include "driftless/optimize/trace.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace driftless {

enum class StopReason { none, rounds, grad_norm, gap, exchanges, bytes, seconds, grad_evals, diverged, interrupted };
template <>
struct EnumNames<StopReason> {
  static constexpr std::array<std::string_view, 10> value{"none",  "rounds",  "grad_norm",  "gap",      "exchanges",
                                                          "bytes", "seconds", "grad_evals", "diverged", "interrupted"};
};

StopReason reason_of(StopSignal signal);

// For people: "limit of rounds", "gradient norm reached".
std::string_view reason_text(StopReason reason);

// The first one that is met ends the run; those that are not given never do.
struct StopConditions {
  std::optional<std::size_t> rounds = {};
  std::optional<double> grad_norm = {};
  std::optional<double> grad_norm_relative = {};
  std::optional<double> gap = {};
  std::optional<std::size_t> exchanges = {};
  std::optional<std::size_t> bytes = {};
  std::optional<double> seconds = {};
  std::optional<std::size_t> grad_evals = {};

  static Fields fields() {
    using S = StopConditions;
    return {field("rounds", &S::rounds, nonnegative, "most rounds"),
            field("grad_norm", &S::grad_norm, nonnegative, "‖∇f(x)‖ small enough"),
            field("grad_norm_relative", &S::grad_norm_relative, nonnegative, "‖∇f(x)‖/‖∇f(x⁰)‖ small enough"),
            field("gap", &S::gap, nonnegative, "f(x) − f* small enough"),
            field("exchanges", &S::exchanges, nonnegative, "most exchanges"),
            field("bytes", &S::bytes, nonnegative, "most bytes, both directions together"),
            field("seconds", &S::seconds, nonnegative, "most seconds of work, measuring not counted"),
            field("grad_evals", &S::grad_evals, nonnegative, "most gradient evaluations of the busiest client")};
  }

  bool any() const {
    return rounds || grad_norm || grad_norm_relative || gap || exchanges || bytes || seconds || grad_evals;
  }
  StopReason by_count(const TraceRow& row) const;                           // from what is known after every round
  StopReason by_quality(const TraceRow& first, const TraceRow& row) const;  // from what is known after measuring
};

// f or ‖∇f‖ is no number, or 1e10 times what it was: the run is stopped as diverged at once.
bool beyond_bounds(const TraceRow& first, const TraceRow& now);

// f is well above f(x⁰), by more than 2·max(1, |f(x⁰)|), and does not come down. The gradients of many losses are
// bounded, so f alone may show that a run diverges. Non-monotone methods rise too and recover: of the rows since f was
// last below that height, the later half is compared with the earlier one by the mean of f − f(x⁰). The rows are those
// that all peers measured, so that all come to the same verdict.
bool stays_above_start(const std::vector<TraceRow>& rows);  // for 50 rows, and the mean does not fall: ends a run
bool ended_above_start(const std::vector<TraceRow>& rows);  // in the last row, and the mean falls by less than a tenth

}  // namespace driftless
