// Scripts that complete commands, options and fixed values in shells.
#pragma once

#include "apps/manual/command_tree.hpp"

namespace driftless::app {

std::string bash_completion(const std::vector<CommandFacts>& commands);
std::string zsh_completion(const std::vector<CommandFacts>& commands);  // that of bash, as zsh can read it
std::string fish_completion(const std::vector<CommandFacts>& commands);

}  // namespace driftless::app
