// driftless manual
#include "driftless/console/machine.hpp"

#include "apps/command_line.hpp"
#include "apps/manual/manual_page.hpp"
#include "apps/network_program.hpp"

#include <fmt/format.h>

namespace driftless::app {

void declare_manual(CLI::App& command, Action& action) {
  command.footer("To read it:\n  driftless manual > driftless.1 && man ./driftless.1");
  const CLI::App& program = *command.get_parent();
  command.callback([&program, &action] {
    action = [&program] {
      if (!declares_all_options()) become_network_program();
      fmt::print("{}", manual_page(command_tree(program), program_version()));
      return ExitCode::done;
    };
  });
}

}  // namespace driftless::app
