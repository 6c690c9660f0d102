// The theorems of a method checked along its run: bound against observed after every round, and a verdict.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <array>
#include <span>

namespace driftless {

enum class Verdict { holds, violated, observed, undecided, not_applicable };
template <>
struct EnumNames<Verdict> {
  static constexpr std::array<std::string_view, 5> value{"holds", "violated", "observed", "cannot be decided",
                                                         "not applicable"};
};

// A theorem that bounds an expectation, over runs that differ in their seed alone. The ratios X_i = observed/bound of
// n runs are independent, not negative and have a mean of at most 1 by the theorem. Then E Π_i (1 + (X_i − 1)/2) ≤ 1,
// and so is the mean of these products over the rounds, however rounds depend on each other. By Markov's inequality
// such an evidence of 1/level or more has at most the probability `level`. No distribution is assumed.
struct SeedMean {
  std::vector<std::string> labels;
  std::vector<std::uint64_t> rounds;
  std::vector<double> ratios;  // means over the seeds
  double evidence = 0.0;       // against the theorem; 1/level and more is a violation

  static constexpr double level = 0.01;
  // With so many seeds a run that has twice the bound in every round is noticed: 1.5^12 > 1/level.
  static constexpr std::size_t seeds_needed = 12;

  bool enough_seeds() const { return labels.size() >= seeds_needed; }
  bool violated() const { return !(evidence < 1.0 / level); }
};

struct TheoremReport {
  Theorem theorem;  // its assumptions include one that failed during the run
  std::vector<CheckedRow> rows = {};
  std::vector<CheckedRow> certain = {};  // with constants that are valid everywhere; empty where those do not suffice
  std::optional<SeedMean> over_seeds = {};
  Verdict verdict = Verdict::not_applicable;
  std::string reason = {};  // why it cannot be decided
  bool lost = false;        // an assumption failed during the run, which ended the check

  const Assumption* failed() const;              // the first assumption that does not hold, or null
  const CheckedRow* first_violation() const;     // of this run alone; null where there is none
  double worst_ratio() const;                    // largest observed/bound; over seeds where that decides
  std::optional<std::uint64_t> checked() const;  // the last round with a row
};

struct TheoremCheckReport {
  std::vector<TheoremReport> theorems;  // none: no theorem of this method is checked

  Verdict verdict() const;  // violated if any is, else holds if any does, else what is known least badly
};

enum class Assumptions { respected, ignored };

// Constants measured at single points may be worse elsewhere. A violation with them is one only where it is one with
// bounds that are valid everywhere, too.
struct ConstantsOrigin {
  bool exact = true;
  std::optional<Constants> everywhere = {};  // where the constants are not exact and such bounds are known
};

class TheoremCheck {
 public:
  // ConfigError if the options are wrong. Assumptions may be ignored to see what happens without them, except those
  // without which nothing can be computed.
  TheoremCheck(const MethodEntry& method, const Settings& settings, TheoremFacts facts, const ClientObjectives& hosted,
               Assumptions assumptions = Assumptions::respected, ConstantsOrigin origin = {});

  void watch(Method& method, Federation& fed, const Vector& x);  // after the start and after every round
  void finish(Method& method, Federation& fed, const Vector& x, const Vector& output);
  TheoremCheckReport report() const;

 private:
  // A theorem and its state.
  struct Item {
    TheoremReport report;
    bool active = false;
  };
  static std::vector<Item> items_of(const MethodEntry& method, const Settings& settings, const TheoremFacts& facts,
                                    Assumptions assumptions);
  static void take(Item& item, const Snapshot& now, Check check);
  void judge(TheoremReport& report, const TheoremReport* everywhere) const;

  const ClientObjectives& hosted_;
  TheoremFacts facts_;
  TheoremFacts facts_everywhere_;  // with the bounds, where there are some
  TheoremScale scale_;
  ConstantsOrigin origin_;
  std::vector<Item> items_;
  std::vector<Item> items_everywhere_;  // the same theorems with the bounds; empty where there are none
};

// Verdicts of the theorems in expectation. The reports are of runs that differ in their seed alone; a single report is
// not changed.
void judge_over_seeds(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports);

}  // namespace driftless
