// The theorems of a method checked along its run: bound against observed after every round, and a verdict.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <array>
#include <span>

namespace driftless {

enum class Verdict { holds, violated, observed, not_applicable };
template <>
struct EnumNames<Verdict> {
  static constexpr std::array<std::string_view, 4> value{"holds", "violated", "observed", "not applicable"};
};

// A theorem that bounds an expectation, over runs that differ in their seed alone: the mean of observed/bound is at
// most 1, and 1 + slack for finitely many seeds.
struct SeedMean {
  std::vector<std::string> labels;
  std::vector<std::uint64_t> rounds;
  std::vector<double> ratios;
  double slack = 0.0;
};

struct TheoremReport {
  Theorem theorem;  // its assumptions include one that failed during the run
  std::vector<CheckedRow> rows = {};
  std::optional<SeedMean> over_seeds = {};
  Verdict verdict = Verdict::not_applicable;

  const Assumption* failed() const;              // the first assumption that does not hold, or null
  const CheckedRow* first_violation() const;     // of this run alone; null where there is none
  double worst_ratio() const;                    // largest observed/bound; over seeds where that decides
  std::optional<std::uint64_t> checked() const;  // the last round with a row
};

struct TheoremCheckReport {
  std::vector<TheoremReport> theorems;  // none: no theorem of this method is checked

  Verdict verdict() const;  // violated if any is, else holds if any does
};

enum class Assumptions { respected, ignored };

class TheoremCheck {
 public:
  // ConfigError if the options are wrong. Assumptions may be ignored to see what happens without them, except those
  // without which nothing can be computed.
  TheoremCheck(const MethodEntry& method, const Settings& settings, TheoremFacts facts, const ClientObjectives& hosted,
               Assumptions assumptions = Assumptions::respected);

  void watch(Method& method, Federation& fed, const Vector& x);  // after the start and after every round
  void finish(Method& method, Federation& fed, const Vector& x, const Vector& output);
  TheoremCheckReport report() const;

 private:
  // A theorem and its state.
  struct Item {
    TheoremReport report;
    bool active = false;
  };
  void take(Item& item, const Snapshot& now, Check check) const;

  const ClientObjectives& hosted_;
  TheoremFacts facts_;
  TheoremScale scale_;
  std::vector<Item> items_;
};

// Verdicts of the theorems in expectation. The reports are of runs that differ in their seed alone; a single report is
// not changed.
void judge_over_seeds(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports);

}  // namespace driftless
