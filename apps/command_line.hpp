// What the verbs share on the command line. A verb declares its flags and sets the action. Results are printed to
// standard output, messages to standard error; failures are thrown.
#pragma once

#include "apps/exit_code.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace driftless::app {

// What the parsed command does.
using Action = std::function<ExitCode()>;

enum class Format { text, json, markdown };

void add_format(CLI::App& command, Format& format);
void add_format_with_markdown(CLI::App& command, Format& format);
void add_links(CLI::App& command, std::vector<std::string>& links);
// Shows the help of a group whose verb is missing. `parent` precedes its name on the command line.
Action show_help(const CLI::App& group, const std::string& parent);

// Declares all verbs of verbs.def. Each program has its own definition: driftless passes network verbs to
// driftless-net.
void declare_verbs(CLI::App& app, Action& action);

void print_json(const nlohmann::ordered_json& json);  // replaces invalid UTF-8
bool json_was_printed();                              // so far

// The error for a command line that CLI11 rejects.
ConfigError usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace driftless::app
