// The cost of each method until its gap is a given fraction of the first one: the table at the end of a run.
#pragma once

#include "driftless/results/outcome.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

inline constexpr std::array<double, 4> targets{1e-2, 1e-4, 1e-6, 1e-8};

// What is compared with its value at the start: f(x) − f* where f* is known, otherwise ‖∇f(x)‖.
enum class Yardstick { gap, grad_norm };
template <>
struct EnumNames<Yardstick> {
  static constexpr std::array<std::string_view, 2> value{"gap", "grad_norm"};
};

Yardstick yardstick_of(const std::vector<TraceRow>& rows);
// The first measured row at or below this fraction of the first value; null if there is none.
const TraceRow* first_at(const std::vector<TraceRow>& rows, double target);

struct Spread {
  double mean = 0.0;
  double least = 0.0;
  double most = 0.0;
};

// One method, or all methods that differ only in their seed.
struct TargetLine {
  std::string label;
  std::string title;  // what a reader sees
  std::size_t runs = 1;
  std::size_t reached = 0;  // the rest is only meaningful where all runs reached the target
  Spread rounds;
  Spread exchanges;
  Spread bytes;
  Spread grad_evals;
  Spread seconds;
  std::vector<Spread> link_s;          // by requested link
  std::optional<double> rounds_ratio;  // to the baseline's; none where either did not reach the target
  std::optional<double> exchanges_ratio;

  bool complete() const { return reached == runs; }
};

// The cost of these runs of one method until they reach the target.
TargetLine target_line(std::string label, std::span<const std::vector<TraceRow>* const> runs, double target,
                       std::string title = {});

struct TargetBlock {
  double target = 0.0;
  std::vector<TargetLine> lines;

  bool reached() const {  // by one of the methods at least
    return std::ranges::any_of(lines, [](const TargetLine& line) { return line.reached > 0; });
  }
};

struct TargetTable {
  Yardstick yardstick = Yardstick::gap;
  std::string baseline;  // label of the first `gd`, else of the first method
  std::string baseline_title;
  std::vector<TargetBlock> blocks;  // one per target
};

TargetTable target_table(std::span<const MethodOutcome> outcomes);

std::string target_name(double target);                // "1e-6"
std::string missed_targets(const TargetTable& table);  // "1e-6, 1e-8": those that nobody reached; "" if there are none

// Aligned columns, UTF-8. Targets that nobody reached share one line below.
std::string table_text(const TargetTable& table);
std::string endings_text(std::span<const MethodOutcome> outcomes);  // how each run ended

}  // namespace driftless
