// The messages between a server and its sites before a run.
#pragma once

#include "driftless/federation/transport.hpp"

#include <string>
#include <vector>

namespace driftless {

// The data of a site in a few numbers.
struct SiteFacts {
  std::string site;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> labels;  // the distinct ones, at most a few
};

// What the server asks this site to run.
struct SiteOffer {
  std::string run;
  std::string site;
  std::string configuration;
  Layout layout;
  double clock_ahead = 0.0;  // estimated seconds by which the server's clock is ahead of this one
};

// The facts of all sites that have reported them.
struct SiteComparison {
  std::vector<SiteFacts> known;
  std::vector<std::string> unknown;
};

}  // namespace driftless
