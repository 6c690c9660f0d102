// The rows of a table as those of a model: the coding applied to every cell.
#pragma once

#include "driftless/data/glm_rows.hpp"
#include "driftless/data/tables/csv_reader.hpp"
#include "driftless/tables/coding.hpp"

#include <cstdint>
#include <vector>

namespace driftless {

enum class LabelUse {
  required,  // every row has a label
  none       // labels are neither asked for nor read, and weights neither
};

// What was done about cells that are not as the coding has them.
struct DesignCounts {
  std::size_t rows_read = 0;
  std::size_t rows_without_label = 0;  // left out
  std::size_t rows_with_missing = 0;   // left out, because of a column whose rule is `drop`
  std::size_t cells_imputed = 0;
  std::size_t cells_unseen = 0;  // texts that are no level: coded as `other` where there is one, else as the reference

  void add(const DesignCounts& more);
};

struct Design {
  GlmRows rows;                     // labels are empty with LabelUse::none, so use kept.size() for their number
  std::vector<std::uint32_t> kept;  // the index in the table of every row
  DesignCounts counts;
};

// The columns of a file that a model reads.
std::vector<ColumnRequest> column_requests(const Coding& coding, LabelUse use);

// DataError for labels that the coding does not know, and for weights and offsets that are missing or negative.
Design make_design(const Table& table, const Coding& coding, LabelUse use);

}  // namespace driftless
