#include "driftless/results/theorem_check_writer.hpp"

#include "driftless/console/text_table.hpp"
#include "driftless/problems/constants_json.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); }

Json assumptions_json(const Theorem& theorem) {
  Json list = Json::array();
  for (const Assumption& a : theorem.assumptions)
    list.push_back({{"assumption", a.statement}, {"values", a.seen}, {"holds", a.holds}});
  return list;
}

Json row_json(const CheckedRow& row) {
  return {{"round", row.round},
          {"bound", finite(row.bound)},
          {"observed", finite(row.observed)},
          {"rounding", finite(row.rounding)},
          {"measured", finite(row.measured)}};
}

Json summary_of(const TheoremReport& report) {
  const Theorem& t = report.theorem;
  Json json{{"theorem", t.name},
            {"statement", t.statement},
            {"source", t.source},
            {"metric", t.metric.empty() ? Json(nullptr) : Json(t.metric)},
            {"erratum", t.erratum.empty() ? Json(nullptr) : Json(t.erratum)},
            {"in_expectation", t.in_expectation},
            {"verdict", enum_name(report.verdict)},
            {"reason", report.reason.empty() ? Json(nullptr) : Json(report.reason)},
            {"assumptions", assumptions_json(t)}};
  const Assumption* failed = report.failed();
  json["failed"] = failed != nullptr ? Json(failed->statement) : Json(nullptr);
  json["checked_rounds"] = report.rows.size();
  json["last_checked_round"] = report.checked() ? Json(*report.checked()) : Json(nullptr);
  json["largest_ratio"] = report.rows.empty() ? Json(nullptr) : finite(report.worst_ratio());
  const CheckedRow* violation = report.first_violation();
  json["first_violation"] = violation != nullptr ? row_json(*violation) : Json(nullptr);
  return json;
}

// Columns rather than a list of rows: a run may have many.
Json columns_json(const std::vector<CheckedRow>& rows) {
  Json round = Json::array();
  Json bound = Json::array();
  Json observed = Json::array();
  for (const CheckedRow& row : rows) {
    round.push_back(row.round);
    bound.push_back(finite(row.bound));
    observed.push_back(finite(row.observed));
  }
  return {{"round", std::move(round)}, {"bound", std::move(bound)}, {"observed", std::move(observed)}};
}

Json seeds_json(const std::optional<SeedMean>& mean) {
  if (!mean) return nullptr;
  Json ratios = Json::array();
  for (const double ratio : mean->ratios) ratios.push_back(finite(ratio));
  return {{"methods", mean->labels},
          {"level", SeedMean::level},
          {"seeds_needed", SeedMean::seeds_needed},
          {"evidence", finite(mean->evidence)},
          {"round", mean->rounds},
          {"mean_ratio", std::move(ratios)}};
}

std::string remark(const TheoremReport& report) {
  if (const Assumption* failed = report.failed())
    return "fails: " + failed->statement + "; " + failed->seen +
           (report.verdict == Verdict::violated ? "; so does the bound" : "");
  if (report.over_seeds)
    return fmt::format("mean over {} seeds, level {:g} %, which needs {}", report.over_seeds->labels.size(),
                       100.0 * SeedMean::level, SeedMean::seeds_needed);
  if (!report.reason.empty()) return report.reason;
  if (report.verdict == Verdict::observed) return "one seed: only a mean over seeds is a verdict";
  if (const CheckedRow* row = report.first_violation())
    return fmt::format("first in round {}: {:.6g} > {:.6g}", row->round, row->observed, row->bound);
  return "";
}

std::vector<std::string> line_of(const std::string& label, const TheoremReport& report) {
  return {label,
          report.theorem.name,
          std::string(enum_name(report.verdict)),
          report.checked() ? std::to_string(*report.checked()) : "-",
          report.rows.empty() ? "-" : fmt::format("{:.3g}", report.worst_ratio()),
          remark(report)};
}

}  // namespace

std::string theorem_summaries_json(const TheoremCheckReport& report) {
  Json list = Json::array();
  for (const TheoremReport& theorem : report.theorems) list.push_back(summary_of(theorem));
  return list.dump();
}

std::string theorem_check_json(const MethodOutcome& outcome, const ProblemConstants& constants) {
  Json theorems = Json::array();
  for (const TheoremReport& report : outcome.certificate->theorems) {
    Json json = summary_of(report);
    json["over_seeds"] = seeds_json(report.over_seeds);
    json["rows"] = columns_json(report.rows);
    theorems.push_back(std::move(json));
  }
  return Json{{"schema_version", 1},
              {"method", outcome.method.name},
              {"label", outcome.method.label},
              {"seed", outcome.method.seed},
              {"constants_exact", constants.exact},
              {"constants_at", constants.at},
              {"constants", constants_json(constants.values)},
              {"constants_everywhere", constants.everywhere ? constants_json(*constants.everywhere) : Json(nullptr)},
              {"verdict", enum_name(outcome.certificate->verdict())},
              {"theorems", std::move(theorems)}}
             .dump(2) +
         "\n";
}

std::string theorem_checks_text(std::span<const MethodOutcome> outcomes) {
  std::vector<std::vector<std::string>> lines{{"certificate", "theorem", "verdict", "until", "observed/bound", ""}};
  for (const MethodOutcome& outcome : outcomes) {
    if (!outcome.certificate) continue;
    const std::string& name = outcome.method.shown_name();
    for (const TheoremReport& report : outcome.certificate->theorems) lines.push_back(line_of(name, report));
    if (outcome.certificate->theorems.empty())
      lines.push_back({name, "-", std::string(enum_name(Verdict::not_applicable)), "-", "-",
                       "no theorem is checked for this method with these options"});
  }
  return lines.size() == 1 ? "" : aligned(lines, {0, 1, 2, 5});
}

void judge_over_seeds(std::span<MethodOutcome> outcomes) {
  std::vector<bool> done(outcomes.size(), false);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (done[i] || !outcomes[i].certificate) continue;
    std::vector<std::string> labels;
    std::vector<std::size_t> seeds;
    std::vector<TheoremCheckReport*> reports;
    for (std::size_t j = i; j < outcomes.size(); ++j) {
      const MethodConfig& other = outcomes[j].method;
      const bool twin = std::ranges::find(seeds, other.seed) != seeds.end();  // adds nothing new
      if (twin || !outcomes[j].certificate || !differ_in_seed_only(outcomes[i].method, other)) continue;
      done[j] = true;
      labels.push_back(other.label);
      seeds.push_back(other.seed);
      reports.push_back(&*outcomes[j].certificate);
    }
    judge_over_seeds(labels, reports);
  }
}

}  // namespace driftless
