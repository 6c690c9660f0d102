// What a site finds out about its own tables before a run.
#pragma once

#include "driftless/network/hub/site_offer.hpp"
#include "driftless/problems/glm/glm_keys.hpp"
#include "driftless/problems/problem.hpp"

#include <string>
#include <vector>

namespace driftless::app {

struct TableFindings {
  // Rows that can be used, columns that are read, and the indices of the classes that occur, where the schema has them.
  SiteFacts facts;
  std::string text;
};

// DataError for whatever in the files does not suit the schema; what `own` says about rows is checked too.
TableFindings check_tables(const GlmSetup& setup, const SiteData& own);

// DataError where the classes of all sites are known and all rows have the same one.
void require_two_classes(const GlmSetup& setup, const SiteComparison& comparison);

}  // namespace driftless::app
