// How good a model is on tables with labels. Each table is a site.
#pragma once

#include "driftless/glm/evaluation.hpp"
#include "driftless/glm/predict/table_stream.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct TableEvaluation {
  Evaluation pooled;                  // of the rows of all tables
  std::vector<SiteEvaluation> sites;  // of each table, under its name
  DesignCounts counts;
  bool stopped = false;  // by the token; the rest has no meaning then
};

// DataError where a table lacks a column, has a label that the family does not allow, or cannot be read.
TableEvaluation evaluate_tables(const GlmModel& model, std::span<const std::filesystem::path> files,
                                const StopToken& stop);

}  // namespace driftless
