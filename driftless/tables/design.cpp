#include "driftless/tables/design.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace driftless {
namespace {

constexpr std::size_t stride_of(std::size_t variables) { return (variables + 7) / 8 * 8; }

// Rows are written in blocks that stay in the first cache while the columns, which are contiguous, are read one by one.
constexpr std::size_t block_bytes = std::size_t{1} << 15;

[[noreturn]] void reject_cell(const Table& table, const std::string& column, std::size_t row, const std::string& seen,
                              const std::string& what, const std::string& advice) {
  throw DataError(
      {.what = what,
       .seen = table.name + ": column '" + printable(column) + "', row " + std::to_string(row + 1) + ": " + seen,
       .advice = advice});
}

// One column of the coding with its cells as numbers: the value, or the index of the level; NaN where it is missing.
struct CodedCells {
  const CodedColumn* coding;
  const TableColumn* cells;
  std::vector<std::int32_t> level = {};  // of each text; empty for numbers
  std::int32_t unseen_level = -1;        // of texts that are no level
  std::size_t first_variable = 0;

  bool missing(std::size_t row) const { return is_missing(*cells, row); }
  // Of a cell that is not missing.
  double value(std::size_t row, DesignCounts& counts) const {
    if (cells->type == CellType::number) return cells->number[row];
    const std::int32_t found = level[static_cast<std::size_t>(cells->code[row])];
    if (found >= 0) return found;
    ++counts.cells_unseen;
    return unseen_level >= 0 ? unseen_level : coding->fill;
  }
};

std::vector<CodedCells> coded_cells(const Table& table, const Coding& coding) {
  std::vector<CodedCells> all;
  std::size_t variable = 0;
  for (const CodedColumn& column : coding.columns) {
    CodedCells one{.coding = &column, .cells = &requested_column(table, column.name), .first_variable = variable};
    if (column.role != ColumnRole::numeric) {
      one.level = level_of_texts(*one.cells, column.levels);
      if (!column.levels.empty() && column.levels.back() == CodedColumn::other)
        one.unseen_level = static_cast<std::int32_t>(column.levels.size()) - 1;
    }
    variable += column.variables();
    all.push_back(std::move(one));
  }
  return all;
}

// Those of the rows that the rules keep.
std::vector<std::uint32_t> kept_rows(const Table& table, std::span<const std::uint32_t> rows, const Coding& coding,
                                     const std::vector<CodedCells>& columns, LabelUse use, DesignCounts& counts) {
  const TableColumn* label = use == LabelUse::none ? nullptr : &requested_column(table, coding.label);
  std::vector<std::uint32_t> kept;
  kept.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    const bool dropped = std::ranges::any_of(columns, [&](const CodedCells& column) {
      return column.coding->missing == MissingRule::drop && column.missing(row);
    });
    if (label != nullptr && is_missing(*label, row)) ++counts.rows_without_label;
    else if (dropped) ++counts.rows_with_missing;
    else kept.push_back(row);
  }
  return kept;
}

// Calls set(variable, value) for every nonzero variable of the cell.
template <class Set>
void code_cell(const CodedCells& column, std::size_t row, DesignCounts& counts, const Set& set) {
  const CodedColumn& coding = *column.coding;
  const bool missing = column.missing(row);
  if (missing) ++counts.cells_imputed;
  const double value = missing ? coding.fill : column.value(row, counts);
  if (coding.role != ColumnRole::categorical) set(column.first_variable, (value - coding.center) / coding.scale);
  else if (value >= 1.0) set(column.first_variable + static_cast<std::size_t>(value) - 1, 1.0);
  if (missing && coding.indicator) set(column.first_variable + coding.variables() - 1, 1.0);
}

void fill_dense(const std::vector<CodedCells>& columns, std::size_t stride, Design& design) {
  std::vector<double>& dense = design.rows.dense;
  dense.assign(design.kept.size() * stride, 0.0);
  const std::size_t block_rows =
      std::max<std::size_t>(8, block_bytes / (sizeof(double) * std::max<std::size_t>(1, stride)));
  for (std::size_t first = 0; first < design.kept.size(); first += block_rows) {
    const std::size_t end = std::min(first + block_rows, design.kept.size());
    for (const CodedCells& column : columns)
      for (std::size_t k = first; k < end; ++k)
        code_cell(column, design.kept[k], design.counts,
                  [&](std::size_t variable, double value) { dense[k * stride + variable] = value; });
  }
}

void fill_sparse(const std::vector<CodedCells>& columns, const Table& table, Design& design) {
  Dataset& sparse = design.rows.sparse;
  sparse.name = table.name;
  sparse.dim = design.rows.columns;
  sparse.row_start = {0};
  for (const std::uint32_t row : design.kept) {
    for (const CodedCells& column : columns)
      code_cell(column, row, design.counts, [&](std::size_t variable, double value) {
        if (value == 0.0) return;
        sparse.column.push_back(static_cast<std::int32_t>(variable));
        sparse.value.push_back(value);
      });
    sparse.row_start.push_back(static_cast<std::int64_t>(sparse.column.size()));
  }
  sparse.label.assign(design.kept.size(), 0.0);
}

