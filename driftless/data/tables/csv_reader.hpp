// CSV and TSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes; LF or CRLF; UTF-8 with or without a
// byte order mark; plain, gzip or zstd) as columns. Threads parse chunks of a file; the result does not depend on them.
#pragma once

#include "driftless/data/tables/column_request.hpp"
#include "driftless/data/tables/csv_format.hpp"
#include "driftless/data/tables/table.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// The names of the columns of a file, in its order.
std::vector<std::string> read_csv_header(const std::filesystem::path& file, const CsvFormat& format);

// The requested columns of the whole file, in the order of the requests. DataError with file, line and column for
// whatever is not a table or not a number.
Table read_csv(const std::filesystem::path& file, std::span<const ColumnRequest> requests, const CsvFormat& format);

// The same, some rows at a time, in constant memory for plain files.
class CsvStream {
 public:
  CsvStream(const std::filesystem::path& file, std::vector<ColumnRequest> requests, const CsvFormat& format);
  ~CsvStream();
  CsvStream(const CsvStream&) = delete;
  CsvStream& operator=(const CsvStream&) = delete;

  // Replaces `chunk` by the next rows; false, and no rows, at the end. Codes of text are those of this chunk alone.
  bool next(Table& chunk);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace driftless
