// driftless data
#include "apps/command_line.hpp"

namespace driftless::app {

void declare_data_info(CLI::App& command, Action& action);
void declare_data_split(CLI::App& command, Action& action);
void declare_data_get(CLI::App& command, Action& action);
void declare_data_generate(CLI::App& command, Action& action);

void declare_data(CLI::App& command, Action& action) {
  command.require_subcommand(0, 1);
  declare_data_info(
      *command.add_subcommand("info", "Rows, columns, labels and digest of a data set, or what a set of images holds"),
      action);
  declare_data_split(*command.add_subcommand("split", "Divide the rows of a data set among clients"), action);
  declare_data_get(*command.add_subcommand("get", "Download a public data set into ~/.cache/driftless and verify it"),
                   action);
  CLI::App& generate = *command.add_subcommand("generate", "Make synthetic problems and data");
  declare_data_generate(generate, action);
  command.footer("Example:\n  driftless data info a9a");
  command.callback([&action, &command, &generate] {
    if (command.get_subcommands().empty()) action = show_help(command, "driftless");
    else if (generate.parsed() && generate.get_subcommands().empty()) action = show_help(generate, "driftless data");
  });
}

}  // namespace driftless::app
