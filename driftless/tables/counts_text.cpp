#include "driftless/tables/counts_text.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

std::string counted(std::size_t count, const char* one, const char* several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

std::string counts_text(const DesignCounts& counts, const std::string& done) {
  std::string text = fmt::format("{} {}", counted(counts.rows_used(), "row", "rows"), done);
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

}  // namespace driftless
