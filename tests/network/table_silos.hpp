// A federation whose sites have tables, and what a whole run on them leaves: preparation, cross-validation, fit,
// evaluation, inference.
#pragma once

#include "tests/cli/tables/table_files.hpp"
#include "tests/network/silos.hpp"

#include <string>
#include <vector>

namespace driftless {

struct TablePipeline {
  std::string name;
  std::string problem;                      // further keys of [problem]
  std::vector<std::size_t> hosts{1, 1, 1};  // the clients of north, south and west
  std::string label = "outcome";            // or "visits", a count
  std::string methods = {};                 // [[method]] newton-cg and [stop]; empty: auto
};

// The schema of the tables: numbers, texts with and without levels, an ordinal column; cells are missing.
std::string table_schema(const std::string& label);
std::string small_table(std::uint64_t seed, std::size_t rows);

// A federation of three sites with a table for each client, and the same in one process.
class TableSilos {
 public:
  explicit TableSilos(const TablePipeline& pipeline, std::size_t rows = 60, const std::string& network_keys = "");

  Silos& silos() { return silos_; }
  // The same run in one process, in the folder "alone". Returns what tables leave.
  std::string bits_alone(const std::vector<std::string>& more = {});
  std::string bits_at(const std::string& who) const;
  // Waits for all peers: what is wrong with how they ended or with their bits; empty if nothing is.
  std::string fault(const std::string& bits);

 private:
  std::string label_;
  Silos silos_;
};

}  // namespace driftless
