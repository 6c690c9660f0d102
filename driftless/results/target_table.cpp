#include "driftless/results/target_table.hpp"

#include "driftless/console/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace driftless {
namespace {

using Runs = std::vector<const MethodOutcome*>;

template <class Count>
Spread spread_of(const std::vector<const TraceRow*>& rows, Count&& count) {
  std::vector<double> counts;
  for (const TraceRow* row : rows) counts.push_back(static_cast<double>(count(*row)));
  const auto [least, most] = std::ranges::minmax_element(counts);
  return {.mean = std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size()),
          .least = *least,
          .most = *most};
}

std::vector<const std::vector<TraceRow>*> rows_of(const Runs& runs) {
  std::vector<const std::vector<TraceRow>*> rows;
  for (const MethodOutcome* run : runs) rows.push_back(&run->rows);
  return rows;
}

void set_ratios(TargetLine& line, const TargetLine& baseline) {
  if (!line.complete() || !baseline.complete()) return;
  if (baseline.rounds.mean > 0.0) line.rounds_ratio = line.rounds.mean / baseline.rounds.mean;
  if (baseline.exchanges.mean > 0.0) line.exchanges_ratio = line.exchanges.mean / baseline.exchanges.mean;
}

// Methods that differ only in their seed, where there are two or more of them.
std::vector<Runs> seed_groups(std::span<const MethodOutcome> outcomes) {
  std::vector<Runs> groups;
  for (const MethodOutcome& outcome : outcomes) {
    const auto same = std::ranges::find_if(
        groups, [&](const Runs& g) { return differ_in_seed_only(g.front()->method, outcome.method); });
    if (same == groups.end()) groups.push_back({&outcome});
    else same->push_back(&outcome);
  }
  std::erase_if(groups, [](const Runs& g) { return g.size() < 2; });
  return groups;
}

// "FedRed, λ = 0.02 (3 seeds)" where all of them have this title; empty: the label.
std::string group_title(const Runs& group) {
  const std::string& title = group.front()->method.title;
  const bool common = std::ranges::all_of(group, [&](const MethodOutcome* o) { return o->method.title == title; });
  return common && !title.empty() ? fmt::format("{} ({} seeds)", title, group.size()) : "";
}

TargetBlock block_at(double target, std::span<const MethodOutcome> outcomes, const std::string& baseline) {
  TargetBlock block{.target = target, .lines = {}};
  for (const MethodOutcome& outcome : outcomes)
    block.lines.push_back(target_line(outcome.method.label, rows_of({&outcome}), target, outcome.method.shown_name()));
  for (const Runs& group : seed_groups(outcomes))
    block.lines.push_back(target_line(fmt::format("{} ({} seeds)", group.front()->method.name, group.size()),
                                      rows_of(group), target, group_title(group)));
  const TargetLine base = *std::ranges::find(block.lines, baseline, &TargetLine::label);
  for (TargetLine& line : block.lines) set_ratios(line, base);
  return block;
}

std::string count_text(const Spread& s) {
  if (s.least == s.most) return fmt::format("{:.0f}", s.mean);
  return fmt::format("{:.1f} [{:.0f}–{:.0f}]", s.mean, s.least, s.most);
}

bool without_gradients(const TargetLine& line) { return line.grad_evals.most == 0.0 && line.rounds.least > 0.0; }

std::vector<std::string> cells(const TargetLine& line) {
  if (!line.complete()) {
    const std::string missing =
        line.runs == 1 ? "not reached" : fmt::format("not reached by {} of {}", line.runs - line.reached, line.runs);
    return {line.title, missing, "", "", "", "", ""};
  }
  const auto ratio = [](const std::optional<double>& r) { return r ? fmt::format("{:.3f}", *r) : std::string("-"); };
  return {line.title,
          count_text(line.rounds),
          count_text(line.exchanges),
          bytes_text(line.bytes.mean),
          without_gradients(line) ? "exact" : count_text(line.grad_evals),
          ratio(line.rounds_ratio),
          ratio(line.exchanges_ratio)};
}

}  // namespace

Yardstick yardstick_of(const std::vector<TraceRow>& rows) {
  return !rows.empty() && rows.front().f_gap ? Yardstick::gap : Yardstick::grad_norm;
}