std::vector<double> labels_of(const Table& table, const Coding& coding, LabelUse use,
                              const std::vector<std::uint32_t>& kept) {
  const TableColumn& column = requested_column(table, coding.label);
  std::vector<double> labels;
  labels.reserve(kept.size());
  if (column.type == CellType::number) {
    for (const std::uint32_t row : kept) labels.push_back(column.number[row]);
    return labels;
  }
  require_known_classes(table, coding.label, coding.classes, kept);
  const std::vector<std::int32_t> class_of = level_of_texts(column, coding.classes);
  for (const std::uint32_t row : kept) {
    const double index = class_of[static_cast<std::size_t>(column.code[row])];
    labels.push_back(use == LabelUse::signed_classes ? 2.0 * index - 1.0 : index);
  }
  return labels;
}

enum class Sign { any, nonnegative };

std::vector<double> numbers_of(const Table& table, const std::string& name, const std::vector<std::uint32_t>& kept,
                               Sign sign) {
  std::vector<double> numbers;
  if (name.empty()) return numbers;
  const TableColumn& column = requested_column(table, name);
  numbers.reserve(kept.size());
  for (const std::uint32_t row : kept) {
    const double value = column.number[row];
    if (std::isnan(value))
      reject_cell(table, name, row, "the cell is missing", "weights and offsets must be given in every row",
                  "fill the cell, or remove the row");
    if (sign == Sign::nonnegative && value < 0.0)
      reject_cell(table, name, row, number(value), "a weight is negative", "give weights of 0 or more");
    numbers.push_back(value);
  }
  return numbers;
}

// Sparse rows pay where most variables of a row are zero: each categorical column sets one of its variables at most.
bool prefers_dense(const Coding& coding) { return 3 * coding.columns.size() > coding.variables(); }

}  // namespace

void DesignCounts::add(const DesignCounts& more) {
  rows_read += more.rows_read;
  rows_without_label += more.rows_without_label;
  rows_with_missing += more.rows_with_missing;
  add_cells(more);
}

void DesignCounts::add_cells(const DesignCounts& more) {
  cells_imputed += more.cells_imputed;
  cells_unseen += more.cells_unseen;
}

std::vector<ColumnRequest> column_requests(const Coding& coding, LabelUse use) {
  std::vector<ColumnRequest> requests;
  for (const CodedColumn& column : coding.columns)
    requests.push_back(
        {.name = column.name, .type = column.role == ColumnRole::numeric ? CellType::number : CellType::text});
  if (!coding.offset.empty()) requests.push_back({.name = coding.offset});
  if (use == LabelUse::none) return requests;
  requests.push_back({.name = coding.label, .type = coding.classes.empty() ? CellType::number : CellType::text});
  if (!coding.weight.empty()) requests.push_back({.name = coding.weight});
  return requests;
}

std::vector<std::int32_t> level_of_texts(const TableColumn& column, const std::vector<std::string>& levels) {
  std::unordered_map<std::string_view, std::int32_t> level_of;
  for (const std::string& level : levels) level_of.emplace(level, static_cast<std::int32_t>(level_of.size()));
  std::vector<std::int32_t> index;
  index.reserve(column.texts.size());
  for (const std::string& text : column.texts) {
    const auto found = level_of.find(text);
    index.push_back(found == level_of.end() ? -1 : found->second);
  }
  return index;
}

void require_known_classes(const Table& table, const std::string& label, const std::vector<std::string>& classes,
                           std::span<const std::uint32_t> rows) {
  const TableColumn& column = requested_column(table, label);
  const std::vector<std::int32_t> class_of = level_of_texts(column, classes);
  const auto is_unknown = [&](std::uint32_t row) {
    return !is_missing(column, row) && class_of[static_cast<std::size_t>(column.code[row])] < 0;
  };
  const auto wrong = std::ranges::find_if(rows, is_unknown);
  if (wrong == rows.end()) return;
  reject_cell(table, label, *wrong, "'" + printable(column.texts[static_cast<std::size_t>(column.code[*wrong])]) + "'",
              "a label is none of the classes of the model",
              "the classes are " + printable(join(classes)) + "; correct the cell, or the levels of the schema");
}

const TableColumn& requested_column(const Table& table, std::string_view name) {
  const TableColumn* column = table.find(name);
  DRIFTLESS_ASSERT(column != nullptr, "the reader returns every requested column");
  return *column;
}

Design make_design(const Table& table, const Coding& coding, LabelUse use) {
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  return make_design(table, rows, coding, use);
}

Design make_design(const Table& table, std::span<const std::uint32_t> rows, const Coding& coding, LabelUse use) {
  Design design;
  design.counts.rows_read = rows.size();
  const std::vector<CodedCells> columns = coded_cells(table, coding);
  design.kept = kept_rows(table, rows, coding, columns, use, design.counts);
  design.rows.columns = static_cast<Index>(coding.variables());
  design.rows.stride = stride_of(coding.variables());
  if (prefers_dense(coding)) fill_dense(columns, design.rows.stride, design);
  else fill_sparse(columns, table, design);
  if (use != LabelUse::none) {
    design.rows.label = labels_of(table, coding, use, design.kept);
    design.rows.weight = numbers_of(table, coding.weight, design.kept, Sign::nonnegative);
  }
  design.rows.offset = numbers_of(table, coding.offset, design.kept, Sign::any);
  return design;
}

}  // namespace driftless
