#include "driftless/data/tables/csv_reader.hpp"

#include "driftless/data/tables/csv_chunks.hpp"
#include "driftless/data/tables/csv_layout.hpp"
#include "driftless/data/tables/csv_text.hpp"
#include "driftless/files/input_file.hpp"

#include <algorithm>

namespace driftless {

std::vector<std::string> read_csv_header(const std::filesystem::path& file, const CsvFormat& format) {
  InputFile input(file);
  std::vector<std::string> names;
  for (CsvLayout::Column& column : read_csv_layout(input.plain(), file.string(), format).columns)
    names.push_back(std::move(column.name));
  return names;
}

Table read_csv(const std::filesystem::path& file, std::span<const ColumnRequest> requests, const CsvFormat& format) {
  InputFile input(file);
  return parse_csv(input.plain(), file.string(), requests, format);
}

struct CsvStream::State {
  State(const std::filesystem::path& file, const std::vector<ColumnRequest>& requests, const CsvFormat& format)
      : input(file), layout(read_csv_layout(input.plain(), file.string(), format)) {
    request_columns(layout, requests);
    at = layout.rows.data();
    line = layout.first_line;
  }

  InputFile input;
  CsvLayout layout;
  const char* at = nullptr;  // null: at the end
  std::size_t line = 0;
};

CsvStream::CsvStream(const std::filesystem::path& file, std::vector<ColumnRequest> requests, const CsvFormat& format)
    : state_(std::make_unique<State>(file, requests, format)) {}
CsvStream::~CsvStream() = default;

bool CsvStream::next(Table& chunk) {
  chunk = {};
  if (state_->at == nullptr) return false;
  constexpr std::size_t chunk_bytes = std::size_t{1} << 23;
  const std::string_view rows = state_->layout.rows;
  const char* const end = rows.data() + rows.size();
  const std::string_view start(state_->at, std::min(chunk_bytes, static_cast<std::size_t>(end - state_->at)));
  const char* const next = next_row(start.data() + start.size(), end, count_line_breaks(start).ends_inside);
  const std::string_view whole(state_->at, next != nullptr ? next : end);
  chunk = read_csv_rows(state_->layout, next != nullptr ? without_line_end(whole) : whole, state_->line);
  state_->line += static_cast<std::size_t>(std::ranges::count(whole, '\n'));
  state_->at = next;
  return true;
}

}  // namespace driftless
