// The arguments of a site, shared by `join` and `preflight`.
#pragma once

#include "apps/network/site_policy.hpp"

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

// Host and port of "HOST:PORT". ConfigError where there is no port.
struct Address {
  std::string host;
  std::string port;
};
Address address_of(const std::string& text);

}  // namespace driftless::app
