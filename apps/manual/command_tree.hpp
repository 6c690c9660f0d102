// The commands and options of the program as data, for the manual page and for the completion of shells. They are read
// from the parser, so that they cannot differ from what the program accepts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace driftless::app {

struct OptionFacts {
  std::vector<std::string> flags;    // "--out", "-c"; empty for a positional argument
  std::string value;                 // what the value is, such as FILE or text|json; empty for a flag without one
  std::vector<std::string> choices;  // where the values are a fixed list
  std::string text;                  // with default and restrictions
};

struct CommandFacts {
  std::vector<std::string> path;  // "data", "info"; empty for the program itself
  std::string text;
  std::vector<OptionFacts> positionals;
  std::vector<OptionFacts> options;
  std::vector<std::string> subcommands;
};

// Depth first, the program itself first.
std::vector<CommandFacts> command_tree(const CLI::App& program);

// Whether this program declares all options of all verbs; `driftless` leaves those of the network to driftless-net.
bool declares_all_options();

}  // namespace driftless::app
