// metrics.csv and metrics.jsonl: the rows of the trace, written one by one, so that a run that is killed leaves the
// rows until then.
#pragma once

#include "driftless/files/digest.hpp"
#include "driftless/optimize/trace.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace driftless {

std::string csv_header(bool tested = false);  // `tested`: with the columns of a test set
std::string csv_line(const TraceRow& row);    // shortest numbers that read back the same; empty where not known
std::string json_line(const TraceRow& row);   // null where not known or not finite

// The rows of a metrics.csv. An incomplete last line is left out: a run may still be writing it. DataError if the file
// is missing or malformed.
std::vector<TraceRow> read_metrics(const std::filesystem::path& file);

// SHA-256 of the bytes of a metrics.csv: of these rows as they are written, of a whole file, and of its header and
// first rows. DataError if the file is missing.
std::string digest_of_metrics(const std::vector<TraceRow>& rows);
std::string digest_of_metrics(const std::filesystem::path& file);
std::string digest_of_metrics(const std::filesystem::path& file, std::size_t rows);

class MetricsFile {
 public:
  // `tested`: rows will have the scores of a test set. DataError if it cannot be written.
  explicit MetricsFile(const std::filesystem::path& folder, bool tested = false);

  void add(const TraceRow& row);

  void sync() const;  // writes both files to the disk

  std::string digest() const { return digest_.hex_so_far(); }  // of metrics.csv as written so far

  // For a run that continues after these rows: the files in the folder are truncated to them.
  static MetricsFile continuing(const std::filesystem::path& folder, const std::vector<TraceRow>& rows, bool tested);

 private:
  MetricsFile(const std::filesystem::path& folder, std::ios::openmode mode);
  void require_good(const std::ofstream& file, const char* name) const;

  std::filesystem::path folder_;
  std::ofstream csv_;
  std::ofstream jsonl_;
  Sha256 digest_;
};

}  // namespace driftless
