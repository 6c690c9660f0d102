// What a site says about itself on the command line, to join or to find out whether it could.
#pragma once

#include "apps/command_line.hpp"

namespace driftless::app {

struct SiteRequest {
  std::string address;
  std::string tls;  // folder
  bool plain = false;
  std::string site;
  std::vector<std::string> data;
  std::string out;
  Format format = Format::text;
};

void add_site_arguments(CLI::App& command, SiteRequest& request);

}  // namespace driftless::app
