// What the files that describe the command line share.
#pragma once

#include "apps/commands.hpp"

#include <CLI/CLI.hpp>
#include <functional>

namespace driftless::app {

// What the command that was typed will do.
using Action = std::function<ExitCode()>;

inline void add_format(CLI::App& command, Format& format) {
  const auto choose = [&format](const std::string& text) {
    if (text != "text" && text != "json") throw CLI::ValidationError("--format", text + " is neither text nor json");
    format = text == "json" ? Format::json : Format::text;
  };
  command.add_option_function<std::string>("--format", choose, "text or json; json is one object on standard output")
      ->type_name("text|json");
}

void add_serve(CLI::App& app, Action& action);
void add_join(CLI::App& app, Action& action);
void add_preflight(CLI::App& app, Action& action);
void add_pki(CLI::App& app, Action& action);

}  // namespace driftless::app
