#include "apps/table_counts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace driftless::app {
namespace {

std::string counted(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

std::string counts_text(const DesignCounts& counts, const std::string& done) {
  const std::size_t left_out = counts.rows_without_label + counts.rows_with_missing;
  std::string text = fmt::format("{} {}", counted(counts.rows_read - left_out, "row", "rows"), done);
  if (counts.rows_without_label > 0)
    text += fmt::format("; {} left out", counted(counts.rows_without_label, "row without label", "rows without label"));
  if (counts.rows_with_missing > 0)
    text += fmt::format("; {} left out, as the schema says",
                        counted(counts.rows_with_missing, "row with a missing cell", "rows with missing cells"));
  if (counts.cells_imputed > 0)
    text += fmt::format("; {} filled", counted(counts.cells_imputed, "missing cell was", "missing cells were"));
  if (counts.cells_unseen > 0)
    text += fmt::format("; {} of the model", counted(counts.cells_unseen, "text is no level", "texts are no level"));
  return text;
}

nlohmann::ordered_json counts_json(const DesignCounts& counts) {
  return {{"rows_read", counts.rows_read},
          {"rows_without_label", counts.rows_without_label},
          {"rows_with_missing", counts.rows_with_missing},
          {"cells_imputed", counts.cells_imputed},
          {"cells_unseen", counts.cells_unseen}};
}

}  // namespace driftless::app
