// driftless compare
#include "driftless/console/progress.hpp"
#include "driftless/console/terminal.hpp"
#include "driftless/experiments/comparison.hpp"

#include "apps/command_line.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct CompareRequest {
  enum class Layout { text, markdown, json };
  std::vector<std::string> files;
  std::vector<std::string> overrides;  // key=value
  std::vector<std::string> methods;    // empty: all
  bool tables = false;                 // also the [[method]] tables of the files
  std::vector<double> targets;         // parts of the first gap; empty: the usual ones
  Layout layout = Layout::text;
};

ExitCode compare(const CompareRequest& request) {
  for (const std::string& name : request.methods)
    find_method(name);  // an unknown name is an error before anything is computed
  std::vector<RunConfig> configs;
  for (const std::string& file : request.files)
    configs.push_back(read_config(file, request.overrides, MethodTables::optional));

  record_signals();
  ComparisonOptions options{.methods = request.methods,
                            .tables = request.tables,
                            .progress = progress_wanted(),
                            .stop_token = received_signal};
  if (!request.targets.empty()) options.targets = request.targets;
  std::vector<Comparison> comparisons;
  for (const RunConfig& config : configs) {
    comparisons.push_back(compare_methods(config, options));
    if (request.layout == CompareRequest::Layout::text)
      fmt::print("{}\n", comparison_text(comparisons.back(), output_width()));
    if (request.layout == CompareRequest::Layout::markdown) fmt::print("{}\n", comparison_markdown(comparisons.back()));
    if (comparisons.back().interrupted) break;
  }
  if (request.layout == CompareRequest::Layout::json) fmt::print("{}", comparison_json(comparisons));
  return exit_code_of(received_signal());
}

}  // namespace

void declare_compare(CLI::App& command, Action& action) {
  using Layout = CompareRequest::Layout;
  const auto request = std::make_shared<CompareRequest>();
  command.add_option("FILE", request->files, "configurations; their [[method]] tables are used with --tables")
      ->required();
  command.add_option("-c", request->overrides, "set a key on top of every file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--methods", request->methods, "only these, separated by commas")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_flag("--tables", request->tables,
                   "also the methods of [[method]] tables, with the options given there and the theory's for the rest");
  command
      .add_option("--target", request->targets,
                  "parts of the first gap, separated by commas; 1e-2,1e-4,1e-6,1e-8 if not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PARTS")
      ->check([](const std::string& text) {
        double part = 0.0;
        const bool fit = CLI::detail::lexical_cast(text, part) && part > 0.0 && part < 1.0;
        return fit ? std::string() : text + " is not a number above 0 and below 1";
      });
  const auto choose = [request](const std::string& text) {
    const std::map<std::string, Layout> layouts{
        {"text", Layout::text}, {"markdown", Layout::markdown}, {"json", Layout::json}};
    if (!layouts.contains(text)) throw CLI::ValidationError("--format", text + " is not text, markdown or json");
    request->layout = layouts.at(text);
  };
  command.add_option_function<std::string>("--format", choose, "text, markdown or json")
      ->type_name("text|markdown|json");
  command.footer("Example:\n  driftless compare examples/compare/quadratic.toml --methods gd,dane,fedred-gd");
  command.callback([&action, request] { action = [request] { return compare(*request); }; });
}

}  // namespace driftless::app
