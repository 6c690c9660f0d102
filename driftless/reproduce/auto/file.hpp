// The file of the study behind docs/auto.md: its budget, and one line per cell.
#pragma once

#include "driftless/reproduce/auto/search.hpp"

#include <filesystem>
#include <map>

namespace driftless {

// What is known of one cell.
struct AutoRecord {
  AutoCell cell;
  std::size_t rows = 0;
  std::size_t variables = 0;
  std::size_t entries = 0;    // that are not zero
  std::string digest;         // of the data
  std::size_t gradients = 0;  // that a method may spend
  std::vector<AutoResult> results;
  std::string impossible;  // why there is no such problem; empty otherwise

  const AutoResult* find(const std::string& method) const;  // null where it has not run
  bool operator==(const AutoRecord&) const = default;
};

class AutoFile {
 public:
  static constexpr const char* name = "study.jsonl";

  // A new study, or the one that the folder holds. ConfigError where that has another budget, or where the folder holds
  // other files; DataError where the file is damaged.
  AutoFile(const std::filesystem::path& folder, const AutoBudget& budget);

  const std::vector<AutoRecord>& records() const { return records_; }
  const AutoRecord* find(const AutoCell& cell) const;
  // Replaces an earlier record of the cell. The file is replaced as a whole.
  void put(AutoRecord record);
  // Removes the results of a method in these cells.
  void forget(const std::string& method, const std::vector<AutoCell>& cells);

 private:
  void write() const;

  std::filesystem::path path_;
  AutoBudget budget_;
  std::vector<AutoRecord> records_;
};

}  // namespace driftless
