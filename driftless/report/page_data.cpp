#include "driftless/report/page_data.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/report/curves.hpp"
#include "driftless/report/fit_data.hpp"
#include "driftless/report/line_style.hpp"
#include "driftless/report/page_settings.hpp"
#include "driftless/report/target_costs.hpp"
#include "driftless/results/metrics_file.hpp"
#include "driftless/results/target_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

using Columns = std::span<const ReportColumn>;

Json columns_json(Columns columns, bool reached) {
  Json list = Json::array();
  for (const ReportColumn& column : columns)
    if (column.reached == reached) list.push_back({{"key", column.key}, {"title", column.title}});
  return list;
}

// Columns by their keys, at the rows that are kept; those without any number are left out.
Json values_json(Columns columns, const std::vector<std::vector<double>>& numbers,
                 const std::vector<std::size_t>& rows) {
  Json json = Json::object();
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    Json values = Json::array();
    for (const std::size_t row : rows) values.push_back(number_json(numbers[c][row]));
    if (std::ranges::any_of(values, [](const Json& v) { return !v.is_null(); }))
      json[columns[c].key] = std::move(values);
  }
  return json;
}

Json theorems_of(const MethodFiles& method) {
  Json theorems = Json::array();
  if (!method.certificate.is_object()) return theorems;
  for (const Json& theorem : method.certificate.value("theorems", Json::array()))
    if (theorem.is_object()) theorems.push_back(theorem);
  return theorems;
}

std::map<std::uint64_t, double> bounds_by_round(const Json& rows) {
  std::map<std::uint64_t, double> bounds;
  if (!rows.is_object() || !rows.contains("round") || !rows.contains("bound")) return bounds;
  for (std::size_t i = 0; i < std::min(rows["round"].size(), rows["bound"].size()); ++i)
    if (rows["round"][i].is_number_unsigned() && rows["bound"][i].is_number())
      bounds[rows["round"][i].get<std::uint64_t>()] = rows["bound"][i].get<double>();
  return bounds;
}

// The column of the metrics that the theorem says it bounds. Null where that is a quantity without a column.
const ReportColumn* column_of(Columns columns, const Json& theorem) {
  const Json metric = theorem.value("metric", Json(nullptr));
  const auto found = std::ranges::find_if(columns, [&](const ReportColumn& c) { return c.reached && metric == c.key; });
  return found == columns.end() ? nullptr : &*found;
}

// The bounds of the theorems at the rounds that are kept.
Json bounds_json(Columns columns, const Curve& curve, const std::vector<std::size_t>& rows) {
  Json list = Json::array();
  const MethodFiles& method = *curve.members.front().method;
  for (const Json& theorem : theorems_of(method)) {
    const ReportColumn* column = column_of(columns, theorem);
    if (column == nullptr) continue;
    const std::map<std::uint64_t, double> bounds = bounds_by_round(theorem.value("rows", Json(nullptr)));
    Json values = Json::array();
    for (const std::size_t row : rows) {
      const auto found = bounds.find(static_cast<std::uint64_t>(curve.mean.front()[row]));
      values.push_back(found == bounds.end() ? Json(nullptr) : number_json(found->second));
    }
    list.push_back({{"of", column->key}, {"values", std::move(values)}});
  }
  return list;
}

// How the curves of each name look, in the order of curve_names().
Json looks_json(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LineStyle style = line_style(i);
    list.push_back({{"name", names[i]},
                    {"colour", style.colour},
                    {"dashes", std::vector(style.dashes.begin(), style.dashes.end())},
                    {"marker", marker_name(style.marker)}});
  }
  return list;
}

Json problems_json(const std::vector<Curve>& curves) {
  Json list = Json::array();
  const std::vector<std::string> names = problem_names(curves);
  for (std::size_t p = 0; p < names.size(); ++p) {
    const Curve& curve = *std::ranges::find(curves, p, &Curve::problem);
    const Json problem = curve.members.front().run->record.value("problem", Json::object());
    list.push_back({{"name", names[p]}, {"summary", problem.value("summary", "")}});
  }
  return list;
}

Json curve_json(Columns columns, const Curve& curve, std::size_t look) {
  const std::vector<std::size_t> rows = kept_rows(curve.size());
  return {{"label", curve.label},
          {"name", curve.name},
          {"look", look},
          {"method", curve.members.front().method->name},
          {"problem", curve.problem},
          {"seeds", curve.members.size()},
          {"rows", curve.size()},
          {"shown", rows.size()},
          {"mean", values_json(columns, curve.mean, rows)},
          {"low", values_json(columns, curve.low, rows)},
          {"high", values_json(columns, curve.high, rows)},
          {"bounds", bounds_json(columns, curve, rows)}};
}

