#include "driftless/glm/predict/table_stream.hpp"

#include "driftless/glm/prediction.hpp"

#include <algorithm>

namespace driftless {
namespace {

std::vector<ColumnRequest> stream_columns(const GlmModel& model, const StreamRequest& request) {
  std::vector<ColumnRequest> columns = column_requests(model.coding, request.labels);
  for (const std::string& name : request.keep)
    if (std::ranges::find(columns, name, &ColumnRequest::name) == columns.end())
      columns.push_back({.name = name, .type = CellType::text});
  return columns;
}

}  // namespace

StreamEnd stream_table(const GlmModel& model, const std::filesystem::path& file, const StreamRequest& request,
                       const StopToken& stop, const std::function<void(const PredictedRows&)>& use) {
  CsvStream stream(file, stream_columns(model, request), model.coding.format);
  StreamEnd end;
  for (Table chunk; stream.next(chunk);) {
    const Design design = make_design(chunk, model.coding, request.labels);
    use({.table = chunk, .design = design, .eta = linear_predictions(model, design)});
    end.counts.add(design.counts);
    end.stopped = stop.stop_requested();
    if (end.stopped) break;
  }
  return end;
}

}  // namespace driftless
