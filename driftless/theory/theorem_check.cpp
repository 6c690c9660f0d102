#include "driftless/theory/theorem_check.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

bool may_run(const Theorem& theorem, Assumptions assumptions) {
  return std::ranges::all_of(theorem.assumptions, [&](const Assumption& a) {
    return a.holds || (assumptions == Assumptions::ignored && !a.essential);
  });
}

bool any_above_rounding(const std::vector<CheckedRow>& rows) {
  return std::ranges::any_of(rows, &CheckedRow::above_rounding);
}

const CheckedRow* first_on_measured(const std::vector<CheckedRow>& rows) {
  const auto found =
      std::ranges::find_if(rows, [](const CheckedRow& row) { return row.above_rounding() && row.rests_on_measured(); });
  return found == rows.end() ? nullptr : &*found;
}

// The row of a round, in the run that has it.
const CheckedRow* row_of(const std::vector<CheckedRow>& rows, std::uint64_t round) {
  const auto found = std::ranges::find(rows, round, &CheckedRow::round);
  return found == rows.end() ? nullptr : &*found;
}

bool any_violation(const std::vector<CheckedRow>& rows) {
  return std::ranges::any_of(rows, [](const CheckedRow& row) { return !row.holds(); });
}

using Rows = std::vector<CheckedRow> TheoremReport::*;

// The rounds that every run has, with rows that could have failed.
SeedMean mean_over(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports, std::size_t t,
                   Rows rows) {
  SeedMean mean{.labels = {labels.begin(), labels.end()}, .rounds = {}, .ratios = {}};
  double evidence = 0.0;
  for (const CheckedRow& first : reports.front()->theorems[t].*rows) {
    double sum = 0.0;
    double product = 1.0;
    std::size_t count = 0;
    for (const TheoremCheckReport* report : reports) {
      const CheckedRow* row = row_of(report->theorems[t].*rows, first.round);
      if (row == nullptr || (row->holds() && !row->above_rounding())) break;
      sum += row->ratio();
      product *= (1.0 + row->ratio()) / 2.0;
      ++count;
    }
    if (count < reports.size()) continue;
    mean.rounds.push_back(first.round);
    mean.ratios.push_back(sum / static_cast<double>(count));
    evidence += product;
  }
  if (!mean.rounds.empty()) mean.evidence = evidence / static_cast<double>(mean.rounds.size());
  return mean;
}

constexpr const char* measured_constants = "the constants were measured at single points and may be worse elsewhere";

// `certain` is the mean with constants that are valid everywhere; `lost`: an assumption failed during one of the runs.
Verdict verdict_over_seeds(const SeedMean& mean, const SeedMean& certain, bool lost, std::string& reason) {
  if (certain.violated()) return Verdict::violated;
  if (mean.violated()) return reason = std::string("above the bound, but ") + measured_constants, Verdict::undecided;
  if (lost) return reason = "an assumption failed during a run, see its certificate.json", Verdict::undecided;
  if (mean.enough_seeds()) return Verdict::holds;
  reason = std::to_string(mean.labels.size()) + " of " + std::to_string(SeedMean::seeds_needed) + " seeds";
  return Verdict::undecided;
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
  for (const Verdict v : {Verdict::violated, Verdict::holds, Verdict::observed, Verdict::undecided})
    if (any(v)) return v;
  return Verdict::not_applicable;
}

std::vector<TheoremCheck::Item> TheoremCheck::items_of(const MethodEntry& method, const Settings& settings,
                                                       const TheoremFacts& facts, Assumptions assumptions) {
  std::vector<Item> items;
  for (Theorem& theorem : theorems_of(method, settings, facts)) {
    const bool active = may_run(theorem, assumptions);
    items.push_back({.report = {.theorem = std::move(theorem)}, .active = active});
  }
  return items;
}

