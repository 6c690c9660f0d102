// The manual page driftless(1) in roff.
#pragma once

#include "apps/manual/command_tree.hpp"

namespace driftless::app {

std::string manual_page(const std::vector<CommandFacts>& commands, const std::string& version);

}  // namespace driftless::app
