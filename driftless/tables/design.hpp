// The rows of a table as those of a model: the coding applied to every cell.
#pragma once

#include "driftless/data/glm_rows.hpp"
#include "driftless/data/tables/csv_reader.hpp"
#include "driftless/tables/coding.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class LabelUse {
  none,            // labels are neither asked for nor read, and weights neither
  values,          // numbers, or indices of classes: 0, 1, …
  signed_classes,  // −1 and +1 for the two classes
};

// What was done about cells that are not as the coding has them.
struct DesignCounts {
  std::size_t rows_read = 0;
  std::size_t rows_without_label = 0;  // left out
  std::size_t rows_with_missing = 0;   // left out, because of a column whose rule is `drop`
  std::size_t cells_imputed = 0;
  std::size_t cells_unseen = 0;  // texts that are no level: coded as `other` where there is one, else as `fill`

  std::size_t rows_used() const { return rows_read - rows_without_label - rows_with_missing; }
  void add(const DesignCounts& more);
  void add_cells(const DesignCounts& more);  // of rows that are counted already
};

struct Design {
  GlmRows rows;                     // without labels for LabelUse::none; kept.size() is the number of rows
  std::vector<std::uint32_t> kept;  // the index in the table of every row
  DesignCounts counts;
};

// The columns of a file that a model reads, in the order of the coding; then label, weight and offset.
std::vector<ColumnRequest> column_requests(const Coding& coding, LabelUse use);

// `table` has the requested columns. DataError for labels that the coding does not know, and for weights and offsets
// that are missing or negative.
Design make_design(const Table& table, const Coding& coding, LabelUse use);
Design make_design(const Table& table, std::span<const std::uint32_t> rows, const Coding& coding, LabelUse use);

// The index of each text of a column among the levels; -1 where it is none of them.
std::vector<std::int32_t> level_of_texts(const TableColumn& column, const std::vector<std::string>& levels);

// DataError where one of the rows has a label that is none of the classes.
void require_known_classes(const Table& table, const std::string& label, const std::vector<std::string>& classes,
                           std::span<const std::uint32_t> rows);

// The column that the reader was asked for.
const TableColumn& requested_column(const Table& table, std::string_view name);

inline bool is_missing(const TableColumn& column, std::size_t row) {
  return column.type == CellType::number ? column.number[row] != column.number[row]
                                         : column.code[row] == TableColumn::missing_code;
}

}  // namespace driftless
