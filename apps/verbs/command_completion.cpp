// driftless completion bash|zsh|fish
#include "apps/command_line.hpp"
#include "apps/manual/completion.hpp"
#include "apps/network_program.hpp"

#include <fmt/format.h>

namespace driftless::app {

void declare_completion(CLI::App& command, Action& action) {
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer("To use it:\n  bash: source <(driftless completion bash)\n  zsh:  driftless completion zsh > "
                 "DIR/_driftless, where $fpath has DIR\n  fish: driftless completion fish | source");
  const CLI::App& program = *command.get_parent();
  command.callback([shell, &program, &action] {
    action = [shell, &program] {
      if (!declares_all_options()) become_network_program();
      const std::vector<CommandFacts> commands = command_tree(program);
      fmt::print("{}", *shell == "bash"  ? bash_completion(commands)
                       : *shell == "zsh" ? zsh_completion(commands)
                                         : fish_completion(commands));
      return ExitCode::done;
    };
  });
}

}  // namespace driftless::app
