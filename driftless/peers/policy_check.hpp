// Whether a site agrees to what a server asks.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/peers/site_policy.hpp"
#include "driftless/problems/problem.hpp"

namespace driftless {

// ConfigError that names what was asked, what the policy says and where.
void require_allowed(const StatedPolicy& policy, const RunConfig& config);

// The part of the policy that is about this site's own rows.
SiteData site_data(const StatedPolicy& policy, const std::vector<std::string>& files);

}  // namespace driftless
