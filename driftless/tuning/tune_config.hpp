// The configuration of a search: a run whose methods have free options, how settings are tried, and the budget of a
// trial.
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
  std::optional<std::size_t> seeds;

  static Fields fields() {
    using S = TuneKeys;
    return {field("strategy", &S::strategy, anything, "how settings are chosen"),
            field("trials", &S::trials, Range{.low = 1.0, .high = 100000.0}, "settings tried per method"),
            field("targets", &S::targets, anything, "parts of the first gap, between 0 and 1"),
            field("currency", &S::currency, anything, "what the best setting spends least of"),
            field("reduction", &S::reduction, Range{.low = 2.0, .high = 100.0}, "halving: one in so many continues"),
            field("seed", &S::seed, anything, "seed of the settings drawn; the run's seed if not given"),
            field("seeds", &S::seeds, Range{.low = 1.0, .high = 1000.0},
                  "runs of each setting of a method that draws at random; 1 if not given")};
  }
};

// The budget of a trial, as counts that do not depend on the machine.
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
  Budget divided_by(std::size_t divisor) const;  // each count at least one
};

struct TuneConfig {
  RunConfig run;                    // its methods hold the first value of every free option; [stop] is not used
  std::vector<SearchSpace> spaces;  // one per method
  TuneKeys keys;                    // targets from the easiest to the hardest
  Budget budget;
  // Nobody gave ranges: the spaces are those of the catalogue, and settings that a method rejects are left out.
  bool default_ranges = false;
};

// What a trial may spend where the configuration does not say: so that no trial runs away.
inline constexpr std::size_t default_gradients = 100000;
inline constexpr std::size_t default_exchanges = 500;

// ConfigError with file:line or flag for an invalid configuration, including any invalid setting of a grid; DataError
// where data is missing.
TuneConfig read_tune_config(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

// The settings of the free options of a method, in order; one empty setting where it has none.
std::vector<Settings> settings_tried(const TuneConfig& config, std::size_t method);

// A configuration that repeats the search.
std::string canonical_text(const TuneConfig& config);

}  // namespace driftless
