// A comparison as text, Markdown and JSON.
#include "driftless/console/text_table.hpp"
#include "driftless/experiments/comparison.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/results/decision_json.hpp"
#include "driftless/results/shown_settings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

std::string constants_text(const Comparison& comparison) {
  return comparison.constants ? constants_line(*comparison.constants) : "interrupted while its constants were measured";
}

double least_gap(std::span<const TraceRow> rows) {
  double least = std::numeric_limits<double>::infinity();
  for (const TraceRow& row : rows) least = std::min(least, row.f_gap.value_or(least));
  return least;
}

// The second half of the rounds brought less than a tenth of what was left.
bool stalled(const std::vector<TraceRow>& rows) {
  constexpr std::size_t enough = 20;
  if (rows.size() < enough) return false;
  const std::span<const TraceRow> all(rows);
  return least_gap(all.subspan(rows.size() / 2)) > 0.9 * least_gap(all.first(rows.size() / 2));
}

// It reached the hardest target in half of the rounds, or left less than a tenth.
bool gd_came_much_further(const Comparison& comparison, const ComparisonLine& line) {
  return std::ranges::any_of(comparison.lines, [&](const ComparisonLine& other) {
    if (other.method != "gd") return false;
    const bool early = other.trial.reached() && 2 * other.trial.last().round <= line.trial.last().round;
    return early || other.trial.gap_left() < 0.1 * line.trial.gap_left();
  });
}

bool anybody_at(const Comparison& comparison, double target) {
  return std::ranges::any_of(comparison.lines,
                             [&](const ComparisonLine& line) { return first_at(line.trial.rows, target) != nullptr; });
}

std::string gap_text(double part) {
  return fmt::format("{:.1e}", std::max(part, 0.0));
}  // by rounding f may be below f*

void add_target(const Comparison& comparison, double target, Lines& lines) {
  lines.push_back(
      {shown_target(target) + " of the first gap", "rounds", "exchanges", "messages", "bytes", "gradients", "seconds"});
  for (const ComparisonLine& line : comparison.lines) {
    const TraceRow* r = first_at(line.trial.rows, target);
    if (r == nullptr) lines.push_back({line.label, "not reached", "", "", "", "", ""});
    else
      lines.push_back({line.label, std::to_string(r->round), std::to_string(r->exchanges), std::to_string(r->messages),
                       bytes_text(double(r->bytes_up + r->bytes_down)), std::to_string(r->grad_evals),
                       fmt::format("{:.3g}", r->wall_s)});
  }
  lines.emplace_back();
}

std::string targets_text(const Comparison& comparison, std::size_t width) {
  Lines lines;
  std::vector<std::string> nobody;
  for (const double target : comparison.targets)
    if (anybody_at(comparison, target)) add_target(comparison, target, lines);
    else nobody.push_back(shown_target(target));
  std::string text = lines.empty() ? "" : aligned(lines, {0}, width);
  if (!nobody.empty() && !comparison.lines.empty())
    text += fmt::format("{} of the first gap: reached by nobody within this budget\n\n", fmt::join(nobody, ", "));
  return text;
}

// What was seen beyond the gap that is left; "" where there is nothing to say.
std::string finding(const Comparison& comparison, const ComparisonLine& line) {
  const MethodEntry& entry = find_method(line.method);
  if (line.trial.reached()) return entry.reaches_minimizer() ? "" : "its limit is another point: " + entry.limit;
  if (line.trial.reason == StopReason::diverged) return "diverges";
  const bool cause_seen = stalled(line.trial.rows) || gd_came_much_further(comparison, line);
  return !entry.reaches_minimizer() && cause_seen ? "does not reach it: " + entry.limit : "";
}

std::string endings_text(const Comparison& comparison, std::size_t width) {
  Lines lines{{"method", "gap left", "ended by", "seconds", "parameters", "remark"}};
  for (const ComparisonLine& line : comparison.lines)
    lines.push_back({line.label, gap_text(line.trial.gap_left()), std::string(enum_name(line.trial.reason)),
                     fmt::format("{:.3g}", line.trial.last().wall_s), shown_settings(line.settings, 3),
                     finding(comparison, line)});
  return aligned(lines, {0, 2, 4, 5}, width);
}

// What methods decided by themselves, a paragraph each.
std::vector<std::string> footnotes(const Comparison& comparison) {
  std::vector<std::string> notes;
  for (const ComparisonLine& line : comparison.lines)
    if (line.trial.decision) notes.push_back(line.label + " chose " + decision_text(*line.trial.decision));
  return notes;
}

