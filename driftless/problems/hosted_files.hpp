// The data files of the clients that a peer hosts.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

#include <filesystem>
#include <vector>

namespace driftless {

// Those of the site, else those that the configuration names. ConfigError where there is not one for each client.
std::vector<std::filesystem::path> hosted_files(const ProblemSetup& setup, const PeerResources& peer);

}  // namespace driftless