TheoremCheck::TheoremCheck(const MethodEntry& method, const Settings& settings, TheoremFacts facts,
                           const ClientObjectives& hosted, Assumptions assumptions, ConstantsOrigin origin)
    : hosted_(hosted),
      facts_(std::move(facts)),
      facts_everywhere_(facts_),
      scale_(facts_),
      origin_(std::move(origin)),
      items_(items_of(method, settings, facts_, assumptions)) {
  if (origin_.exact || !origin_.everywhere) return;
  facts_everywhere_.constants = *origin_.everywhere;
  items_everywhere_ = items_of(method, settings, facts_everywhere_, assumptions);
}

void TheoremCheck::take(Item& item, const Snapshot& now, Check check) {
  if (check.lost) {
    check.lost->statement += ", in round " + std::to_string(now.round());
    item.report.theorem.assumptions.push_back(*check.lost);
    item.report.lost = true;
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
  for (std::vector<Item>* items : {&items_, &items_everywhere_})
    for (Item& item : *items)
      if (item.active && item.report.theorem.after_round) take(item, now, item.report.theorem.after_round(now, scale_));
}

void TheoremCheck::finish(Method& method, Federation& fed, const Vector& x, const Vector& output) {
  const Snapshot now(method, fed, hosted_, x);
  for (std::vector<Item>* items : {&items_, &items_everywhere_})
    for (Item& item : *items)
      if (item.active && item.report.theorem.at_end) take(item, now, item.report.theorem.at_end(now, scale_, output));
}

// `everywhere` is the same theorem with constants that are valid everywhere, or null.
void TheoremCheck::judge(TheoremReport& report, const TheoremReport* everywhere) const {
  const auto undecided = [&](std::string why) {
    report.verdict = Verdict::undecided;
    report.reason = std::move(why);
  };
  if (report.rows.empty()) return;
  if (origin_.exact) report.certain = report.rows;
  else if (everywhere != nullptr) report.certain = everywhere->rows;
  if (report.theorem.in_expectation) report.verdict = Verdict::observed;
  else if (any_violation(report.certain)) report.verdict = Verdict::violated;
  else if (const CheckedRow* row = report.first_violation())
    undecided("above the bound in round " + std::to_string(row->round) + ", but " + measured_constants);
  else if (const CheckedRow* raised = first_on_measured(report.rows))
    undecided("from round " + std::to_string(raised->round) + " on the bound consists of errors that were measured");
  else if (report.lost)
    undecided("checked until round " + std::to_string(*report.checked()) + ", after which an assumption failed");
  else if (!any_above_rounding(report.rows)) undecided("what rounding may do is not small beside the bound");
  else report.verdict = Verdict::holds;
}

TheoremCheckReport TheoremCheck::report() const {
  TheoremCheckReport all;
  for (std::size_t t = 0; t < items_.size(); ++t) {
    all.theorems.push_back(items_[t].report);
    const bool known = t < items_everywhere_.size();
    judge(all.theorems.back(), known ? &items_everywhere_[t].report : nullptr);
  }
  return all;
}

void judge_over_seeds(std::span<const std::string> labels, std::span<TheoremCheckReport* const> reports) {
  DRIFTLESS_ASSERT(labels.size() == reports.size(), "a label for every run");
  if (reports.size() < 2) return;
  for (std::size_t t = 0; t < reports.front()->theorems.size(); ++t) {
    if (!reports.front()->theorems[t].theorem.in_expectation) continue;
    const SeedMean mean = mean_over(labels, reports, t, &TheoremReport::rows);
    const SeedMean certain = mean_over(labels, reports, t, &TheoremReport::certain);
    if (mean.rounds.empty()) continue;
    const bool lost = std::ranges::any_of(reports, [&](const auto* report) { return report->theorems[t].lost; });
    for (TheoremCheckReport* report : reports) {
      report->theorems[t].over_seeds = mean;
      report->theorems[t].verdict = verdict_over_seeds(mean, certain, lost, report->theorems[t].reason);
    }
  }
}

}  // namespace driftless
