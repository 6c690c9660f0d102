// What a server and its sites tell one another before a run.
#pragma once

#include "driftless/federation/transport.hpp"

#include <string>
#include <vector>

namespace driftless {

// What a site tells about its data.
struct SiteFacts {
  std::string site;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> labels;  // distinct ones, a few
};

// What the server asks this site to run.
struct SiteOffer {
  std::string run;
  std::string site;
  std::string configuration;
  Layout layout;
  double clock_ahead = 0.0;  // seconds that the server's clock is ahead of this one, as far as can be told
};

// What the sites have said about their data.
struct SiteComparison {
  std::vector<SiteFacts> known;
  std::vector<std::string> unknown;
};

}  // namespace driftless
