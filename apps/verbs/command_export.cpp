// driftless export
#include "driftless/console/log.hpp"
#include "driftless/experiments/model_export.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/glm/export/formula.hpp"
#include "driftless/glm/export/onnx_file.hpp"
#include "driftless/glm/model_file.hpp"
#include "driftless/results/fit_files.hpp"

#include "apps/command_line.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ExportRequest {
  std::string given;   // a run directory, or model.json
  std::string method;  // its label; empty: the only one
  std::string to;      // empty: what the name of the file says, or the usual form
  std::string out;     // empty: the usual name; standard output for text
};

// A form in which other programs take a model of tables.
struct ExportForm {
  std::string_view name;
  std::string_view extension;
  bool text;
  std::string (*write)(const GlmModel& model);
};

constexpr std::array<ExportForm, 4> forms{{{"onnx", ".onnx", false, onnx_file},
                                           {"formula", ".txt", true, formula_text},
                                           {"sql", ".sql", true, formula_sql},
                                           {"csv", ".csv", true, formula_csv}}};

std::string names_of_forms() {
  std::string names;
  for (const ExportForm& form : forms) names += (names.empty() ? "" : ", ") + std::string(form.name);
  return names;
}

const ExportForm& chosen_form(const ExportRequest& request) {
  const std::string extension = std::filesystem::path(request.out).extension().string();
  const auto found = std::ranges::find_if(forms, [&](const ExportForm& form) {
    return request.to.empty() ? form.extension == (extension.empty() ? ".onnx" : extension) : form.name == request.to;
  });
  if (found != forms.end()) return *found;
  throw ConfigError({.what = "a model of tables cannot be written in this form",
                     .seen = request.to.empty() ? "--out " + request.out : "--to " + request.to,
                     .advice = "give --to with one of: " + names_of_forms()});
}

ExitCode export_tables(const ExportRequest& request, const std::filesystem::path& file) {
  const ExportForm& form = chosen_form(request);
  const std::string bytes = form.write(read_model(file));
  if (form.text && request.out.empty()) {
    fmt::print("{}", bytes);
    return ExitCode::done;
  }
  const std::string out = request.out.empty() ? "model" + std::string(form.extension) : request.out;
  write_output_file(out, bytes);
  log_info(fmt::format("the model is in {} ({})", out, form.name));
  return ExitCode::done;
}

ExitCode export_network(const ExportRequest& request) {
  if (!request.to.empty() && request.to != "torchscript")
    throw ConfigError({.what = "a network can be written as TorchScript only",
                       .seen = "--to " + request.to,
                       .advice = "leave --to out"});
  const std::string out = request.out.empty() ? "model.pt" : request.out;
  export_model(request.given, request.method, out);
  log_info("TorchScript in " + out);
  return ExitCode::done;
}

ExitCode export_model_of(const ExportRequest& request) {
  const std::optional<std::filesystem::path> file = find_fit_file(request.given, "model.json", request.method);
  return file ? export_tables(request, *file) : export_network(request);
}

}  // namespace

void declare_export(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ExportRequest>();
  command.add_option("DIR", request->given, "a directory that 'driftless run' left, or model.json")->required();
  command.add_option("--method", request->method, "label of the method; needed where the run has several")
      ->type_name("LABEL");
  command
      .add_option("--to", request->to,
                  "form of a model of tables, if the name of the file does not say it: ONNX, a formula to read, SQL, a "
                  "table of effects; networks are written as TorchScript")
      ->type_name("onnx|formula|sql|csv|torchscript")
      ->check(CLI::IsMember({"onnx", "formula", "sql", "csv", "torchscript"}));
  command
      .add_option("--out", request->out,
                  "the file to write; if not given, model.onnx or model.pt, and standard output for text")
      ->type_name("FILE");
  command.footer("Example:\n  driftless export readmission --out readmission.onnx");
  command.callback([&action, request] { action = [request] { return export_model_of(*request); }; });
}

}  // namespace driftless::app
