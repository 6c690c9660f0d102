#include "driftless/data/tables/csv_cell.hpp"

#include <algorithm>
#include <cstring>

namespace driftless {
namespace {

constexpr bool is_cell_blank(char c, char delimiter) { return c == ' ' || (c == '\t' && delimiter != '\t'); }

const char* skip_blanks(const char* at, const char* end, char delimiter) {
  return std::find_if_not(at, end, [&](char c) { return is_cell_blank(c, delimiter); });
}

bool ends_line(const char* at, const char* end) {
  return *at == '\n' || (*at == '\r' && at + 1 != end && at[1] == '\n');
}

[[noreturn]] void fail_large(const char* at, std::string advice) {
  throw CsvFault{.what = "a cell has more than " + std::to_string(most_cell_bytes) + " bytes",
                 .token = std::string(at, 100),
                 .advice = std::move(advice)};
}

// The next quote, where the cell begins behind `start`.
const char* next_quote(const char* start, const char* at, const char* end) {
  const auto limit = static_cast<std::ptrdiff_t>(most_cell_bytes);
  const char* const stop = end - start > limit ? start + limit : end;
  const auto left = static_cast<std::size_t>(stop - std::min(at, stop));
  const auto* quote = static_cast<const char*>(std::memchr(at, '"', left));
  if (quote != nullptr) return quote;
  if (stop != end) fail_large(start, "close its quote if it is open too long, or leave the column out of the file");
  throw CsvFault{.what = "a quoted cell is not closed",
                 .token = csv_token({start - 1, end}),
                 .advice = "close it with a quote; a quote inside of a cell is written twice"};
}

CsvCell quoted_cell(const char* open, const char* end, char delimiter, std::string& room) {
  const char* const start = open + 1;
  const char* from = start;
  room.clear();
  const char* quote = next_quote(start, from, end);
  while (quote + 1 != end && quote[1] == '"') {
    room.append(from, quote + 1);
    from = quote + 2;
    quote = next_quote(start, from, end);
  }
  const char* const behind = skip_blanks(quote + 1, end, delimiter);
  if (behind != end && *behind != delimiter && !ends_line(behind, end))
    throw CsvFault{.what = "text follows the closing quote of a cell",
                   .token = csv_token({open, end}),
                   .advice = "put the whole cell in quotes, and write quotes inside of it twice"};
  if (from == start) return {{start, quote}, behind};
  room.append(from, quote);
  return {room, behind};
}

[[noreturn]] void fail_inside(const char* start, const char* at, const char* end) {
  const std::string shown = csv_token({start, std::min(at + 20, end)});
  if (*at == '\r')
    throw CsvFault{.what = "a carriage return without a line feed stands outside of quotes",
                   .token = shown,
                   .advice = "end lines with a line feed, or with both characters"};
  throw CsvFault{.what = "a quote stands inside of a cell that does not begin with one",
                 .token = shown,
                 .advice = "put the whole cell in quotes, and write quotes inside of it twice"};
}

}  // namespace

void check_cell_size(std::string_view cell) {
  if (cell.size() > most_cell_bytes) fail_large(cell.data(), "shorten it, or leave the column out of the file");
}

std::string_view without_blanks(std::string_view text, char delimiter) {
  while (!text.empty() && is_cell_blank(text.back(), delimiter)) text.remove_suffix(1);
  while (!text.empty() && is_cell_blank(text.front(), delimiter)) text.remove_prefix(1);
  return text;
}

CsvCell read_csv_cell(const char* at, const char* end, char delimiter, std::string& room) {
  const char* const first = skip_blanks(at, end, delimiter);
  if (first != end && *first == '"') return quoted_cell(first, end, delimiter, room);
  const char* stop = first;
  while (stop != end && *stop != delimiter && !ends_line(stop, end)) {
    if (*stop == '\r' || *stop == '"') fail_inside(at, stop, end);
    ++stop;
  }
  check_cell_size({at, stop});
  return {without_blanks({at, stop}, delimiter), stop};
}

}  // namespace driftless
