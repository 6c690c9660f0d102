#include "driftless/theory/theorem_check.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// The mean of n ratios with expectation 1 and standard deviation about 1 exceeds 1 + 3/√n with a probability of about
// one in a thousand.
double slack_of(std::size_t seeds) { return 3.0 / std::sqrt(static_cast<double>(seeds)); }

bool may_run(const Theorem& theorem, Assumptions assumptions) {
  return std::ranges::all_of(theorem.assumptions, [&](const Assumption& a) {
    return a.holds || (assumptions == Assumptions::ignored && !a.essential);
  });
}

Verdict verdict_of(const TheoremReport& report) {
  if (report.rows.empty()) return Verdict::not_applicable;
  if (report.theorem.in_expectation) return Verdict::observed;
  return report.first_violation() == nullptr ? Verdict::holds : Verdict::violated;
}

// The row of a round, in the run that has it.
const CheckedRow* row_of(const TheoremReport& report, std::uint64_t round) {
  const auto found = std::ranges::find(report.rows, round, &CheckedRow::round);
  return found == report.rows.end() ? nullptr : &*found;
}

SeedMean mean_over(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports, std::size_t t) {
  SeedMean mean{.labels = {labels.begin(), labels.end()}, .rounds = {}, .ratios = {}, .slack = slack_of(labels.size())};
  for (const CheckedRow& first : reports.front()->theorems[t].rows) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const TheoremCheckReport* report : reports)
      if (const CheckedRow* row = row_of(report->theorems[t], first.round)) {
        sum += row->ratio();
        ++count;
      }
    if (count < reports.size()) break;  // one of the runs ended earlier
    mean.rounds.push_back(first.round);
    mean.ratios.push_back(sum / static_cast<double>(count));
  }
  return mean;
}

}  // namespace

const Assumption* TheoremReport::failed() const {
  const auto found = std::ranges::find(theorem.assumptions, false, &Assumption::holds);
  return found == theorem.assumptions.end() ? nullptr : &*found;
}

const CheckedRow* TheoremReport::first_violation() const {
  const auto found = std::ranges::find_if(rows, [](const CheckedRow& row) { return !row.holds(); });
  return found == rows.end() ? nullptr : &*found;
}

double TheoremReport::worst_ratio() const {
  double worst = 0.0;
  if (over_seeds)
    for (const double ratio : over_seeds->ratios) worst = std::max(worst, ratio);
  else
    for (const CheckedRow& row : rows) worst = std::max(worst, row.ratio());
  return worst;
}

std::optional<std::uint64_t> TheoremReport::checked() const {
  return rows.empty() ? std::nullopt : std::optional(rows.back().round);
}

Verdict TheoremCheckReport::verdict() const {
  const auto any = [&](Verdict v) { return std::ranges::find(theorems, v, &TheoremReport::verdict) != theorems.end(); };
  for (const Verdict v : {Verdict::violated, Verdict::holds, Verdict::observed})
    if (any(v)) return v;
  return Verdict::not_applicable;
}

TheoremCheck::TheoremCheck(const MethodEntry& method, const Settings& settings, TheoremFacts facts,
                           const ClientObjectives& hosted, Assumptions assumptions)
    : hosted_(hosted), facts_(std::move(facts)), scale_(facts_) {
  for (Theorem& theorem : theorems_of(method, settings, facts_)) {
    const bool active = may_run(theorem, assumptions);
    items_.push_back({.report = {.theorem = std::move(theorem)}, .active = active});
  }
}

void TheoremCheck::take(Item& item, const Snapshot& now, Check check) const {
  if (check.lost) {
    check.lost->statement += ", in round " + std::to_string(now.round());
    item.report.theorem.assumptions.push_back(*check.lost);
    item.active = false;
  } else if (check.row) {
    check.row->round = now.round();
    item.report.rows.push_back(*check.row);
  }
}

void TheoremCheck::watch(Method& method, Federation& fed, const Vector& x) {
  if (std::ranges::none_of(items_, &Item::active)) return;
  const Snapshot now(method, fed, hosted_, x);
  scale_.see(now);
  for (Item& item : items_)
    if (item.active && item.report.theorem.after_round) take(item, now, item.report.theorem.after_round(now, scale_));
}

void TheoremCheck::finish(Method& method, Federation& fed, const Vector& x, const Vector& output) {
  const Snapshot now(method, fed, hosted_, x);
  for (Item& item : items_)
    if (item.active && item.report.theorem.at_end) take(item, now, item.report.theorem.at_end(now, scale_, output));
}

TheoremCheckReport TheoremCheck::report() const {
  TheoremCheckReport all;
  for (const Item& item : items_) {
    all.theorems.push_back(item.report);
    all.theorems.back().verdict = verdict_of(item.report);
  }
  return all;
}

void judge_over_seeds(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports) {
  DRIFTLESS_ASSERT(labels.size() == reports.size(), "a label for every run");
  if (reports.size() < 2) return;
  for (std::size_t t = 0; t < reports.front()->theorems.size(); ++t) {
    if (!reports.front()->theorems[t].theorem.in_expectation) continue;
    const SeedMean mean = mean_over(labels, reports, t);
    if (mean.rounds.empty()) continue;
    const double worst = *std::ranges::max_element(mean.ratios);
    for (TheoremCheckReport* report : reports) {
      report->theorems[t].over_seeds = mean;
      report->theorems[t].verdict = worst <= 1.0 + mean.slack ? Verdict::holds : Verdict::violated;
    }
  }
}

}  // namespace driftless
