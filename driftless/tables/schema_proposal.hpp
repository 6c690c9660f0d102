// A first schema for tables, from what their cells look like. A person who knows the columns must correct it.
#pragma once

#include "driftless/data/tables/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace driftless {

struct ProposalOptions {
  std::string label;    // empty: a column that is called like one, otherwise the last
  bool levels = false;  // whether the levels of categorical columns are written, which tells texts of the files
  CsvFormat format;
};

struct ProposedColumn {
  SchemaColumn column;
  std::string reason;         // for the role
  std::size_t missing = 0;    // cells
  std::size_t distinct = 0;   // texts
  bool all_distinct = false;  // no text was seen twice
  bool counted = true;        // false: there are more distinct texts than those
  bool numbers = false;
  double low = 0.0;  // of numbers, rounded away from them to two digits, so that no value of a row is shown
  double high = 0.0;
};

struct SchemaProposal {
  std::size_t files = 0;
  std::size_t rows = 0;
  CsvFormat format;
  std::vector<ProposedColumn> columns;

  Schema schema() const;
};

// ConfigError where no file has the label; DataError where a file is not a table.
SchemaProposal propose_schema(std::span<const std::filesystem::path> files, const ProposalOptions& options);

// The TOML of the schema; with comments, what was seen of each column.
std::string proposal_text(const SchemaProposal& proposal, bool comments);

}  // namespace driftless
