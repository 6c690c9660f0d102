// The predictions of a model for every row of a table, as lines of text.
#pragma once

#include "driftless/glm/predict/table_stream.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class LineFormat : std::uint8_t { csv, jsonl };

struct PredictionLines {
  std::vector<std::string> keep;  // columns of the table to copy in front of the predictions
  LineFormat format = LineFormat::csv;
};

// Passes the header of CSV and one line for each row, in the order of the table, to `write`. A row without a
// prediction, because a column whose missing rule is `drop` has no value, has empty cells there, or null. ConfigError
// where a column to keep has the name of a predicted one; DataError as for stream_table.
StreamEnd predict_table(const GlmModel& model, const std::filesystem::path& file, const PredictionLines& lines,
                        const StopToken& stop, const std::function<void(std::string_view)>& write);

}  // namespace driftless
