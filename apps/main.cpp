// The main function of both programs: parses the command line, runs the verb and prints errors.
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/console/terminal.hpp"
#include "driftless/kernels/simd.hpp"

#include "apps/command_line.hpp"
#include "apps/help_text.hpp"
#include "apps/network_program.hpp"
#include "apps/signals.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

ExitCode run_verb(const std::vector<std::string>& arguments) {
  start_log();
  CLI::App app("Federated optimization with few communication rounds", "driftless");
  app.formatter(help_formatter());
  app.set_version_flag("--version", "driftless " + program_version());
  app.require_subcommand(0, 1);
  app.footer("Examples:\n  driftless run examples/synthetic.toml\n  driftless describe fedred-gd\n\nEvery command "
             "explains itself with --help.");
  Action action = [&app] {
    std::cout << app.help();
    return ExitCode::done;
  };
  declare_verbs(app, action);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Success& request) {  // --help and --version
    app.exit(request);
    return ExitCode::done;
  } catch (const CLI::ParseError& error) { throw usage_error(error, app, arguments); }
  return action();
}

bool json_is_wanted(const std::vector<std::string>& arguments) {
  const auto format = std::ranges::find(arguments, "--format");
  if (format != arguments.end()) return format + 1 != arguments.end() && *(format + 1) == "json";
  return std::ranges::find(arguments, "--format=json") != arguments.end();
}

void print_failure(const Failure& failure) {
  print_json({{"error",
               {{"what", failure.info.what},
                {"seen", failure.info.seen},
                {"do", failure.info.advice},
                {"exit_code", static_cast<int>(failure.code)}}}});
}

ExitCode fail(ExitCode code, const std::string& text) {
  std::cout << std::flush;
  std::cerr << coloured_head(text) << '\n';
  return code;
}

ExitCode run_program(const std::vector<std::string>& arguments) {
  try {
    if (const char* simd = std::getenv("DRIFTLESS_SIMD")) choose_simd(simd);
    const ExitCode code = run_verb(arguments);
    std::cout << std::flush;
    if (std::fflush(stdout) != 0 || !std::cout) return fail(ExitCode::data, "error: standard output cannot be written");
    return code;
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    if (json_is_wanted(arguments) && !json_was_printed()) print_failure(failure);
    return fail(failure.code, failure.text);
  }
}

}  // namespace
}  // namespace driftless::app

int main(int argc, char** argv) {
  driftless::app::remember_arguments(argv);
  driftless::app::explain_truncated_files();
  return static_cast<int>(driftless::app::run_program(std::vector<std::string>(argv + 1, argv + argc)));
}
