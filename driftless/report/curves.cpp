#include "driftless/report/curves.hpp"

#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace driftless {
namespace {

template <auto member>
double column(const TraceRow& row, const TraceRow&) {
  return static_cast<double>(row.*member);
}
template <auto member>
double known(const TraceRow& row, const TraceRow&) {
  return (row.*member).value_or(std::numeric_limits<double>::quiet_NaN());
}
double bytes(const TraceRow& row, const TraceRow&) { return static_cast<double>(row.bytes_up + row.bytes_down); }
double relative_gap(const TraceRow& row, const TraceRow& first) {
  const bool is_known = row.f_gap && first.f_gap && *first.f_gap > 0.0;
  return is_known ? *row.f_gap / *first.f_gap : std::numeric_limits<double>::quiet_NaN();
}

std::vector<ReportColumn> paid_columns() {
  return {
      {"round", "rounds", false, column<&TraceRow::round>},
      {"exchanges", "exchanges", false, column<&TraceRow::exchanges>},
      {"bytes", "bytes", false, bytes},
      {"grad_evals", "gradient evaluations", false, column<&TraceRow::grad_evals>},
      {"local_steps", "local steps", false, column<&TraceRow::local_steps>},
      {"wall_s", "seconds", false, column<&TraceRow::wall_s>},
  };
}

std::vector<ReportColumn> reached_columns() {
  return {
      {"f_gap", "f(x) − f*", true, known<&TraceRow::f_gap>},
      {"rel_gap", "(f(x) − f*) / (f(x⁰) − f*)", true, relative_gap},
      {"grad_norm", "‖∇f(x)‖", true, column<&TraceRow::grad_norm>},
      {"f", "f(x)", true, column<&TraceRow::f>},
      {"dist", "‖x − x*‖", true, known<&TraceRow::dist>},
      {"test_loss", "test loss", true, known<&TraceRow::test_loss>},
      {"test_accuracy", "test accuracy", true, known<&TraceRow::test_accuracy>},
  };
}

std::string text_of(const ConfigTable& table) {
  std::string text;
  for (const ConfigKey& key : table.keys)
    if (key.name != "seed" && key.name != "threads") text += key.name + " = " + to_text(key.value) + "\n";
  return text;
}

std::string problem_of(const RunFiles& run) { return text_of(run.config.problem) + text_of(run.config.federation); }

// Everything that decides a curve but seeds and labels.
std::string setting_of(const CurveMember& member) {
  std::string text = problem_of(*member.run) + member.method->name + "\n";
  for (const auto& [key, value] : member.method->options) text += key + " = " + value + "\n";
  return text;
}

std::vector<std::vector<CurveMember>> groups_of(std::span<const RunFiles> runs) {
  std::vector<std::vector<CurveMember>> groups;
  std::map<std::string, std::size_t> group_of;
  for (const RunFiles& run : runs)
    for (const MethodFiles& method : run.methods) {
      if (method.rows.empty()) continue;
      const auto [group, is_new] = group_of.try_emplace(setting_of({&run, &method}), groups.size());
      if (is_new) groups.emplace_back();
      groups[group->second].push_back({&run, &method});
    }
  return groups;
}

// "fedred-gd" for fedred-gd-1 and fedred-gd-2; the method's name where titles have no beginning in common.
std::string common_name(const std::vector<CurveMember>& members) {
  std::string common = members.front().method->title;
  if (members.size() == 1) return common;
  const bool all_same = std::ranges::all_of(members, [&](const CurveMember& m) { return m.method->title == common; });
  for (const CurveMember& member : members) {
    const auto [end, unused] = std::ranges::mismatch(common, member.method->title);
    common.erase(end, common.end());
  }
  if (!all_same) common.erase(common.find_last_not_of("-_ 0123456789") + 1);
  return fmt::format("{} ({} seeds)", common.empty() ? members.front().method->name : common, members.size());
}

using RowsByRound = std::map<std::uint64_t, const TraceRow*>;

// The rounds that all members measured.
std::vector<std::uint64_t> common_rounds(const std::vector<RowsByRound>& members) {
  std::vector<std::uint64_t> rounds;
  for (const auto& [round, unused] : members.front())
    if (std::ranges::all_of(members, [&](const RowsByRound& m) { return m.contains(round); })) rounds.push_back(round);
  return rounds;
}

Curve curve_of(const std::vector<CurveMember>& members, std::span<const ReportColumn> columns) {
  Curve curve{.label = {}, .name = common_name(members), .members = members, .mean = {}, .low = {}, .high = {}};
  std::vector<RowsByRound> rows;
  for (const CurveMember& member : members) {
    RowsByRound& by_round = rows.emplace_back();
    for (const TraceRow& row : member.method->rows) by_round[row.round] = &row;
  }
  const std::vector<std::uint64_t> rounds = common_rounds(rows);
  for (const ReportColumn& c : columns) {
    std::vector<double>& mean = curve.mean.emplace_back();
    std::vector<double>& low = curve.low.emplace_back();
    std::vector<double>& high = curve.high.emplace_back();
    for (const std::uint64_t round : rounds) {
      std::vector<double> values;
      for (const RowsByRound& member : rows) values.push_back(c.value(*member.at(round), *member.begin()->second));
      mean.push_back(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
      low.push_back(std::ranges::min(values));
      high.push_back(std::ranges::max(values));
    }
  }
  if (!curve.group()) curve.low = curve.high = {};
  return curve;
}

using CurveKey = std::pair<std::size_t, std::string>;

// A name that occurs twice in a problem gets the name of its run, and a number where that is not enough.
void make_names_differ(std::vector<Curve>& curves) {
  std::map<CurveKey, std::size_t> count;
  for (const Curve& curve : curves) ++count[{curve.problem, curve.name}];
  std::set<CurveKey> taken;
  for (Curve& curve : curves) {
    if (count[{curve.problem, curve.name}] > 1) curve.name += " · " + curve.members.front().run->name;
    const std::string name = curve.name;
    for (std::size_t k = 2; !taken.insert({curve.problem, curve.name}).second; ++k)
      curve.name = fmt::format("{} ({})", name, k);
  }
}

// A name that several problems have gets that of its run, and a number where that is not enough.
void make_labels_differ(std::vector<Curve>& curves) {
  std::map<std::string, std::size_t> count;
  for (const Curve& curve : curves) ++count[curve.name];
  std::set<std::string> taken;
  for (Curve& curve : curves) {
    const std::string label = count[curve.name] > 1 ? curve.name + " · " + curve.members.front().run->name : curve.name;
    curve.label = label;
    for (std::size_t k = 2; !taken.insert(curve.label).second; ++k) curve.label = fmt::format("{} ({})", label, k);
  }
}

}  // namespace

std::vector<ReportColumn> report_columns(std::span<const RunFiles> runs) {
  std::vector<ReportColumn> columns = paid_columns();
  if (!runs.empty())
    for (std::size_t k = 0; k < runs.front().links.size(); ++k)
      columns.push_back({link_key(k), "seconds on " + runs.front().links[k].text, false,
                         [k](const TraceRow& row, const TraceRow&) { return row.link_s.at(k); }});
  std::ranges::move(reached_columns(), std::back_inserter(columns));
  return columns;
}

std::string link_key(std::size_t link) { return link == 0 ? "link_s" : "link_s_" + std::to_string(link + 1); }

std::vector<Curve> curves_of(std::span<const RunFiles> runs) {
  const std::vector<ReportColumn> columns = report_columns(runs);
  std::vector<Curve> curves;
  for (const std::vector<CurveMember>& members : groups_of(runs)) curves.push_back(curve_of(members, columns));
  std::map<std::string, std::size_t> problems;
  for (Curve& curve : curves)
    curve.problem = problems.try_emplace(problem_of(*curve.members.front().run), problems.size()).first->second;
  make_names_differ(curves);
  make_labels_differ(curves);
  return curves;
}

std::vector<std::string> problem_names(const std::vector<Curve>& curves) {
  std::vector<std::vector<std::string>> runs;
  for (const Curve& curve : curves) {
    runs.resize(std::max(runs.size(), curve.problem + 1));
    std::vector<std::string>& names = runs[curve.problem];
    for (const CurveMember& member : curve.members)
      if (std::ranges::find(names, member.run->name) == names.end()) names.push_back(member.run->name);
  }
  std::vector<std::string> problems;
  for (const std::vector<std::string>& names : runs) problems.push_back(join(names));
  return problems;
}

std::vector<std::string> curve_names(const std::vector<Curve>& curves) {
  std::vector<std::string> names;
  for (const Curve& curve : curves)
    if (std::ranges::find(names, curve.name) == names.end()) names.push_back(curve.name);
  return names;
}

std::string first_shown(const std::vector<Curve>& curves) {
  const bool several = std::ranges::any_of(curves, [](const Curve& curve) { return curve.problem > 0; });
  return several ? "rel_gap" : "f_gap";
}

std::vector<std::size_t> kept_rows(std::size_t count) {
  std::set<std::size_t> kept;
  if (count <= kept_at_most) {
    for (std::size_t i = 0; i < count; ++i) kept.insert(i);
    return {kept.begin(), kept.end()};
  }
  constexpr std::size_t half = kept_at_most / 2;
  const auto last = static_cast<double>(count - 1);
  for (std::size_t k = 0; k < half; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(half - 1);
    kept.insert(static_cast<std::size_t>(std::lround(part * last)));
    kept.insert(static_cast<std::size_t>(std::lround(std::pow(last + 1.0, part) - 1.0)));
  }
  return {kept.begin(), kept.end()};
}

}  // namespace driftless