std::string footnotes_text(const Comparison& comparison, std::size_t width) {
  std::string text;
  for (const std::string& note : footnotes(comparison))
    for (const std::string& line : wrapped(note, width)) text += line + "\n";
  return text.empty() ? "" : "\n" + text;
}

// Heading and cells of one target in Markdown.
Lines cells(const Comparison& comparison, double target) {
  Lines lines{{"method", "rounds", "exchanges", "messages", "bytes", "gradients", "parameters", "remark"}};
  for (const ComparisonLine& line : comparison.lines) {
    std::vector<std::string> row{line.label};
    if (const TraceRow* r = first_at(line.trial.rows, target))
      for (const std::string& cell :
           {fmt::format("{}", r->round), fmt::format("{}", r->exchanges), fmt::format("{}", r->messages),
            bytes_text(double(r->bytes_up + r->bytes_down)), fmt::format("{}", r->grad_evals)})
        row.push_back(cell);
    else row.insert(row.end(), 5, "–");
    row.push_back(shown_settings(line.settings, 3));
    row.push_back(remark(comparison, line));
    lines.push_back(std::move(row));
  }
  return lines;
}

Json counts_json(const TraceRow& r) {
  return {{"rounds", r.round},          {"exchanges", r.exchanges},
          {"messages", r.messages},     {"bytes", r.bytes_up + r.bytes_down},
          {"grad_evals", r.grad_evals}, {"seconds", r.wall_s}};
}

Json line_json(const Comparison& comparison, const ComparisonLine& line) {
  Json at = Json::array();
  for (const double target : comparison.targets) {
    const TraceRow* r = first_at(line.trial.rows, target);
    at.push_back(r != nullptr ? counts_json(*r) : Json(nullptr));
  }
  Json json{{"method", line.method},
            {"label", line.label},
            {"settings", settings_json(line.settings)},
            {"reached", line.trial.reached()},
            {"stop", enum_name(line.trial.reason)},
            {"remark", remark(comparison, line)},
            {"gap_left", line.trial.gap_left()},
            {"at", std::move(at)}};
  if (line.trial.decision) json["decision"] = decision_json(*line.trial.decision);
  json.update(counts_json(line.trial.last()));
  return json;
}

}  // namespace

std::string remark(const Comparison& comparison, const ComparisonLine& line) {
  const std::string seen = finding(comparison, line);
  if (line.trial.reached() || line.trial.reason == StopReason::diverged) return seen;
  const std::string left = gap_text(line.trial.gap_left()) + " of the gap left";
  if (!seen.empty()) return seen + "; " + left;
  return fmt::format("not within the {} allowed; {}", enum_name(line.trial.reason), left);
}

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::string head;
  for (const std::string& text : {comparison.problem, constants_text(comparison)})
    for (const std::string& line : wrapped(text, width)) head += line + "\n";
  return head + "\n" + targets_text(comparison, width) + endings_text(comparison, width) +
         footnotes_text(comparison, width);
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string text = comparison.problem + "; " + constants_text(comparison) + ".\n";
  for (const double target : comparison.targets) {
    if (comparison.targets.size() > 1) text += "\nTo " + shown_target(target) + " of the first gap:\n";
    const Lines lines = cells(comparison, target);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += fmt::format("{}| {} |\n", i == 0 ? "\n" : "", fmt::join(lines[i], " | "));
      if (i == 0) text += "|---|---:|---:|---:|---:|---:|---|---|\n";
    }
  }
  for (const std::string& note : footnotes(comparison)) text += "\n" + note + ".\n";
  return text;
}

std::string comparison_json(std::span<const Comparison> comparisons) {
  Json problems = Json::array();
  for (const Comparison& comparison : comparisons) {
    Json lines = Json::array();
    for (const ComparisonLine& line : comparison.lines) lines.push_back(line_json(comparison, line));
    problems.push_back({{"problem", Json::parse(comparison.problem_facts)},
                        {"constants", comparison.constants ? constants_document(*comparison.constants) : Json(nullptr)},
                        {"methods", std::move(lines)}});
  }
  const std::vector<double> compared = comparisons.empty() ? std::vector<double>{} : comparisons.front().targets;
  return Json{{"schema_version", 4}, {"targets", compared}, {"problems", std::move(problems)}}.dump(2) + "\n";
}

}  // namespace driftless
