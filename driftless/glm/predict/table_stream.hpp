// A table as a stream of rows with their predictions.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/glm/model.hpp"
#include "driftless/tables/design.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// Some consecutive rows of a table.
struct PredictedRows {
  const Table& table;
  const Design& design;
  std::span<const double> eta;  // of the rows of the design, as linear_predictions has them
};

struct StreamEnd {
  DesignCounts counts;
  bool stopped = false;  // by the token, before the end of the table
};

struct StreamRequest {
  LabelUse labels = LabelUse::none;
  std::vector<std::string> keep;  // further columns that the rows have; as text unless the model reads numbers there
};

// Calls `use` for all rows in their order. DataError where the table lacks a column, or a cell cannot be read.
StreamEnd stream_table(const GlmModel& model, const std::filesystem::path& file, const StreamRequest& request,
                       const StopToken& stop, const std::function<void(const PredictedRows&)>& use);

}  // namespace driftless
