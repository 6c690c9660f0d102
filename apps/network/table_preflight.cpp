#include "apps/network/table_preflight.hpp"

#include "driftless/core/error.hpp"
#include "driftless/data/tables/csv_reader.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/tables/preparation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace driftless::app {
namespace {

// The rows of each class. DataError for a text that is none of the levels of the schema.
std::map<std::string, std::size_t> count_classes(const Table& table, const SchemaColumn& label,
                                                 const std::vector<std::uint32_t>& rows) {
  const TableColumn& column = requested_column(table, label.name);
  std::map<std::string, std::size_t> counts;
  for (const std::uint32_t row : rows) ++counts[column.texts[static_cast<std::size_t>(column.code[row])]];
  for (const auto& [text, count] : counts)
    if (!label.levels.empty() && std::ranges::count(label.levels, text) == 0)
      throw DataError(
          {.what = "a label is none of the classes of the schema",
           .seen = fmt::format("{}: column '{}': '{}' in {} rows", table.name, label.name, text, count),
           .advice = "the classes are " + join(label.levels) + "; correct the cells, or the levels of the schema"});
  return counts;
}

}  // namespace

TableFindings check_tables(const GlmSetup& setup, const SiteData& own) {
  const bool classes = has_classes(setup.keys.family);
  const SchemaColumn& label = *setup.schema.of_role(ColumnRole::label);
  const std::vector<ColumnRequest> requests = column_requests(setup.schema, classes);
  TableFindings found;
  found.facts.columns = requests.size();
  std::map<std::string, std::size_t> counts;
  DesignCounts left_out;
  for (const std::filesystem::path& file : own.files) {
    const Table table = read_csv(file, requests, setup.schema.format);
    std::vector<std::uint32_t> rows(table.rows);
    std::iota(rows.begin(), rows.end(), 0U);
    rows = usable_rows(table, setup.schema, rows, left_out);
    own.require_rows(table.name, rows.size());
    if (rows.empty())
      throw DataError(
          {.what = "no row of the table can be used",
           .seen = fmt::format("{}: {} rows, {} without label", table.name, table.rows, left_out.rows_without_label),
           .advice = "check the label of the schema and the texts for missing cells"});
    found.facts.rows += rows.size();
    if (!classes) continue;
    for (const auto& [text, count] : count_classes(table, label, rows)) counts[text] += count;
  }
  found.text = fmt::format("{} rows that can be used, {} columns that are read", found.facts.rows, requests.size());
  if (left_out.rows_without_label + left_out.rows_with_missing > 0)
    found.text += fmt::format("; without label {}, with missing cells where the schema says drop {}",
                              left_out.rows_without_label, left_out.rows_with_missing);
  for (const auto& [text, count] : counts) {
    found.text += fmt::format("; {} = {}: {}", label.name, text, count);
    const auto level = std::ranges::find(label.levels, text);
    if (level != label.levels.end()) found.facts.labels.push_back(static_cast<double>(level - label.levels.begin()));
  }
  return found;
}

void require_two_classes(const GlmSetup& setup, const SiteComparison& comparison) {
  const SchemaColumn& label = *setup.schema.of_role(ColumnRole::label);
  if (!has_classes(setup.keys.family) || label.levels.empty() || !comparison.unknown.empty()) return;
  std::vector<double> all;
  for (const SiteFacts& site : comparison.known) all.insert(all.end(), site.labels.begin(), site.labels.end());
  std::ranges::sort(all);
  if (std::ranges::unique(all).begin() - all.begin() >= 2) return;
  throw DataError({.what = "all rows of all sites have the same label",
                   .seen = fmt::format("column '{}' at {} sites", label.name, comparison.known.size()),
                   .advice = "there is nothing to tell apart: check the label of the schema"});
}

}  // namespace driftless::app
