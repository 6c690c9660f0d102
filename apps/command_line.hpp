// What the verbs share on the command line. A verb declares its flags and sets the action to what it does. Results go
// to standard output, text for people to standard error; failures are thrown.
#pragma once

#include "apps/exit_code.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace driftless::app {

// What the command that was typed will do.
using Action = std::function<ExitCode()>;

enum class Format { text, json };

void add_format(CLI::App& command, Format& format);
void add_links(CLI::App& command, std::vector<std::string>& links);
// A group without a verb of its own shows its help. `parent` is what is typed before its name.
Action show_help(const CLI::App& group, const std::string& parent);

// All verbs, as verbs.def lists them. Each program has its own: driftless hands over those of the network.
void declare_verbs(CLI::App& app, Action& action);

void print_json(const nlohmann::ordered_json& json);  // replaces what is not UTF-8

// A command line that CLI11 does not accept, as an error of this program.
ConfigError usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace driftless::app
