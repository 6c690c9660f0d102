// driftless predict
#include "driftless/console/log.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/glm/predict/table_predictions.hpp"
#include "driftless/results/fit_files.hpp"

#include "apps/command_line.hpp"
#include "apps/output_check.hpp"
#include "apps/signals.hpp"
#include "apps/table_counts.hpp"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace driftless::app {
namespace {

struct PredictRequest {
  std::string given;  // a run directory, or model.json
  std::string table;
  std::string method;  // its label; empty: the only one
  std::string out;     // empty: standard output
  bool jsonl = false;
  PredictionLines lines;
  Format format = Format::text;
};

void write_to_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  throw DataError({.what = "the predictions cannot be written",
                   .seen = "standard output",
                   .advice = "write them to a file with --out FILE"});
}

// Complete, or stopped by a signal.
StreamEnd write_predictions(const PredictRequest& request, const GlmModel& model) {
  PredictionLines lines = request.lines;
  lines.format = request.jsonl ? LineFormat::jsonl : LineFormat::csv;
  if (request.out.empty()) return predict_table(model, request.table, lines, received_signal, write_to_output);
  OutputFile file(request.out);
  const StreamEnd end =
      predict_table(model, request.table, lines, received_signal, [&file](std::string_view text) { file.write(text); });
  if (!end.stopped) file.finish();
  return end;
}

ExitCode predict(const PredictRequest& request) {
  if (request.format == Format::json && request.out.empty())
    throw ConfigError({.what = "standard output cannot have both the predictions and a JSON object about them",
                       .seen = "--format json without --out",
                       .advice = "give a file for the predictions with --out, or --jsonl for lines of JSON"});
  const std::filesystem::path model_file = fit_file(request.given, "model.json", request.method);
  require_other_file(request.out, std::array{model_file, std::filesystem::path(request.table)});
  const GlmModel model = read_model(model_file);
  record_signals();
  const StreamEnd end = write_predictions(request, model);
  if (end.stopped) {
    log_warning("stopped before the end of " + request.table +
                (request.out.empty() ? "" : ": " + request.out + " was not written"));
    return exit_code_of(received_signal());
  }
  log_info(counts_text(end.counts, "predicted"));
  if (request.format == Format::json)
    print_json({{"schema_version", 1}, {"file", request.out}, {"counts", counts_json(end.counts)}});
  return ExitCode::done;
}

}  // namespace

void declare_predict(CLI::App& command, Action& action) {
  const auto request = std::make_shared<PredictRequest>();
  command.add_option("MODEL", request->given, "the directory of a run that fitted a model of tables, or model.json")
      ->required();
  command.add_option("FILE", request->table, "a CSV table with the columns of the model, plain, .gz or .zst")
      ->required();
  command.add_option("--method", request->method, "label of the method; needed where the run fitted several models")
      ->type_name("LABEL");
  command.add_option("--keep", request->lines.keep, "a column of the table to copy in front of the predictions")
      ->type_name("COLUMN")
      ->allow_extra_args(false);
  command.add_option("--out", request->out, "the file to write, not standard output")->type_name("FILE");
  command.add_flag("--jsonl", request->jsonl, "a JSON object per line instead of CSV");
  add_format(command, request->format);
  command.footer("Example:\n  driftless predict readmission west.csv --keep patient --out predicted.csv");
  command.callback([&action, request] { action = [request] { return predict(*request); }; });
}

}  // namespace driftless::app