// The curve that others are first compared with: the first gd, else the first.
std::size_t baseline_of(const std::vector<Curve>& curves) {
  const auto gd = std::ranges::find_if(curves, [](const Curve& c) { return c.members.front().method->name == "gd"; });
  return gd == curves.end() ? 0 : static_cast<std::size_t>(gd - curves.begin());
}

// The hardest target that these rows come down to.
Json least_target(const std::vector<TraceRow>& rows) {
  Json least = nullptr;
  for (const double target : targets)
    if (first_at(rows, target) != nullptr) least = target;
  return least;
}

Json ending_json(const RunFiles& run, const MethodFiles& method) {
  Json json{{"run", run.name},
            {"label", method.label},
            {"title", method.title},
            {"method", method.name},
            {"seed", method.seed},
            {"ended_by", method.stop_reason.empty() ? Json(nullptr) : Json(method.stop_reason)},
            {"reached", least_target(method.rows)},
            {"last", nullptr}};
  if (!method.rows.empty()) json["last"] = Json::parse(json_line(method.rows.back()));
  return json;
}

Json endings_json(std::span<const RunFiles> runs) {
  Json list = Json::array();
  for (const RunFiles& run : runs)
    for (const MethodFiles& method : run.methods) list.push_back(ending_json(run, method));
  return list;
}

// The label counts of every client; which rows they are would only make the page long.
Json split_json(const Json& split) {
  if (!split.is_object() || !split.contains("clients")) return nullptr;
  Json json = split;
  json.erase("indices_sha256");
  for (Json& client : json["clients"]) client.erase("indices");
  return json;
}

Json constants_of(const RunFiles& run) {
  if (run.constants.is_object()) return run.constants;
  const Json problem = run.record.value("problem", Json::object());
  return problem.value("constants", Json(nullptr));
}

Json certificates_json(const RunFiles& run) {
  Json list = Json::array();
  for (const MethodFiles& method : run.methods)
    for (Json theorem : theorems_of(method)) {
      for (const char* columns : {"rows", "over_seeds"}) theorem.erase(columns);
      list.push_back({{"label", method.title}, {"theorem", std::move(theorem)}});
    }
  return list;
}

// Of methods that chose their own ways.
Json decisions_json(const RunFiles& run) {
  Json list = Json::array();
  for (const MethodFiles& method : run.methods)
    if (method.decision.is_object()) list.push_back({{"label", method.title}, {"decision", method.decision}});
  return list;
}

Json run_json(const RunFiles& run) {
  Json json{{"name", run.name}};
  for (const char* key : {"version", "cpu", "threads", "seed", "config_hash", "problem", "data", "start", "end",
                          "methods_asked", "exit_code"})
    json[key] = run.record.value(key, Json(nullptr));
  if (json["problem"].is_object()) json["problem"].erase("constants");
  json["constants"] = constants_of(run);
  json["split"] = split_json(run.split);
  json["certificates"] = certificates_json(run);
  json["decisions"] = decisions_json(run);
  json["fits"] = fits_json(run);
  return json;
}

}  // namespace

std::string page_data(std::span<const RunFiles> runs, PageKind kind) {
  const std::vector<ReportColumn> columns = report_columns(runs);
  const std::vector<Curve> curves = curves_of(runs);
  Json runs_list = Json::array();
  for (const RunFiles& run : runs) runs_list.push_back(run_json(run));
  Json curves_list = Json::array();
  const std::vector<std::string> names = curve_names(curves);
  for (const Curve& curve : curves)
    curves_list.push_back(
        curve_json(columns, curve, static_cast<std::size_t>(std::ranges::find(names, curve.name) - names.begin())));
  const bool by_gap = !curves.empty() && yardstick_of(curves.front().members.front().method->rows) == Yardstick::gap;
  const Json json{{"schema_version", 1},
                  {"program", "driftless " + program_version()},
                  {"live", kind == PageKind::live},
                  {"x", columns_json(columns, false)},
                  {"y", columns_json(columns, true)},
                  {"links", links_json(runs)},
                  {"runs", std::move(runs_list)},
                  {"first_shown", first_shown(curves)},
                  {"problems", problems_json(curves)},
                  {"looks", looks_json(names)},
                  {"curves", std::move(curves_list)},
                  {"targets_of", by_gap ? "gap" : "grad_norm"},
                  {"baseline", baseline_of(curves)},
                  {"targets", target_costs_json(curves)},
                  {"endings", endings_json(runs)},
                  {"method_settings", method_settings(curves)},
                  {"run_settings", run_settings(runs)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace driftless
