#include "driftless/results/result_writer.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/results/decision_json.hpp"
#include "driftless/results/metrics_file.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

constexpr int schema_version = 1;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// The row as in metrics.jsonl.
Json row_json(const TraceRow& row) { return Json::parse(json_line(row)); }

Json traffic_json(const Traffic& t) {
  return {{"exchanges", t.exchanges}, {"vectors_up", t.up}, {"vectors_down", t.down}};
}

Json targets_json(const std::vector<TraceRow>& rows) {
  Json list = Json::array();
  for (const double target : targets) {
    const TraceRow* hit = first_at(rows, target);
    Json entry{{"target", target}, {"reached", hit != nullptr}};
    if (hit != nullptr) {
      entry["round"] = hit->round;
      entry["exchanges"] = hit->exchanges;
      entry["bytes"] = hit->bytes_up + hit->bytes_down;
      entry["grad_evals"] = hit->grad_evals;
      entry["wall_s"] = hit->wall_s;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// Seconds on each link until the end and until each target; null where the target was not reached.
Json links_json(const std::vector<TraceRow>& rows, std::span<const Link> links) {
  Json list = Json::array();
  for (std::size_t k = 0; k < links.size(); ++k) {
    Json reached = Json::array();
    for (const double target : targets) {
      const TraceRow* hit = first_at(rows, target);
      reached.push_back({{"target", target}, {"link_s", hit == nullptr ? Json(nullptr) : Json(hit->link_s.at(k))}});
    }
    list.push_back({{"link", links[k].text}, {"link_s", rows.back().link_s.at(k)}, {"targets", std::move(reached)}});
  }
  return list;
}

Json totals_json(const MethodOutcome& outcome) {
  const TraceRow& last = outcome.last();
  return {{"rounds", last.round},
          {"exchanges", last.exchanges},
          {"messages", last.messages},
          {"bytes_up", last.bytes_up},
          {"bytes_down", last.bytes_down},
          {"scalars_up", outcome.scalars_up},
          {"scalars_down", outcome.scalars_down},
          {"collectives", outcome.position.next},
          {"local_steps", last.local_steps},
          {"grad_evals", last.grad_evals},
          {"wall_s", last.wall_s},
          {"output_point", traffic_json(outcome.output_traffic)}};
}

// The position from which a peer of a networked run continues after this method.
Json position_json(const Position& position) {
  return {{"history", {position.history.high, position.history.low}}, {"absent", position.absent}};
}

Json ends_json(const Tally& work) {
  Json ends = Json::object();
  for (std::size_t i = 0; i < work.ends.size(); ++i)
    if (work.ends[i] > 0) ends[std::string(EnumNames<SolveEnd>::value[i])] = work.ends[i];
  return ends;
}

const TraceRow& least(const std::vector<TraceRow>& rows, double TraceRow::* column) {
  return *std::ranges::min_element(rows, {}, column);
}

Json head_json(const MethodOutcome& outcome) {
  return {{"label", outcome.method.label},
          {"title", outcome.method.shown_name()},
          {"name", outcome.method.name},
          {"seed", outcome.method.seed},
          {"stop_reason", enum_name(outcome.reason)}};
}

Json described_problem(const Problem& problem) {
  Json json = problem_json(problem);
  json["dim"] = problem.dim();
  if (problem.constants) json["constants"] = constants_json(*problem.constants);
  return json;
}

Json data_json(const Problem& problem) {
  Json list = Json::array();
  for (const DataSource& data : problem.data)
    list.push_back({{"name", data.name}, {"sha256", data.digest}, {"rows", data.rows}});
  return list;
}

Json exit_json(const RunRecord& record) { return record.exit_code ? Json(*record.exit_code) : Json(nullptr); }

Json theorem_check_head(const TheoremCheckReport& report) {
  return {{"verdict", enum_name(report.verdict())}, {"theorems", Json::parse(theorem_summaries_json(report))}};
}

Json optional_json(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

Json spread_json(const Spread& s) { return {{"mean", s.mean}, {"min", s.least}, {"max", s.most}}; }

Json line_json(const TargetLine& line) {
  Json json{{"label", line.label}, {"title", line.title}, {"runs", line.runs}, {"reached", line.reached}};
  if (!line.complete()) return json;
  json["rounds"] = spread_json(line.rounds);
  json["exchanges"] = spread_json(line.exchanges);
  json["bytes"] = spread_json(line.bytes);
  json["grad_evals"] = spread_json(line.grad_evals);
  json["rounds_ratio"] = optional_json(line.rounds_ratio);
  json["exchanges_ratio"] = optional_json(line.exchanges_ratio);
  for (const Spread& seconds : line.link_s) json["link_s"].push_back(spread_json(seconds));
  return json;
}

Json table_json(const TargetTable& table) {
  Json blocks = Json::array();
  for (const TargetBlock& block : table.blocks) {
    Json lines = Json::array();
    for (const TargetLine& line : block.lines) lines.push_back(line_json(line));
    blocks.push_back({{"target", block.target}, {"methods", std::move(lines)}});
  }
  return {{"of", enum_name(table.yardstick)}, {"baseline", table.baseline}, {"targets", std::move(blocks)}};
}

}  // namespace

std::string summary_json(const MethodOutcome& outcome, std::span<const Link> links, const std::string& digest) {
  Json json{{"schema_version", schema_version}};
  json.update(head_json(outcome));
  json["output"] = enum_name(outcome.method.output);
  if (outcome.decision) json["decision"] = decision_json(*outcome.decision);
  if (outcome.fit) json["fit"] = Json::parse(outcome.fit->summary);
  json["first"] = row_json(outcome.first());
  json["last"] = row_json(outcome.last());
  json["best"] = row_json(least(outcome.rows, &TraceRow::f));
  json["best_gradient"] = row_json(least(outcome.rows, &TraceRow::grad_norm));
  json["targets_of"] = enum_name(yardstick_of(outcome.rows));
  json["targets"] = targets_json(outcome.rows);
  json["totals"] = totals_json(outcome);
  json["local_solves"] = ends_json(outcome.work);
  json["run_digest"] = digest;
  if (outcome.position.history != History{}) json["position"] = position_json(outcome.position);
  json["metrics_sha256"] = digest_of_metrics(outcome.rows);
  if (!links.empty()) json["links"] = links_json(outcome.rows, links);
  return dump(json);
}

std::string run_json(const Problem& problem, const RunRecord& record) {
  Json methods = Json::array();
  for (const MethodOutcome& outcome : record.outcomes) {
    Json method = head_json(outcome);
    method["rounds"] = outcome.last().round;
    method["wall_s"] = outcome.last().wall_s;
    if (outcome.certificate) method["certificate"] = enum_name(outcome.certificate->verdict());
    methods.push_back(std::move(method));
  }
  return dump({{"schema_version", schema_version},
               {"program", "driftless"},
               {"version", program_version()},
               {"compiler", compiler_name()},
               {"cpu", cpu_name()},
               {"threads", record.threads},
               {"seed", record.seed},
               {"config_hash", record.config_hash},
               {"digest", record.digest},
               {"problem", described_problem(problem)},
               {"data", data_json(problem)},
               {"start", record.start},
               {"end", record.end.empty() ? Json(nullptr) : Json(record.end)},
               {"methods", std::move(methods)},
               {"methods_asked", record.methods_asked},
               {"exit_code", exit_json(record)}});
}

std::string results_json(const Problem& problem, const RunRecord& record) {
  Json methods = Json::array();
  for (const MethodOutcome& outcome : record.outcomes) {
    Json method = head_json(outcome);
    method["last"] = row_json(outcome.last());
    if (outcome.decision) method["decision"] = decision_json(*outcome.decision);
    if (outcome.fit) method["fit"] = Json::parse(outcome.fit->summary);
    if (outcome.certificate) method["certificate"] = theorem_check_head(*outcome.certificate);
    methods.push_back(std::move(method));
  }
  Json json{{"schema_version", schema_version}, {"directory", record.directory.string()},
            {"exit_code", exit_json(record)},   {"problem", described_problem(problem)},
            {"methods", std::move(methods)},    {"table", table_json(target_table(record.outcomes))}};
  for (const Link& link : record.links) json["links"].push_back(link.text);
  return dump(json);
}

}  // namespace driftless