const TraceRow* first_at(const std::vector<TraceRow>& rows, double target) {
  const bool by_gap = yardstick_of(rows) == Yardstick::gap;
  const auto size = [&](const TraceRow& row) { return by_gap ? *row.f_gap : row.grad_norm; };
  const auto hit =
      std::ranges::find_if(rows, [&](const TraceRow& row) { return size(row) <= target * size(rows.front()); });
  return hit == rows.end() ? nullptr : &*hit;
}

TargetLine target_line(std::string label, std::span<const std::vector<TraceRow>* const> runs, double target,
                       std::string title) {
  if (title.empty()) title = label;
  TargetLine line{.label = std::move(label), .title = std::move(title), .runs = runs.size()};
  std::vector<const TraceRow*> hits;
  for (const std::vector<TraceRow>* rows : runs)
    if (const TraceRow* hit = first_at(*rows, target)) hits.push_back(hit);
  line.reached = hits.size();
  if (!line.complete()) return line;
  line.rounds = spread_of(hits, [](const TraceRow& r) { return r.round; });
  line.exchanges = spread_of(hits, [](const TraceRow& r) { return r.exchanges; });
  line.bytes = spread_of(hits, [](const TraceRow& r) { return r.bytes_up + r.bytes_down; });
  line.grad_evals = spread_of(hits, [](const TraceRow& r) { return r.grad_evals; });
  line.seconds = spread_of(hits, [](const TraceRow& r) { return r.wall_s; });
  for (std::size_t k = 0; k < hits.front()->link_s.size(); ++k)
    line.link_s.push_back(spread_of(hits, [k](const TraceRow& r) { return r.link_s.at(k); }));
  return line;
}

TargetTable target_table(std::span<const MethodOutcome> outcomes) {
  TargetTable table;
  if (outcomes.empty()) return table;
  const auto is_gd = [](const MethodOutcome& o) { return o.method.name == "gd"; };
  const auto gd = std::ranges::find_if(outcomes, is_gd);
  const MethodConfig& baseline = (gd == outcomes.end() ? outcomes.front() : *gd).method;
  table.baseline = baseline.label;
  table.baseline_title = baseline.shown_name();
  table.yardstick = yardstick_of(outcomes.front().rows);
  for (const double target : targets) table.blocks.push_back(block_at(target, outcomes, table.baseline));
  return table;
}

std::string target_name(double target) { return fmt::format("1e{}", std::lround(std::log10(target))); }

std::string missed_targets(const TargetTable& table) {
  std::vector<std::string> missed;
  for (const TargetBlock& block : table.blocks)
    if (!block.reached()) missed.push_back(target_name(block.target));
  return join(missed);
}

std::string table_text(const TargetTable& table) {
  const std::string what = table.yardstick == Yardstick::gap ? "first gap" : "first gradient norm";
  // One alignment for all blocks, because they are printed below each other.
  std::vector<std::vector<std::string>> lines;
  for (const TargetBlock& block : table.blocks) {
    if (!block.reached()) continue;
    lines.push_back({target_name(block.target) + " of the " + what, "rounds", "exchanges", "bytes", "gradients",
                     "rounds/" + table.baseline_title, "exch./" + table.baseline_title});
    for (const TargetLine& line : block.lines) lines.push_back(cells(line));
    lines.emplace_back();
  }
  const std::string missed = missed_targets(table);
  return aligned(lines) + (missed.empty() ? "" : fmt::format("{} of the {}: reached by nobody\n\n", missed, what));
}

std::string endings_text(std::span<const MethodOutcome> outcomes) {
  std::vector<std::vector<std::string>> lines{{"method", "ended by", "rounds", "f", "gap", "gradient norm", "seconds"}};
  const bool tested =
      std::ranges::any_of(outcomes, [](const MethodOutcome& o) { return bool(o.last().test_accuracy); });
  if (tested) lines.front().emplace_back("test accuracy");
  for (const MethodOutcome& outcome : outcomes) {
    const TraceRow& last = outcome.last();
    lines.push_back({outcome.method.shown_name(), std::string(enum_name(outcome.reason)), std::to_string(last.round),
                     fmt::format("{:.8g}", last.f), last.f_gap ? fmt::format("{:.2e}", *last.f_gap) : "-",
                     fmt::format("{:.2e}", last.grad_norm), fmt::format("{:.2f}", last.wall_s)});
    if (tested) lines.back().push_back(fmt::format("{:.2f} %", 100.0 * last.test_accuracy.value_or(0.0)));
  }
  return aligned(lines, {0, 1});
}

}  // namespace driftless
