// Rows of CSV text, read into the columns of a table whose room was made before.
#pragma once

#include "driftless/data/tables/csv_cell.hpp"
#include "driftless/data/tables/csv_layout.hpp"
#include "driftless/data/tables/text_dictionary.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace driftless {

class CsvRowReader {
 public:
  // `rows` is all text that may be looked at. Codes are those of the dictionaries, one for each column of the table;
  // several readers may write to the same table, as long as their rows differ.
  CsvRowReader(const CsvLayout& layout, std::string_view rows, std::span<TableColumn> columns,
               std::span<TextDictionary> dictionaries);

  // Reads row number `index` of the table; returns where the next one begins. CsvFault where the text is malformed.
  const char* read(const char* at, std::size_t index);

 private:
  struct Slot {
    CsvUse use = CsvUse::skipped;
    double* number = nullptr;
    std::int32_t* code = nullptr;
    TextDictionary* dictionary = nullptr;
  };

  bool ends_cell(const char* at) const;
  const char* cell_end(const char* at) const;
  const char* quick_number(const char* at, double& out) const;
  const char* quick_cell(const Slot& slot, const char* at, std::size_t index) const;
  const char* cell(std::size_t column, const char* at, std::size_t index);
  void careful_cell(const Slot& slot, const CsvCell& cell, std::size_t index);
  double careful_number(std::string_view text) const;
  const char* behind_row(const char* row, const char* at);
  const char* behind_cell(const char* at, const char* row);
  [[noreturn]] void fail_ragged(const char* row);

  const CsvLayout& layout_;
  const char* end_;
  const char* quick_end_;  // cells that begin before it may be looked at in whole words
  char delimiter_;
  char point_;
  std::vector<Slot> slots_;  // of the columns of the text
  std::string room_;
};

}  // namespace driftless
