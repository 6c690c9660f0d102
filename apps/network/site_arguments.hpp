// The arguments of a site, shared by `join` and `preflight`.
#pragma once

#include "driftless/peers/site_policy.hpp"

#include "apps/command_line.hpp"

namespace driftless::app {

struct SiteRequest {
  std::string address;
  std::string tls;  // folder
  bool plain = false;
  std::string site;
  std::vector<std::string> data;
  PolicyRequest policy;
  std::string out;
  Format format = Format::text;
};

void add_site_arguments(CLI::App& command, SiteRequest& request);

void add_policy_arguments(CLI::App& command, PolicyRequest& request);

}  // namespace driftless::app
