// driftless summary
#include "driftless/glm/inference.hpp"
#include "driftless/results/fit_files.hpp"

#include "apps/command_line.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct SummaryRequest {
  std::string given;   // a run directory, or inference.json
  std::string method;  // its label; empty: the only one
  std::string source;  // of the errors; empty: the usual one
  SummaryOptions options;
  Format format = Format::text;
};

SummaryOptions options_of(const SummaryRequest& request) {
  SummaryOptions options = request.options;
  ErrorSource source{};
  if (!request.source.empty() && OptionType<ErrorSource>::read(request.source, source)) options.source = source;
  return options;
}

ExitCode summarize(const SummaryRequest& request) {
  const Inference inference = read_inference(fit_file(request.given, "inference.json", request.method));
  const SummaryOptions options = options_of(request);
  switch (request.format) {
    case Format::text: fmt::print("{}", inference_text(inference, options)); break;
    case Format::markdown: fmt::print("{}", inference_markdown(inference, options)); break;
    case Format::json: fmt::print("{}", inference_json(inference, options)); break;
  }
  return ExitCode::done;
}

}  // namespace

void declare_summary(CLI::App& command, Action& action) {
  const auto request = std::make_shared<SummaryRequest>();
  command.add_option("DIR", request->given, "the directory of a run that fitted a model of tables, or inference.json")
      ->required();
  command.add_option("--method", request->method, "label of the method; needed where the run fitted several models")
      ->type_name("LABEL");
  command
      .add_option("--errors", request->source,
                  "standard errors of the model, or robust ones: a sandwich over rows or over sites")
      ->type_name("model|row|site")
      ->check(CLI::IsMember(OptionType<ErrorSource>::choices()));
  command.add_option("--level", request->options.level, "of the intervals")
      ->type_name("NUMBER")
      ->check(CLI::Range(0.5, 0.9999))
      ->capture_default_str();
  add_format_with_markdown(command, request->format);
  command.footer("Example:\n  driftless summary readmission --errors site");
  command.callback([&action, request] { action = [request] { return summarize(*request); }; });
}

}  // namespace driftless::app
