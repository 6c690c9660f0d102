// driftless evaluate
#include "driftless/console/log.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/glm/predict/table_evaluation.hpp"
#include "driftless/results/fit_files.hpp"

#include "apps/command_line.hpp"
#include "apps/output_check.hpp"
#include "apps/signals.hpp"
#include "apps/table_counts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct EvaluateRequest {
  std::string given;  // a run directory, or model.json
  std::vector<std::string> tables;
  std::string method;  // its label; empty: the only one
  std::string out;     // a file for the JSON object; empty: none
  Format format = Format::text;
};

nlohmann::ordered_json evaluation_result(const TableEvaluation& found) {
  nlohmann::ordered_json json{{"schema_version", 1}, {"counts", counts_json(found.counts)}};
  json["test"] = evaluation_object(found.pooled);
  if (found.sites.size() > 1) json["sites"] = site_evaluations_object(found.sites);
  return json;
}

ExitCode evaluate(const EvaluateRequest& request) {
  const std::filesystem::path model_file = fit_file(request.given, "model.json", request.method);
  const std::vector<std::filesystem::path> files(request.tables.begin(), request.tables.end());
  require_other_file(request.out, files);
  require_other_file(request.out, {&model_file, 1});
  const GlmModel model = read_model(model_file);
  record_signals();
  const TableEvaluation found = evaluate_tables(model, files, received_signal);
  if (found.stopped) return exit_code_of(received_signal());
  if (found.pooled.rows == 0)
    throw DataError({.what = "no row can be judged",
                     .seen = request.tables.front() + ": " + counts_text(found.counts, "judged"),
                     .advice = "give a table whose label has values"});
  log_info(counts_text(found.counts, "judged"));
  const nlohmann::ordered_json json = evaluation_result(found);
  if (!request.out.empty()) write_output_file(request.out, json.dump(2) + "\n");
  if (request.format == Format::json) print_json(json);
  else {
    fmt::print("{}", evaluation_text(found.pooled));
    if (found.sites.size() > 1) fmt::print("\n{}", site_evaluations_text(found.sites));
  }
  return ExitCode::done;
}

}  // namespace

void declare_evaluate(CLI::App& command, Action& action) {
  const auto request = std::make_shared<EvaluateRequest>();
  command.add_option("MODEL", request->given, "the directory of a run that fitted a model of tables, or model.json")
      ->required();
  command.add_option("FILE", request->tables, "CSV tables with the columns of the model and its label")->required();
  command.add_option("--method", request->method, "label of the method; needed where the run fitted several models")
      ->type_name("LABEL");
  command.add_option("--out", request->out, "also write the measures and curves there, as JSON")
      ->type_name("FILE.json");
  add_format(command, request->format);
  command.footer("Example:\n  driftless evaluate readmission west-2026.csv");
  command.callback([&action, request] { action = [request] { return evaluate(*request); }; });
}

}  // namespace driftless::app
