// A search as plain data: a run whose methods leave options open, how settings are tried, and what every trial may
// spend.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/tuning/search_space.hpp"

namespace driftless {

enum class Strategy { grid, random, halving };
template <>
struct EnumNames<Strategy> {
  static constexpr std::array<std::string_view, 3> value{"grid", "random", "halving"};
};

enum class Currency { rounds, exchanges, bytes, grad_evals };
template <>
struct EnumNames<Currency> {
  static constexpr std::array<std::string_view, 4> value{"rounds", "exchanges", "bytes", "grad_evals"};
};

struct TuneKeys {
  Strategy strategy = Strategy::grid;
  std::optional<std::size_t> trials;
  std::vector<double> targets{driftless::targets.begin(), driftless::targets.end()};
  Currency currency = Currency::rounds;
  std::size_t reduction = 3;
  std::optional<std::size_t> seed;

  static Fields fields() {
    using S = TuneKeys;
    return {field("strategy", &S::strategy, anything, "how settings are chosen"),
            field("trials", &S::trials, Range{.low = 1.0, .high = 100000.0}, "settings tried per method"),
            field("targets", &S::targets, anything, "parts of the first gap, between 0 and 1"),
            field("currency", &S::currency, anything, "what the best setting spends least of"),
            field("reduction", &S::reduction, Range{.low = 2.0, .high = 100.0}, "halving: one in so many continues"),
            field("seed", &S::seed, anything, "seed of the settings drawn; the run's seed if not given")};
  }
};

// What every trial may spend: counts, which do not depend on the machine.
struct Budget {
  std::optional<std::size_t> rounds;
  std::optional<std::size_t> exchanges;
  std::optional<std::size_t> bytes;
  std::optional<std::size_t> grad_evals;

  static Fields fields() {
    using S = Budget;
    return {field("rounds", &S::rounds, at_least_one, "most rounds"),
            field("exchanges", &S::exchanges, at_least_one, "most exchanges"),
            field("bytes", &S::bytes, at_least_one, "most bytes, both directions together"),
            field("grad_evals", &S::grad_evals, at_least_one, "most gradient evaluations of the busiest client")};
  }

  bool any() const { return rounds || exchanges || bytes || grad_evals; }
  StopConditions stop() const;
  bool allows(const TraceRow& row) const;
  Budget divided_by(std::size_t divisor) const;  // at least one of everything
};

struct TuneConfig {
  RunConfig run;                    // its methods hold the first value of every option left open; [stop] is not used
  std::vector<SearchSpace> spaces;  // one per method
  TuneKeys keys;                    // targets from the easiest to the hardest
  Budget budget;
};

// ConfigError with file:line or flag for anything that is not allowed, each setting of a grid included; DataError where
// data is missing.
TuneConfig read_tune_config(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

// The values tried for the options that a method leaves open, in their order; one empty setting where it leaves none.
std::vector<Settings> settings_tried(const TuneConfig& config, std::size_t method);

// As a configuration that repeats the search.
std::string canonical_text(const TuneConfig& config);

}  // namespace driftless
