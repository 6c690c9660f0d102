// The layout of --help: what a value is in words, and lines that fit a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace driftless::app {

// For the program and, if it is set before they are added, for all its commands.
std::shared_ptr<CLI::Formatter> help_formatter();

// What the value of an option is: FILE, N, text|json.
std::string value_text(const CLI::Option& option);
// The description with default and restrictions.
std::string description_text(const CLI::Option& option);

}  // namespace driftless::app
